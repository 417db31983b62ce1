//! The Rust toolchain in use, and the plugin that fits its LLVM.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use crate::error::{self, Error, Result};
use crate::layout::Layout;
use crate::wrap::clang;

/// A rustc and what goes with it.
#[derive(Debug)]
pub(super) struct Toolchain {
    /// Everything it says of its version: what identifies it.
    pub(super) description: String,
    /// Where its libraries are.
    pub(super) sysroot: PathBuf,
    /// The plugin for its LLVM.
    pub(super) plugin: PathBuf,
    /// A clang with the same LLVM.
    pub(super) clang: PathBuf,
}

impl Toolchain {
    /// Asks the rustc that cargo would call.
    pub(super) fn find(layout: &Layout) -> Result<Toolchain> {
        let description = ask(&["-vV"])?;
        let sysroot = PathBuf::from(ask(&["--print", "sysroot"])?.trim());
        let version = llvm_version(&description).ok_or_else(|| {
            Error::new(error::UNUSABLE, "rustc does not say which LLVM it has")
                .hint("racert needs the rustc of rust-lang.org or of a distribution")
        })?;
        let plugin = layout.plugin(version);
        if !plugin.is_file() {
            let have = layout.plugin_versions();
            let have: Vec<_> = have.iter().map(u32::to_string).collect();
            return Err(Error::new(
                error::UNUSABLE,
                format!(
                    "this rustc has LLVM {version}, but the plugins here are for LLVM {}",
                    have.join(" and ")
                ),
            )
            .hint("choose another toolchain: Rust 1.94 to 1.96 have LLVM 22"));
        }
        let name = format!("clang-{version}");
        let clang = clang::search_path(OsStr::new(&name)).ok_or_else(|| {
            Error::new(
                error::NOT_FOUND,
                format!("{name} is needed to compile Rust's standard library with checks"),
            )
            .hint(format!("apt-get install {name}"))
        })?;
        Ok(Toolchain {
            description,
            sysroot,
            plugin,
            clang,
        })
    }
}

fn ask(arguments: &[&str]) -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc).args(arguments).output();
    match output {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        _ => Err(Error::new(
            error::NOT_FOUND,
            format!("cannot ask {} for its version", rustc.to_string_lossy()),
        )
        .hint("install Rust (https://rustup.rs)")),
    }
}

fn llvm_version(description: &str) -> Option<u32> {
    let line = description
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: "))?;
    line.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_llvm_is_read_from_what_rustc_says() {
        let said = "rustc 1.95.0\nrelease: 1.95.0\nLLVM version: 22.1.2\n";
        assert_eq!(llvm_version(said), Some(22));
        assert_eq!(llvm_version("rustc 1.95.0\n"), None);
    }
}
