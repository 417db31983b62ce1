//! Objects instrumented by other compilers' `-fsanitize=thread`, alone and
//! mixed with racert's own in one program.

use std::path::{Path, PathBuf};
use std::process::Command;

use racert_tests::detector::Detector;
use racert_tests::execute::{self, Outcome};
use racert_tests::matrix::Language;

/// Who instruments an object.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Builder {
    Gcc,
    Clang,
    Racert,
}

fn prefix() -> PathBuf {
    match Detector::from_env().unwrap() {
        Detector::Racert(prefix) => prefix,
        Detector::Tsan => panic!("these tests are about racert; unset RACERT_TEST_PEER"),
    }
}

impl Builder {
    fn compiler(self, language: Language) -> PathBuf {
        match (self, language) {
            (Builder::Gcc, Language::C) => "gcc-12".into(),
            (Builder::Gcc, Language::Cxx) => "g++-12".into(),
            (Builder::Clang, Language::C) => "clang-22".into(),
            (Builder::Clang, Language::Cxx) => "clang++-22".into(),
            (Builder::Racert, _) => Detector::Racert(prefix()).compiler(language),
        }
    }

    fn object(self, source: &str, opt: &str, folder: &Path) -> PathBuf {
        let language = match source.ends_with(".cpp") {
            true => Language::Cxx,
            false => Language::C,
        };
        let output = folder.join(format!("{source}-{self:?}.o"));
        let mut command = Command::new(self.compiler(language));
        command
            .arg("-c")
            .arg(
                Path::new(env!("CARGO_MANIFEST_DIR"))
                    .join("programs/foreign")
                    .join(source),
            )
            .args([opt, "-g", "-w", "-pthread", "-D_GNU_SOURCE"])
            .arg("-o")
            .arg(&output);
        if self != Builder::Racert {
            command.arg("-fsanitize=thread");
        }
        if source.starts_with("openmp") {
            command.arg("-fopenmp");
        }
        expect_success(&mut command);
        output
    }
}

fn run(command: &mut Command) -> Outcome {
    execute::run(command, execute::HUNG).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn expect_success(command: &mut Command) {
    let outcome = run(command);
    assert_eq!(outcome.code, 0, "{command:?}\n{}", outcome.describe());
}

/// Builds the program from a main part and another, and runs it both ways.
fn check(
    main: Builder,
    part: Builder,
    part_source: &str,
    link: &dyn Fn(&mut Command),
    linker: &Path,
) {
    for opt in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().unwrap();
        let objects = [
            main.object("main.c", opt, folder.path()),
            part.object(part_source, opt, folder.path()),
        ];
        let program = folder.path().join("program");
        let mut command = Command::new(linker);
        command
            .args(objects)
            .arg("-pthread")
            .arg("-o")
            .arg(&program);
        link(&mut command);
        expect_success(&mut command);
        let what = format!("{main:?} with {part:?} {part_source} {opt}");
        let answer = |argument: &str| {
            run(Command::new(&program)
                .arg(argument)
                .env_remove("RACERT_OPTIONS")
                .env_remove("TSAN_OPTIONS"))
        };
        let quiet = answer("quiet");
        assert_eq!(
            (quiet.code, &quiet.stderr[..]),
            (0, ""),
            "{what}\n{}",
            quiet.describe()
        );
        let racy = answer("race");
        assert_eq!(racy.code, 66, "{what}\n{}", racy.describe());
        let warnings = racy.stderr.matches("WARNING: racert: data race").count();
        assert_eq!(warnings, 1, "{what}\n{}", racy.describe());
        // Both accesses with their callers, whoever instrumented them.
        for name in [
            "touch",
            "second",
            "first",
            "'shared'",
            "main.c:",
            part_source,
        ] {
            assert!(
                racy.stderr.contains(name),
                "{what}: no {name}\n{}",
                racy.describe()
            );
        }
    }
}

fn with_archive(command: &mut Command) {
    command.arg(prefix().join("lib/libracert.a"));
}

fn with_shared_library(command: &mut Command) {
    let lib = prefix().join("lib");
    command
        .arg(format!("-L{}", lib.display()))
        .arg("-lracert")
        .arg(format!("-Wl,-rpath,{}", lib.display()));
}

#[test]
fn gcc_alone() {
    check(
        Builder::Gcc,
        Builder::Gcc,
        "part.c",
        &with_archive,
        Path::new("gcc-12"),
    );
    check(
        Builder::Gcc,
        Builder::Gcc,
        "part.cpp",
        &with_archive,
        Path::new("g++-12"),
    );
}

#[test]
fn clang_alone() {
    check(
        Builder::Clang,
        Builder::Clang,
        "part.c",
        &with_archive,
        Path::new("clang-22"),
    );
    check(
        Builder::Clang,
        Builder::Clang,
        "part.cpp",
        &with_archive,
        Path::new("clang++-22"),
    );
}

#[test]
fn with_the_shared_runtime() {
    let gcc = Path::new("g++-12");
    check(
        Builder::Gcc,
        Builder::Clang,
        "part.cpp",
        &with_shared_library,
        gcc,
    );
}

#[test]
fn mixed_with_racerts_own() {
    let linker = Builder::Racert.compiler(Language::Cxx);
    for (main, part) in [
        (Builder::Gcc, Builder::Racert),
        (Builder::Racert, Builder::Gcc),
        (Builder::Clang, Builder::Racert),
        (Builder::Racert, Builder::Clang),
    ] {
        check(main, part, "part.cpp", &|_| {}, &linker);
    }
}

/// Every construct of libgomp that is known, without a race and with one.
#[test]
fn openmp_by_gcc() {
    for opt in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().unwrap();
        let object = Builder::Gcc.object("openmp.c", opt, folder.path());
        let program = folder.path().join("program");
        let mut command = Command::new("gcc-12");
        command.arg(object).arg("-fopenmp").arg("-o").arg(&program);
        with_archive(&mut command);
        expect_success(&mut command);
        let names = run(&mut Command::new(&program)).stdout;
        assert!(names.lines().count() > 10, "{names}");
        for name in names.lines() {
            for (argument, code) in [("quiet", 0), ("race", 66)] {
                let outcome = run(Command::new(&program)
                    .args([name, argument])
                    .env_remove("RACERT_OPTIONS")
                    .env_remove("TSAN_OPTIONS"));
                let what = format!("{name} {argument} {opt}");
                assert_eq!(outcome.code, code, "{what}\n{}", outcome.describe());
            }
        }
    }
}
