//! `racert run --mode`: one mode, or all of them in one table.

use std::process::Command;

use racert_tests::program::{Program, prefix, run};

fn racert(arguments: &[&str], program: &Program) -> Command {
    let mut command = Command::new(prefix().join("bin/racert"));
    command
        .arg("run")
        .args(arguments)
        .arg("--")
        .arg(&program.path)
        .env_remove("RACERT_OPTIONS");
    command
}

#[test]
fn all_modes_in_one_table() {
    let program = Program::compile("hybrid/lock_order_race.c", &["-g"]);
    let outcome = run(&mut racert(&["--mode", "all"], &program));
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    let words = |line: &str| -> Vec<String> { line.split_whitespace().map(String::from).collect() };
    let lines: Vec<Vec<String>> = outcome.stdout.lines().map(words).collect();
    let modes = ["hybrid", "hb", "fast", "msm-short", "msm-long", "eraser"];
    assert_eq!(lines[0], modes, "{}", outcome.describe());
    // Only the order of locks hides it, and it happens once.
    let marks = ["possible", "-", "-", "possible", "-", "possible"];
    assert_eq!(lines[1][..6], marks, "{}", outcome.describe());
    assert!(lines[1][6].starts_with("lock_order_race.c:"));
    for (line, last) in lines
        .iter()
        .rev()
        .zip(["seconds", "status", "possible", "proven"])
    {
        assert_eq!(line.last().map(String::as_str), Some(last));
    }
}

#[test]
fn one_mode() {
    let program = Program::compile("hybrid/lock_order_race.c", &["-g"]);
    let loud = run(&mut racert(&["--mode", "hybrid"], &program));
    assert!(
        loud.stderr.contains("possible data race"),
        "{}",
        loud.describe()
    );
    let silent = run(&mut racert(&["--mode", "hb"], &program));
    assert_eq!(silent.stderr, "", "{}", silent.describe());
}
