//! End-to-end tests of racert: real clang, real programs.
//!
//! The corpus in `tests/scenarios/` is a set of small C and C++ programs, each
//! with a header of comments that says what a detector must answer. This crate
//! reads the headers ([`header`]), multiplies each program into its cases
//! ([`matrix`]), compiles them with the detector under test ([`detector`],
//! [`compile`]), runs them under a time limit ([`execute`]) and compares the
//! answer with the header ([`verdict`]). [`normalise`] takes out of a report
//! what changes from run to run, so that the rest can be compared with a file.
//! [`document`] reads the project's documents, whose commands are tests too.
//! [`classified`] is a second corpus, for comparing modes and detectors;
//! [`rewriting`] is for programs that use rewritten libraries.

pub mod classified;
pub mod compile;
pub mod detector;
pub mod document;
pub mod execute;
pub mod header;
pub mod matrix;
pub mod normalise;
pub mod program;
pub mod rewriting;
pub mod verdict;

use std::path::{Path, PathBuf};

/// The folder that holds the scenarios.
pub fn scenarios_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

/// Where build output of the workspace goes.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"),
    }
}
