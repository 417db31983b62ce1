//! `racert doctor` on this machine, and on this machine made worse.

use std::process::Command;

use crate::installed::tool;
use crate::support::text;

/// What the doctor says after `preparation` in a shell, and whether it is
/// content.
fn doctor(preparation: &str) -> (bool, String) {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{preparation} && exec \"$0\" doctor")]);
    let output = shell.arg(tool("racert")).output().expect("sh starts");
    (output.status.success(), text(&output))
}

#[test]
fn tries_it_out() {
    let (content, said) = doctor("true");
    assert!(content, "{said}");
    assert!(said.contains("ok    trial run: "), "{said}");
}

#[test]
fn names_what_is_in_the_way_and_the_remedy() {
    for (preparation, line, remedy) in [
        (
            "ulimit -v 4000000",
            "FAIL  ulimit -v: ",
            "ulimit -v unlimited",
        ),
        (
            "ulimit -d 1000000",
            "FAIL  ulimit -d: ",
            "ulimit -d unlimited",
        ),
        (
            "PATH=/nonexistent",
            "FAIL  C compiler: ",
            "apt-get install clang",
        ),
    ] {
        let (content, said) = doctor(preparation);
        assert!(!content, "{preparation}: {said}");
        for words in [line, remedy, "FAIL  trial run: "] {
            assert!(said.contains(words), "{preparation}: {said}");
        }
    }
}

/// What the runtime copes with is no reason to stop.
#[test]
fn what_can_be_lifted_is_no_obstacle() {
    for preparation in ["ulimit -S -v 4000000", "ulimit -s unlimited"] {
        let (content, said) = doctor(preparation);
        assert!(content, "{preparation}: {said}");
    }
}
