//! Instrumented programs run as before. They are linked with a stand-in for
//! the runtime that only counts.

#[expect(
    dead_code,
    reason = "each test program uses its part of the common code"
)]
mod common;

use common::{Llvm, crate_folder, scratch, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

const LEVELS: [&[&str]; 9] = [
    &["-O0"],
    &["-O0", "-g"],
    &["-O1"],
    &["-O2"],
    &["-O2", "-g"],
    &["-O3", "-march=x86-64-v3"],
    &["-Os", "-g"],
    &["-O2", "-g", "-flto=thin"],
    &["-O2", "-flto=full"],
];

fn mock(llvm: &Llvm, folder: &Path) -> PathBuf {
    let object = folder.join("mock.o");
    let source = crate_folder().join("tests/mock/runtime.c");
    succeed(
        llvm.tool("clang")
            .args(["-O1", "-mcx16", "-c"])
            .arg(format!("-DABI_VERSION={}", racert_abi::ABI_VERSION))
            .arg(source)
            .arg("-o")
            .arg(&object),
    );
    object
}

fn counts(stderr: &[u8]) -> std::collections::HashMap<String, String> {
    String::from_utf8_lossy(stderr)
        .split_whitespace()
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn run_at_all_levels(llvm: &Llvm, with_lto: bool) {
    let folder = scratch(&format!("programs{}", llvm.major()));
    let mock = mock(llvm, &folder);
    let source = crate_folder().join("tests/programs/everything.cpp");
    let plain = folder.join("plain");
    succeed(
        llvm.tool("clang++")
            .args(["-O1", "-mcx16"])
            .arg(&source)
            .arg("-o")
            .arg(&plain),
    );
    let expected = succeed(&mut Command::new(&plain)).stdout;
    for level in LEVELS {
        let lto = level.iter().any(|flag| flag.starts_with("-flto"));
        if lto && !with_lto {
            continue;
        }
        let (object, program) = (folder.join("program.o"), folder.join("program"));
        succeed(
            llvm.compiler("clang++")
                .args(level)
                .args(["-mcx16", "-c"])
                .arg(&source)
                .arg("-o")
                .arg(&object),
        );
        let mut link = llvm.tool("clang++");
        if lto {
            link.arg("-fuse-ld=lld");
        }
        succeed(
            link.args(level)
                .args([&object, &mock])
                .arg("-o")
                .arg(&program),
        );
        // Once with every test a hit, once with every test a miss.
        for miss in [false, true] {
            let mut command = Command::new(&program);
            command.env("MOCK_PRINT", "1");
            if miss {
                command.env("MOCK_MISS", "1");
            }
            let output = succeed(&mut command);
            assert_eq!(output.stdout, expected, "{level:?}, miss {miss}");
            let counts = counts(&output.stderr);
            assert_eq!(counts["frames"], "0", "every frame is popped, {level:?}");
            assert_eq!(counts["fences"], "1", "{level:?}");
            assert_eq!(counts["brackets"], "2", "{level:?}");
            assert_eq!(counts["atomics"], "12", "{level:?}");
            assert_eq!(counts["writes"] == "0", !miss, "{level:?}, miss {miss}");
        }
    }
}

#[test]
fn programs_run_as_before() {
    run_at_all_levels(Llvm::default_version(), true);
}

#[test]
fn programs_run_as_before_with_other_llvms() {
    for llvm in Llvm::others() {
        run_at_all_levels(llvm, false);
    }
}

/// Bytes that loops report as ranges are exactly those they touch.
#[test]
fn ranges_are_exact() {
    let llvm = Llvm::default_version();
    let folder = scratch("ranges");
    let mock = mock(llvm, &folder);
    let source = crate_folder().join("tests/programs/ranges.c");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        for extra in ["-march=x86-64", "-march=x86-64-v3", "-fno-unroll-loops"] {
            let program = folder.join("ranges");
            let object = folder.join("ranges.o");
            succeed(
                llvm.compiler("clang")
                    .args([level, extra, "-c"])
                    .arg(&source)
                    .arg("-o")
                    .arg(&object),
            );
            succeed(
                llvm.tool("clang")
                    .args([&object, &mock])
                    .arg("-o")
                    .arg(&program),
            );
            let output = succeed(Command::new(&program).env("MOCK_MISS", "1"));
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(text, "exact\n", "{level} {extra}");
        }
    }
}

/// Each way the pipeline starts and ends.
const SYNC_LOOP_LEVELS: [&[&str]; 6] = [
    &["-O0"],
    &["-O1"],
    &["-O2", "-g"],
    &["-O3"],
    &["-O2", "-flto=thin"],
    &["-O2", "-flto=full"],
];

/// What the hooks at the exits of loops that wait say, for every shape of
/// loop: compiled at all levels, with every test a hit and every test a miss.
fn sync_loops_at_all_levels(llvm: &Llvm, compiler: &str, source: &str, with_lto: bool) {
    let folder = scratch(&format!("{source}{}", llvm.major()));
    let runtime = mock(llvm, &folder);
    let waits = folder.join("waits.o");
    succeed(
        llvm.tool("clang")
            .args(["-O1", "-c"])
            .arg(crate_folder().join("tests/mock/waits.c"))
            .arg("-o")
            .arg(&waits),
    );
    for level in SYNC_LOOP_LEVELS {
        let lto = level.iter().any(|flag| flag.starts_with("-flto"));
        if lto && !with_lto {
            continue;
        }
        let (object, program) = (folder.join("program.o"), folder.join("program"));
        let file = crate_folder().join("tests/programs").join(source);
        succeed(
            llvm.compiler(compiler)
                .args(level)
                .arg("-c")
                .arg(file)
                .arg("-o")
                .arg(&object),
        );
        let mut link = llvm.tool(compiler);
        if lto {
            link.arg("-fuse-ld=lld");
        }
        succeed(
            link.args(level)
                .args([&object, &runtime, &waits])
                .arg("-o")
                .arg(&program),
        );
        for miss in [false, true] {
            let mut command = Command::new(&program);
            if miss {
                command.env("MOCK_MISS", "1");
            }
            let output = command.output().expect("the program runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(text, "right\n", "{source} {level:?}, miss {miss}");
        }
    }
}

#[test]
fn loops_that_wait_are_understood() {
    let llvm = Llvm::default_version();
    sync_loops_at_all_levels(llvm, "clang", "sync_loops.c", true);
    sync_loops_at_all_levels(llvm, "clang++", "sync_loops.cpp", true);
}

#[test]
fn loops_that_wait_are_understood_with_other_llvms() {
    for llvm in Llvm::others() {
        sync_loops_at_all_levels(llvm, "clang", "sync_loops.c", false);
        sync_loops_at_all_levels(llvm, "clang++", "sync_loops.cpp", false);
    }
}
