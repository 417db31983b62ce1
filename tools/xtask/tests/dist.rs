//! The packages, used as on a machine that has never seen this source tree.
//!
//! Needs the install tree that `cargo xtask build` stages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Runs a command without this machine's settings; gives what it said.
fn succeed(command: &mut Command) -> String {
    let output = command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&both).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

/// The package whose name ends in `end`.
fn package(folder: &Path, end: &str) -> PathBuf {
    let mut found = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(end));
    found
        .next()
        .unwrap_or_else(|| panic!("no *{end} in {}", folder.display()))
}

/// The first field of that name in the package's control file.
fn field(deb: &Path, name: &str) -> String {
    succeed(Command::new("dpkg-deb").arg("-f").arg(deb).arg(name))
        .trim()
        .to_owned()
}

fn finds_a_race(racert: &Path) {
    let said = succeed(Command::new(racert).arg("self-test"));
    assert!(
        said.contains("a race was compiled, run and found"),
        "{said}"
    );
}

#[test]
fn packages_work_elsewhere() {
    let folder = TempDir::new().unwrap();
    let packages = folder.path().join("packages");
    let status = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["dist", "--no-build", "--output"])
        .arg(&packages)
        .status()
        .unwrap();
    assert!(status.success());

    let tarball = package(&packages, ".tar.gz");
    let elsewhere = folder.path().join("some where else");
    fs::create_dir(&elsewhere).unwrap();
    succeed(
        Command::new("tar")
            .arg("-xf")
            .arg(&tarball)
            .arg("-C")
            .arg(&elsewhere)
            .arg("--strip-components=1"),
    );
    finds_a_race(&elsewhere.join("bin/racert"));

    let deb = package(&packages, ".deb");
    let root = folder.path().join("root");
    succeed(Command::new("dpkg-deb").arg("-x").arg(&deb).arg(&root));
    finds_a_race(&root.join("usr/bin/racert"));
    let depends = field(&deb, "Depends");
    for name in ["clang-", "libc6 (>= 2.", "libstdc++6", "libgcc-s1"] {
        assert!(depends.contains(name), "{depends}");
    }
    for file in [
        "usr/include/racert/annotations.h",
        "usr/lib/cmake/Racert/RacertConfig.cmake",
        "usr/share/man/man1/racert.1",
        "usr/share/bash-completion/completions/racert",
        "usr/share/doc/racert/LICENSE-MIT",
    ] {
        assert!(root.join(file).is_file(), "{file}");
    }
    fetched_by_cmake(folder.path(), &tarball);
}

/// FetchContent downloads the tarball and instruments with it.
fn fetched_by_cmake(folder: &Path, tarball: &Path) {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cmake/fetch_content");
    let build = folder.join("build");
    let clang = if Path::new("/usr/bin/clang-22").exists() {
        22
    } else {
        19
    };
    succeed(
        Command::new("cmake")
            .arg("-S")
            .arg(project)
            .arg("-B")
            .arg(&build)
            .arg(format!("-DRACERT_URL=file://{}", tarball.display()))
            .arg(format!("-DCMAKE_C_COMPILER=clang-{clang}"))
            .arg(format!("-DCMAKE_CXX_COMPILER=clang++-{clang}")),
    );
    succeed(Command::new("cmake").arg("--build").arg(&build));
    let status = Command::new(build.join("app/app"))
        .arg("racy")
        .env_clear()
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(66));
}
