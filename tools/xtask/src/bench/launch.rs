//! One measured run: CPU time and peak memory of a child process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

/// What one run cost and said.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// User plus system time, children included.
    pub(super) cpu: Duration,
    /// Time on the clock.
    pub(super) wall: Duration,
    /// Peak resident memory in bytes.
    pub(super) rss: u64,
    /// How it ended.
    pub(super) end: End,
    /// What it printed.
    pub(super) stdout: String,
    /// What it complained about.
    pub(super) stderr: String,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl End {
    /// From a status as `wait` gives it: the low seven bits are the signal,
    /// the next byte is the exit code.
    fn from_wait_status(status: i32) -> Self {
        match status & 0x7f {
            0 => End::Code((status >> 8) & 0xff),
            signal => End::Signal(signal),
        }
    }
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Code(code) => write!(f, "exit code {code}"),
            End::Signal(9) => write!(f, "killed (time limit or out of memory)"),
            End::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// Runs programs through `tests/bench/launch.c`.
#[derive(Debug, Clone)]
pub(super) struct Launcher {
    /// The launcher's binary.
    pub(super) binary: PathBuf,
    /// Where it writes its result.
    pub(super) result: PathBuf,
    /// When a run is given up.
    pub(super) limit: Duration,
}

impl Launcher {
    /// Runs `command` (program first) in `folder` and measures it.
    pub(super) fn run(&self, command: &[String], folder: Option<&Path>) -> anyhow::Result<Sample> {
        let mut launch = Command::new(&self.binary);
        launch
            .arg(&self.result)
            .arg(self.limit.as_secs().max(1).to_string())
            .args(command)
            .stdin(Stdio::null());
        if let Some(folder) = folder {
            launch.current_dir(folder);
        }
        let start = Instant::now();
        let output = launch
            .output()
            .with_context(|| format!("cannot run {launch:?}"))?;
        let wall = start.elapsed();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            bail!("{launch:?} failed: {stderr}");
        }
        let text = std::fs::read_to_string(&self.result)
            .with_context(|| self.result.display().to_string())?;
        let (cpu, rss, end) = parse(&text).with_context(|| format!("launcher said {text:?}"))?;
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Sample {
            cpu,
            wall,
            rss,
            end,
            stdout,
            stderr,
        })
    }
}

/// Reads the launcher's line: user and system microseconds, kilobytes, status.
fn parse(text: &str) -> Option<(Duration, u64, End)> {
    let mut fields = text.split_whitespace();
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    let kilobytes: u64 = fields.next()?.parse().ok()?;
    let status: i32 = fields.next()?.parse().ok()?;
    let cpu = Duration::from_micros(user + system);
    Some((cpu, kilobytes * 1024, End::from_wait_status(status)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_line_is_understood() {
        let (cpu, rss, end) = parse("1500 500 860 0\n").expect("well formed");
        assert_eq!(cpu, Duration::from_millis(2));
        assert_eq!(rss, 860 * 1024);
        assert_eq!(end, End::Code(0));
    }

    #[test]
    fn exit_codes_and_signals_are_told_apart() {
        assert_eq!(parse("0 0 1 16896").expect("well formed").2, End::Code(66));
        assert_eq!(parse("0 0 1 11").expect("well formed").2, End::Signal(11));
        assert_eq!(parse("0 0 1 139").expect("well formed").2, End::Signal(11));
    }

    #[test]
    fn a_short_line_is_refused() {
        assert!(parse("1 2 3").is_none());
        assert!(parse("a b c d").is_none());
    }
}
