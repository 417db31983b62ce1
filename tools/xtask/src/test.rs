//! `cargo xtask test`: every check, in the order in which failures are cheap.

use std::env;
use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::build;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::paths;
use crate::process::{self, cargo, in_path, step};

/// How thorough to be.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Repeat every scenario a hundred times
    #[arg(long)]
    full: bool,
    /// Print missing packages and stop, instead of installing them
    #[arg(long)]
    no_install: bool,
}

/// Repetitions of each scenario with `--full`.
const FULL_REPEAT: &str = "100";

/// The crate of end-to-end tests, which need the install tree.
const END_TO_END: &str = "racert-tests";

/// Runs all checks; stops at the first that fails.
pub(crate) fn main(args: &Args) -> Result<()> {
    let start = Instant::now();
    let llvm = packages::ensure(Purpose::Test, !args.no_install)?;
    stage("format", || {
        process::run(cargo().args(["fmt", "--all", "--check"]))
    })?;
    stage("lints", || lints(llvm))?;
    stage("build", build::main)?;
    stage("unit and tool tests", || unit_tests(llvm))?;
    stage("documentation examples", || {
        let annotations = ["test", "--quiet", "--doc", "-p", "racert-annotations"];
        process::run(cargo().args(annotations))
    })?;
    stage("end-to-end tests", || end_to_end(args.full))?;
    step(&format!(
        "all tests passed in {} s",
        start.elapsed().as_secs()
    ));
    Ok(())
}

fn stage(name: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    step(name);
    let start = Instant::now();
    run()?;
    println!(
        "    {name}: passed in {:.1} s",
        start.elapsed().as_secs_f32()
    );
    Ok(())
}

/// What is built in one go. The runtime stands alone, because crates it shares
/// with the tools must not get their standard-library features there; so does
/// the pass, because its default is another LLVM if `llvm` is the older one.
fn groups(llvm: Llvm) -> [Vec<String>; 3] {
    let feature = llvm.feature();
    [
        vec!["-p", "racert-runtime"],
        vec![
            "-p",
            "racert-pass",
            "--no-default-features",
            "--features",
            &feature,
        ],
        vec![
            "--workspace",
            "--exclude",
            "racert-runtime",
            "--exclude",
            "racert-pass",
        ],
    ]
    .map(|words| words.into_iter().map(str::to_owned).collect())
}

fn lints(llvm: Llvm) -> Result<()> {
    for group in groups(llvm) {
        // The runtime proper and its tests cannot be built at once: the tests'
        // crates bring the standard library.
        let targets: &[&[&str]] = if group.iter().any(|word| word == "racert-runtime") {
            &[&["--lib"], &["--tests"]]
        } else {
            &[&["--all-targets"]]
        };
        for targets in targets {
            process::run(
                cargo()
                    .args(["clippy", "--quiet"])
                    .args(*targets)
                    .args(&group)
                    .args(["--", "-D", "warnings"]),
            )?;
        }
    }
    Ok(())
}

fn unit_tests(llvm: Llvm) -> Result<()> {
    for group in groups(llvm) {
        let mut command = test_runner();
        command.args(&group);
        if group.iter().any(|word| word == "--workspace") {
            command.args(["--exclude", END_TO_END]);
        }
        process::run(with_prefix(&mut command))?;
    }
    Ok(())
}

fn end_to_end(full: bool) -> Result<()> {
    let mut command = test_runner();
    command.args(["-p", END_TO_END]);
    if full {
        command.env("RACERT_TEST_REPEAT", FULL_REPEAT);
        command.env("RACERT_TEST_FULL", "1");
    }
    process::run(with_prefix(&mut command))
}

/// nextest where it is installed, for its progress; else cargo's own.
fn test_runner() -> Command {
    let mut command = cargo();
    if in_path("cargo-nextest") {
        command.args(["nextest", "run", "--no-fail-fast", "--no-tests=pass"]);
    } else {
        command.args(["test", "--no-fail-fast", "--tests"]);
    }
    command
}

/// Tells the tests which install tree to use.
fn with_prefix(command: &mut Command) -> &mut Command {
    if env::var_os("RACERT_PREFIX").is_none() {
        command.env("RACERT_PREFIX", paths::stage());
    }
    command
}
