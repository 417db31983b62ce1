//! The projects in `tests/build_systems`, each built by its own tool with the
//! file that `share/racert` has for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::installed::{prefix, succeed, tool};
use crate::support::Scratch;

/// A copy of one project, with the sources where it looks for them.
fn project(name: &str) -> (Scratch, PathBuf) {
    let scratch = Scratch::new();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    copy_folder(&scratch, &tests.join("cmake/sources"), "cmake/sources");
    copy_folder(
        &scratch,
        &tests.join("build_systems").join(name),
        &format!("build_systems/{name}"),
    );
    let inside = scratch.path().join("build_systems").join(name);
    (scratch, inside)
}

fn copy_folder(scratch: &Scratch, from: &Path, to: &str) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{to}/{}", entry.file_name().display());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(scratch, &entry.path(), &name);
        } else {
            scratch.write(&name, &fs::read_to_string(entry.path()).unwrap());
        }
    }
}

/// A command in `folder` with the wrappers in `PATH`.
fn command(folder: &Path, program: &str) -> Command {
    let mut path = tool("").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("RACERT_OPTIONS");
    command
}

/// Whether the tool is on this machine; the test is passed over if not.
fn is_installed(program: &str) -> bool {
    let answer = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let there = answer.is_ok_and(|status| status.success());
    if !there {
        println!("{program} is not installed: not tried");
    }
    there
}

fn assert_finds_the_race(folder: &Path, program: &str) {
    for (argument, code) in [("racy", 66), ("locked", 0)] {
        let status = command(folder, &format!("./{program}"))
            .arg(argument)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert_eq!(status.unwrap().code(), Some(code), "{program} {argument}");
    }
}

fn shipped(file: &str) -> String {
    prefix()
        .join("share/racert")
        .join(file)
        .display()
        .to_string()
}

#[test]
fn plain_make() {
    let (_scratch, folder) = project("make");
    succeed(command(&folder, "make").arg("CC=racert-clang"));
    assert_finds_the_race(&folder, "app");
}

#[test]
fn autotools() {
    if !is_installed("automake") || !is_installed("libtoolize") {
        return;
    }
    let (_scratch, folder) = project("autotools");
    for file in ["count.c", "count.h", "main.c"] {
        fs::copy(
            folder.join("../../cmake/sources").join(file),
            folder.join(file),
        )
        .unwrap();
    }
    succeed(command(&folder, "autoreconf").arg("-fi"));
    succeed(command(&folder, "./configure").arg("CC=racert-clang"));
    succeed(&mut command(&folder, "make"));
    assert_finds_the_race(&folder, "app");
}

#[test]
fn meson() {
    if !is_installed("meson") || !is_installed("ninja") {
        return;
    }
    let (_scratch, folder) = project("meson");
    let native = shipped("meson/racert-native.ini");
    succeed(command(&folder, "meson").args(["setup", "build", "--native-file", &native]));
    succeed(command(&folder, "ninja").args(["-C", "build"]));
    assert_finds_the_race(&folder, "build/app");
}

#[test]
fn conan() {
    if !is_installed("conan") {
        return;
    }
    let (_scratch, folder) = project("conan");
    let profile = format!("--profile:all={}", shipped("conan/racert"));
    succeed(
        command(&folder, "conan")
            .env("CONAN_HOME", folder.join("home"))
            .args(["build", ".", &profile]),
    );
    assert_finds_the_race(&folder, "build/RelWithDebInfo/app");
}

/// Debian's Bazel fetches what its own rules are loaded from; the project has
/// stand-ins, so that no network is needed.
#[test]
fn bazel() {
    if !is_installed("bazel") {
        return;
    }
    let (_scratch, folder) = project("bazel");
    for file in ["count.c", "count.h", "main.c"] {
        fs::copy(
            folder.join("../../cmake/sources").join(file),
            folder.join(file),
        )
        .unwrap();
    }
    fs::copy(shipped("bazel/race.bazelrc"), folder.join("race.bazelrc")).unwrap();
    let root = format!("--output_user_root={}", folder.join("../root").display());
    let mut test = command(&folder, "bazel");
    test.args([&root, "--batch", "test", "--config=race"]);
    let rules = Path::new("/usr/share/bazel/rules");
    if rules.is_dir() {
        for (name, path) in [
            ("rules_cc", folder.join("offline/rules_cc")),
            ("remote_coverage_tools", folder.join("offline/coverage")),
            ("rules_java", rules.join("java")),
            ("rules_proto", rules.join("proto")),
        ] {
            test.arg(format!("--override_repository={name}={}", path.display()));
        }
    }
    let output = test.arg("//...").output().unwrap();
    let said = crate::support::text(&output);
    let verdict = |name: &str, word: &str| {
        said.lines()
            .any(|line| line.starts_with(name) && line.contains(word))
    };
    assert!(verdict("//:racy", "FAILED"), "{said}");
    assert!(verdict("//:locked", "PASSED"), "{said}");
    assert!(said.contains("racert: data race"), "{said}");
}

/// vcpkg reads a triplet and configures every port with what it says: the
/// toolchain file, the linkage, one build type. So does this.
#[test]
fn vcpkg_triplet() {
    let scratch = Scratch::new();
    let script = format!(
        "include(\"{}\")\nmessage(\"${{VCPKG_CHAINLOAD_TOOLCHAIN_FILE}};${{VCPKG_BUILD_TYPE}};${{VCPKG_LIBRARY_LINKAGE}}\")\n",
        shipped("vcpkg/x64-linux-race.cmake")
    );
    let script = scratch.write("triplet.cmake", &script);
    let said = succeed(scratch.command("cmake").arg("-P").arg(script));
    let [toolchain, build_type, linkage] = said.trim().split(';').collect::<Vec<_>>()[..] else {
        panic!("{said}");
    };
    assert_eq!((build_type, linkage), ("release", "static"));
    let port = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cmake/toolchain");
    succeed(
        scratch
            .command("cmake")
            .arg("-S")
            .arg(port)
            .args(["-B", "build", "-DCMAKE_BUILD_TYPE=Release"])
            .args([
                "-DBUILD_SHARED_LIBS=OFF",
                "-DVCPKG_TARGET_TRIPLET=x64-linux-race",
            ])
            .arg(format!("-DCMAKE_TOOLCHAIN_FILE={toolchain}")),
    );
    succeed(scratch.command("cmake").args(["--build", "build"]));
    assert_finds_the_race(&scratch.path().join("build"), "app");
}
