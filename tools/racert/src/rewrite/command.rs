//! The subcommand itself.

use std::fs;
use std::path::Path;
use std::time::Instant;

use racert_rewrite::Options;

use super::{progress, write};
use crate::cli::RewriteArgs;
use crate::error::{self, Error, Result};

/// Runs `racert rewrite`.
pub(crate) fn exec(args: &RewriteArgs) -> Result<()> {
    let options = Options {
        only: args.only.clone(),
        exclude: args.exclude.clone(),
        poison: args.poison,
    };
    if same_file(&args.input, &args.output) {
        return Err(Error::new(
            error::USAGE,
            "the output would replace the input",
        ));
    }
    let begun = Instant::now();
    let bytes = read(&args.input)?;
    let shown = args.input.display();
    let name = args.input.file_name().unwrap_or_default().to_string_lossy();
    let rewritten = progress::rewrite(&name, bytes, &options)
        .map_err(|e| Error::from(e).about(&shown.to_string()))?;
    write::replace(&args.output, &rewritten.bytes, &args.input)?;
    if let Some(report) = &args.report {
        let json = rewritten.coverage.json(&shown.to_string());
        fs::write(report, format!("{json:#}\n")).map_err(|e| {
            Error::new(
                error::CANNOT_WRITE,
                format!("cannot write {}: {e}", report.display()),
            )
        })?;
    }
    if !args.quiet {
        anstream::eprintln!(
            "racert: {shown}: {} ({:.1} s)",
            rewritten.coverage,
            begun.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|e| {
        Error::new(
            error::NO_INPUT,
            format!("cannot read {}: {e}", path.display()),
        )
    })
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
