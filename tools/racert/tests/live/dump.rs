//! Dumps of running programs.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::installed::{succeed, tool};
use crate::support::{Scratch, text};
use crate::until;

const RACERT: &str = env!("CARGO_BIN_EXE_racert");

fn built(name: &str, source: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write(name, source);
    let compiler = match name.ends_with(".cpp") {
        true => "racert-clang++",
        false => "racert-clang",
    };
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios");
    let mut compile = scratch.command(tool(compiler));
    compile.args(["-g", "-O1", name, "-o", "program", "-I"]);
    succeed(compile.arg(scenarios));
    scratch
}

/// A program that runs, until it goes out of scope.
struct Running(Child);

impl Running {
    /// Starts it and waits for its first line, which has to be `says`.
    fn start(command: &mut Command, says: &str) -> Running {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), says);
        Running(child)
    }

    fn pid(&self) -> String {
        self.0.id().to_string()
    }

    /// Waits until the main thread sleeps for good.
    fn settle(self) -> Running {
        let path = format!("/proc/{}/syscall", self.pid());
        let futex = format!("{} ", libc::SYS_futex);
        until("the main thread waits", || {
            std::fs::read_to_string(&path).is_ok_and(|call| call.starts_with(&futex))
        });
        self
    }

    fn signal(&self, signal: i32) {
        // SAFETY: a child that has not been waited for.
        unsafe { libc::kill(self.0.id() as i32, signal) };
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ctl(pid: &str) -> std::process::Output {
    Command::new(RACERT)
        .args(["ctl", pid, "dump", "--timeout=300"])
        .output()
        .unwrap()
}

/// What a dump has to say about the program that hangs.
fn assert_dump(dump: &str) {
    let place = |text: &str| {
        let found = dump.find(text);
        found.unwrap_or_else(|| panic!("no {text:?} in {dump}"))
    };
    let order = [
        "racert: 4 live threads of process ",
        "Main thread (os id ",
        "waits for the end of thread T1:",
        " main ",
        "in the system call pause:",
        " sleeper(void*) ",
        "hang.cpp:21:",
        "It holds mutex 'ours',",
        "hang.cpp:18:",
        "(name \"teller\")",
        "waits for mutex 'ours', which thread T1 holds:",
        " waiter(void*) ",
        "It holds mutex 'book', taken at:",
        "hang.cpp:26:",
        "waits for mutex 'book', which thread T2 (name \"teller\") holds:",
        " last(void*) ",
        "hang.cpp:36:",
        "racert: end of dump",
    ];
    // A field's name may be part of the lock's.
    let dump = dump.replace("'ours.guard'", "'ours'");
    let mut at = 0;
    for text in order {
        match dump[at..].find(text) {
            Some(found) => at += found,
            None => panic!("no {text:?} after {at} ({}) in {dump}", place("racert: ")),
        }
    }
    assert!(!dump.contains("racert::"), "{dump}");
}

#[test]
fn a_program_that_hangs() {
    let scratch = built("hang.cpp", include_str!("hang.cpp"));
    let mut command = scratch.command(RACERT);
    let running = Running::start(command.args(["run", "--", "./program"]), "hangs").settle();
    let output = ctl(&running.pid());
    assert!(output.status.success(), "{}", text(&output));
    assert_dump(&text(&output));
    // Once more, and it still hangs.
    assert_dump(&text(&ctl(&running.pid())));
}

#[test]
fn by_signal_where_reports_go() {
    let scratch = built("hang.cpp", include_str!("hang.cpp"));
    let mut command = scratch.command(scratch.path().join("program"));
    command.env("RACERT_OPTIONS", "dump_signal=SIGQUIT:log_path=log");
    let running = Running::start(&mut command, "hangs").settle();
    running.signal(libc::SIGQUIT);
    let log = scratch.path().join(format!("log.{}", running.pid()));
    let mut dump = String::new();
    until("the dump is whole", || {
        dump = std::fs::read_to_string(&log).unwrap_or_default();
        dump.ends_with("end of dump\n")
    });
    assert_dump(&dump);
    assert_dump(&text(&ctl(&running.pid())));
}

#[test]
fn a_program_that_was_not_told_is_left_alone() {
    let scratch = built("hang.cpp", include_str!("hang.cpp"));
    let mut command = scratch.command(scratch.path().join("program"));
    let mut running = Running::start(command.env_remove("RACERT_OPTIONS"), "hangs");
    let output = ctl(&running.pid());
    assert_eq!(output.status.code(), Some(126));
    assert!(text(&output).contains("takes no questions"));
    assert!(running.0.try_wait().unwrap().is_none(), "it still runs");
    // The signal does what it did without racert.
    running.signal(libc::SIGUSR1);
    assert_eq!(running.0.wait().unwrap().signal(), Some(libc::SIGUSR1));
}

#[test]
fn nobody_is_disturbed() {
    let scratch = built("busy.c", include_str!("busy.c"));
    let mut command = scratch.command(RACERT);
    // The program sees the default action although there is a handler.
    let mut running = Running::start(command.args(["run", "--", "./program"]), "default");
    for _ in 0..50 {
        let output = ctl(&running.pid());
        let said = text(&output);
        assert!(output.status.success(), "{said}");
        assert!(said.contains(" live thread"), "{said}");
        assert!(said.contains("Main thread"), "{said}");
    }
    running.0.stdin.take().unwrap().write_all(b"\n").unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(7));
}

#[test]
fn the_programs_own_handler_wins() {
    let scratch = built(
        "own.c",
        "#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n\
         static volatile sig_atomic_t got;\n\
         static void mine(int signal) { got = signal; }\n\
         int main(void) {\n\
           signal(SIGUSR1, mine);\n\
           puts(\"ready\"); fflush(stdout);\n\
           while (!got) usleep(1000);\n\
           return got == SIGUSR1 ? 5 : 6;\n\
         }\n",
    );
    let mut command = scratch.command(RACERT);
    let mut running = Running::start(command.args(["run", "--", "./program"]), "ready");
    running.signal(libc::SIGUSR1);
    assert_eq!(running.0.wait().unwrap().code(), Some(5));
}
