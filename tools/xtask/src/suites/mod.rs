//! `cargo xtask suites`: the test suites of ThreadSanitizer, Helgrind and DRD
//! as a yardstick.
//!
//! Their sources are fetched, never kept in this repository. What a case
//! expects is read from the suite itself; what counts is whether something of
//! the expected class was reported, not how it was worded.

mod args;
mod case;
mod class;
mod fetch;
mod group;
mod lit;
mod places;
mod pool;
mod program;
mod reviewed;
mod table;
mod tool;
mod vgtest;

pub(crate) use args::Args;

use args::Suite;
use case::Case;
use places::Places;

/// Runs the suites and prints the table.
pub(crate) fn main(args: &Args) -> anyhow::Result<()> {
    let places = Places::new(args.racert.as_deref(), args.tool);
    places.check(args.tool)?;
    let mut cases: Vec<Case> = Vec::new();
    for suite in args.suites() {
        let found = match suite {
            Suite::Tsan => lit::run(args, &places)?,
            Suite::Helgrind | Suite::Drd => vgtest::run(suite, args, &places)?,
        };
        cases.extend(found);
    }
    cases.retain(|case| args.filter.iter().all(|part| case.name.contains(part)));
    if args.json {
        table::print_json(&cases)
    } else {
        table::print(&cases, args.verbose);
        Ok(())
    }
}
