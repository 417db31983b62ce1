//! Races in and through rewritten libraries are found, and those of correct
//! programs are not.

use std::path::Path;
use std::process::Command;

use racert_tests::rewriting::{RACE, build, checked, has_frame, library, racert, run, source};

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

/// How often each program is run: as `RACERT_TEST_REPEAT` says, else `usual`
/// times.
fn runs(usual: u32) -> u32 {
    let wanted = std::env::var("RACERT_TEST_REPEAT").ok();
    wanted.map_or(usual, |wanted| wanted.parse().expect("a number"))
}

impl Shared {
    /// Reported with stacks into the library and out of it; silent under a
    /// lock and with two things.
    fn is_told_apart(&self) {
        let folder = tempfile::tempdir().unwrap();
        let Some(program) = build(folder.path(), self.source, self.link) else {
            return;
        };
        for run in 0..2 * runs(1) {
            let libs = ["auto", self.library][run as usize % 2];
            let (code, text) = checked(folder.path(), &program, libs, &["racy"]);
            assert_eq!(code, RACE, "run {run}: {text}");
            assert!(text.contains("WARNING: racert: data race"), "{text}");
            for function in self.inside.iter().chain([&self.caller]) {
                assert!(has_frame(&text, function), "{function}: {text}");
            }
            for correct in ["locked", "apart"] {
                let (code, text) = checked(folder.path(), &program, libs, &[correct]);
                assert_eq!((code, text.as_str()), (0, ""), "run {run}: {correct}");
            }
        }
    }
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
    let library = library(folder.path(), "libplanted.so", "planted.c", &[]);
    let library = library.to_str().unwrap();
    let Some(program) = build(folder.path(), "planted_main.c", &[library]) else {
        return;
    };
    for _ in 0..runs(5) {
        let beside = ["beside_counter", "beside_counter_word"];
        for racy in ["unguarded", "own_heap", "callers", "behind_constant"]
            .into_iter()
            .chain(beside)
        {
            let (code, text) = checked(folder.path(), &program, "planted", &[racy]);
            assert_eq!(code, RACE, "{racy}: {text}");
            assert!(has_frame(&text, &format!("bump_{racy}")), "{text}");
        }
        for guarded in ["mutex", "spin", "once", "ticket", "beside_lock", "constant"] {
            let (code, text) = checked(folder.path(), &program, "planted", &[guarded]);
            assert_eq!((code, text.as_str()), (0, ""), "{guarded}");
        }
    }
}

/// Functions that others took the place of on the stack, or that were left by a
/// jump, are nobody's callers.
#[test]
fn callers_are_those_of_the_access() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path(), "libcallers.so", "callers.c", &[]);
    let library = library.to_str().unwrap();
    let Some(program) = build(folder.path(), "callers_main.c", &[library]) else {
        return;
    };
    let (code, text) = checked(folder.path(), &program, "callers", &["racy"]);
    assert_eq!(code, RACE, "{text}");
    let (now, then) = text.split_once("  Previous ").expect("two stacks");
    let (then, _) = then.split_once("  Location ").expect("what they touch");
    for (stack, way, other) in [(now, "by_right", "by_left"), (then, "by_left", "by_right")] {
        for function in ["touch_cell", "pass_on", way, "reach", "turns_thread"] {
            assert!(has_frame(stack, function), "{function}: {text}");
        }
        assert!(!has_frame(stack, other), "{text}");
    }
    let (code, text) = checked(folder.path(), &program, "callers", &["locked"]);
    assert_eq!((code, text.as_str()), (0, ""));
}

/// Deep recursion, signal handlers and contexts with stacks of their own.
#[test]
fn stacks_of_all_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path(), "libstacks.so", "stacks.c", &[]);
    let library = library.to_str().unwrap();
    let Some(program) = build(folder.path(), "stacks_main.c", &[library]) else {
        return;
    };
    let (code, text) = checked(folder.path(), &program, "stacks", &["racy"]);
    assert_eq!(code, RACE, "{text}");
    let (now, then) = text.split_once("  Previous ").expect("two stacks");
    let (then, _) = then.split_once("  Location ").expect("what they touch");
    for stack in [now, then] {
        for function in ["bump_shared", "elsewhere"] {
            assert!(has_frame(stack, function), "{function}: {text}");
        }
        for other in ["deeper", "handle", "work"] {
            assert!(!has_frame(stack, other), "{other}: {text}");
        }
    }
    for correct in ["apart", "locked"] {
        let (code, text) = checked(folder.path(), &program, "stacks", &[correct]);
        assert_eq!((code, text.as_str()), (0, ""), "{correct}");
    }
}

#[test]
fn trusted_libraries_are_checked_at_their_borders() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path(), "libplanted.so", "planted.c", &[]);
    let library = library.to_str().unwrap();
    let Some(program) = build(folder.path(), "planted_main.c", &[library]) else {
        return;
    };
    for (what, expected) in [("unguarded", 0), ("own_heap", 0), ("callers", RACE)] {
        for borders in ["planted", "all"] {
            let mut command = Command::new(racert());
            command
                .args(["run", "--libs", "auto", "--libs-borders", borders, "--"])
                .arg(&program)
                .arg(what)
                .env("XDG_CACHE_HOME", folder.path().join("cache"))
                .env("LD_LIBRARY_PATH", folder.path());
            let (code, _, text) = run(&mut command);
            assert_eq!(code, expected, "{what}: {text}");
        }
        let mut command = Command::new(racert());
        command
            .args(["run", "--libs", "auto", "--libs-borders", "z", "--"])
            .arg(&program)
            .arg(what)
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .env("LD_LIBRARY_PATH", folder.path());
        assert_eq!(run(&mut command).0, RACE, "{what}");
    }
}

/// How a program gets at a library, and whether that is reported.
fn opened_later(compiler: &Path, link: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let planted = library(folder.path(), "libplanted.so", "planted.c", &[]);
    let path = planted.to_str().unwrap();
    let plugin = library(
        folder.path(),
        "libplugin.so",
        "plugin.c",
        &[path, "-Wl,-rpath,$ORIGIN"],
    );
    let program = folder.path().join("opens_later");
    let made = Command::new(compiler)
        .args(["-O2", "-pthread"])
        .arg(source("opens_later.c"))
        .args(link)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("a compiler is there");
    assert!(made.status.success(), "{made:?}");
    // With a path, by name, and through another library that needs it.
    let ways = [
        (path, "bump"),
        ("libplanted.so", "bump"),
        (plugin.to_str().unwrap(), "plugin"),
    ];
    for (library, prefix) in ways {
        for (how, expected) in [("unguarded", RACE), ("mutex", 0)] {
            let function = format!("{prefix}_{how}");
            let mut command = Command::new(racert());
            command
                .args(["run", "--libs", "auto", "--"])
                .arg(&program)
                .args([library, &function])
                .env("XDG_CACHE_HOME", folder.path().join("cache"));
            if link.is_empty() {
                command.env("LD_LIBRARY_PATH", folder.path());
            }
            let (code, output, text) = run(&mut command);
            assert_eq!(code, expected, "{library} {function}: {output} {text}");
            if expected == RACE {
                assert!(has_frame(&text, "bump_unguarded"), "{text}");
                assert!(has_frame(&text, "work"), "the caller: {text}");
            } else {
                assert_eq!(text, "", "{library}");
            }
        }
    }
}

#[test]
fn libraries_opened_later_by_a_foreign_program() {
    opened_later(Path::new("cc"), &[]);
}

#[test]
fn libraries_opened_later_beside_the_program() {
    opened_later(Path::new("cc"), &["-Wl,-rpath,$ORIGIN"]);
}

#[test]
fn libraries_opened_later_by_a_program_with_checks() {
    opened_later(&racert().with_file_name("racert-clang"), &[]);
}

/// Many threads use a library as it is meant to be used.
fn is_silent(name: &str, link: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), name, link) else {
        return;
    };
    for _ in 0..runs(5) {
        let (code, text) = checked(folder.path(), &program, "all", &[]);
        assert_eq!((code, text.as_str()), (0, ""));
    }
}

#[test]
fn sqlite_used_correctly() {
    is_silent("correct_sqlite.c", CONNECTION.link);
}

#[test]
fn glib_used_correctly() {
    is_silent("correct_glib.c", TABLE.link);
}

#[test]
fn openssl_used_correctly() {
    is_silent("correct_openssl.c", &["-lssl", "-lcrypto"]);
}

#[test]
fn the_cxx_library_used_correctly() {
    is_silent("correct_cxx.cpp", &[]);
}
