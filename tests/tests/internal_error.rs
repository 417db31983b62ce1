//! A runtime that turns out to be broken: with `on_internal_error=disable` the
//! program goes on unchecked to its natural end, else it ends there.

use std::path::Path;
use std::process::Command;

use racert_tests::execute::Outcome;
use racert_tests::program::{compile_file, run};
use tempfile::TempDir;

/// How an entry into the runtime fails: before it has done anything, when all
/// is done, and with every lock held that a fork takes.
const BEFORE: u32 = 0;
const AFTER: u32 = 1;
const HOLDING: u32 = 2;

const SAID: &str = "racert: internal error, please report this (checking ends here, the program \
                    goes on): panicked at ";

fn compiled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/broken.c");
    let output = folder.path().join("broken");
    let outcome = run(&mut compile_file(&source, &["-g", "-O1"], &output));
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    folder
}

fn start(folder: &TempDir, (count, when): (u32, u32), more: &[&str], options: &str) -> Outcome {
    let mut command = Command::new(folder.path().join("broken"));
    command.arg(count.to_string()).arg(when.to_string());
    run(command.args(more).env("RACERT_OPTIONS", options))
}

/// Entries of the program to fail at: each of the first, and then ever further
/// apart, over the whole of its run.
fn counts() -> impl Iterator<Item = u32> {
    (1..24).chain((0..14).map(|i| 24 + (10.0 * 1.75f64.powi(i)) as u32))
}

fn goes_on_to_its_end(when: u32) {
    let folder = compiled();
    for count in counts() {
        let outcome = start(
            &folder,
            (count, when),
            &["late"],
            "on_internal_error=disable",
        );
        let context = format!("error at entry {count}: {}", outcome.describe());
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (0, "complete\n"),
            "{context}"
        );
        let lines: Vec<&str> = outcome.stderr.lines().collect();
        assert_eq!(lines.len(), 2, "{context}");
        assert!(lines[0].starts_with(SAID), "{context}");
        let end = "racert: 0 findings; checking ended early because of an internal error";
        assert_eq!(lines[1], end, "{context}");
    }
}

#[test]
fn the_program_goes_on() {
    goes_on_to_its_end(BEFORE);
}

#[test]
fn what_was_done_is_not_done_again() {
    goes_on_to_its_end(AFTER);
}

#[test]
fn nobody_waits_for_who_will_not_come_back() {
    goes_on_to_its_end(HOLDING);
}

#[test]
fn without_an_error_the_option_changes_nothing() {
    let folder = compiled();
    let outcome = start(&folder, (0, 0), &[], "on_internal_error=disable");
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    assert_eq!(
        (outcome.stdout.as_str(), outcome.stderr.as_str()),
        ("complete\n", "")
    );
    let racy = start(&folder, (0, 0), &["late"], "on_internal_error=disable");
    assert_eq!(
        (racy.code, racy.stdout.as_str()),
        (66, "complete\n"),
        "{}",
        racy.describe()
    );
}

#[test]
fn what_was_found_before_counts() {
    let folder = compiled();
    let records = folder.path().join("records.json");
    let options = format!("on_internal_error=disable:json={}", records.display());
    let outcome = start(&folder, (1000, HOLDING), &["race", "late"], &options);
    let context = outcome.describe();
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (66, "complete\n"),
        "{context}"
    );
    assert_eq!(
        outcome.stderr.matches("WARNING: racert: data race").count(),
        1,
        "{context}"
    );
    assert_eq!(outcome.stderr.matches(SAID).count(), 1, "{context}");
    let end = "racert: 1 finding; checking ended early because of an internal error\n";
    assert!(outcome.stderr.ends_with(end), "{context}");

    let text = std::fs::read_to_string(&records).unwrap();
    let ends: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|record: &serde_json::Value| record["type"] == "summary")
        .collect();
    let last = ends.last().unwrap();
    assert_eq!(
        (&last["findings"], &last["exit_status"]),
        (&1.into(), &66.into()),
        "{text}"
    );
    assert_eq!(last["checking_ended_early"], true, "{text}");
}

#[test]
fn unless_it_is_told_to_go_on_it_ends() {
    let folder = compiled();
    for (count, when) in [(1, BEFORE), (500, AFTER), (500, HOLDING)] {
        for options in ["", "on_internal_error=abort"] {
            let outcome = start(&folder, (count, when), &[], options);
            let context = outcome.describe();
            assert_eq!(outcome.code, 128 + 6, "{context}");
            assert_eq!(outcome.stdout, "", "{context}");
            let said = "racert: internal error, please report this: panicked at ";
            assert!(outcome.stderr.starts_with(said), "{context}");
            assert_eq!(outcome.stderr.lines().count(), 1, "{context}");
        }
    }
}
