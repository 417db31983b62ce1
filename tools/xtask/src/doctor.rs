//! `cargo xtask doctor`: packages first, then what `racert doctor` says.

use std::process::Command;

use anyhow::{Result, bail};

use crate::packages::{self, Purpose};
use crate::paths;
use crate::process;

/// Prints missing packages and runs the staged `racert doctor`.
pub(crate) fn main() -> Result<()> {
    let missing = packages::missing(Purpose::Demo, packages::choose_llvm(false)?);
    if !missing.is_empty() {
        println!(
            "missing packages: {} (cargo xtask setup)",
            missing.join(" ")
        );
    }
    let racert = paths::stage().join("bin/racert");
    if !racert.is_file() {
        bail!(
            "{} is not built yet: run `cargo xtask build`",
            racert.display()
        );
    }
    process::run(Command::new(racert).arg("doctor"))
}
