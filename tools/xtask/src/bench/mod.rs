//! Benchmarks against native runs and the other detectors.

use anyhow::{Result, bail};

/// What to measure.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Runs the benchmarks.
pub(crate) fn main(_args: Args) -> Result<()> {
    bail!("no benchmarks are part of this tree")
}
