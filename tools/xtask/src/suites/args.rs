//! The command line.

use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;

use super::tool::Tool;

/// Run the test suites of ThreadSanitizer, Helgrind and DRD.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only these suites
    #[arg(long, value_enum, num_args = 1..)]
    suite: Vec<Suite>,
    /// The detector to judge
    #[arg(long, value_enum, default_value = "racert")]
    pub(super) tool: Tool,
    /// Install tree of racert instead of target/racert
    #[arg(long)]
    pub(super) racert: Option<PathBuf>,
    /// Also list each case that went wrong, and those left out
    #[arg(long, short)]
    pub(super) verbose: bool,
    /// Print everything as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// How many tests to run at the same time
    #[arg(long, short, default_value_t = 2)]
    pub(super) jobs: usize,
    /// Only tests whose name contains all of these
    pub(super) filter: Vec<String>,
}

impl Args {
    /// The suites asked for.
    pub(super) fn suites(&self) -> Vec<Suite> {
        if self.suite.is_empty() {
            Suite::value_variants().to_vec()
        } else {
            self.suite.clone()
        }
    }
}

/// A test suite of a peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Suite {
    /// compiler-rt/test/tsan of LLVM.
    Tsan,
    /// helgrind/tests of valgrind.
    Helgrind,
    /// drd/tests of valgrind.
    Drd,
}

impl Suite {
    /// As on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Suite::Tsan => "tsan",
            Suite::Helgrind => "helgrind",
            Suite::Drd => "drd",
        }
    }
}
