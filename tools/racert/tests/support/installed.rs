//! The staged install tree, and building programs with it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Scratch, text};

/// Exit code of a program in which a race was reported.
const RACE_FOUND: i32 = 66;

/// A C program in which two threads increment a global.
pub(crate) const RACY_C: &str = include_str!("../../../../examples/hello_race/hello_race.c");
/// A C++ program with a race behind a method call.
pub(crate) const RACY_CXX: &str = include_str!("../../../../examples/bank/bank.cpp");

/// A C program whose only race is in a function that asks to be left alone,
/// in the way most programs ask.
pub(crate) const QUIET_C: &str = "
#include <pthread.h>
#if __has_feature(thread_sanitizer)
__attribute__((no_sanitize(\"thread\")))
#endif
static void *bump(void *count) { ++*(int *)count; return 0; }
int main(void) {
    static int count;
    pthread_t a, b;
    pthread_create(&a, 0, bump, &count);
    pthread_create(&b, 0, bump, &count);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

/// The tree that `cargo xtask build` staged, or the one `RACERT_PREFIX` names.
pub(crate) fn prefix() -> PathBuf {
    let staged = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("racert");
    let prefix = env::var_os("RACERT_PREFIX").map_or(staged, PathBuf::from);
    let runtime = prefix.join("lib/libracert.a");
    assert!(
        runtime.is_file(),
        "{} is not there: run `cargo xtask build`",
        runtime.display()
    );
    prefix
}

/// A file of `bin/`.
pub(crate) fn tool(name: &str) -> PathBuf {
    prefix().join("bin").join(name)
}

/// The plain clang of the preferred plugin, and its major version.
pub(crate) fn plain_clang(driver: &str) -> String {
    let lib = prefix().join("lib");
    let version = [22, 19, 18]
        .into_iter()
        .find(|version| lib.join(format!("libracert_pass-{version}.so")).is_file())
        .expect("a plugin is staged");
    format!("{driver}-{version}")
}

/// Runs a command that must succeed, and returns what it said.
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        text(&output)
    );
    text(&output)
}

/// Runs a program that must report a race in `file`.
pub(crate) fn assert_race(scratch: &Scratch, program: &str, file: &str) {
    let mut command = scratch.command(scratch.path().join(program));
    let output = command
        .env_remove("RACERT_OPTIONS")
        .output()
        .expect("the program starts");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(RACE_FOUND), "{program}: {said}");
    assert!(
        said.contains("WARNING: racert: data race (pid="),
        "{program}: {said}"
    );
    let summary = said
        .lines()
        .find(|line| line.starts_with("SUMMARY: racert: data race "));
    assert!(
        summary.is_some_and(|line| line.contains(file)),
        "{program}: {said}"
    );
}
