//! The tarball: everything in one folder, found relative to itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::process;

use super::{CMAKE_PROJECT, VERSION};

/// Packs the tree. The same files give the same bytes.
pub(super) fn make(output: &Path) -> Result<PathBuf> {
    let name = format!("racert-{VERSION}-linux-x86_64");
    let stage = super::tree(&output.join(&name), ".")?;
    stage.write("CMakeLists.txt", CMAKE_PROJECT)?;
    let package = output.join(format!("{name}.tar.gz"));
    process::run(
        Command::new("tar")
            .args(["--create", "--gzip", "--sort=name", "--mtime=@0"])
            .args(["--owner=0", "--group=0", "--numeric-owner"])
            .arg("--directory")
            .arg(output)
            .arg("--file")
            .arg(&package)
            .arg(&name),
    )?;
    std::fs::remove_dir_all(output.join(&name))?;
    Ok(package)
}
