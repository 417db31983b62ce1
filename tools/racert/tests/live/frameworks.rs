//! Findings in test frameworks: the test that ran is the one that fails.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::installed::{prefix, succeed, tool};
use crate::support::{Scratch, text};

const GUIDE: &str = include_str!("../../../../docs/test-frameworks.md");

/// A function with a race and one without.
const SUBJECT: &str = "
#include <mutex>
#include <thread>
static int racy, guarded;
static std::mutex guard;
static void race() {
  std::thread other([] { racy++; });
  racy++;
  other.join();
}
static void no_race() {
  std::thread other([] { std::lock_guard<std::mutex> lock(guard); guarded++; });
  { std::lock_guard<std::mutex> lock(guard); guarded++; }
  other.join();
}
";

/// The block of the guide that begins with the line `first`.
fn example(first: &str) -> String {
    let start = GUIDE
        .find(first)
        .unwrap_or_else(|| panic!("the guide has no {first:?}"));
    let end = GUIDE[start..].find("\n```").expect("the block ends");
    format!("{}\n", &GUIDE[start..start + end])
}

/// Says why a test does nothing, if `found` is not there.
fn is_missing(found: bool, package: &str) -> bool {
    if !found {
        eprintln!("skipped: no {package} (apt-get install {package})");
    }
    !found
}

fn compile(scratch: &Scratch, compiler: &str, words: &[&str]) {
    let include = format!("-I{}", prefix().join("include").display());
    let mut command = scratch.command(tool(compiler));
    succeed(command.args(["-g", "-O1", &include]).args(words));
}

#[test]
fn google_test() {
    let header = Path::new("/usr/include/gtest/gtest.h");
    if is_missing(header.exists(), "libgtest-dev") {
        return;
    }
    let scratch = Scratch::new();
    let tests = format!(
        "#define RACERT_GTEST_LISTEN\n#include <racert/gtest.h>\n{SUBJECT}\n\
         TEST(Subject, First) {{ no_race(); }}\n\
         TEST(Subject, Racy) {{ race(); }}\n\
         TEST(Subject, Last) {{ no_race(); EXPECT_EQ(racert_findings_since(racert_mark()), 0u); }}\n"
    );
    scratch.write("tests.cpp", &tests);
    let link = [
        "-std=c++17",
        "tests.cpp",
        "-o",
        "tests",
        "-lgtest",
        "-lgtest_main",
    ];
    compile(&scratch, "racert-clang++", &link);
    let run = |options: &str| {
        let mut command = scratch.command(scratch.path().join("tests"));
        let output = command.env("RACERT_OPTIONS", options).output().unwrap();
        (output.status.code(), text(&output))
    };
    let (code, said) = run("");
    assert_eq!(code, Some(1), "{said}");
    for line in [
        "[       OK ] Subject.First",
        "[  FAILED  ] Subject.Racy",
        "[       OK ] Subject.Last",
        "racert found something in this test:",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    // The same file without racert is an ordinary test.
    let include = format!("-I{}", prefix().join("include").display());
    let mut plain = scratch.command("g++");
    succeed(plain.args(["-pthread", &include]).args(link));
    let (code, said) = run("");
    assert_eq!(code, Some(0), "{said}");
}

/// Tests of Catch2, of which the second has a race in a section without
/// assertions.
const CASES: &str = "
TEST_CASE(\"first\") { no_race(); REQUIRE(true); }
TEST_CASE(\"racy\") { SECTION(\"one\") { race(); } }
TEST_CASE(\"last\") { no_race(); REQUIRE(true); }
";

/// Compiles `head` and [`CASES`] and looks who fails.
fn check_catch2(head: &str, words: &[&str]) {
    let scratch = Scratch::new();
    scratch.write("tests.cpp", &format!("{head}\n{SUBJECT}{CASES}"));
    let link = ["-std=c++17", "tests.cpp", "-o", "tests"];
    compile(&scratch, "racert-clang++", &[&link, words].concat());
    let mut command = scratch.command(scratch.path().join("tests"));
    let output = command.args(["-r", "junit"]).output().unwrap();
    let said = text(&output);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("failures=\"1\""), "{said}");
    let case = said.find("name=\"racy").expect("the case is listed");
    let failure = said.find("racert found something in this test:");
    assert!(failure.is_some_and(|at| at > case), "{said}");
    assert!(failure < said.find("name=\"last"), "{said}");
}

#[test]
fn catch2() {
    let header = |name: &str| Path::new("/usr/include/catch2").join(name).exists();
    if header("catch_test_macros.hpp") {
        let head = "#include <catch2/catch_test_macros.hpp>\n#include <racert/catch2.h>";
        check_catch2(head, &["-lCatch2Main", "-lCatch2"]);
    } else if !is_missing(header("catch.hpp"), "catch2") {
        let head = "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n\
                    #include <racert/catch2.h>";
        check_catch2(head, &[]);
    }
}

/// Catch2 3 as two files, which no distribution has: `RACERT_TEST_CATCH2` names
/// the folder `extras` of its source.
#[test]
fn catch2_in_two_files() {
    let Some(folder) = std::env::var_os("RACERT_TEST_CATCH2") else {
        eprintln!("skipped: RACERT_TEST_CATCH2 does not say where Catch2 3 is");
        return;
    };
    let folder = folder.to_str().expect("a name that can be printed");
    let source = format!("{folder}/catch_amalgamated.cpp");
    let head = "#include <catch_amalgamated.hpp>\n#include <racert/catch2.h>";
    check_catch2(head, &[&format!("-I{folder}"), &source]);
}

/// The C interface: marks, the last text, a callback; with and without racert.
#[test]
fn plain_c() {
    let scratch = Scratch::new();
    scratch.write(
        "program.c",
        "#include <pthread.h>\n#include <stdio.h>\n#include <string.h>\n#include <racert/api.h>\n\
         static int counter, told;\n\
         static void *up(void *data) { counter++; return data; }\n\
         static void found(const struct racert_finding *finding, void *data) {\n\
           if (!strcmp(finding->kind, \"data-race\") && finding->fails) ++*(int *)data;\n\
         }\n\
         int main(void) {\n\
           pthread_t a, b;\n\
           char text[64];\n\
           unsigned long mark = racert_mark();\n\
           racert_on_finding(found, &told);\n\
           printf(\"%d %lu %lu\\n\", racert_is_there(), racert_findings_since(mark),\n\
                  racert_last_finding(text, sizeof text));\n\
           pthread_create(&a, 0, up, 0);\n\
           pthread_create(&b, 0, up, 0);\n\
           pthread_join(a, 0);\n\
           pthread_join(b, 0);\n\
           racert_last_finding(text, sizeof text);\n\
           printf(\"%lu %d %.26s\\n\", racert_findings_since(mark), told, text);\n\
           return 0;\n\
         }\n",
    );
    let link = [
        "-std=c89",
        "-pedantic-errors",
        "-Wall",
        "program.c",
        "-o",
        "program",
    ];
    compile(&scratch, "racert-clang", &link);
    let run = || {
        let mut command = scratch.command(scratch.path().join("program"));
        let output = command.env_remove("RACERT_OPTIONS").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), said)
    };
    let (code, said) = run();
    assert_eq!(said, "1 0 0\n1 1 WARNING: racert: data race\n");
    assert_eq!(code, Some(66));
    let include = format!("-I{}", prefix().join("include").display());
    let mut plain = scratch.command("gcc");
    succeed(plain.args(["-pthread", &include]).args(link));
    assert_eq!(run(), (Some(0), "0 0 0\n0 0 \n".to_owned()));
}

/// The recipe of the guide, as it is written there.
#[test]
fn ctest() {
    let scratch = Scratch::new();
    let source =
        format!("{SUBJECT}\nint main(int argc, char **) {{ argc > 1 ? race() : no_race(); }}\n");
    scratch.write("tests.cpp", &source);
    let lists = format!(
        "cmake_minimum_required(VERSION 3.18)\nproject(recipe CXX)\nenable_testing()\n\
         add_executable(tests tests.cpp)\n\
         add_test(NAME quiet COMMAND tests)\nadd_test(NAME racy COMMAND tests racy)\n{}",
        example("# racert: one folder of records a test")
    );
    scratch.write("CMakeLists.txt", &lists);
    let mut configure = scratch.command("cmake");
    configure.args(["-B", "build", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]);
    succeed(configure.arg(format!(
        "-DCMAKE_CXX_COMPILER={}",
        tool("racert-clang++").display()
    )));
    succeed(scratch.command("cmake").args(["--build", "build"]));
    let output = scratch
        .command("ctest")
        .args(["--test-dir", "build"])
        .output()
        .unwrap();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(8), "{said}");
    assert!(
        said.contains("quiet ............................   Passed"),
        "{said}"
    );
    let report = |name: &str| {
        let folder = format!("build/races/{name}");
        succeed(
            scratch
                .command(env!("CARGO_BIN_EXE_racert"))
                .args(["report", &folder]),
        )
    };
    assert!(report("racy").contains("'racy'"), "{}", report("racy"));
    assert!(report("quiet").contains("racert: 0 findings"));
}

#[test]
fn pytest() {
    let mut python = Command::new("/usr/bin/python3");
    let found = python.args(["-m", "pytest", "--version"]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if is_missing(found, "python3-pytest") {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("subject.cpp", &format!(
        "{SUBJECT}\nextern \"C\" void call_race() {{ race(); }}\nextern \"C\" void call_no_race() {{ no_race(); }}\n"
    ));
    compile(
        &scratch,
        "racert-clang++",
        &["-shared", "-fPIC", "subject.cpp", "-o", "subject.so"],
    );
    scratch.write(
        "conftest.py",
        &example("# racert: a test fails if racert found something"),
    );
    scratch.write(
        "test_subject.py",
        "import ctypes\nsubject = ctypes.CDLL('./subject.so')\n\
         def test_first(): subject.call_no_race()\n\
         def test_racy(): subject.call_race()\n\
         def test_last(): subject.call_no_race()\n",
    );
    let mut command = scratch.command(tool("racert"));
    command.args([
        "run",
        "--preload",
        "--",
        "/usr/bin/python3",
        "-m",
        "pytest",
        "-v",
    ]);
    let output = command.output().unwrap();
    let said = text(&output);
    for line in ["test_first PASSED", "test_racy FAILED", "test_last PASSED"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    // Without racert the same tests pass.
    let mut plain = scratch.command("/usr/bin/python3");
    plain.args([
        "-m",
        "pytest",
        "-q",
        "--deselect",
        "test_subject.py::test_racy",
    ]);
    let ordinary = scratch.path().join("subject.so");
    succeed(
        scratch
            .command("g++")
            .args(["-shared", "-fPIC", "-pthread", "subject.cpp", "-o"])
            .arg(ordinary),
    );
    succeed(&mut plain);
    let _ = fs::remove_dir_all(scratch.path().join("__pycache__"));
}
