//! The ceiling for memory: it holds, the end says so, and races are still found.

use std::path::{Path, PathBuf};
use std::process::Command;

use racert_tests::execute::Outcome;
use racert_tests::program::{assert_quiet, assert_race_reported, compile_file, run};

fn start(program: &PathBuf, ending: &str, options: &str) -> (Outcome, u64) {
    let mut command = Command::new(program);
    let outcome = run(command.arg(ending).env("RACERT_OPTIONS", options));
    let peak = outcome.stdout.trim().parse().unwrap_or(0);
    (outcome, peak)
}

#[test]
fn old_accesses_make_room_for_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("ceiling");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/ceiling.c");
    let outcome = run(&mut compile_file(&source, &["-g", "-O1"], &program));
    assert_eq!(outcome.code, 0, "{}", outcome.describe());

    let (without, needed) = start(&program, "norace", "");
    assert_quiet(&without);
    assert!(needed > 48, "{needed} MiB without a ceiling");

    let (quiet, peak) = start(&program, "norace", "memory_limit_mb=24");
    assert_eq!(quiet.code, 0, "{}", quiet.describe());
    assert!(peak < 32, "{peak} MiB, {needed} without a ceiling");
    let said = "racert: memory_limit_mb=24 was reached and earlier accesses were forgotten, ";
    assert!(quiet.stderr.starts_with(said), "{}", quiet.describe());
    assert_eq!(quiet.stderr.lines().count(), 1, "{}", quiet.describe());

    let (racy, peak) = start(&program, "race", "memory_limit_mb=24");
    assert_race_reported(&racy);
    assert!(racy.stderr.contains(said), "{}", racy.describe());
    // The report itself needs some, to put names to addresses.
    assert!(peak < 48, "{peak} MiB, {needed} without a ceiling");
}
