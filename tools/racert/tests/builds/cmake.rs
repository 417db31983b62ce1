//! The CMake projects in `tests/cmake`: the package, its functions, the
//! wrappers, the toolchain file, presets, CTest.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::installed::{plain_clang, prefix, succeed, tool};
use crate::support::{Scratch, text};

/// The compilers of a project that knows nothing of clang.
const GCC: [&str; 2] = ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_CXX_COMPILER=g++"];

/// Where the projects are.
fn projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cmake")
}

/// Does CMake lack what came with version 3.`minor`? Says so.
fn is_older_than(minor: u32) -> bool {
    let output = Command::new("cmake").arg("--version").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let version = said.split_whitespace().nth(2).unwrap_or("");
    let mut numbers = version.split('.').map_while(|part| part.parse().ok());
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let older = found < (3, minor);
    if older {
        eprintln!("skipped: needs CMake 3.{minor}, this is {version}");
    }
    older
}

/// A project of `tests/cmake`, built in a scratch folder.
struct Built {
    scratch: Scratch,
}

impl Built {
    fn with_package(project: &str, arguments: &[&str]) -> Built {
        let own = [
            format!("-DCMAKE_C_COMPILER={}", plain_clang("clang")),
            format!("-DCMAKE_CXX_COMPILER={}", plain_clang("clang++")),
            format!("-DCMAKE_PREFIX_PATH={}", prefix().display()),
        ];
        let mut all: Vec<&str> = own.iter().map(String::as_str).collect();
        all.extend(arguments);
        Built::with(project, &all)
    }

    fn with(project: &str, arguments: &[&str]) -> Built {
        let scratch = Scratch::new();
        succeed(
            scratch
                .command("cmake")
                .arg("-S")
                .arg(projects().join(project))
                .args(["-B", "build"])
                .args(arguments),
        );
        succeed(scratch.command("cmake").args(["--build", "build", "-j2"]));
        Built { scratch }
    }

    /// Exit code and findings of a program.
    fn run(&self, program: &str, arguments: &[&str]) -> (i32, usize) {
        let path = self.scratch.path().join("build").join(program);
        let output = self
            .scratch
            .command(path)
            .args(arguments)
            .env_remove("RACERT_OPTIONS")
            .output()
            .expect("the program starts");
        let findings = text(&output).matches("WARNING: racert: ").count();
        (output.status.code().unwrap_or(-1), findings)
    }

    fn assert_finds_the_race(&self, program: &str) {
        assert_eq!(self.run(program, &["racy"]), (66, 1), "{program}");
        assert_eq!(self.run(program, &["locked"]), (0, 0), "{program}");
    }

    /// Each test's name with whether it passed.
    fn tests(&self, arguments: &[&str]) -> BTreeMap<String, bool> {
        let output = self
            .scratch
            .command("ctest")
            .current_dir(self.scratch.path().join("build"))
            .args(arguments)
            .env_remove("RACERT_OPTIONS")
            .output()
            .expect("ctest starts");
        passed(&text(&output))
    }
}

/// What CTest says of each test: `1/2 Test #1: racy ....   Passed    0.02 sec`.
fn passed(said: &str) -> BTreeMap<String, bool> {
    let lines = said.lines().filter_map(|line| {
        let (_, rest) = line.split_once(" Test ")?;
        let (_, rest) = rest.split_once(": ")?;
        let (name, outcome) = rest.split_once(" ..")?;
        Some((name.to_owned(), outcome.contains("Passed")))
    });
    lines.collect()
}

fn outcomes(expected: &[(&str, bool)]) -> BTreeMap<String, bool> {
    let pairs = expected.iter().map(|(name, ok)| ((*name).to_owned(), *ok));
    pairs.collect()
}

#[test]
fn single_targets_with_modes_and_ignore_lists() {
    let built = Built::with_package("instrument", &[]);
    built.assert_finds_the_race("mixed");
    built.assert_finds_the_race("linked");
    assert_eq!(built.run("plain", &["racy"]), (0, 0));
    assert_eq!(built.run("ignored", &["racy"]), (0, 0));
    assert_eq!(built.run("hidden_hb", &[]), (0, 0));
    assert_eq!(built.run("hidden_hybrid", &[]), (0, 1));
}

#[test]
fn every_kind_of_library() {
    let built = Built::with_package("libraries", &["-G", "Ninja"]);
    for program in [
        "with_static",
        "with_shared",
        "with_object",
        "with_interface",
    ] {
        built.assert_finds_the_race(program);
    }
    assert_eq!(built.run("loader", &["racy"]), (66, 1));
    assert_eq!(built.run("loader", &[]), (0, 0));
}

/// What the tests of `tests/cmake/variant` come to.
const VARIANTS: [(&str, bool); 17] = [
    ("racy", true),
    ("locked", true),
    ("mixed/locked", true),
    ("arguments", true),
    ("must_fail", true),
    ("must_fail_racy", true),
    ("script", true),
    ("unrelated", true),
    ("later", true),
    ("race.racy", false),
    ("race.locked", true),
    ("race.mixed/locked", true),
    ("race.arguments", true),
    ("race.must_fail", true),
    ("race.must_fail_racy", false),
    ("race.script", false),
    ("race.later", false),
];

#[test]
fn a_variant_of_targets_and_their_tests() {
    let built = Built::with_package("variant", &["-G", "Ninja"]);
    assert_eq!(built.tests(&["-T", "Test"]), outcomes(&VARIANTS));
    let labelled = VARIANTS
        .iter()
        .filter(|(name, _)| name.starts_with("race."));
    let labelled: Vec<_> = labelled.copied().collect();
    assert_eq!(built.tests(&["-L", "race"]), outcomes(&labelled));
    assert_eq!(
        built.tests(&["-L", "quick"]),
        outcomes(&[("locked", true), ("race.locked", true)])
    );
    let reports = built.scratch.path().join("build/racert/reports/race");
    let records = fs::read_to_string(reports.join("racy.json")).unwrap();
    assert!(records.contains("\"kind\":\"data-race\""), "{records}");
    assert_eq!(attached(&built), 4);
}

/// How many files CTest attached to failed tests.
fn attached(built: &Built) -> usize {
    let folder = built.scratch.path().join("build/Testing");
    let files = fs::read_dir(folder).unwrap().filter_map(|entry| {
        let file = entry.unwrap().path().join("Test.xml");
        fs::read_to_string(file).ok()
    });
    files
        .map(|xml| xml.matches("name=\"Attached File\"").count())
        .sum()
}

/// The project is compiled by gcc, its twins by racert-clang in gcc's place.
#[test]
fn a_variant_with_make_beside_gcc() {
    let make = ["-G", "Unix Makefiles"];
    let built = Built::with_package("variant", &[&make[..], &GCC].concat());
    assert_eq!(built.tests(&[]), outcomes(&VARIANTS));
}

#[test]
fn the_build_type_race() {
    let built = Built::with_package("build_type", &["-DCMAKE_BUILD_TYPE=Race"]);
    built.assert_finds_the_race("app");
    let wanted = outcomes(&[("racy", false), ("locked", true)]);
    assert_eq!(built.tests(&[]), wanted);
    assert!(
        built
            .scratch
            .path()
            .join("build/racert/reports/racy.json")
            .is_file()
    );
}

#[test]
fn the_build_type_race_among_several() {
    if is_older_than(17) {
        return;
    }
    let built = Built::with_package("build_type", &["-G", "Ninja Multi-Config"]);
    let build = ["--build", "build", "-j2", "--config", "Race"];
    succeed(built.scratch.command("cmake").args(build));
    built.assert_finds_the_race("Race/app");
    let wanted = outcomes(&[("racy", false), ("locked", true)]);
    assert_eq!(built.tests(&["-C", "Race"]), wanted);
}

/// What the tests of `tests/cmake/toolchain` come to.
const WATCHED: [(&str, bool); 5] = [
    ("racy", false),
    ("locked", true),
    ("racy_but_text_is_right", false),
    ("must_fail", true),
    ("must_fail_racy", false),
];

#[test]
fn the_toolchain_file_is_enough() {
    let file = prefix().join("lib/cmake/Racert/racert-toolchain.cmake");
    let option = format!("-DCMAKE_TOOLCHAIN_FILE={}", file.display());
    let built = Built::with("toolchain", &[&option]);
    built.assert_finds_the_race("app");
    assert_eq!(built.tests(&[]), outcomes(&WATCHED));
}

#[test]
fn the_wrappers_are_compilers_with_and_without_the_package() {
    let c = format!("-DCMAKE_C_COMPILER={}", tool("racert-clang").display());
    let cxx = format!("-DCMAKE_CXX_COMPILER={}", tool("racert-clang++").display());
    Built::with("toolchain", &[&c, &cxx]).assert_finds_the_race("app");
    let found = format!("-DCMAKE_PREFIX_PATH={}", prefix().display());
    let built = Built::with("instrument", &[&c, &cxx, &found]);
    built.assert_finds_the_race("mixed");
    assert_eq!(built.run("ignored", &["racy"]), (0, 0));
    assert_eq!(built.run("hidden_hybrid", &[]), (0, 1));
}

#[test]
fn presets_to_include() {
    if is_older_than(23) {
        return;
    }
    let scratch = Scratch::new();
    let from = projects().join("presets");
    let mut presets = fs::read_to_string(from.join("CMakePresets.json.in")).unwrap();
    presets = presets.replace("@RACERT_PREFIX@", &prefix().display().to_string());
    scratch.write("project/CMakePresets.json", &presets);
    for (file, to) in [
        ("presets/CMakeLists.txt", "project/CMakeLists.txt"),
        ("sources/count.h", "sources/count.h"),
        ("sources/count.c", "sources/count.c"),
        ("sources/main.c", "sources/main.c"),
    ] {
        scratch.write(to, &fs::read_to_string(projects().join(file)).unwrap());
    }
    let project = scratch.path().join("project");
    let cmake = |arguments: &[&str]| {
        succeed(
            scratch
                .command("cmake")
                .current_dir(&project)
                .args(arguments),
        );
    };
    cmake(&["--preset", "race"]);
    cmake(&["--build", "--preset", "race"]);
    let mut ctest = scratch.command("ctest");
    ctest.current_dir(&project).args(["--preset", "race"]);
    let said = text(&ctest.output().unwrap());
    let wanted = outcomes(&[("racy", false), ("locked", true)]);
    assert_eq!(passed(&said), wanted, "{said}");
}

#[test]
fn fetched_from_its_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let option = format!("-DFETCHCONTENT_SOURCE_DIR_RACERT={}", root.display());
    let compiler = format!("-DCMAKE_C_COMPILER={}", plain_clang("clang"));
    let cxx = format!("-DCMAKE_CXX_COMPILER={}", plain_clang("clang++"));
    Built::with("fetch_content", &[&option, &compiler, &cxx]).assert_finds_the_race("app/app");
}

/// Configures a project for gcc with the package; gives what CMake says, in one
/// line, since it breaks lines where it likes.
fn configure_for_gcc(scratch: &Scratch, project: &str, arguments: &[&str], clang: &str) -> String {
    let output = scratch
        .command("cmake")
        .arg("-S")
        .arg(projects().join(project))
        .args(["-B", "build"])
        .args(GCC)
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().display()))
        .args(arguments)
        .env("RACERT_CC", clang)
        .output()
        .unwrap();
    let words = text(&output);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_compiler_that_cannot_be_used_is_refused_with_a_reason() {
    let scratch = Scratch::new();
    let said = configure_for_gcc(&scratch, "instrument", &[], "no-such-clang");
    assert!(said.contains("plugins are installed for clang"), "{said}");
    assert!(said.contains("no-such-clang: no such program"), "{said}");
    let scratch = Scratch::new();
    let said = configure_for_gcc(&scratch, "build_type", &["-DCMAKE_BUILD_TYPE=Race"], "");
    assert!(said.contains("the build type Race needs"), "{said}");
}

#[test]
fn linking_the_package_is_not_enough_for_gcc() {
    let scratch = Scratch::new();
    configure_for_gcc(&scratch, "instrument", &[], "");
    let build = ["--build", "build", "--target"];
    succeed(scratch.command("cmake").args(build).arg("mixed"));
    let output = scratch.command("cmake").args(build).arg("linked").output();
    let said = text(&output.unwrap());
    assert!(said.contains("call racert_instrument(target)"), "{said}");
}
