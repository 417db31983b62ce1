//! `cargo xtask modes`: what every mode, Helgrind, DRD and ThreadSanitizer say
//! about the classified corpus.

use anyhow::Result;

use crate::process;

/// Builds racert and writes `tests/classified/TABLE.md`.
pub(crate) fn main() -> Result<()> {
    crate::build::main()?;
    let mut command = process::cargo();
    command.args(["run", "-q", "-p", "racert-tests", "--bin", "modes"]);
    process::run(&mut command)
}
