//! `racert run` on a terminal and elsewhere.

use std::fs::File;
use std::io::Read;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command};

use crate::installed::{RACY_C, succeed, tool};
use crate::support::{Scratch, text};
use crate::until;

const RACERT: &str = env!("CARGO_BIN_EXE_racert");

/// A race, and then some time.
const SLOW_C: &str = "
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int count;
static void *up(void *data) { count++; return data; }
static void race(void) {
    pthread_t a, b;
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, up, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
int main(int argc, char **argv) {
    if (fork() == 0) {
        race();
        usleep(2500000);
        _exit(0);
    }
    usleep(2000000);
    wait(0);
    return argc > 1 ? atoi(argv[1]) : 0;
}
";

/// A child whose terminal we are.
struct Terminal {
    screen: File,
    child: Child,
}

impl Terminal {
    fn start(command: &mut Command) -> Terminal {
        let (mut ours, mut theirs) = (0, 0);
        let size = libc::winsize {
            ws_row: 24,
            ws_col: 100,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        // SAFETY: the two descriptors are ours to write.
        let made = unsafe {
            libc::openpty(
                &raw mut ours,
                &raw mut theirs,
                std::ptr::null_mut(),
                std::ptr::null(),
                &raw const size,
            )
        };
        assert_eq!(made, 0);
        // SAFETY: new descriptors.
        let (ours, theirs) = unsafe { (File::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) };
        command
            .env("TERM", "xterm")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("CI")
            .env_remove("NO_COLOR")
            .env_remove("RACERT_OPTIONS");
        command.stdout(theirs.try_clone().unwrap()).stderr(theirs);
        // SAFETY: a system call between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                Ok(())
            });
        }
        let child = command.spawn().unwrap();
        // The command keeps the terminal's other side open.
        command.stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::null());
        Terminal {
            screen: ours,
            child,
        }
    }

    /// All that was written until the end.
    fn rest(mut self) -> (String, std::process::ExitStatus) {
        let mut bytes = Vec::new();
        let mut room = [0; 4096];
        // The end of a terminal is an error.
        while let Ok(read @ 1..) = self.screen.read(&mut room) {
            bytes.extend_from_slice(&room[..read]);
        }
        let status = self.child.wait().unwrap();
        (String::from_utf8_lossy(&bytes).into_owned(), status)
    }
}

fn built(source: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("program.c", source);
    let mut compile = scratch.command(tool("racert-clang"));
    succeed(compile.args(["-g", "-O1", "program.c", "-o", "program"]));
    scratch
}

#[test]
fn a_line_while_it_runs_and_a_box_at_the_end() {
    let scratch = built(SLOW_C);
    let mut command = scratch.command(RACERT);
    let terminal = Terminal::start(command.args(["run", "--", "./program", "9"]));
    let (screen, status) = terminal.rest();
    assert_eq!(status.code(), Some(9), "{screen}");
    assert!(screen.contains("racert 00:0"), "{screen}");
    assert!(screen.contains(" | 1 finding | "), "of the child: {screen}");
    assert!(screen.contains("recorded/s"), "{screen}");
    assert!(
        screen.contains("\x1b[1;23r"),
        "a region to scroll: {screen}"
    );
    assert!(screen.contains("\x1b[r"), "given back: {screen}");
    let end = screen.split("\x1b[r").last().unwrap();
    assert!(end.contains("\u{256d}\u{2500} racert "), "{end}");
    assert!(end.contains("./program ended with 9 after 00:"), "{end}");
    assert!(end.contains("1 finding"), "{end}");
    assert!(end.contains("2 processes, "), "{end}");
}

#[test]
fn without_colour_if_asked_and_nothing_of_short_programs() {
    let scratch = built(SLOW_C);
    let mut command = scratch.command("env");
    let terminal = Terminal::start(command.args(["NO_COLOR=1", RACERT, "run", "--", "./program"]));
    let (screen, _) = terminal.rest();
    assert!(screen.contains("racert 00:0"), "{screen}");
    assert!(!screen.contains("\x1b[33m"), "{screen:?}");

    let scratch = built(RACY_C);
    let mut command = scratch.command(RACERT);
    let (screen, status) = Terminal::start(command.args(["run", "--", "./program"])).rest();
    assert_eq!(status.code(), Some(66), "{screen}");
    assert!(screen.contains("./program ended with 66 after"), "{screen}");
    // On a busy machine a short program may take its time.
    let is_short = screen.contains("after 00:00");
    assert!(!is_short || !screen.contains("racert 00:"), "{screen}");
}

#[test]
fn quiet_in_a_pipe_and_under_ci() {
    let scratch = built(RACY_C);
    let mut command = scratch.command(RACERT);
    let output = command.args(["run", "--", "./program"]).output().unwrap();
    assert_eq!(output.status.code(), Some(66));
    assert!(!text(&output).contains("ended with"), "{}", text(&output));

    let mut command = scratch.command("env");
    let terminal = Terminal::start(command.args(["CI=true", RACERT, "run", "--", "./program"]));
    let (screen, status) = terminal.rest();
    assert_eq!(status.code(), Some(66), "{screen}");
    assert!(!screen.contains("ended with"), "{screen}");
}

#[test]
fn signals_reach_the_program_and_its_end_is_ours() {
    let scratch = built("#include <unistd.h>\nint main(void) { for (;;) pause(); }\n");
    let mut command = scratch.command(RACERT);
    let terminal = Terminal::start(command.args(["run", "--", "./program"]));
    let pid = terminal.child.id() as i32;
    let program = scratch.path().join("program").canonicalize().unwrap();
    until("the program is there", || {
        let child = children(pid).trim().to_owned();
        std::fs::read_link(format!("/proc/{child}/exe")).is_ok_and(|exe| exe == program)
    });
    // SAFETY: our child, which has not been waited for.
    unsafe { libc::kill(pid, libc::SIGTERM) };
    let (screen, status) = terminal.rest();
    assert_eq!(status.signal(), Some(libc::SIGTERM), "{screen}");
    assert!(screen.contains("was ended by signal 15"), "{screen}");
}

fn children(pid: i32) -> String {
    let path = format!("/proc/{pid}/task/{pid}/children");
    std::fs::read_to_string(path).unwrap_or_default()
}
