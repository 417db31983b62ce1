//! What a program records about many findings, and about members of one
//! variable.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::installed::{succeed, tool};
use crate::support::{Scratch, text};

const RACERT: &str = env!("CARGO_BIN_EXE_racert");

/// Two threads do `lines`, one after the other as only the clock knows.
fn program(declarations: &str, lines: &str) -> String {
    format!(
        "#include <pthread.h>\n#include \"invisible.h\"\n{declarations}\n\
         static void *early(void *data) {{\n{lines}  take_step();\n  return data;\n}}\n\
         static void *late(void *data) {{\n  wait_for_step(1);\n{lines}  return data;\n}}\n\
         int main(void) {{\n\
           pthread_t threads[2];\n\
           pthread_create(&threads[0], 0, early, 0);\n\
           pthread_create(&threads[1], 0, late, 0);\n\
           pthread_join(threads[0], 0);\n\
           pthread_join(threads[1], 0);\n\
         }}\n"
    )
}

/// Compiles and runs it; the processor time it took.
fn run(scratch: &Scratch, source: &str) -> Duration {
    scratch.write("program.c", source);
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios");
    let mut compile = scratch.command(tool("racert-clang"));
    compile.args(["-g", "-O1", "program.c", "-o", "program", "-I"]);
    succeed(compile.arg(scenarios));
    let before = children_time();
    let mut command = scratch.command(scratch.path().join("program"));
    let output = command.env("RACERT_OPTIONS", "json=found.json").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(66), "{}", text(&output));
    scratch.write("log", &text(&output));
    children_time() - before
}

/// Processor time of the children so far; nextest runs each test in a process
/// of its own.
fn children_time() -> Duration {
    // SAFETY: all fields are numbers, and the kernel fills them.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// Findings that are recorded.
const MANY: usize = 5000;

/// Runs a program with that many; its processor time.
fn many(scratch: &Scratch) -> Duration {
    let mut lines = String::new();
    for number in 0..MANY {
        writeln!(lines, "  table[{number}].uses++;").unwrap();
    }
    let declarations = format!("struct {{ long uses, other; }} table[{MANY}];");
    let taken = run(scratch, &program(&declarations, &lines));
    let found = fs::read_to_string(scratch.path().join("found.json")).unwrap();
    assert_eq!(found.lines().count(), MANY + 1, "and a summary");
    taken
}

#[test]
fn thousands_of_findings() {
    many(&Scratch::new());
}

#[test]
#[ignore = "measures"]
fn five_thousand_findings_a_second() {
    let rate = MANY as f64 / many(&Scratch::new()).as_secs_f64();
    println!("{rate:.0} findings a second");
    assert!(rate > 5000.0, "{rate:.0} findings a second");
}

#[test]
fn members_are_told_apart_and_elements_are_not() {
    let scratch = Scratch::new();
    let lines = "  v.x1++, v.x2++;\n  v.t[0]++;\n  v.t[1]++;\n";
    run(
        &scratch,
        &program("struct { long x1, x2, t[2]; } v;", lines),
    );
    let printed = fs::read_to_string(scratch.path().join("log")).unwrap();
    assert!(printed.ends_with("racert: 3 findings\n"), "{printed}");
    assert!(printed.contains("'v.t[0]' between late"), "{printed}");
    let mut report = scratch.command(RACERT);
    let merged = succeed(report.args(["report", "found.json"]));
    assert!(merged.ends_with("racert: 3 findings\n"), "{merged}");
    for name in ["'v.x1'", "'v.x2'", "'v.t[0]'", "at 1 more place."] {
        assert!(merged.contains(name), "{name}: {merged}");
    }
}

/// Two accounts that live in main, without a lock: one mistake.
const ACCOUNTS: &str = r#"
#include <pthread.h>
#include "invisible.h"
struct account { long id, balance; };
static struct account *accounts[2];
static void *early(void *data) {
  accounts[0]->balance--;
  accounts[1]->balance++;
  take_step();
  return data;
}
static void *late(void *data) {
  wait_for_step(2);
  long sum = accounts[0]->balance;
  sum += accounts[1]->balance;
  return sum ? data : 0;
}
// What the frame of main is like is known once main has called this.
__attribute__((noinline)) static void join(pthread_t *threads) {
  take_step();
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
int main(void) {
  struct account alice = {1, 100}, bob = {2, 100};
  accounts[0] = &alice, accounts[1] = &bob;
  pthread_t threads[2];
  pthread_create(&threads[0], 0, early, 0);
  pthread_create(&threads[1], 0, late, 0);
  join(threads);
}
"#;

#[test]
fn objects_of_one_class_are_one_cause() {
    let scratch = Scratch::new();
    run(&scratch, ACCOUNTS);
    let printed = fs::read_to_string(scratch.path().join("log")).unwrap();
    let named = "'main::alice.balance' of the main thread between late";
    assert!(printed.contains(named), "{printed}");
    assert!(printed.contains(", and 1 more place\n"), "{printed}");
    assert!(printed.ends_with("racert: 1 finding\n"), "{printed}");
    let mut report = scratch.command(RACERT);
    let merged = succeed(report.args(["report", "found.json"]));
    assert!(merged.ends_with("racert: 1 finding\n"), "{merged}");
    assert!(merged.contains("at 1 more place."), "{merged}");
}
