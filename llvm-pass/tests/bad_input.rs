//! Wrong targets, wrong compilers, wrong options: one clear line, no crash.

#[expect(
    dead_code,
    reason = "each test program uses its part of the common code"
)]
mod common;

use common::{Llvm, scratch};
use std::path::PathBuf;
use std::process::Command;

fn source(name: &str) -> PathBuf {
    let file = scratch("bad_input").join(name);
    std::fs::write(&file, "int f(int *p) { return *p; }\n").expect("the source is written");
    file
}

fn fail(command: &mut Command) -> String {
    let output = command
        .args(["-c", "-o", "/dev/null"])
        .output()
        .expect("the compiler runs");
    assert_eq!(output.status.code(), Some(1), "{command:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn other_targets_are_refused() {
    let llvm = Llvm::default_version();
    let message = fail(llvm.compiler("clang").arg("-m32").arg(source("m32.c")));
    assert!(message.contains("error: racert: target 'i"), "{message}");
    assert!(message.contains("only 64-bit x86 Linux is"), "{message}");
}

#[test]
fn another_llvm_is_told() {
    let mine = Llvm::default_version();
    let pairs = Llvm::others()
        .iter()
        .flat_map(|other| [(other, mine), (mine, other)]);
    for (compiler, plugin) in pairs {
        let message = fail(
            compiler
                .tool("clang")
                .arg(format!("-fpass-plugin={}", plugin.plugin().display()))
                .arg(source("version.c")),
        );
        let expected = format!(
            "error: racert: this plugin was built for LLVM {}, but a program with LLVM {} loads it",
            plugin.major(),
            compiler.major()
        );
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn a_missing_ignore_list_is_told() {
    let llvm = Llvm::default_version();
    let mut command = llvm.compiler("clang");
    let message = fail(
        command
            .env("RACERT_IGNORELIST", "/nowhere/list")
            .arg(source("list.c")),
    );
    let expected = "error: racert: cannot read ignore list '/nowhere/list': No such file";
    assert!(message.contains(expected), "{message}");
}
