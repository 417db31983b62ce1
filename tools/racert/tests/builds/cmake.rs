//! CMake projects: the package, the wrappers, the toolchain file.

use crate::installed::{
    QUIET_C, RACY_C, RACY_CXX, assert_race, plain_clang, prefix, succeed, tool,
};
use crate::support::Scratch;

/// An executable in C, one in C++ that uses a shared and a static library.
const PROJECT: &str = "
cmake_minimum_required(VERSION 3.13)
project(races C CXX)
find_package(Threads REQUIRED)
set(CMAKE_BUILD_TYPE RelWithDebInfo)
add_executable(race race.c)
add_executable(quiet quiet.c)
add_library(unused SHARED unused.c)
add_library(bank_static STATIC bank.cpp)
add_executable(bank empty.cpp)
target_link_libraries(bank PRIVATE bank_static unused Threads::Threads)
target_link_libraries(race PRIVATE Threads::Threads)
target_link_libraries(quiet PRIVATE Threads::Threads)
";

const PACKAGE: &str = "
find_package(Racert 0.1 REQUIRED)
racert_instrument(race quiet unused bank_static bank)
";

fn project(extra: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("race.c", RACY_C);
    scratch.write("quiet.c", QUIET_C);
    scratch.write("bank.cpp", RACY_CXX);
    scratch.write("unused.c", "int unused(int *p) { return *p; }\n");
    scratch.write("empty.cpp", "");
    scratch.write("CMakeLists.txt", &format!("{PROJECT}{extra}"));
    scratch
}

fn build(scratch: &Scratch, definitions: &[String]) {
    succeed(
        scratch
            .command("cmake")
            .args(["-S", ".", "-B", "build"])
            .args(definitions),
    );
    succeed(scratch.command("cmake").args(["--build", "build"]));
    assert_race(scratch, "build/race", "race.c");
    assert_race(scratch, "build/bank", "bank.cpp");
    let quiet = scratch.path().join("build/quiet");
    assert_eq!(succeed(&mut scratch.command(quiet)), "");
}

#[test]
fn the_package_instruments_targets() {
    let scratch = project(PACKAGE);
    build(
        &scratch,
        &[
            format!("-DCMAKE_C_COMPILER={}", plain_clang("clang")),
            format!("-DCMAKE_CXX_COMPILER={}", plain_clang("clang++")),
            format!("-DCMAKE_PREFIX_PATH={}", prefix().display()),
        ],
    );
}

#[test]
fn the_wrappers_are_compilers_with_and_without_the_package() {
    for extra in ["", PACKAGE] {
        let scratch = project(extra);
        build(
            &scratch,
            &[
                format!("-DCMAKE_C_COMPILER={}", tool("racert-clang").display()),
                format!("-DCMAKE_CXX_COMPILER={}", tool("racert-clang++").display()),
                format!("-DCMAKE_PREFIX_PATH={}", prefix().display()),
            ],
        );
    }
}

#[test]
fn the_toolchain_file_is_enough() {
    let file = prefix().join("lib/cmake/Racert/racert-toolchain.cmake");
    build(
        &project(""),
        &[format!("-DCMAKE_TOOLCHAIN_FILE={}", file.display())],
    );
}

#[test]
fn another_compiler_is_refused_with_a_reason() {
    let scratch = project(PACKAGE);
    let output = scratch
        .command("cmake")
        .args([
            "-S",
            ".",
            "-B",
            "build",
            "-DCMAKE_C_COMPILER=gcc",
            "-DCMAKE_CXX_COMPILER=g++",
        ])
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().display()))
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = crate::support::text(&output);
    assert!(said.contains("racert needs clang"), "{said}");
}
