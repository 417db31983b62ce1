//! `cargo xtask test`: every check, in the order in which failures are cheap.

use std::env;
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};

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

/// Runs all checks; stops at the first stage that fails.
pub(crate) fn main(args: &Args) -> Result<()> {
    let start = Instant::now();
    let llvm = packages::ensure(Purpose::Test, !args.no_install)?;
    stage("format", || {
        process::run(cargo().args(["fmt", "--all", "--check"]))
    })?;
    stage("lints and builds", || lints_and_builds(llvm))?;
    stage("tests", || tests(llvm, args.full))?;
    if packages::browser().is_none() {
        println!(
            "    NOT TESTED: the page that `racert report --format html` writes; \
             there is no chromium here, and apt has none"
        );
    }
    step(&format!(
        "all tests passed in {} s",
        start.elapsed().as_secs()
    ));
    Ok(())
}

fn stage(name: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    step(name);
    part(name, run)
}

/// Says how it ended and what time it took: on the clock, and of processors.
fn part(name: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    let (start, used) = (Instant::now(), process::children_time());
    let result = run();
    println!(
        "    {name}: {} in {:.1} s, {:.1} s of processor time",
        if result.is_ok() { "passed" } else { "FAILED" },
        start.elapsed().as_secs_f32(),
        (process::children_time() - used).as_secs_f32()
    );
    result
}

/// What is built and tested in one go, and how.
struct Group {
    /// What a failure is reported as.
    name: &'static str,
    /// The profile that cargo is told.
    profile: &'static str,
    /// The packages and their features.
    packages: Vec<String>,
    /// What of them is linted, by separate calls.
    linted: &'static [&'static [&'static str]],
}

/// The runtime stands alone, because crates it shares with the tools must not
/// get their standard-library features there; so does the pass, because its
/// default is another LLVM if `llvm` is the older one.
fn groups(llvm: Llvm) -> [Group; 3] {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let feature = llvm.feature();
    [
        Group {
            name: "the runtime",
            profile: "dev",
            packages: words(&["-p", "racert-runtime"]),
            // The runtime proper and its tests cannot be built at once: the
            // tests' crates bring the standard library.
            linted: &[&["--lib"], &["--tests"]],
        },
        Group {
            name: "tools and end-to-end tests",
            profile: "tools",
            packages: words(&[
                "--workspace",
                "--exclude=racert-runtime",
                "--exclude=racert-pass",
            ]),
            linted: &[&["--all-targets"]],
        },
        Group {
            name: "the pass",
            // What is to be installed is what is tested; its C++ takes long.
            profile: "release",
            packages: words(&[
                "-p",
                "racert-pass",
                "--no-default-features",
                "--features",
                &feature,
            ]),
            linted: &[&["--all-targets"]],
        },
    ]
}

/// Nothing here waits for anything else here, so the second core has work
/// while the first optimises the runtime as a whole.
fn lints_and_builds(llvm: Llvm) -> Result<()> {
    thread::scope(|scope| {
        let checked = scope.spawn(|| lints(llvm).and_then(|()| compile_tests(llvm)));
        let built = build::main();
        let checked = checked.join().expect("a thread that does not panic");
        built.and(checked)
    })
}

fn lints(llvm: Llvm) -> Result<()> {
    for group in groups(llvm) {
        for targets in group.linted {
            process::run(
                cargo()
                    .args(["clippy", "--quiet", "--profile", group.profile])
                    .args(*targets)
                    .args(&group.packages)
                    .args(["--", "-D", "warnings"]),
            )?;
        }
    }
    Ok(())
}

fn compile_tests(llvm: Llvm) -> Result<()> {
    for group in groups(llvm) {
        process::run(test_runner(&group).arg("--no-run"))?;
    }
    Ok(())
}

/// Runs all groups, whether or not one before failed.
fn tests(llvm: Llvm, full: bool) -> Result<()> {
    let mut failed = Vec::new();
    for group in groups(llvm) {
        let mut command = test_runner(&group);
        command.arg("--no-fail-fast");
        if full {
            command.env("RACERT_TEST_REPEAT", FULL_REPEAT);
            command.env("RACERT_TEST_FULL", "1");
        }
        if packages::browser().is_some() {
            command.env("RACERT_TEST_BROWSER", "1");
        }
        let passed = part(group.name, || process::run(with_prefix(&mut command)));
        failed.extend(passed.is_err().then_some(group.name));
    }
    let examples = "examples in the documentation of code";
    let passed = part(examples, || {
        let annotations = ["-p", "racert-annotations", "--profile", "tools"];
        process::run(cargo().args(["test", "--quiet", "--doc"]).args(annotations))
    });
    failed.extend(passed.is_err().then_some(examples));
    if !failed.is_empty() {
        bail!("tests failed: {}", failed.join(", "));
    }
    Ok(())
}

/// nextest where it is installed, for its progress; else cargo's own.
fn test_runner(group: &Group) -> Command {
    let mut command = cargo();
    if in_path("cargo-nextest") {
        command.args(["nextest", "run", "--no-tests=pass"]);
        command.args(["--cargo-quiet", "--cargo-profile", group.profile]);
    } else {
        command.args(["test", "--quiet", "--tests"]);
        command.args(["--profile", group.profile]);
    }
    command.args(&group.packages);
    command
}

/// Tells the tests which install tree to use.
fn with_prefix(command: &mut Command) -> &mut Command {
    if env::var_os("RACERT_PREFIX").is_none() {
        command.env("RACERT_PREFIX", paths::stage());
    }
    command
}
