//! The Cargo projects in `tests/rust` and `tests/rust_crossbeam`, with checks,
//! the standard library too.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::installed::{prefix, tool};
use crate::support::text;

/// Whether there is a plugin for this rustc, and clang to go with it.
fn usable() -> bool {
    let version = Command::new("rustc").arg("-vV").output();
    let said = version.map(|output| text(&output)).unwrap_or_default();
    let major = said
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: "))
        .and_then(|version| version.split('.').next())
        .unwrap_or_default();
    let plugin = prefix().join(format!("lib/libracert_pass-{major}.so"));
    if !plugin.is_file() {
        println!("rustc has another LLVM than the plugins: not tried");
    }
    plugin.is_file()
}

/// The checked standard library stays for the next run.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn racert_cargo(arguments: &[&str]) -> Output {
    racert_cargo_in("rust", arguments)
}

fn racert_cargo_in(project: &str, arguments: &[&str]) -> Output {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut command = Command::new(tool("racert"));
    command
        .arg("cargo")
        .args(arguments)
        .current_dir(tests.join(project))
        .env("RACERT_CACHE", kept("cache"))
        .env("CARGO_TARGET_DIR", kept("rust-project"));
    for variable in ["RACERT_OPTIONS", "RUSTFLAGS", "RUSTC_WRAPPER", "CARGO"] {
        command.env_remove(variable);
    }
    command.output().expect("racert starts")
}

/// One after the other, because each waits for the others' lock anyway.
#[test]
fn a_project_in_rust() {
    if !usable() {
        return;
    }
    let race = racert_cargo(&["run", "--quiet", "--bin", "race"]);
    let said = text(&race);
    assert_eq!(race.status.code(), Some(66), "{said}");
    for words in [
        "WARNING: racert: data race",
        "race::CELL",
        "src/lib.rs:21",
        "race::main",
        "checked: true",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }

    // The same in hb mode, given on the command line.
    let race = racert_cargo(&["-o", "mode=hb", "run", "--quiet", "--bin", "race"]);
    assert_eq!(race.status.code(), Some(66), "{}", text(&race));

    // That threads begin and end one after the other is no order.
    for profile in ["dev", "release"] {
        let race = racert_cargo(&["run", "--quiet", "--profile", profile, "--bin", "in_turn"]);
        let said = text(&race);
        assert_eq!(race.status.code(), Some(66), "{profile}: {said}");
        assert!(said.contains("WARNING: racert: data race"), "{said}");
    }

    for arguments in [
        &["test", "--quiet"][..],
        &["run", "--quiet", "--bin", "in_turn", "joined"],
        &["run", "--quiet", "--bin", "contended"],
        &["run", "--quiet", "--release", "--bin", "contended"],
    ] {
        let correct = racert_cargo(arguments);
        let said = text(&correct);
        assert!(correct.status.success(), "{arguments:?}: {said}");
        assert!(!said.contains("WARNING: racert"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_project_that_uses_crossbeam() {
    if !usable() {
        return;
    }
    let correct = racert_cargo_in("rust_crossbeam", &["test", "--quiet"]);
    let said = text(&correct);
    assert!(correct.status.success(), "{said}");
    assert!(!said.contains("WARNING: racert"), "{said}");
    for bin in ["written_after_sent", "relaxed_load"] {
        let race = racert_cargo_in("rust_crossbeam", &["run", "--quiet", "--bin", bin]);
        let said = text(&race);
        assert_eq!(race.status.code(), Some(66), "{bin}: {said}");
        assert!(said.contains("WARNING: racert: data race"), "{said}");
        assert!(said.contains(bin), "{said}");
    }
}
