//! Running other programs: said first, and an error if they fail.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::paths;

/// The cargo that runs this task, in the root of the source tree.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(paths::root());
    command
}

/// Prints a heading for what comes next.
pub(crate) fn step(what: &str) {
    println!("==> {what}");
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let program = match program.strip_prefix(paths::root()) {
        Ok(inside) => inside.display().to_string(),
        Err(_) if program.ends_with("cargo") => "cargo".to_owned(),
        Err(_) => program.display().to_string(),
    };
    let words = command
        .get_args()
        .map(OsStr::to_string_lossy)
        .map(String::from);
    std::iter::once(program)
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs a command to its end; anything but success is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    let status = command
        .status()
        .with_context(|| format!("cannot run `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// What a command prints, if it succeeds.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// Whether a program of this name is in `PATH`.
pub(crate) fn in_path(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Processor time of all children that have ended, and of theirs.
pub(crate) fn children_time() -> Duration {
    // SAFETY: all fields are numbers, and the kernel fills them.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}
