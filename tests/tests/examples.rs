//! The server of the examples: each of its planted bugs is found in every run,
//! and nothing is said of the version without them. (The commands of the other
//! examples are run with the documents.)

use std::path::Path;
use std::process::Command;

use racert_tests::program::prefix;

const RUNS: usize = 5;

fn compile(folder: &Path, name: &str) -> std::path::PathBuf {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/server");
    let program = folder.join(name);
    let status = Command::new(prefix().join("bin/racert-clang++"))
        .args(["-std=c++17", "-g", "-O1"])
        .arg(examples.join(format!("{name}.cpp")))
        .arg("-o")
        .arg(&program)
        .status()
        .unwrap();
    assert!(status.success(), "{name} compiles");
    program
}

fn run(program: &Path, mode: &str) -> (Option<i32>, String) {
    let output = Command::new(program)
        .env("RACERT_OPTIONS", format!("mode={mode}"))
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), report)
}

#[test]
fn the_server_and_its_four_bugs() {
    let folder = tempfile::tempdir().unwrap();
    let (buggy, fixed) = (
        compile(folder.path(), "server"),
        compile(folder.path(), "server_fixed"),
    );
    for mode in ["hb", "hybrid"] {
        for _ in 0..RUNS {
            let (code, report) = run(&buggy, mode);
            assert_eq!(code, Some(66), "{report}");
            for (bug, words) in [
                ("order of initialisation", "Server::Server(int)"),
                ("order of termination", "Journal::~Journal()"),
                ("returned reference", "Sessions::visit("),
                ("not thread-safe function", "localtime"),
            ] {
                assert!(report.contains(words), "{mode}: {bug}: {report}");
            }
            let (code, report) = run(&fixed, mode);
            assert_eq!((code, report.as_str()), (Some(0), ""), "{mode}");
        }
    }
}
