//! Runs a program under a time limit.
//!
//! Output goes to unnamed files, not pipes, so that a grandchild that keeps a
//! descriptor cannot hold the test up; at the limit the whole process group is
//! killed.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

/// After this long a program counts as hung. Far more than any takes, because
/// others may use the machine, too; how fast something is, benchmarks say.
pub const HUNG: Duration = Duration::from_secs(300);

/// What one run of a program left behind.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Exit code; a signal counts as 128 plus its number, as in a shell.
    pub code: i32,
    /// The time limit was reached and the program killed.
    pub timed_out: bool,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Outcome {
    /// Everything about the run, for a failure message.
    pub fn describe(&self) -> String {
        let limit = if self.timed_out {
            ", killed at the time limit"
        } else {
            ""
        };
        format!(
            "exit code {}{limit}\n--- stdout\n{}\n--- stderr\n{}",
            self.code,
            excerpt(&self.stdout),
            excerpt(&self.stderr)
        )
    }
}

/// At most the first 12,000 characters of a text.
fn excerpt(text: &str) -> &str {
    match text.char_indices().nth(12_000) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

fn content(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Waits for the child's end; `None` when the limit came first.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let ended = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let Some(left) = limit.checked_sub(start.elapsed()) else {
            return Ok(None);
        };
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&left)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Runs a command to its end or to the limit.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Outcome> {
    let stdout = tempfile::tempfile()?;
    let stderr = tempfile::tempfile()?;
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    let mut child = command.process_group(0).spawn()?;
    let status = wait(&mut child, limit)?;
    let timed_out = status.is_none();
    let status = match status {
        Some(status) => status,
        None => {
            // The child is not reaped yet, so the group id is still its own.
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                kill_process_group(group, Signal::KILL)?;
            }
            child.wait()?
        }
    };
    let code = status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(Outcome {
        code,
        timed_out,
        stdout: content(stdout)?,
        stderr: content(stderr)?,
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use std::process::Command;
    use std::time::{Duration, Instant};

    #[test]
    fn code_and_output() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo out; echo err >&2; exit 7"]);
        let outcome = run(&mut shell, Duration::from_secs(20)).unwrap();
        assert_eq!((outcome.code, outcome.timed_out), (7, false));
        assert_eq!(
            (&outcome.stdout[..], &outcome.stderr[..]),
            ("out\n", "err\n")
        );
    }

    #[test]
    fn the_limit_ends_grandchildren_too() {
        let start = Instant::now();
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 600 & sleep 600"]);
        let outcome = run(&mut shell, Duration::from_millis(50)).unwrap();
        assert!(outcome.timed_out);
        assert_eq!(outcome.code, 128 + 9);
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}
