//! The detectors that can be judged.

use clap::ValueEnum;
use serde::Serialize;

/// A detector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Tool {
    /// racert.
    Racert,
    /// clang's ThreadSanitizer.
    Tsan,
    /// valgrind's helgrind.
    Helgrind,
    /// valgrind's drd.
    Drd,
}

impl Tool {
    /// The name in folders and on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Racert => "racert",
            Tool::Tsan => "tsan",
            Tool::Helgrind => "helgrind",
            Tool::Drd => "drd",
        }
    }

    /// Whether programs are built plainly and run inside valgrind.
    pub(super) fn is_valgrind(self) -> bool {
        matches!(self, Tool::Helgrind | Tool::Drd)
    }

    /// What comes before a program on the command line.
    pub(super) fn prefix(self) -> Vec<String> {
        if !self.is_valgrind() {
            return Vec::new();
        }
        vec![
            "valgrind".to_owned(),
            "-q".to_owned(),
            format!("--tool={}", self.name()),
            "--error-exitcode=66".to_owned(),
            "--fair-sched=try".to_owned(),
        ]
    }

    /// What every run has in its environment. Lock orders that one thread alone
    /// contradicts cannot deadlock, so that racert reports them only if asked;
    /// the detectors whose suites these are do so always.
    pub(super) fn variables(self) -> Vec<(&'static str, String)> {
        match self {
            Tool::Racert => vec![("RACERT_OPTIONS", "single_thread_inversions=1".to_owned())],
            Tool::Tsan | Tool::Helgrind | Tool::Drd => Vec::new(),
        }
    }

    /// Options every compilation gets. valgrind 3.19 does not read the debug
    /// information clang writes today.
    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Tool::Racert => &[],
            Tool::Tsan => &["-fsanitize=thread"],
            Tool::Helgrind | Tool::Drd => &["-gdwarf-4"],
        }
    }
}
