//! The command line of `cargo xtask bench`.

use std::path::PathBuf;

use super::tool::Tool;

/// What to measure, how often, and where to write it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Only these kernels (see --list)
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub(super) kernel: Vec<String>,
    /// Tools to compare [default: all that are installed]
    #[arg(long, value_name = "TOOL", value_delimiter = ',', num_args = 1..)]
    pub(super) tools: Vec<Tool>,
    /// Repetitions; the median counts (valgrind's tools run once)
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) reps: u32,
    /// Optimisation level of the kernels
    #[arg(long, default_value = "O2", value_parser = ["O0", "O1", "O2", "O3", "Os"])]
    pub(super) opt: String,
    /// A fifth of the work, at most 3 repetitions, without valgrind
    #[arg(long)]
    pub(super) quick: bool,
    /// Also build and run programs from Debian source packages (all, or those named)
    #[arg(long, value_name = "NAME", num_args = 0.., value_delimiter = ',')]
    pub(super) real: Option<Vec<String>>,
    /// Measure work in rewritten libraries, and nothing else
    #[arg(long, conflicts_with_all = ["real", "kernel", "tools"])]
    pub(super) libs: bool,
    /// Measure what recognising loops that wait costs instead: the kernels with
    /// it and without, and compiling these files
    #[arg(long, value_name = "FILE", num_args = 0..)]
    pub(super) loops: Option<Vec<PathBuf>>,
    /// Measure what looking for potential deadlocks costs instead: a million
    /// acquisitions of ten thousand locks, with it and without
    #[arg(long, conflicts_with = "loops")]
    pub(super) lock_order: bool,
    /// Measure what looking for possible races costs instead: the kernels in
    /// mode=hybrid and in mode=hb
    #[arg(long, conflicts_with_all = ["loops", "lock_order"])]
    pub(super) hybrid: bool,
    /// Leave out the kernels and the micro figures
    #[arg(long)]
    pub(super) no_kernels: bool,
    /// Write all figures as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write the table into README.md
    #[arg(long)]
    pub(super) readme: bool,
    /// Write a page with a chart
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// The racert install tree to measure [default: target/racert]
    #[arg(long, value_name = "DIR")]
    pub(super) racert: Option<PathBuf>,
    /// Show the kernels and programs, then stop
    #[arg(long)]
    pub(super) list: bool,
}
