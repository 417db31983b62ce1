//! The Debian package: the tree in `/usr/lib/racert`, links where programs,
//! headers, CMake packages and manual pages are looked for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::llvm;
use crate::process;
use crate::stage::Stage;

use super::{VERSION, glibc};

const HOME: &str = "usr/lib/racert";

/// Packs the tree; needs `dpkg-deb`, which every Debian has.
pub(super) fn make(output: &Path) -> Result<PathBuf> {
    let root = output.join("deb");
    let home = root.join(HOME);
    super::tree(&home, "../../share/doc/racert")?;
    let stage = Stage::new(root.clone());
    links(&stage)?;
    move_shared(&root)?;
    let pkgconfig = fs::read_to_string(home.join("lib/pkgconfig/racert.pc"))?;
    stage.write(
        "usr/share/pkgconfig/racert.pc",
        &pkgconfig.replace("${pcfiledir}/../..", "/usr/lib/racert"),
    )?;
    stage.write("DEBIAN/control", &control(&root)?)?;
    let package = output.join(format!("racert_{VERSION}_amd64.deb"));
    process::run(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "-Zxz", "--build"])
            .arg(&root)
            .arg(&package)
            .stdout(std::process::Stdio::null()),
    )?;
    fs::remove_dir_all(&root)?;
    Ok(package)
}

fn links(stage: &Stage) -> Result<()> {
    for name in ["racert", "racert-clang", "racert-clang++"] {
        stage.link(&format!("usr/bin/{name}"), "../lib/racert/bin/racert")?;
    }
    stage.link("usr/include/racert", "../lib/racert/include/racert")?;
    stage.link("usr/lib/cmake/Racert", "../racert/lib/cmake/Racert")
}

/// Manual pages and completions are looked for in one place only.
fn move_shared(root: &Path) -> Result<()> {
    let shared = root.join(HOME).join("share");
    for entry in fs::read_dir(&shared).with_context(|| format!("no {}", shared.display()))? {
        let entry = entry?;
        fs::rename(entry.path(), root.join("usr/share").join(entry.file_name()))?;
    }
    fs::remove_dir(&shared)?;
    Ok(())
}

fn control(root: &Path) -> Result<String> {
    let home = root.join(HOME);
    let mut binaries = vec![home.join("bin/racert"), home.join("lib/libracert.so")];
    let mut compilers = Vec::new();
    for llvm in llvm::SUPPORTED {
        let plugin = home.join(format!("lib/libracert_pass-{}.so", llvm.0));
        if plugin.is_file() {
            binaries.push(plugin);
            compilers.push(format!("clang-{}", llvm.0));
        }
    }
    let (major, minor) = glibc::needed(&binaries)?;
    let compilers = compilers.join(" | ");
    let size = size_in_kib(root)?;
    Ok(format!(
        "Package: racert\n\
         Version: {VERSION}\n\
         Architecture: amd64\n\
         Maintainer: The racert developers <racert@localhost>\n\
         Section: devel\n\
         Priority: optional\n\
         Installed-Size: {size}\n\
         Depends: {compilers}, libc6 (>= {major}.{minor}), libc6-dev, libgcc-s1, libstdc++6\n\
         Recommends: binutils\n\
         Suggests: cmake (>= 3.16), ninja-build, pkg-config\n\
         Description: finds data races and deadlocks in C, C++ and Rust programs\n\
         \x20An LLVM pass plugin puts checks into a program while clang compiles it;\n\
         \x20a runtime linked into the program says where two threads collide.\n"
    ))
}

fn size_in_kib(folder: &Path) -> Result<u64> {
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            size += size_in_kib(&entry.path())?;
        } else if kind.is_file() {
            size += entry.metadata()?.len().div_ceil(1024);
        }
    }
    Ok(size)
}
