//! Where the pieces of an installed racert lie.
//!
//! Everything is found relative to this executable, so an install tree can be
//! moved: `bin/racert`, `lib/libracert.a`, `lib/libracert_pass-22.so`, ...

use std::env;
use std::path::{Path, PathBuf};

use crate::error::{self, Error, Result};

/// LLVM versions a plugin may exist for, the preferred one first.
pub(crate) const LLVM_VERSIONS: [u32; 3] = [22, 19, 18];

/// Variable that names another install tree than the one this file is in.
pub(crate) const HOME_VARIABLE: &str = "RACERT_HOME";

/// An install tree.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    prefix: PathBuf,
}

impl Layout {
    /// The tree that `RACERT_HOME` names, else the one around this executable.
    pub(crate) fn find() -> Result<Self> {
        if let Some(home) = env::var_os(HOME_VARIABLE).filter(|home| !home.is_empty()) {
            let layout = Layout {
                prefix: PathBuf::from(home),
            };
            if layout.is_complete() {
                return Ok(layout);
            }
            return Err(Error::new(
                error::UNUSABLE,
                format!(
                    "{HOME_VARIABLE}={} holds no lib/libracert.a",
                    layout.prefix.display()
                ),
            )
            .hint("unset it or point it at the tree `cargo xtask install --prefix` made"));
        }
        let exe = env::current_exe()
            .and_then(|exe| exe.canonicalize())
            .map_err(|e| {
                Error::new(
                    error::UNUSABLE,
                    format!("cannot tell where this executable is: {e}"),
                )
                .hint(format!("set {HOME_VARIABLE} to the install tree"))
            })?;
        let bin = exe.parent().unwrap_or(Path::new("/"));
        let candidates = [bin.join(".."), bin.join("../racert")];
        for candidate in candidates {
            let layout = Layout {
                prefix: candidate.canonicalize().unwrap_or(candidate),
            };
            if layout.is_complete() {
                return Ok(layout);
            }
        }
        Err(Error::new(
            error::UNUSABLE,
            format!("no lib/libracert.a beside {}", bin.display()),
        )
        .hint(format!(
            "run `cargo xtask build` and use target/racert/bin, or set {HOME_VARIABLE} to the install tree"
        )))
    }

    fn is_complete(&self) -> bool {
        self.static_runtime().is_file()
    }

    /// `bin/`.
    pub(crate) fn bin(&self) -> PathBuf {
        self.prefix.join("bin")
    }

    /// `lib/`.
    pub(crate) fn lib(&self) -> PathBuf {
        self.prefix.join("lib")
    }

    /// `include/`, the parent of `racert/annotations.h`.
    pub(crate) fn include(&self) -> PathBuf {
        self.prefix.join("include")
    }

    /// Headers that stand in front of some of other libraries.
    pub(crate) fn stand_in_headers(&self) -> PathBuf {
        self.include().join("racert/headers")
    }

    /// The runtime that executables are linked with.
    pub(crate) fn static_runtime(&self) -> PathBuf {
        self.lib().join("libracert.a")
    }

    /// The symbols an executable must export so that shared libraries use the
    /// runtime inside it.
    pub(crate) fn dynamic_list(&self) -> PathBuf {
        self.lib().join("libracert.a.syms")
    }

    /// The runtime for `LD_PRELOAD`.
    pub(crate) fn shared_runtime(&self) -> PathBuf {
        self.lib().join("libracert.so")
    }

    /// The plugin for LLVM `version`, whether or not it exists.
    pub(crate) fn plugin(&self, version: u32) -> PathBuf {
        self.lib().join(format!("libracert_pass-{version}.so"))
    }

    /// The LLVM versions this tree has a plugin for.
    pub(crate) fn plugin_versions(&self) -> Vec<u32> {
        LLVM_VERSIONS
            .into_iter()
            .filter(|&v| self.plugin(v).is_file())
            .collect()
    }
}
