//! `racert cargo`: a Cargo project with checks, on stable Rust.
//!
//! Cargo runs with this executable as its `RUSTC_WRAPPER` ([`rustc`]), which
//! lets rustc load the plugin. The standard library comes compiled, and what
//! its locks and channels order would stay unseen; but it comes with its
//! bitcode, and [`sysroot`] compiles that with checks once for each toolchain.
//! A target is named, even if it is the host's, so that Cargo tells build
//! scripts and macros, which run in the compiler, from the program.

mod rustc;
mod rustdoc;
mod sysroot;
mod toolchain;

pub(crate) use rustc::exec as wrap_rustc;

use std::convert::Infallible;
use std::env;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::cli::CargoArgs;
use crate::error::{self, Error, Result};
use crate::layout::Layout;
use crate::run::{OPTIONS_VARIABLE, with_options};

use toolchain::Toolchain;

/// The one target there is.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Becomes cargo.
pub(crate) fn exec(args: CargoArgs) -> Result<Infallible> {
    let layout = Layout::find()?;
    let toolchain = Toolchain::find(&layout)?;
    let sysroot = sysroot::ensure(&toolchain)?;
    let target_folder = target_folder()?;
    let runtime = sysroot::identity(&layout.static_runtime())?;
    let parts = format!("{}\n{runtime}\n", sysroot.display());
    start_over_after_a_change(Path::new(&target_folder), &parts)?;

    let clang = |name: &str| layout.bin().join(name);
    let mut command = Command::new(cargo());
    command
        .args(&args.args)
        .env("CARGO_BUILD_TARGET", TARGET)
        .env("CARGO_TARGET_DIR", &target_folder)
        .env("RUSTC_WRAPPER", own_path()?)
        .env(rustc::SYSROOT_VARIABLE, &sysroot)
        .env(rustc::PLUGIN_VARIABLE, &toolchain.plugin)
        .env(rustc::LINKER_VARIABLE, clang("racert-clang"));
    if let Some(theirs) = env::var_os("RUSTC_WRAPPER").filter(|wrapper| !wrapper.is_empty()) {
        command.env(rustc::INNER_VARIABLE, theirs);
    }
    // The objects of one crate each; across crates there is only bitcode, and
    // the checked standard library has none.
    for profile in ["DEV", "RELEASE", "TEST", "BENCH"] {
        command.env(format!("CARGO_PROFILE_{profile}_LTO"), "off");
    }
    let rustdoc = rustdoc::write(Path::new(&target_folder), &toolchain, &sysroot, &layout)?;
    command.env("RUSTDOC", rustdoc);
    // What crates compile from C and C++.
    for (variable, name) in [
        ("CC_x86_64_unknown_linux_gnu", "racert-clang"),
        ("CXX_x86_64_unknown_linux_gnu", "racert-clang++"),
    ] {
        if env::var_os(variable).is_none() {
            command.env(variable, clang(name));
        }
    }
    if !args.options.is_empty() {
        let options = with_options(env::var_os(OPTIONS_VARIABLE), &args.options);
        command.env(OPTIONS_VARIABLE, options);
    }
    let error = command.exec();
    Err(
        Error::new(error::NOT_FOUND, format!("cannot run cargo: {error}"))
            .hint("install Rust (https://rustup.rs)"),
    )
}

fn cargo() -> std::ffi::OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn own_path() -> Result<std::path::PathBuf> {
    env::current_exe().map_err(|e| {
        Error::new(
            error::UNUSABLE,
            format!("cannot tell where this executable is: {e}"),
        )
    })
}

/// A folder beside the project's own build, so that neither makes the other
/// compile anew.
fn target_folder() -> Result<String> {
    let output = Command::new(cargo())
        .args(["metadata", "--no-deps", "--format-version=1"])
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|e| Error::new(error::NOT_FOUND, format!("cannot run cargo: {e}")))?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| Error::new(error::UNUSABLE, "there is no Cargo project here"))?;
    match metadata["target_directory"].as_str() {
        Some(folder) => Ok(format!("{folder}/racert-cargo")),
        None => Err(Error::new(
            error::UNUSABLE,
            "cargo does not say where it builds",
        )),
    }
}

/// Cargo does not know of the plugin and the runtime: when those `parts` change,
/// what it compiled before goes. Of several that come at once, one does that,
/// before the others begin to build.
fn start_over_after_a_change(target: &Path, parts: &str) -> Result<()> {
    let cannot = |error: std::io::Error| {
        Error::new(
            error::CANNOT_WRITE,
            format!("cannot use {}: {error}", target.display()),
        )
    };
    let mark = target.join("made-with");
    let _lock = lock(target)?;
    let now = parts.as_bytes();
    let before = fs::read(&mark).ok();
    if before.as_deref() == Some(now) {
        return Ok(());
    }
    if before.is_some() {
        fs::remove_dir_all(target).map_err(cannot)?;
    }
    fs::create_dir_all(target)
        .and_then(|()| fs::write(&mark, now))
        .map_err(cannot)
}

/// The lock of a folder, in a file beside it; held until it is dropped.
fn lock(folder: &Path) -> Result<File> {
    let path = folder.with_extension("lock");
    let locked = fs::create_dir_all(folder.parent().unwrap_or(Path::new("/")))
        .and_then(|()| File::create(&path))
        .and_then(|file| file.lock().map(|()| file));
    locked.map_err(|e| {
        Error::new(
            error::CANNOT_WRITE,
            format!("cannot lock {}: {e}", path.display()),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::thread;

    /// Nobody loses what another has built since.
    #[test]
    fn several_at_once_after_a_change() {
        const BUILDS: usize = 8;
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target/racert-cargo");
        for round in 0..50 {
            let start = Barrier::new(BUILDS);
            let build = |n: usize| {
                start.wait();
                start_over_after_a_change(&target, &format!("parts of {round}")).unwrap();
                fs::write(target.join(format!("{round}.{n}.o")), "").unwrap();
            };
            thread::scope(|scope| {
                for n in 0..BUILDS {
                    let build = &build;
                    scope.spawn(move || build(n));
                }
            });
            // And the mark; nothing of the round before.
            assert_eq!(fs::read_dir(&target).unwrap().count(), BUILDS + 1);
        }
    }
}
