//! A scenario's program, run by hand: for tests of what surrounds a program
//! rather than of what it does.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::detector::Detector;
use crate::execute::{self, Outcome};
use crate::matrix::Language;
use crate::scenarios_dir;

/// Where racert is installed.
pub fn prefix() -> PathBuf {
    match Detector::from_env().unwrap() {
        Detector::Racert(prefix) => prefix,
        Detector::Tsan => panic!("these tests are about racert; unset RACERT_TEST_PEER"),
    }
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Outcome {
    execute::run(command, execute::HUNG).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// The command that compiles a scenario into `output`.
pub fn compiler(scenario: &str, flags: &[&str], output: &Path) -> Command {
    compile_file(&scenarios_dir().join(scenario), flags, output)
}

/// The command that compiles a file into `output`.
pub fn compile_file(source: &Path, flags: &[&str], output: &Path) -> Command {
    let mut command = Command::new(Detector::Racert(prefix()).compiler(Language::C));
    command
        .arg(source)
        .arg(format!("-I{}", scenarios_dir().display()))
        .args(["-O1", "-pthread", "-D_GNU_SOURCE"])
        .args(flags)
        .arg("-o")
        .arg(output)
        .env_remove("RACERT_IGNORELIST")
        .env_remove("RACERT_OPTIONS");
    command
}

/// A program compiled for one test.
pub struct Program {
    /// The executable file.
    pub path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Program {
    /// Compiles a scenario.
    pub fn compile(scenario: &str, flags: &[&str]) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        let outcome = run(&mut compiler(scenario, flags, &path));
        assert_eq!(outcome.code, 0, "{}", outcome.describe());
        Program {
            path,
            _folder: folder,
        }
    }

    /// One with a race that every run meets.
    pub fn racy() -> Program {
        Program::compile("plain/int_race.c", &["-g"])
    }

    /// One without a race.
    pub fn quiet() -> Program {
        Program::compile("plain/int_norace.c", &["-g"])
    }

    /// Starts it, with no options set.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.env_remove("RACERT_OPTIONS");
        command
    }

    /// The program started by a shell after `preparation`.
    pub fn after(&self, preparation: &str) -> Command {
        self.started_by(&format!("{preparation} && exec"))
    }

    /// The program as the last word of a shell command.
    pub fn started_by(&self, start: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.env_remove("RACERT_OPTIONS").arg("-c");
        shell.arg(format!("{start} \"$0\"")).arg(&self.path);
        shell
    }
}

/// It ended by itself, neither killed nor lost in the runtime.
#[track_caller]
pub fn assert_ended(outcome: &Outcome) {
    assert!(
        !outcome.timed_out && outcome.code < 128,
        "{}",
        outcome.describe()
    );
    assert!(
        !outcome.stderr.contains("panicked"),
        "{}",
        outcome.describe()
    );
}

/// The race was reported and the exit code says so.
#[track_caller]
pub fn assert_race_reported(outcome: &Outcome) {
    assert_ended(outcome);
    assert_eq!(outcome.code, 66, "{}", outcome.describe());
    assert!(
        outcome.stderr.contains("WARNING: racert: data race (pid="),
        "{}",
        outcome.describe()
    );
    assert!(
        outcome.stderr.contains("SUMMARY: racert: data race "),
        "{}",
        outcome.describe()
    );
}

/// Nothing was said.
#[track_caller]
pub fn assert_quiet(outcome: &Outcome) {
    assert_ended(outcome);
    assert_eq!(
        (outcome.code, &outcome.stderr[..]),
        (0, ""),
        "{}",
        outcome.describe()
    );
}

/// The program did not start, and one line that contains `word` says why.
#[track_caller]
pub fn assert_refused(outcome: &Outcome, word: &str) {
    assert_ended(outcome);
    assert_ne!(outcome.code, 0, "{}", outcome.describe());
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(
        lines.len() == 1 && lines[0].contains("racert") && lines[0].contains(word),
        "one clear line that contains '{word}' was expected\n{}",
        outcome.describe()
    );
}
