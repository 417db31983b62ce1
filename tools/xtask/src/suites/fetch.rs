//! The suites' sources.

use std::path::{Path, PathBuf};

use crate::source_package::{Sources, unpack_only};

/// LLVM's tests of ThreadSanitizer, and what they include.
pub(super) fn tsan(folder: &Path) -> anyhow::Result<PathBuf> {
    let root = package(
        folder,
        "llvm-toolchain-19",
        &[
            "*/compiler-rt/test/tsan",
            "*/compiler-rt/test/sanitizer_common",
        ],
    )?;
    Ok(root.join("compiler-rt/test/tsan"))
}

/// valgrind's tests, and the headers they include.
pub(super) fn valgrind(folder: &Path) -> anyhow::Result<PathBuf> {
    package(
        folder,
        "valgrind",
        &[
            "*/helgrind/*.h",
            "*/helgrind/tests",
            "*/drd/*.h",
            "*/drd/tests",
            "*/memcheck/*.h",
            "*/memcheck/tests",
            "*/include",
            "*/tests/*.h",
        ],
    )
}

/// Fetches `package` and unpacks what matches `patterns`, once.
fn package(folder: &Path, package: &str, patterns: &[&str]) -> anyhow::Result<PathBuf> {
    let unpacked = folder.join(package);
    if unpacked.exists() {
        return Ok(unpacked);
    }
    eprintln!("fetching the source package {package}");
    let tarball = Sources::new(folder.to_owned()).tarball(package)?;
    // Under another name first, so that an interrupted run is not taken for a
    // complete one.
    let partial = folder.join(format!("{package}.partial"));
    unpack_only(&tarball, &partial, patterns)?;
    std::fs::rename(&partial, &unpacked)?;
    Ok(unpacked)
}
