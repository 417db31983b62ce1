//! Records of findings from real programs, whatever end they come to.

use std::fs;

use crate::installed::{RACY_C, succeed, tool};
use crate::support::{Scratch, text};

/// A race, and then the end that the argument asks for.
const ENDS_C: &str = "
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int parents, childs;
static void *up(void *count) { ++*(int *)count; return 0; }
static void *down(void *count) { --*(int *)count; return 0; }
static void race(void *(*work)(void *), int *count) {
    pthread_t a, b;
    pthread_create(&a, 0, work, count);
    pthread_create(&b, 0, work, count);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
int main(int argc, char **argv) {
    (void)argc;
    race(up, &parents);
    if (!strcmp(argv[1], \"kill\"))
        kill(getpid(), SIGKILL);
    if (!strcmp(argv[1], \"close\"))
        for (int fd = 3; fd < 100; fd++)
            close(fd);
    if (!strcmp(argv[1], \"fork\") && fork() == 0) {
        chdir(\"/\");
        race(down, &childs);
        return 3;
    }
    wait(0);
    return 0;
}
";

/// Runs the program with records in `json`; gives all lines of the files there.
fn run(scratch: &Scratch, ending: &str, json: &str) -> Vec<String> {
    let _ = fs::remove_dir_all(scratch.path().join("out"));
    fs::create_dir(scratch.path().join("out")).unwrap();
    let mut command = scratch.command(scratch.path().join("ends"));
    command
        .arg(ending)
        .env("RACERT_OPTIONS", format!("json={json}"));
    let output = command.output().unwrap();
    let mut files: Vec<_> = fs::read_dir(scratch.path().join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{}", text(&output));
    let mut lines = Vec::new();
    for file in files {
        let records = fs::read_to_string(file).unwrap();
        assert!(records.ends_with('\n'));
        lines.extend(records.lines().map(str::to_owned));
    }
    lines
}

fn count(lines: &[String], what: &str) -> usize {
    lines.iter().filter(|line| line.contains(what)).count()
}

fn built() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("ends.c", ENDS_C);
    let mut compile = scratch.command(tool("racert-clang"));
    succeed(compile.args(["-g", "-O1", "ends.c", "-o", "ends"]));
    scratch
}

#[test]
fn what_was_found_survives_the_end() {
    let scratch = built();
    let killed = run(&scratch, "kill", "out/races.json");
    assert_eq!(count(&killed, "\"type\":\"finding\""), 1);
    assert_eq!(count(&killed, "\"type\":\"summary\""), 0);

    let closed = run(&scratch, "close", "out/races.%p.json");
    assert_eq!(count(&closed, "\"type\":\"finding\""), 1);
    assert_eq!(count(&closed, "\"type\":\"summary\""), 1);
    assert_eq!(count(&closed, "\"findings\":1,\"exit_status\":66"), 1);
}

#[test]
fn processes_do_not_overwrite_each_other() {
    let scratch = built();
    for json in ["out/one.json", "out", "out/"] {
        let lines = run(&scratch, "fork", json);
        assert_eq!(count(&lines, "\"type\":\"finding\""), 2, "{json}");
        assert_eq!(count(&lines, "\"type\":\"summary\""), 2, "{json}");
        assert_eq!(count(&lines, "'childs'"), 1, "{json}");
        assert_eq!(
            count(&lines, "\"findings\":1,\"exit_status\":3"),
            1,
            "{json}"
        );
    }
}

#[test]
fn a_directory_is_made() {
    let scratch = built();
    let mut command = scratch.command(scratch.path().join("ends"));
    command.arg("fork").env("RACERT_OPTIONS", "json=new/");
    command.output().unwrap();
    let files = fs::read_dir(scratch.path().join("new")).unwrap();
    assert_eq!(files.count(), 2, "one of each process");
}

#[test]
fn from_a_program_to_a_report() {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    let mut compile = scratch.command(tool("racert-clang"));
    succeed(compile.args(["-g", "-O1", "race.c", "-o", "race"]));
    let run = scratch
        .command(tool("racert"))
        .args(["run", "-o", "json=races/", "--", "./race"])
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(66), "{}", text(&run));
    let mut report = scratch.command(env!("CARGO_BIN_EXE_racert"));
    let said = succeed(report.args(["report", "races", "--format", "github"]));
    let wanted = "::error file=race.c,line=13,col=16,title=racert%3A data race on 'counter'";
    assert!(said.starts_with(wanted), "{said}");
}
