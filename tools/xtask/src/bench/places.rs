//! Where sources, binaries and tools are.

use std::path::{Path, PathBuf};

use super::tool::Tool;
use crate::paths;
use crate::process::in_path;

/// The compiler every tool is measured with.
pub(super) const CLANG: &str = "clang-22";
/// Its C++ driver.
pub(super) const CLANGXX: &str = "clang++-22";

/// The folders a run works with.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// `tests/bench` of this repository.
    pub(super) sources: PathBuf,
    /// Built kernels and results of single runs.
    pub(super) out: PathBuf,
    /// Real programs: downloads, build trees, inputs.
    pub(super) real: PathBuf,
    /// The racert install tree.
    pub(super) racert: PathBuf,
}

impl Places {
    /// The usual places; `racert` replaces the install tree.
    pub(super) fn new(racert: Option<&Path>) -> Self {
        let racert = racert.map_or_else(paths::stage, |dir| {
            dir.canonicalize().unwrap_or_else(|_| dir.to_owned())
        });
        Self {
            sources: paths::root().join("tests/bench"),
            out: paths::target().join("bench"),
            real: paths::target().join("real"),
            racert,
        }
    }

    /// racert's compiler wrapper for C or C++.
    pub(super) fn wrapper(&self, cpp: bool) -> PathBuf {
        self.racert.join("bin").join(if cpp {
            "racert-clang++"
        } else {
            "racert-clang"
        })
    }

    /// The pass plugin in the install tree.
    pub(super) fn plugin(&self) -> PathBuf {
        self.racert.join("lib/libracert_pass.so")
    }

    /// Why `tool` cannot be used here, if so.
    pub(super) fn missing(&self, tool: Tool) -> Option<String> {
        match tool {
            Tool::Native | Tool::Tsan => (!in_path(CLANG)).then(|| format!("{CLANG} not found")),
            Tool::Racert => {
                let there = self.wrapper(false).exists() || self.plugin().exists();
                (!there).then(|| {
                    format!(
                        "nothing in {} (run `cargo xtask build`)",
                        self.racert.display()
                    )
                })
            }
            Tool::Helgrind | Tool::Drd => {
                (!in_path("valgrind")).then(|| "valgrind not found".to_owned())
            }
        }
    }
}
