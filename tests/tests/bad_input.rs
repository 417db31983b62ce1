//! Bad input and hostile surroundings: a clear line or business as usual,
//! never a crash and never a hang.
//!
//! What a program does to itself (exit from a thread, closed descriptor 2, a
//! minimal stack) is in the corpus under `threads/` and `control/`; here is
//! what is done to it from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use racert_tests::detector::Detector;
use racert_tests::execute::{self, Outcome};
use racert_tests::matrix::Language;
use racert_tests::scenarios_dir;

const LIMIT: Duration = Duration::from_secs(60);

fn prefix() -> PathBuf {
    match Detector::from_env().unwrap() {
        Detector::Racert(prefix) => prefix,
        Detector::Tsan => panic!("these tests are about racert; unset RACERT_TEST_PEER"),
    }
}

fn run(command: &mut Command) -> Outcome {
    execute::run(command, LIMIT).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// The command that compiles a scenario into `output`.
fn compiler(scenario: &str, flags: &[&str], output: &Path) -> Command {
    let mut command = Command::new(Detector::Racert(prefix()).compiler(Language::C));
    command
        .arg(scenarios_dir().join(scenario))
        .arg(format!("-I{}", scenarios_dir().display()));
    command
        .args(["-O1", "-pthread", "-D_GNU_SOURCE"])
        .args(flags)
        .arg("-o")
        .arg(output);
    command
        .env_remove("RACERT_IGNORELIST")
        .env_remove("RACERT_OPTIONS");
    command
}

/// A program compiled for one test.
struct Program {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Program {
    fn compile(scenario: &str, flags: &[&str]) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        let outcome = run(&mut compiler(scenario, flags, &path));
        assert_eq!(outcome.code, 0, "{}", outcome.describe());
        Program {
            path,
            _folder: folder,
        }
    }

    fn racy() -> Program {
        Program::compile("plain/int_race.c", &["-g"])
    }

    fn quiet() -> Program {
        Program::compile("plain/int_norace.c", &["-g"])
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.env_remove("RACERT_OPTIONS");
        command
    }

    /// The program started by a shell after `preparation`.
    fn after(&self, preparation: &str) -> Command {
        self.started_by(&format!("{preparation} && exec"))
    }

    /// The program as the last word of a shell command.
    fn started_by(&self, start: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.env_remove("RACERT_OPTIONS").arg("-c");
        shell.arg(format!("{start} \"$0\"")).arg(&self.path);
        shell
    }
}

fn assert_ended(outcome: &Outcome) {
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

fn assert_race_reported(outcome: &Outcome) {
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

fn assert_quiet(outcome: &Outcome) {
    assert_ended(outcome);
    assert_eq!(
        (outcome.code, &outcome.stderr[..]),
        (0, ""),
        "{}",
        outcome.describe()
    );
}

/// The program did not start, and one line that contains `word` says why.
fn assert_refused(outcome: &Outcome, word: &str) {
    assert_ended(outcome);
    assert_ne!(outcome.code, 0, "{}", outcome.describe());
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(
        lines.len() == 1 && lines[0].contains("racert") && lines[0].contains(word),
        "one clear line that contains '{word}' was expected\n{}",
        outcome.describe()
    );
}

#[test]
fn unknown_option() {
    let outcome = run(Program::quiet()
        .command()
        .env("RACERT_OPTIONS", "no_such_option=1"));
    assert_refused(&outcome, "no_such_option");
}

#[test]
fn bad_values() {
    let program = Program::quiet();
    for option in [
        "exitcode=banana",
        "exitcode=",
        "exitcode=99999999999",
        "mode=sideways",
    ] {
        let outcome = run(program.command().env("RACERT_OPTIONS", option));
        assert_refused(&outcome, option.split('=').next().unwrap_or(option));
    }
}

#[test]
fn malformed_options() {
    let program = Program::quiet();
    for options in ["exitcode", "=", "=1", "exitcode=1:bogus", "\u{1}\u{ff}=2"] {
        let outcome = run(program.command().env("RACERT_OPTIONS", options));
        assert_refused(&outcome, "");
    }
}

#[test]
fn empty_options_are_no_options() {
    for options in ["", ":", "::"] {
        assert_quiet(&run(Program::quiet()
            .command()
            .env("RACERT_OPTIONS", options)));
    }
}

#[test]
fn help_lists_the_options() {
    let outcome = run(Program::quiet().command().env("RACERT_OPTIONS", "help=1"));
    assert_ended(&outcome);
    let text = format!("{}{}", outcome.stdout, outcome.stderr);
    for option in ["mode", "exitcode", "log_path"] {
        assert!(
            text.contains(option),
            "help does not list {option}\n{}",
            outcome.describe()
        );
    }
}

#[test]
fn exit_code_of_ones_own() {
    let outcome = run(Program::racy()
        .command()
        .env("RACERT_OPTIONS", "exitcode=3"));
    assert_eq!(outcome.code, 3, "{}", outcome.describe());
}

/// Compiles with an ignore list of this content; the compiler's answer.
fn with_ignore_list(content: &[u8]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("ignore.txt");
    fs::write(&list, content).unwrap();
    let mut command = compiler("plain/int_race.c", &["-g"], &folder.path().join("program"));
    run(command.env("RACERT_IGNORELIST", list))
}

#[test]
fn malformed_ignore_list() {
    for content in [
        &b"fun\n"[..],
        b"[unclosed\nfun:f\n",
        b"nonsense:f\n",
        b"\xff\xfe\x00",
    ] {
        let outcome = with_ignore_list(content);
        assert_ended(&outcome);
        assert_ne!(
            outcome.code,
            0,
            "accepted {content:?}\n{}",
            outcome.describe()
        );
        assert!(
            outcome.stderr.contains("ignore.txt"),
            "{}",
            outcome.describe()
        );
        assert!(
            !outcome.stderr.contains("PLEASE submit a bug"),
            "{}",
            outcome.describe()
        );
    }
}

#[test]
fn missing_ignore_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = compiler("plain/int_race.c", &["-g"], &folder.path().join("program"));
    let outcome = run(command.env("RACERT_IGNORELIST", "/no/such/list.txt"));
    assert_ended(&outcome);
    assert_ne!(outcome.code, 0, "{}", outcome.describe());
    assert!(
        outcome.stderr.contains("/no/such/list.txt"),
        "{}",
        outcome.describe()
    );
}

#[test]
fn well_formed_ignore_list() {
    let outcome = with_ignore_list(b"# a comment\n\nfun:nobody*\nsrc:*/nowhere/*\n");
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
}

#[test]
fn plugin_of_another_llvm() {
    let folder = tempfile::tempdir().unwrap();
    let mut tried = 0;
    for (clang, other) in [("clang-19", "22"), ("clang-22", "19")] {
        let plugin = prefix().join(format!("lib/libracert_pass-{other}.so"));
        let installed = run(Command::new("sh").args(["-c", &format!("command -v {clang}")]));
        if installed.code != 0 || !plugin.exists() {
            continue;
        }
        tried += 1;
        let mut command = Command::new(clang);
        command.arg(format!("-fpass-plugin={}", plugin.display()));
        command
            .args(["-c", "-O1", "-D_GNU_SOURCE"])
            .arg(format!("-I{}", scenarios_dir().display()));
        command.arg(scenarios_dir().join("plain/int_race.c"));
        command.arg("-o").arg(folder.path().join("object.o"));
        let outcome = run(&mut command);
        assert_ended(&outcome);
        assert_ne!(outcome.code, 0, "{}", outcome.describe());
        assert!(
            !outcome.stderr.contains("PLEASE submit a bug"),
            "{}",
            outcome.describe()
        );
        assert!(!outcome.stderr.trim().is_empty(), "no word of explanation");
    }
    assert!(
        tried > 0,
        "needs clang and a plugin of different LLVM versions"
    );
}

/// Calls inside a static program pass no interceptor: refused when linked, or
/// made to work.
#[test]
fn static_programs() {
    for flag in ["-static", "-static-pie"] {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("program");
        let outcome = run(&mut compiler("plain/int_race.c", &["-g", flag], &output));
        if outcome.code == 0 {
            assert_race_reported(&run(Command::new(&output).env_remove("RACERT_OPTIONS")));
        } else {
            assert_refused(&outcome, "static");
        }
    }
}

#[test]
fn no_clang_in_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("program");
    let mut command = compiler("plain/int_norace.c", &["-g"], &output);
    let outcome = run(command.env("PATH", "/nonexistent"));
    assert_ended(&outcome);
    if outcome.code != 0 {
        assert!(outcome.stderr.contains("clang"), "{}", outcome.describe());
    } else {
        assert!(output.exists(), "{}", outcome.describe());
    }
}

#[test]
fn no_debug_info() {
    let outcome = run(&mut Program::compile("plain/int_race.c", &["-g0"]).command());
    assert_race_reported(&outcome);
    for function in ["write_it", "read_it"] {
        assert!(outcome.stderr.contains(function), "{}", outcome.describe());
    }
}

#[test]
fn stripped() {
    let program = Program::racy();
    let outcome = run(Command::new("strip").arg(&program.path));
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    let outcome = run(&mut program.command());
    assert_race_reported(&outcome);
    assert!(
        outcome.stderr.contains("program+0x"),
        "{}",
        outcome.describe()
    );
}

#[test]
fn descriptor_2_closed_from_the_start() {
    assert_quiet(&run(&mut Program::quiet().after("exec 2>&-")));
    let outcome = run(&mut Program::racy().after("exec 2>&-"));
    assert_ended(&outcome);
    assert_eq!(outcome.code, 66, "{}", outcome.describe());
}

#[test]
fn descriptor_2_is_full() {
    let outcome = run(&mut Program::racy().after("exec 2>/dev/full"));
    assert_ended(&outcome);
    assert_eq!(outcome.code, 66, "{}", outcome.describe());
}

#[test]
fn descriptor_2_is_a_broken_pipe() {
    let program = Program::racy();
    let script = "(\"$0\"; echo $? >&3) 3>&1 2>&1 1>/dev/null | true; wait";
    let outcome = run(Command::new("sh").args(["-c", script]).arg(&program.path));
    assert_ended(&outcome);
}

#[test]
fn little_address_space() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    for kilobytes in [20_000, 100_000, 1_000_000, 16_000_000] {
        let limit = format!("ulimit -v {kilobytes}");
        for program in [&racy, &quiet] {
            let outcome = run(&mut program.after(&limit));
            assert_ended(&outcome);
            let explained = outcome.stderr.lines().any(|line| line.contains("racert"));
            let worked = outcome.code == if std::ptr::eq(program, &racy) { 66 } else { 0 };
            // The loader itself gives up below what the program's own files need.
            let loader = outcome.code == 127;
            assert!(
                worked || explained || loader,
                "{limit}\n{}",
                outcome.describe()
            );
        }
    }
}

#[test]
fn small_main_stack() {
    assert_race_reported(&run(&mut Program::racy().after("ulimit -s 160")));
    assert_quiet(&run(&mut Program::quiet().after("ulimit -s 160")));
}

#[test]
fn sandbox_without_personality() {
    let folder = tempfile::tempdir().unwrap();
    let launcher = folder.path().join("deny_personality");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/deny_personality.c");
    let outcome = run(Command::new("cc").arg(source).arg("-o").arg(&launcher));
    assert_eq!(outcome.code, 0, "{}", outcome.describe());
    let (racy, quiet) = (Program::racy(), Program::quiet());
    assert_race_reported(&run(Command::new(&launcher).arg(&racy.path)));
    assert_quiet(&run(Command::new(&launcher).arg(&quiet.path)));
}

#[test]
fn without_address_randomisation() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    assert_race_reported(&run(Command::new("setarch").arg("-R").arg(&racy.path)));
    assert_quiet(&run(Command::new("setarch").arg("-R").arg(&quiet.path)));
}

/// Libraries are mapped upwards from a third of the address space.
#[test]
fn legacy_address_layout() {
    let (racy, quiet) = (Program::racy(), Program::quiet());
    for preparation in ["ulimit -s unlimited && exec", "exec setarch -L"] {
        assert_race_reported(&run(&mut racy.started_by(preparation)));
        assert_quiet(&run(&mut quiet.started_by(preparation)));
    }
}
