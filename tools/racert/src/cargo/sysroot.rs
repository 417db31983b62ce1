//! Rust's standard library with checks.
//!
//! The libraries that come with rustc contain, beside the machine code of each
//! object, the bitcode it was made from (for link-time optimisation). From
//! that clang makes the object again, with the plugin. The result is a sysroot
//! that differs from the toolchain's only there; it is kept in the cache of
//! the user, for this toolchain, plugin and compiler.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::num::NonZero;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use object::{Object, ObjectSection};

use crate::error::{self, Error, Result};

use super::TARGET;
use super::toolchain::Toolchain;

/// Libraries that stay as they are: what the compiler itself calls and must not
/// call back, what only macros use, and what reads debug information for a
/// backtrace, of which none synchronises anything.
const LEFT_ALONE: [&str; 10] = [
    "compiler_builtins",
    "profiler_builtins",
    "proc_macro",
    "addr2line",
    "adler2",
    "gimli",
    "memchr",
    "miniz_oxide",
    "object",
    "rustc_demangle",
];

/// Variable that names the cache instead of `$XDG_CACHE_HOME/racert`.
const CACHE_VARIABLE: &str = "RACERT_CACHE";

/// The checked sysroot, made if it is not there.
pub(super) fn ensure(toolchain: &Toolchain) -> Result<PathBuf> {
    let sysroot = cache()?.join(name(toolchain)?);
    if sysroot.is_dir() {
        return Ok(sysroot);
    }
    // Of several that need it at once, one makes it.
    let _lock = super::lock(&sysroot)
        .map_err(|error| error.hint(format!("set {CACHE_VARIABLE} to a folder")))?;
    if sysroot.is_dir() {
        return Ok(sysroot);
    }
    eprintln!(
        "racert: compiling Rust's standard library with checks, once for this toolchain; it goes to {}",
        sysroot.display()
    );
    let draft = sysroot.with_extension(format!("draft.{}", std::process::id()));
    let made = make(toolchain, &draft).and_then(|()| fs::rename(&draft, &sysroot));
    let _ = fs::remove_dir_all(&draft);
    made.map(|()| sysroot).map_err(|e| {
        Error::new(
            error::UNUSABLE,
            format!("cannot compile Rust's standard library with checks: {e}"),
        )
    })
}

fn cache() -> Result<PathBuf> {
    let named = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty());
    if let Some(folder) = named(CACHE_VARIABLE) {
        return Ok(PathBuf::from(folder));
    }
    named("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| named("HOME").map(|home| Path::new(&home).join(".cache")))
        .map(|folder| folder.join("racert"))
        .ok_or_else(|| {
            Error::new(error::UNUSABLE, "there is neither HOME nor XDG_CACHE_HOME")
                .hint(format!("set {CACHE_VARIABLE} to a folder"))
        })
}

/// A name for everything the result depends on.
fn name(toolchain: &Toolchain) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    toolchain.description.hash(&mut hasher);
    toolchain.sysroot.hash(&mut hasher);
    for file in [&toolchain.plugin, &toolchain.clang] {
        identity(file)?.hash(&mut hasher);
    }
    Ok(format!("rust-{:016x}", hasher.finish()))
}

/// What changes when a file does.
pub(super) fn identity(file: &Path) -> Result<String> {
    let about = fs::metadata(file).map_err(|e| {
        Error::new(
            error::NO_INPUT,
            format!("cannot look at {}: {e}", file.display()),
        )
    })?;
    let seconds = (about.mtime(), about.mtime_nsec());
    Ok(format!("{} {} {seconds:?}", file.display(), about.len()))
}

fn make(toolchain: &Toolchain, sysroot: &Path) -> io::Result<()> {
    let inside = Path::new("lib/rustlib").join(TARGET).join("lib");
    // What leads to the folder is made, everything beside it linked.
    let mut here = PathBuf::new();
    for part in &inside {
        link_others(&toolchain.sysroot.join(&here), &sysroot.join(&here), part)?;
        here.push(part);
    }
    let to = sysroot.join(&inside);
    fs::create_dir_all(&to)?;
    let mut libraries = Vec::new();
    for entry in fs::read_dir(toolchain.sysroot.join(&inside))? {
        let from = entry?.path();
        let Some(name) = from.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let left_alone = LEFT_ALONE
            .iter()
            .any(|library| name.starts_with(&format!("lib{library}-")));
        if name.ends_with(".rlib") && !left_alone {
            libraries.push((fs::metadata(&from)?.len(), from.clone(), to.join(name)));
        } else if !is_shared_library(name) {
            symlink(&from, to.join(name))?;
        }
    }
    libraries.sort();
    recompile_all(toolchain, libraries)
}

/// The largest first, as many at once as there are processors.
fn recompile_all(toolchain: &Toolchain, libraries: Vec<(u64, PathBuf, PathBuf)>) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let queue = Mutex::new(libraries);
    let next = || queue.lock().expect("no worker panics").pop();
    let work = || {
        while let Some((_, from, to)) = next() {
            recompile(toolchain, &from, &to)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|worker| {
            worker
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("a worker panicked")))
        });
        results.collect()
    })
}

/// The shared standard library has no checks: without it, nobody links it.
fn is_shared_library(name: &str) -> bool {
    name.ends_with(".so")
}

fn link_others(from: &Path, to: &Path, but: &std::ffi::OsStr) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_name() != but {
            symlink(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// A library with its objects made again.
fn recompile(toolchain: &Toolchain, library: &Path, to: &Path) -> io::Result<()> {
    let folder = to.with_extension("objects");
    fs::create_dir(&folder)?;
    run(Command::new("ar")
        .current_dir(&folder)
        .arg("x")
        .arg(library))?;
    let mut members = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "o") {
            instrument(toolchain, &path)?;
        }
        members.push(path);
    }
    members.sort();
    run(Command::new("ar").arg("crs").arg(to).args(&members))?;
    fs::remove_dir_all(&folder)
}

/// Compiles the bitcode of an object with checks and puts the result in its
/// place. An object without bitcode, made by an assembler, stays.
fn instrument(toolchain: &Toolchain, object: &Path) -> io::Result<()> {
    let bytes = fs::read(object)?;
    let Some(bitcode) = bitcode(&bytes) else {
        return Ok(());
    };
    let source = object.with_extension("bc");
    fs::write(&source, bitcode)?;
    let mut plugin = std::ffi::OsString::from("-fpass-plugin=");
    plugin.push(&toolchain.plugin);
    run(Command::new(&toolchain.clang)
        .args(["-O1", "-x", "ir", "-c", "-Wno-override-module"])
        .args(["-ffunction-sections", "-fdata-sections", "-fPIC"])
        .arg(plugin)
        .arg(&source)
        .arg("-o")
        .arg(object))?;
    fs::remove_file(&source)
}

fn bitcode(object: &[u8]) -> Option<&[u8]> {
    let file = object::File::parse(object).ok()?;
    let section = file.section_by_name(".llvmbc")?;
    section.data().ok().filter(|data| !data.is_empty())
}

fn run(command: &mut Command) -> io::Result<()> {
    let output = command.output().map_err(|e| {
        io::Error::new(
            e.kind(),
            format!("{}: {e}", command.get_program().to_string_lossy()),
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().next().unwrap_or("it said nothing");
    Err(io::Error::other(format!("{command:?}: {first}")))
}
