//! Manual pages and completions, as the command writes them.

mod support;

use std::fs;

use support::{Scratch, text};

const RACERT: &str = env!("CARGO_BIN_EXE_racert");

#[test]
fn completions_for_the_usual_shells() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish"] {
        let output = scratch
            .command(RACERT)
            .args(["completions", shell])
            .output()
            .unwrap();
        let said = text(&output);
        assert!(output.status.success(), "{shell}: {said}");
        assert!(said.contains("self-test"), "{shell}: {said}");
        if shell == "bash" {
            let file = scratch.write("completions", &said);
            let checked = scratch
                .command("bash")
                .arg("-n")
                .arg(file)
                .output()
                .unwrap();
            assert!(checked.status.success(), "{}", text(&checked));
        }
    }
}

#[test]
fn a_manual_page_for_each_command() {
    let scratch = Scratch::new();
    let folder = scratch.path().join("man");
    let output = scratch
        .command(RACERT)
        .arg("man")
        .arg(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
    for (page, words) in [
        ("racert", "Finds data races"),
        ("racert-run", "instrumented program"),
        ("racert-cargo", "Cargo project"),
        ("racert-clang", ".so man1/racert-cc.1"),
    ] {
        let path = folder.join(format!("{page}.1"));
        let written = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{page}: {e}"));
        assert!(written.contains(words), "{page}: {written}");
    }
}
