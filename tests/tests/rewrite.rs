//! Rewritten libraries do what the originals do, races in them are found, and
//! files that are no libraries are refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use racert_tests::execute;

/// Exit code for input that cannot be rewritten.
const REFUSED: i32 = 65;
/// Exit code of a program in which a race was found.
const RACE: i32 = 66;

fn racert() -> PathBuf {
    let path = racert_tests::target_dir().join("racert/bin/racert");
    assert!(path.exists(), "run `cargo xtask build` first");
    path
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("rewrite")
        .join(name)
}

/// Compiles with the system's compiler, without racert; `None` if the machine
/// lacks the library's headers.
fn build(folder: &Path, name: &str, arguments: &[&str]) -> Option<PathBuf> {
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
    if text.contains("No such file") {
        eprintln!("not tested: {name} needs headers that are not installed");
        return None;
    }
    assert!(output.status.success(), "{name}: {text}");
    Some(program)
}

/// The file that the loader gives `program` for `library`.
fn library_of(program: &Path, library: &str) -> PathBuf {
    let output = Command::new("ldd").arg(program).output().expect("ldd");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains(library));
    let path = line.and_then(|line| line.split_whitespace().nth(2));
    PathBuf::from(path.expect("the program loads it"))
}

fn rewrite(input: &Path, output: &Path, arguments: &[&str]) -> Output {
    Command::new(racert())
        .arg("rewrite")
        .args([input, Path::new("-o"), output])
        .args(arguments)
        .output()
        .expect("racert runs")
}

fn run(command: &mut Command) -> (i32, String, String) {
    let output = execute::run(command, Duration::from_secs(60)).expect("the program starts");
    (output.code, output.stdout, output.stderr)
}

/// Runs `program` with its own and with a rewritten library whose dead code
/// traps.
fn same_with(name: &str, library: &str, link: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), name, link) else {
        return;
    };
    let original = library_of(&program, library);
    let rewritten = folder.path().join(library);
    let done = rewrite(&original, &rewritten, &["--poison"]);
    assert!(done.status.success(), "{done:?}");
    let native = run(&mut Command::new(&program));
    assert_eq!(native.0, 0, "{native:?}");
    let traced = run(Command::new(&program).env("LD_LIBRARY_PATH", folder.path()));
    assert_eq!(traced, native);
}

#[test]
fn compression_works_as_before() {
    same_with("zlib_work.c", "libz.so.1", &["-lz"]);
}

#[test]
fn exceptions_pass_through_rewritten_code() {
    same_with("exceptions.cpp", "libstdc++.so.6", &[]);
}

#[test]
fn sql_works_as_before() {
    same_with("sql_work.c", "libsqlite3.so.0", &["-lsqlite3"]);
}

#[test]
fn the_same_input_gives_the_same_output_once() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "exceptions.cpp", &[]) else {
        return;
    };
    let original = library_of(&program, "libstdc++.so.6");
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let report = folder.path().join("coverage.json");
    let arguments = ["--report", report.to_str().unwrap()];
    assert!(rewrite(&original, &first, &arguments).status.success());
    assert!(rewrite(&original, &second, &[]).status.success());
    assert!(fs::read(&first).unwrap() == fs::read(&second).unwrap());
    let report = fs::read_to_string(report).unwrap();
    let covered = report.split("\"covered_percent\": ").nth(1).unwrap();
    let covered = covered.split([',', '\n']).next().unwrap();
    assert!(covered.trim().parse::<f64>().unwrap() > 99.5, "{covered}");
    let again = rewrite(&first, &second, &[]);
    assert_eq!(again.status.code(), Some(REFUSED));
    let message = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(message.contains("rewritten by racert already"), "{message}");
}

#[test]
fn a_program_can_be_rewritten_itself() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "exceptions.cpp", &["-fPIE", "-pie"]) else {
        return;
    };
    let rewritten = folder.path().join("rewritten");
    let done = rewrite(&program, &rewritten, &["--poison"]);
    assert!(done.status.success(), "{done:?}");
    assert_eq!(
        run(&mut Command::new(&rewritten)),
        run(&mut Command::new(&program))
    );
}

#[test]
fn other_files_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "exceptions.cpp", &[]) else {
        return;
    };
    let good = fs::read(&program).unwrap();
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let (mut bare, mut many) = (good.clone(), good.clone());
    bare[40..48].fill(0);
    bare[60..62].fill(0);
    many[56..58].fill(0xff);
    let cases: [(&str, Vec<u8>); 8] = [
        ("not an ELF file", b"#!/bin/sh\n".to_vec()),
        ("32-bit", changed(4, 1)),
        ("AArch64", changed(18, 183)),
        ("fixed addresses", changed(16, 2)),
        ("truncated", good[..good.len() / 2].to_vec()),
        ("truncated", good[..40].to_vec()),
        ("no section headers", bare),
        ("damaged", many),
    ];
    for (message, bytes) in cases {
        let (input, output) = (folder.path().join("input"), folder.path().join("output"));
        fs::write(&input, bytes).unwrap();
        let refused = rewrite(&input, &output, &[]);
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(REFUSED), "{message}: {text}");
        assert!(
            text.contains(message) && text.lines().count() == 1,
            "{text}"
        );
        assert!(!output.exists());
    }
}

#[test]
fn damaged_files_never_crash_the_rewriter() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "exceptions.cpp", &[]) else {
        return;
    };
    let good = fs::read(&program).unwrap();
    let (input, output) = (folder.path().join("input"), folder.path().join("output"));
    let mut seed = 1u64;
    for _ in 0..200 {
        let mut bytes = good.clone();
        for _ in 0..4 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            // Headers, and the tables at both ends of the file.
            let at = match seed >> 62 {
                0 => (seed >> 20) as usize % 1024,
                1 => bytes.len() - 1 - (seed >> 20) as usize % 2048,
                _ => (seed >> 20) as usize % bytes.len(),
            };
            bytes[at] = (seed >> 12) as u8;
        }
        fs::write(&input, bytes).unwrap();
        let done = rewrite(&input, &output, &[]);
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let expected = [Some(0), Some(REFUSED)];
        assert!(expected.contains(&done.status.code()), "{done:?}: {text}");
    }
}

/// Runs `program` under `racert run --libs`.
fn checked(folder: &Path, program: &Path, libs: &str, arguments: &[&str]) -> (i32, String) {
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

/// A program that uses one thing of a library from two threads.
struct Shared {
    source: &'static str,
    /// Flags for compiling and linking.
    link: &'static [&'static str],
    /// The library alone, for `--libs`.
    library: &'static str,
    /// Functions of the library that the stacks show.
    inside: &'static [&'static str],
    /// The function of the program that calls it.
    caller: &'static str,
}

const STREAM: Shared = Shared {
    source: "one_stream.c",
    link: &["-lz"],
    library: "z",
    inside: &["deflate"],
    caller: "work",
};

const CONNECTION: Shared = Shared {
    source: "one_connection.c",
    link: &["-lsqlite3"],
    library: "sqlite3",
    inside: &["sqlite3_exec", "sqlite3_step"],
    caller: "work",
};

const TABLE: Shared = Shared {
    source: "one_table.c",
    link: &[
        "-I/usr/include/glib-2.0",
        "-I/usr/lib/x86_64-linux-gnu/glib-2.0/include",
        "-lglib-2.0",
    ],
    library: "glib-2.0",
    inside: &["g_hash_table_insert"],
    caller: "turns_thread",
};

const STRING: Shared = Shared {
    source: "one_string.cpp",
    link: &[],
    library: "stdc++",
    inside: &["_M_append(char const*, unsigned long)"],
    caller: "work(int, int)",
};

impl Shared {
    /// Reported with stacks into the library and out of it; silent under a
    /// lock and with two things.
    fn is_told_apart(&self) {
        let folder = tempfile::tempdir().unwrap();
        let Some(program) = build(folder.path(), self.source, self.link) else {
            return;
        };
        for libs in ["auto", self.library] {
            let (code, text) = checked(folder.path(), &program, libs, &["racy"]);
            assert_eq!(code, RACE, "{text}");
            assert!(text.contains("WARNING: racert: data race"), "{text}");
            for function in self.inside.iter().chain([&self.caller]) {
                assert!(has_frame(&text, function), "{function}: {text}");
            }
            for correct in ["locked", "apart"] {
                let (code, text) = checked(folder.path(), &program, libs, &[correct]);
                assert_eq!((code, text.as_str()), (0, ""), "{correct}");
            }
        }
    }
}

/// Is there a line `#N [...]function (`?
fn has_frame(text: &str, function: &str) -> bool {
    let frames = text.lines().filter(|line| line.trim().starts_with('#'));
    let mut names = frames.filter_map(|line| line.rsplit_once(" (").map(|(name, _)| name));
    names.any(|name| name.ends_with(function))
}

#[test]
fn one_stream_for_two_threads() {
    STREAM.is_told_apart();
}

#[test]
fn one_connection_for_two_threads() {
    CONNECTION.is_told_apart();
}

#[test]
fn one_hash_table_for_two_threads() {
    TABLE.is_told_apart();
}

#[test]
fn one_string_for_two_threads() {
    STRING.is_told_apart();
}

#[test]
fn a_planted_race_is_found_and_its_guarded_twins_are_silent() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libplanted.so");
    let made = Command::new("cc")
        .args([
            "-O2",
            "-shared",
            "-fPIC",
            "-s",
            "-Wl,-soname,libplanted.so",
            "-o",
        ])
        .arg(&library)
        .arg(source("planted.c"))
        .status();
    assert!(made.expect("a compiler is there").success());
    let library = library.to_str().unwrap();
    let Some(program) = build(folder.path(), "planted_main.c", &[library]) else {
        return;
    };
    for _ in 0..5 {
        let (code, text) = checked(folder.path(), &program, "planted", &[]);
        assert_eq!(code, RACE, "{text}");
        assert!(text.contains("#0 bump_unguarded"), "{text}");
        for guarded in ["mutex", "spin", "ticket"] {
            let (code, text) = checked(folder.path(), &program, "planted", &[guarded]);
            assert_eq!((code, text.as_str()), (0, ""), "{guarded}");
        }
    }
}
