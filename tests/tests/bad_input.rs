//! Bad input: a clear line, never a crash and never a hang.
//!
//! What is done to a program from outside is in `surroundings.rs`, what it does
//! to itself (exit from a thread, closed descriptor 2, a minimal stack) in the
//! corpus under `threads/` and `control/`.

use std::fs;
use std::process::Command;

use racert_tests::execute::Outcome;
use racert_tests::program::{
    Program, assert_ended, assert_quiet, assert_race_reported, assert_refused, compiler, prefix,
    run,
};
use racert_tests::scenarios_dir;

#[test]
fn unknown_option() {
    let outcome = run(Program::quiet()
        .command()
        .env("RACERT_OPTIONS", "no_such_option=1"));
    assert_refused(&outcome, "no_such_option");
}

#[test]
fn bad_values() {
    let program = Program::quiet();
    for option in [
        "exitcode=banana",
        "exitcode=",
        "exitcode=99999999999",
        "mode=sideways",
    ] {
        let outcome = run(program.command().env("RACERT_OPTIONS", option));
        assert_refused(&outcome, option.split('=').next().unwrap_or(option));
    }
}

#[test]
fn malformed_options() {
    let program = Program::quiet();
    for options in ["exitcode", "=", "=1", "exitcode=1:bogus", "\u{1}\u{ff}=2"] {
        let outcome = run(program.command().env("RACERT_OPTIONS", options));
        assert_refused(&outcome, "");
    }
}

#[test]
fn empty_options_are_no_options() {
    for options in ["", ":", "::"] {
        assert_quiet(&run(Program::quiet()
            .command()
            .env("RACERT_OPTIONS", options)));
    }
}

#[test]
fn help_lists_the_options() {
    let outcome = run(Program::quiet().command().env("RACERT_OPTIONS", "help=1"));
    assert_ended(&outcome);
    let text = format!("{}{}", outcome.stdout, outcome.stderr);
    for option in ["mode", "exitcode", "log_path"] {
        assert!(
            text.contains(option),
            "help does not list {option}\n{}",
            outcome.describe()
        );
    }
}

#[test]
fn exit_code_of_ones_own() {
    let outcome = run(Program::racy()
        .command()
        .env("RACERT_OPTIONS", "exitcode=3"));
    assert_eq!(outcome.code, 3, "{}", outcome.describe());
}

/// Compiles with an ignore list of this content; the compiler's answer.
fn with_ignore_list(content: &[u8]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("ignore.txt");
    fs::write(&list, content).unwrap();
    let mut command = compiler("plain/int_race.c", &["-g"], &folder.path().join("program"));
    run(command.env("RACERT_IGNORELIST", list))
}

#[test]
fn malformed_ignore_list() {
    for content in [
        &b"fun\n"[..],
        b"[unclosed\nfun:f\n",
        b"nonsense:f\n",
        b"\xff\xfe\x00",
    ] {
        let outcome = with_ignore_list(content);
        assert_ended(&outcome);
        assert_ne!(
            outcome.code,
            0,
            "accepted {content:?}\n{}",
            outcome.describe()
        );
        assert!(
            outcome.stderr.contains("ignore.txt"),
            "{}",
            outcome.describe()
        );
        assert!(
            !outcome.stderr.contains("PLEASE submit a bug"),
            "{}",
            outcome.describe()
        );
    }
}

#[test]
fn missing_ignore_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = compiler("plain/int_race.c", &["-g"], &folder.path().join("program"));
    let outcome = run(command.env("RACERT_IGNORELIST", "/no/such/list.txt"));
    assert_ended(&outcome);
    assert_ne!(outcome.code, 0, "{}", outcome.describe());
    assert!(
        outcome.stderr.contains("/no/such/list.txt"),
        "{}",
        outcome.describe()
    );
}

#[test]
fn well_formed_ignore_list() {
    let outcome = with_ignore_list(b"# a comment\n\nfun:nobody*\nsrc:*/nowhere/*\n");
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
}

#[test]
fn plugin_of_another_llvm() {
    let folder = tempfile::tempdir().unwrap();
    let mut tried = 0;
    for (clang, other) in [("clang-19", "22"), ("clang-22", "19"), ("clang-18", "19")] {
        let plugin = prefix().join(format!("lib/libracert_pass-{other}.so"));
        let installed = run(Command::new("sh").args(["-c", &format!("command -v {clang}")]));
        if installed.code != 0 || !plugin.exists() {
            continue;
        }
        tried += 1;
        let mut command = Command::new(clang);
        command.arg(format!("-fpass-plugin={}", plugin.display()));
        command
            .args(["-c", "-O1", "-D_GNU_SOURCE"])
            .arg(format!("-I{}", scenarios_dir().display()));
        command.arg(scenarios_dir().join("plain/int_race.c"));
        command.arg("-o").arg(folder.path().join("object.o"));
        let outcome = run(&mut command);
        assert_ended(&outcome);
        assert_ne!(outcome.code, 0, "{}", outcome.describe());
        assert!(
            !outcome.stderr.contains("PLEASE submit a bug"),
            "{}",
            outcome.describe()
        );
        assert!(!outcome.stderr.trim().is_empty(), "no word of explanation");
    }
    let plugins = ["22", "19", "18"].map(|v| prefix().join(format!("lib/libracert_pass-{v}.so")));
    let only_one = plugins.iter().filter(|plugin| plugin.exists()).count() == 1;
    assert!(tried > 0 || only_one, "a plugin of another LLVM");
}

/// Calls inside a static program pass no interceptor: refused when linked, or
/// made to work.
#[test]
fn static_programs() {
    for flag in ["-static", "-static-pie"] {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("program");
        let outcome = run(&mut compiler("plain/int_race.c", &["-g", flag], &output));
        if outcome.code == 0 {
            assert_race_reported(&run(Command::new(&output).env_remove("RACERT_OPTIONS")));
        } else {
            assert_refused(&outcome, "static");
        }
    }
}

#[test]
fn no_clang_in_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("program");
    let mut command = compiler("plain/int_norace.c", &["-g"], &output);
    let outcome = run(command.env("PATH", "/nonexistent"));
    assert_ended(&outcome);
    if outcome.code != 0 {
        assert!(outcome.stderr.contains("clang"), "{}", outcome.describe());
    } else {
        assert!(output.exists(), "{}", outcome.describe());
    }
}

#[test]
fn no_debug_info() {
    let outcome = run(&mut Program::compile("plain/int_race.c", &["-g0"]).command());
    assert_race_reported(&outcome);
    for function in ["write_it", "read_it"] {
        assert!(outcome.stderr.contains(function), "{}", outcome.describe());
    }
}

#[test]
fn stripped() {
    let program = Program::racy();
    let outcome = run(Command::new("strip").arg(&program.path));
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    let outcome = run(&mut program.command());
    assert_race_reported(&outcome);
    assert!(
        outcome.stderr.contains("program+0x"),
        "{}",
        outcome.describe()
    );
}
