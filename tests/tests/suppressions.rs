//! Suppressions from a file: what they hold back, what is said at exit, and
//! what a mistake in them leads to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use racert_tests::detector::Detector;
use racert_tests::execute::{self, Outcome};
use racert_tests::matrix::Language;
use racert_tests::scenarios_dir;

fn run(command: &mut Command) -> Outcome {
    execute::run(command, execute::HUNG).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// A program with one race, on `shared`, compiled once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(PathBuf, tempfile::TempDir)> = OnceLock::new();
    let (path, _) = PROGRAM.get_or_init(|| compiled("annotations/happens_before_race.c"));
    path
}

/// A scenario as a program, and the folder it is in.
fn compiled(scenario: &str) -> (PathBuf, tempfile::TempDir) {
    let detector = Detector::from_env().unwrap();
    assert!(
        matches!(detector, Detector::Racert(_)),
        "unset RACERT_TEST_PEER"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program");
    let language = match scenario.ends_with(".cc") {
        true => Language::Cxx,
        false => Language::C,
    };
    let mut command = Command::new(detector.compiler(language));
    command
        .arg(scenarios_dir().join(scenario))
        .arg(format!("-I{}", scenarios_dir().display()))
        .args(["-O1", "-g", "-pthread", "-D_GNU_SOURCE", "-o"])
        .arg(&path);
    let outcome = run(&mut command);
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    (path, folder)
}

/// Runs the program with this file of suppressions, named in `variable`
/// together with `more` options.
fn with_file(text: &str, variable: &str, more: &str) -> (Outcome, String) {
    program_with_file(program(), text, variable, more)
}

fn program_with_file(program: &Path, text: &str, variable: &str, more: &str) -> (Outcome, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    fs::write(&file, text).unwrap();
    let mut command = Command::new(program);
    command
        .env_remove("RACERT_OPTIONS")
        .env_remove("TSAN_OPTIONS")
        .env(variable, format!("suppressions={}:{more}", file.display()));
    let mut outcome = run(&mut command);
    let name = file.display().to_string();
    outcome.stderr = outcome.stderr.replace(&name, "FILE");
    (outcome, name)
}

#[test]
fn a_match_is_counted_and_the_unused_are_named() {
    let text = "# known\nrace:^nothing$\nrace:happens_before_race.c\nthread:x\n";
    let (outcome, _) = with_file(text, "RACERT_OPTIONS", "print_unused=1");
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    let expected = "racert: 1 suppression matched:\n      1 race:happens_before_race.c (FILE:3)\n\
                    racert: unused suppression race:^nothing$ (FILE:2)\n\
                    racert: unused suppression thread:x (FILE:4)\n";
    assert_eq!(outcome.stderr, expected);
}

#[test]
fn findings_about_locks_have_kinds_of_their_own() {
    for (scenario, kind, other) in [
        ("deadlock/inversion_race.c", "deadlock", "mutex"),
        ("lock_misuse/unlock_unlocked_race.c", "mutex", "deadlock"),
    ] {
        let (program, _folder) = compiled(scenario);
        let file = Path::new(scenario).file_name().unwrap().to_str().unwrap();
        let with = |kind: &str| {
            let text = format!("{kind}:{file}\n");
            let (outcome, _) = program_with_file(&program, &text, "RACERT_OPTIONS", "");
            outcome.code
        };
        assert_eq!(
            (with(kind), with(other), with("race")),
            (0, 66, 66),
            "{scenario}"
        );
    }
}

#[test]
fn silence_on_request() {
    let (outcome, _) = with_file("race:first\n", "RACERT_OPTIONS", "print_suppressions=0");
    assert_eq!((outcome.code, &outcome.stderr[..]), (0, ""));
}

#[test]
fn threadsanitizers_variable_names_a_file_too() {
    let (outcome, _) = with_file("race:first\n", "TSAN_OPTIONS", "history_size=7");
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    assert!(
        outcome.stderr.contains("1 race:first"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn racerts_variable_has_the_last_word() {
    let outcome = run(Command::new(program())
        .env("TSAN_OPTIONS", "exitcode=9 log_path=/nonexistent/log")
        .env("RACERT_OPTIONS", "exitcode=4:log_path=stderr"));
    assert_eq!(outcome.code, 4, "{}", outcome.describe());
    assert!(outcome.stderr.contains("WARNING: racert: data race"));
}

#[test]
fn what_does_not_match_is_reported() {
    let (outcome, _) = with_file("race_top:run_two\nmutex:first\n", "RACERT_OPTIONS", "");
    assert_eq!(outcome.code, 66, "{}", outcome.describe());
    assert!(
        !outcome.stderr.contains("suppression"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_mistake_stops_the_program_with_its_place() {
    for (text, said) in [
        (
            "race:a\n\n  racy:b\n",
            "FILE:3:3: unknown kind \"racy\"; known are",
        ),
        ("race\n", "FILE:1:5: a colon and a pattern are missing"),
        (
            "race_stack:a <- ; b\n",
            "FILE:1:16: a frame's pattern is missing",
        ),
    ] {
        let (outcome, _) = with_file(text, "RACERT_OPTIONS", "");
        assert_eq!(outcome.code, 64, "{}", outcome.describe());
        let first = format!("racert: suppressions: {said}");
        assert!(outcome.stderr.starts_with(&first), "{}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    }
}

#[test]
fn a_missing_file_stops_the_program() {
    let outcome = run(Command::new(program())
        .env_remove("TSAN_OPTIONS")
        .env("RACERT_OPTIONS", "suppressions=/nonexistent/list"));
    assert_eq!(outcome.code, 64, "{}", outcome.describe());
    let said = "racert: suppressions: cannot read /nonexistent/list (errno 2)\n";
    assert_eq!(outcome.stderr, said);
}

/// What `racert suppress` proposes holds back what it was made from, and
/// nothing else.
#[test]
fn proposed_entries_fit() {
    let Ok(Detector::Racert(prefix)) = Detector::from_env() else {
        panic!("unset RACERT_TEST_PEER");
    };
    for (scenario, other) in [
        ("annotations/happens_before_race.c", "plain/int_race.c"),
        ("cxx/vector_race.cc", "cxx/map_race.cc"),
        ("deadlock/inversion_race.c", "deadlock/three_race.c"),
        (
            "lock_misuse/unlock_unlocked_race.c",
            "lock_misuse/end_locked_race.c",
        ),
    ] {
        let (program, folder) = compiled(scenario);
        let records = folder.path().join("records.json");
        let options = format!("json={}", records.display());
        let found = run(Command::new(&program).env("RACERT_OPTIONS", options));
        assert_eq!(found.code, 66, "{}", found.describe());
        let proposed = run(Command::new(prefix.join("bin/racert"))
            .arg("suppress")
            .arg(&records));
        assert_eq!(proposed.code, 0, "{}", proposed.describe());
        let (silent, _) = program_with_file(&program, &proposed.stdout, "RACERT_OPTIONS", "");
        assert_eq!(silent.code, 0, "{}\n{}", proposed.stdout, silent.describe());
        let (program, _folder) = compiled(other);
        let (heard, _) = program_with_file(&program, &proposed.stdout, "RACERT_OPTIONS", "");
        assert_eq!(heard.code, 66, "{}\n{}", proposed.stdout, heard.describe());
    }
}
