//! What the tests of rewritten libraries have in common.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::execute;

/// Exit code for input that cannot be rewritten.
pub const REFUSED: i32 = 65;
/// Exit code of a program in which a race was found.
pub const RACE: i32 = 66;

/// The command of the install tree.
pub fn racert() -> PathBuf {
    let path = crate::target_dir().join("racert/bin/racert");
    assert!(path.exists(), "run `cargo xtask build` first");
    path
}

/// A source file of these tests.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("rewrite")
        .join(name)
}

/// Compiles with the system's compiler, without racert; `None` if the machine
/// lacks the library or its headers.
pub fn build(folder: &Path, name: &str, arguments: &[&str]) -> Option<PathBuf> {
    let program = folder.join(name.replace('.', "_"));
    let compiler = if name.ends_with("cpp") { "c++" } else { "cc" };
    let output = Command::new(compiler)
        .args(["-O2", "-pthread"])
        .arg(source(name))
        .args(arguments)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("a compiler is there");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if text.contains("No such file") || text.contains("cannot find -l") {
        eprintln!("not tested: {name} needs a library or headers that are not installed");
        return None;
    }
    assert!(output.status.success(), "{name}: {text}");
    Some(program)
}

/// The file that the loader gives `program` for `library`.
pub fn library_of(program: &Path, library: &str) -> PathBuf {
    let output = Command::new("ldd").arg(program).output().expect("ldd");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains(library));
    let path = line.and_then(|line| line.split_whitespace().nth(2));
    PathBuf::from(path.expect("the program loads it"))
}

/// Runs `racert rewrite`.
pub fn rewrite(input: &Path, output: &Path, arguments: &[&str]) -> Output {
    Command::new(racert())
        .arg("rewrite")
        .args([input, Path::new("-o"), output])
        .args(arguments)
        .output()
        .expect("racert runs")
}

/// Exit code, output and complaints of a program.
pub fn run(command: &mut Command) -> (i32, String, String) {
    let output = execute::run(command, execute::HUNG).expect("the program starts");
    (output.code, output.stdout, output.stderr)
}

/// Runs `program` under `racert run --libs`.
pub fn checked(folder: &Path, program: &Path, libs: &str, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(racert());
    command
        .args(["run", "--libs", libs, "--"])
        .arg(program)
        .args(arguments)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("LD_LIBRARY_PATH", folder);
    let (code, _, text) = run(&mut command);
    (code, text)
}

/// Is there a frame of the function, by its name or the end of it?
pub fn has_frame(text: &str, function: &str) -> bool {
    let frames = text.lines().filter(|line| line.trim().starts_with('#'));
    let mut names = frames.filter_map(|line| line.rsplit_once(" (").map(|(name, _)| name));
    // With debug information the place follows.
    names.any(|name| name.ends_with(function) || name.contains(&format!("{function} /")))
}

/// A stripped library of one file of ours.
pub fn library(folder: &Path, name: &str, source_file: &str, arguments: &[&str]) -> PathBuf {
    let library = folder.join(name);
    let made = Command::new("cc")
        .args(["-O2", "-shared", "-fPIC", "-s"])
        .arg(format!("-Wl,-soname,{name}"))
        .arg(source(source_file))
        .args(arguments)
        .arg("-o")
        .arg(&library)
        .status();
    assert!(made.expect("a compiler is there").success());
    library
}
