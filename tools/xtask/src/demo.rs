//! `cargo xtask demo`: from a fresh clone to a race on the screen.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::build;
use crate::packages::{self, Purpose};
use crate::paths;
use crate::process::{self, step};

/// Exit code of a program in which the runtime reported an error.
const RACE_FOUND: i32 = 66;

/// How to prepare the machine.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print what is missing and stop, instead of installing it
    #[arg(long)]
    no_install: bool,
}

/// Prepares, builds, compiles the example and runs it.
pub(crate) fn main(args: &Args) -> Result<()> {
    packages::ensure(Purpose::Demo, !args.no_install)?;
    build::main()?;
    let program = compile()?;
    step(&format!("running {}", relative(&program).display()));
    let status = Command::new(&program)
        .current_dir(paths::root())
        .status()
        .with_context(|| format!("cannot run {}", program.display()))?;
    match status.code() {
        Some(RACE_FOUND) => {
            step("the race was found; the program ended with exit code 66");
            println!(
                "    try it on your own code: {} -g -O1 app.c -o app && ./app",
                relative(&paths::stage().join("bin/racert-clang")).display()
            );
            Ok(())
        }
        _ => bail!("the example ended with {status}, but its race should give exit code 66"),
    }
}

fn compile() -> Result<std::path::PathBuf> {
    let folder = paths::target().join("demo");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let program = folder.join("hello_race");
    let mut command = Command::new(paths::stage().join("bin/racert-clang"));
    command
        .current_dir(paths::root())
        .args(["-g", "-O1", "examples/hello_race/hello_race.c", "-o"])
        .arg(relative(&program));
    step(&process::shown(&command));
    process::run(&mut command)?;
    Ok(program)
}

/// A path as seen from the root of the source tree.
fn relative(path: &Path) -> &Path {
    path.strip_prefix(paths::root()).unwrap_or(path)
}
