//! Where sources, binaries and compilers are.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::tool::Tool;
use crate::paths;
use crate::process::in_path;

/// The compiler of every detector.
const CLANG: &str = "clang-22";
const CLANGXX: &str = "clang++-22";

/// Folders and programs of one run.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// Downloads and unpacked sources.
    pub(super) sources: PathBuf,
    /// What is built and what it prints.
    pub(super) work: PathBuf,
    racert: PathBuf,
    tool: Tool,
}

impl Places {
    /// The usual places; `racert` replaces the install tree.
    pub(super) fn new(racert: Option<&Path>, tool: Tool) -> Self {
        let sources = paths::target().join("suites");
        Self {
            work: sources.join("work").join(tool.name()),
            sources,
            racert: racert.map_or_else(paths::stage, |dir| {
                dir.canonicalize().unwrap_or_else(|_| dir.to_owned())
            }),
            tool,
        }
    }

    /// The detector's compiler for C or C++.
    pub(super) fn compiler(&self, cpp: bool) -> PathBuf {
        if self.tool == Tool::Racert {
            let name = if cpp {
                "racert-clang++"
            } else {
                "racert-clang"
            };
            self.racert.join("bin").join(name)
        } else {
            Self::plain_compiler(cpp)
        }
    }

    /// The compiler without any detector.
    pub(super) fn plain_compiler(cpp: bool) -> PathBuf {
        PathBuf::from(if cpp { CLANGXX } else { CLANG })
    }

    /// Is everything there that `tool` needs?
    pub(super) fn check(&self, tool: Tool) -> anyhow::Result<()> {
        ensure!(
            in_path(CLANG) && in_path(CLANGXX),
            "{CLANG} is needed: `cargo xtask setup`"
        );
        ensure!(
            tool != Tool::Racert || self.compiler(false).exists(),
            "nothing in {}: run `cargo xtask build` first",
            self.racert.display()
        );
        ensure!(
            !tool.is_valgrind() || in_path("valgrind"),
            "valgrind is not installed"
        );
        Ok(())
    }
}
