//! The tools compared, and what sets each of them apart.

use clap::ValueEnum;
use serde::Serialize;

/// A way to build and run a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Tool {
    /// No tool at all: what everything is compared with.
    Native,
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
    /// All tools, in the order of the table.
    pub(super) const ALL: [Tool; 5] = [
        Tool::Native,
        Tool::Racert,
        Tool::Tsan,
        Tool::Helgrind,
        Tool::Drd,
    ];

    /// The name in tables, file names and on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Native => "native",
            Tool::Racert => "racert",
            Tool::Tsan => "tsan",
            Tool::Helgrind => "helgrind",
            Tool::Drd => "drd",
        }
    }

    /// Whether the tool runs a native binary inside valgrind. Those are tens
    /// of times slower than the others, so they get less work.
    pub(super) fn is_valgrind(self) -> bool {
        matches!(self, Tool::Helgrind | Tool::Drd)
    }

    /// What comes before the program on the command line. A report makes the
    /// run end with 66, as it does with the other tools.
    pub(super) fn prefix(self) -> Vec<String> {
        if !self.is_valgrind() {
            return Vec::new();
        }
        vec![
            "valgrind".into(),
            "-q".into(),
            format!("--tool={}", self.name()),
            "--error-exitcode=66".into(),
        ]
    }
}
