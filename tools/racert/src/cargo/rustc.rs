//! This executable as cargo's `RUSTC_WRAPPER`: rustc with the plugin.
//!
//! Only what is compiled for the target and becomes code gets it. What cargo
//! compiles for itself (build scripts, macros) has no `--target`, and questions
//! that build scripts ask produce no code; those see the rustc they would see
//! without racert, and in particular not one that accepts unstable features.

use std::convert::Infallible;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::error::{self, Error, Result};

/// Variables by which [`super::exec`] tells this what to add.
pub(super) const SYSROOT_VARIABLE: &str = "RACERT_RUST_SYSROOT";
pub(super) const PLUGIN_VARIABLE: &str = "RACERT_RUST_PLUGIN";
pub(super) const LINKER_VARIABLE: &str = "RACERT_RUST_LINKER";
/// The user's own `RUSTC_WRAPPER`, sccache for example.
pub(super) const INNER_VARIABLE: &str = "RACERT_RUST_WRAPPER";

/// Whether cargo calls this as its wrapper: `racert /path/to/rustc ARG...`.
fn is_call(args: &[OsString]) -> bool {
    env::var_os(SYSROOT_VARIABLE).is_some()
        && args.get(1).is_some_and(|rustc| {
            std::path::Path::new(rustc)
                .file_name()
                .is_some_and(|name| name.to_string_lossy().contains("rustc"))
        })
}

/// Becomes rustc, if that is what cargo wants.
pub(crate) fn exec(args: &[OsString]) -> Option<Result<Infallible>> {
    if !is_call(args) {
        return None;
    }
    let mut command = match env::var_os(INNER_VARIABLE) {
        Some(inner) => {
            let mut command = Command::new(inner);
            command.arg(&args[1]);
            command
        }
        None => Command::new(&args[1]),
    };
    command.args(&args[2..]);
    if makes_code(&args[2..]) {
        let variable = |name: &str| env::var_os(name).unwrap_or_default();
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .arg(option("-Zllvm-plugins=", &variable(PLUGIN_VARIABLE)))
            .arg(option("--sysroot=", &variable(SYSROOT_VARIABLE)))
            .arg(option("-Clinker=", &variable(LINKER_VARIABLE)))
            .args(["--cfg=racert", "--check-cfg=cfg(racert)"]);
        if !chooses_debug_info(&args[2..]) {
            command.arg("-Cdebuginfo=line-tables-only");
        }
    }
    let error = command.exec();
    Some(Err(Error::new(
        error::NOT_FOUND,
        format!(
            "cannot run {}: {error}",
            command.get_program().to_string_lossy()
        ),
    )))
}

fn option(name: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(name);
    word.push(value);
    word
}

/// Whether something for the target is compiled all the way.
fn makes_code(args: &[OsString]) -> bool {
    let texts: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let value_of = |name: &str| {
        texts.iter().enumerate().find_map(|(index, text)| {
            let rest = text.strip_prefix(name)?;
            match rest.strip_prefix('=') {
                Some(value) => Some(value.to_owned()),
                None if rest.is_empty() => texts.get(index + 1).map(|next| next.to_string()),
                None => None,
            }
        })
    };
    let code = |emit: String| {
        emit.split(',').any(|kind| {
            let kind = kind.split('=').next().unwrap_or_default();
            matches!(kind, "link" | "obj" | "asm" | "llvm-ir" | "llvm-bc")
        })
    };
    let asks = texts
        .iter()
        .any(|text| text.starts_with("--print") || text == "-vV");
    value_of("--target").is_some() && !asks && value_of("--emit").is_none_or(code)
}

fn chooses_debug_info(args: &[OsString]) -> bool {
    args.iter().any(|arg| {
        let text = arg.to_string_lossy();
        text == "-g" || text.starts_with("debuginfo=") || text.starts_with("-Cdebuginfo=")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn only_code_for_the_target_is_changed() {
        let target = "--target x86_64-unknown-linux-gnu";
        for (line, expected) in [
            (
                format!("--crate-name a --emit=dep-info,metadata,link {target}"),
                true,
            ),
            (format!("--crate-name a {target} a.rs"), true),
            (format!("--emit=dep-info,metadata {target} -"), false),
            (format!("- --print=cfg {target}"), false),
            (
                format!("- --crate-name ___ {target} --print sysroot"),
                false,
            ),
            (
                "--crate-name build_script_build --emit=dep-info,link".to_owned(),
                false,
            ),
        ] {
            assert_eq!(makes_code(&words(&line)), expected, "{line}");
        }
    }

    #[test]
    fn the_level_of_debug_information_is_the_users() {
        assert!(chooses_debug_info(&words("-C debuginfo=2")));
        assert!(chooses_debug_info(&words("-g")));
        assert!(!chooses_debug_info(&words("-C opt-level=3")));
    }
}
