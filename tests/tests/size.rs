//! Large numbers of threads, locks, frames and bytes: the race around them is
//! reported, and nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use racert_tests::execute::{self, Outcome};
use racert_tests::program::{assert_quiet, assert_race_reported, compile_file, run};

const LIMIT: Duration = Duration::from_secs(600);

/// The program, and the folder it lies in.
fn build() -> (PathBuf, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("big");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/big.c");
    let outcome = run(&mut compile_file(&source, &["-g"], &program));
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    (program, folder)
}

fn start(program: &Path, kind: &str, count: u64, ending: &str) -> Outcome {
    let mut command = Command::new(program);
    command.args([kind, &count.to_string(), ending]);
    execute::run(command.env_remove("RACERT_OPTIONS"), LIMIT).unwrap()
}

fn check(kind: &str, count: u64) {
    let (program, _folder) = build();
    let outcome = start(&program, kind, count, "race");
    assert_race_reported(&outcome);
    let reports = outcome.stderr.matches("WARNING: racert: ").count();
    assert_eq!(reports, 1, "{}", outcome.describe());
    assert_quiet(&start(&program, kind, count, "norace"));
}

#[test]
fn live_threads() {
    check("live_threads", 2_000);
}

#[test]
fn short_threads() {
    check("short_threads", 10_000);
}

#[test]
fn mutexes() {
    check("mutexes", 100_000);
}

#[test]
fn frames() {
    check("recursion", 100_000);
}

#[test]
fn megabytes() {
    check("memory", 256);
}

#[test]
#[ignore = "needs 10 GB of memory"]
fn gigabytes() {
    check("memory", 4096);
}

/// More than there are slots for: the program works, and what may be missed is
/// said.
#[test]
#[ignore = "5,000 threads at once"]
fn more_threads_than_slots() {
    let (program, _folder) = build();
    let outcome = start(&program, "live_threads", 5_000, "norace");
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(
        matches!(lines[..], [line] if line.contains("threads live at once")),
        "{}",
        outcome.describe()
    );
}
