//! What the pass makes of small pieces of IR and C: each file in `tests/ir`
//! says in `RUN:` lines how it is compiled and in `CHECK:` lines what must
//! come out, for LLVM's FileCheck. The result must also verify.

#[expect(
    dead_code,
    reason = "each test program uses its part of the common code"
)]
mod common;

use common::{Llvm, crate_folder, scratch, succeed};
use std::path::{Path, PathBuf};

fn check_file(llvm: &Llvm, file: &Path) {
    let text = std::fs::read_to_string(file).expect("a test file");
    let runs: Vec<&str> = text
        .lines()
        .filter_map(|line| Some(line.split_once("RUN: ")?.1.trim()))
        .collect();
    assert!(!runs.is_empty(), "{} has no RUN line", file.display());
    for run in runs {
        let mut words = run.split_whitespace();
        let mut command = match words.next() {
            Some("opt") => llvm.opt(),
            Some("clang") => llvm.compiler("clang"),
            other => panic!("{}: unknown tool {other:?}", file.display()),
        };
        let ir = succeed(command.args(words).arg(file).args(["-o", "-"])).stdout;
        let name = file
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let out = scratch(&format!("ir{}", llvm.major())).join(format!("{name}.out.ll"));
        std::fs::write(&out, ir).expect("the output is written");
        succeed(
            llvm.tool("opt")
                .args(["-passes=verify", "-disable-output"])
                .arg(&out),
        );
        succeed(
            llvm.tool("FileCheck")
                .arg(file)
                .arg("--input-file")
                .arg(&out),
        );
    }
}

/// Checks all files and names every one that fails.
fn check_all(llvm: &Llvm) {
    let folder = crate_folder().join("tests/ir");
    let files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of tests")
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    assert!(!files.is_empty(), "no tests found");
    let failed: Vec<&PathBuf> = files
        .iter()
        .filter(|file| std::panic::catch_unwind(|| check_file(llvm, file)).is_err())
        .collect();
    assert!(failed.is_empty(), "failed: {failed:?}");
}

#[test]
fn ir_is_as_expected() {
    check_all(Llvm::default_version());
}

#[test]
fn ir_is_as_expected_with_other_llvms() {
    for llvm in Llvm::others() {
        check_all(llvm);
    }
}
