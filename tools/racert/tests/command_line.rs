//! What the wrappers make of a command line, seen by a compiler that only
//! prints its arguments.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use support::{Scratch, text};

const RACERT: &str = env!("CARGO_BIN_EXE_racert");

/// An install tree of empty files and a compiler that tells what it was asked.
struct Fake {
    scratch: Scratch,
}

impl Fake {
    fn new() -> Self {
        let scratch = Scratch::new();
        for file in ["libracert.a", "libracert.a.syms", "libracert_pass-22.so"] {
            scratch.write(&format!("tree/lib/{file}"), "");
        }
        let compiler = scratch.write(
            "compiler",
            "#!/bin/sh\nif [ \"$1\" = -dumpversion ]; then echo 22.1.8; exit; fi\n\
             for word; do echo \"$word\"; done\nexit 7\n",
        );
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
        Fake { scratch }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.scratch.command(RACERT);
        let compiler = self.scratch.path().join("compiler");
        command
            .args(words)
            .env("RACERT_HOME", self.scratch.path().join("tree"))
            .env("RACERT_CC", &compiler)
            .env("RACERT_CXX", &compiler);
        command
    }

    fn output(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// The words the compiler got, with the tree's place taken out.
    fn seen(&self, words: &[&str]) -> Vec<String> {
        let output = self.output(words);
        assert_eq!(output.status.code(), Some(7), "{}", text(&output));
        let tree = format!("{}/tree/", self.scratch.path().display());
        text(&output)
            .lines()
            .map(|line| line.replace(&tree, ""))
            .collect()
    }
}

const COMPILE: [&str; 15] = [
    "--start-no-unused-arguments",
    "-fpass-plugin=lib/libracert_pass-22.so",
    "-fplugin=lib/libracert_pass-22.so",
    "-Xclang",
    "-fsanitize=thread",
    "-Xclang",
    "-mllvm",
    "-Xclang",
    "-racert-honour-sanitize-attribute",
    "-D__RACERT__=1",
    "-I",
    "include/racert/headers",
    "-idirafter",
    "include",
    "--end-no-unused-arguments",
];

const LINK: [&str; 17] = [
    "-Xlinker",
    "-u",
    "-Xlinker",
    "__racert_init",
    "-Xlinker",
    "--dynamic-list=lib/libracert.a.syms",
    "-Xlinker",
    "lib/libracert.a",
    "-lpthread",
    "-ldl",
    "-Xlinker",
    "--push-state",
    "-Xlinker",
    "--as-needed",
    "-lm",
    "-Xlinker",
    "--pop-state",
];

#[test]
fn compiling_adds_the_plugin_in_front() {
    let seen = Fake::new().seen(&["cc", "-g", "-c", "a.c"]);
    assert_eq!(seen, [&COMPILE[..], &["-g", "-c", "a.c"]].concat());
}

#[test]
fn line_tables_are_added_unless_the_user_chose() {
    let fake = Fake::new();
    let line_tables = "-gline-tables-only".to_owned();
    assert!(fake.seen(&["cc", "-c", "a.c"]).contains(&line_tables));
    assert!(
        !fake
            .seen(&["cc", "-g0", "-c", "a.c"])
            .contains(&line_tables)
    );
}

#[test]
fn linking_objects_adds_the_runtime_behind() {
    let seen = Fake::new().seen(&["c++", "a.o", "-lfoo", "-o", "app"]);
    assert_eq!(seen, [&["a.o", "-lfoo", "-o", "app"][..], &LINK].concat());
}

#[test]
fn compiling_and_linking_adds_both() {
    let seen = Fake::new().seen(&["cc", "-g", "a.c"]);
    assert_eq!(seen, [&COMPILE[..], &["-g", "a.c"], &LINK].concat());
}

#[test]
fn without_default_libraries_only_the_runtime_is_linked() {
    let seen = Fake::new().seen(&["cc", "-nostdlib", "a.o", "-lc"]);
    assert_eq!(
        seen,
        [&["-nostdlib", "a.o", "-lc"][..], &LINK[..8]].concat()
    );
}

#[test]
fn shared_libraries_and_relocatable_objects_get_no_runtime() {
    let fake = Fake::new();
    for words in [["cc", "-shared", "a.o"], ["cc", "-r", "a.o"]] {
        assert_eq!(fake.seen(&words), words[1..]);
    }
    let strict = fake.seen(&["cc", "-shared", "a.o", "-Wl,-z,defs"]);
    assert_eq!(
        strict,
        [
            "-shared",
            "a.o",
            "-Wl,-z,defs",
            "-Xlinker",
            "-z",
            "-Xlinker",
            "undefs"
        ]
    );
}

#[test]
fn questions_reach_the_compiler_untouched() {
    let fake = Fake::new();
    for words in [
        &["cc", "--version"][..],
        &["cc", "--help"],
        &["cc", "-v"],
        &["cc", "-print-prog-name=ld"],
        &["c++", "-dumpmachine"],
        &["cc", "-Wl,--version"],
    ] {
        assert_eq!(fake.seen(words), words[1..], "{words:?}");
    }
}

#[test]
fn options_of_the_instrumentation_become_those_of_llvm() {
    let seen = Fake::new()
        .seen(&["cc", "-g", "-c", "a.c", "-Xracert", "--ignorelist=f"])
        .join(" ");
    let wanted = "-Xclang -mllvm -Xclang -racert-ignorelist=f --end-no-unused-arguments";
    assert!(seen.contains(wanted), "{seen}");
    assert!(!seen.contains("-Xracert"), "{seen}");
}

#[test]
fn response_files_are_understood_but_not_opened() {
    let fake = Fake::new();
    fake.scratch.write("list", "-shared 'a b.o'");
    assert_eq!(fake.seen(&["cc", "@list"]), ["@list"]);
}

#[test]
fn what_cannot_work_is_refused_with_one_line() {
    let fake = Fake::new();
    for (words, reason) in [
        (&["cc", "-static", "a.c"][..], "link without -static"),
        (&["cc", "-fsanitize=thread", "a.c"], "drop the option"),
        (&["cc", "-m32", "-c", "a.c"], "x86_64"),
        (&["cc", "-c", "a.c", "-Xracert", "stats"], "-Xracert --NAME"),
    ] {
        let output = fake.output(words);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(
            said.starts_with("racert: error: ") && said.contains(reason),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            !said.contains('\x1b'),
            "no colour outside of a terminal: {said:?}"
        );
    }
}

#[test]
fn a_missing_compiler_or_plugin_is_named() {
    let fake = Fake::new();
    let absent = fake
        .command(&["cc", "a.c"])
        .env("RACERT_CC", "/no/clang")
        .output()
        .unwrap();
    assert_eq!(absent.status.code(), Some(127), "{}", text(&absent));
    assert!(
        text(&absent).contains("RACERT_CC=/no/clang"),
        "{}",
        text(&absent)
    );

    let mut nowhere = fake.command(&["cc", "a.c"]);
    let output = nowhere
        .env_remove("RACERT_CC")
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(127), "{}", text(&output));
    assert!(
        text(&output).contains("apt-get install clang-22"),
        "{}",
        text(&output)
    );

    fs::remove_file(fake.scratch.path().join("tree/lib/libracert_pass-22.so")).unwrap();
    let output = fake.output(&["cc", "a.c"]);
    assert_eq!(output.status.code(), Some(126), "{}", text(&output));
    assert!(
        text(&output).contains("libracert_pass"),
        "{}",
        text(&output)
    );
}

#[test]
fn a_compiler_of_another_version_is_refused() {
    let fake = Fake::new();
    let old = fake.scratch.write("old", "#!/bin/sh\necho 14.0.6\n");
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    let output = fake
        .command(&["cc", "a.c"])
        .env("RACERT_CC", &old)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(126));
    assert!(text(&output).contains("version 14"), "{}", text(&output));
}

#[test]
fn run_passes_options_exit_code_and_signals_on() {
    let fake = Fake::new();
    let script = "echo $RACERT_OPTIONS; exit 5";
    let output = fake
        .command(&[
            "run",
            "-o",
            "exitcode=1",
            "--option",
            "mode=hb",
            "--",
            "sh",
            "-c",
            script,
        ])
        .env("RACERT_OPTIONS", "json=x")
        .output()
        .unwrap();
    assert_eq!(text(&output), "json=x:exitcode=1:mode=hb\n");
    assert_eq!(output.status.code(), Some(5));

    let killed = fake.output(&["run", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(
        std::os::unix::process::ExitStatusExt::signal(&killed.status),
        Some(9)
    );

    let absent = fake.output(&["run", "--", "/no/program"]);
    assert_eq!(absent.status.code(), Some(127));
}

#[test]
fn flags_are_those_the_wrappers_add() {
    let fake = Fake::new();
    let tree = format!("{}/tree/", fake.scratch.path().display());
    let output = fake.output(&["flags", "--ldflags"]);
    assert_eq!(text(&output).replace(&tree, "").trim(), LINK.join(" "));
    let output = fake.output(&["flags", "--cflags", "--c++"]);
    assert_eq!(
        text(&output).replace(&tree, "").trim(),
        COMPILE[1..14].join(" ")
    );
    assert_eq!(fake.output(&["flags"]).status.code(), Some(2));
}
