//! Building the runtime: the archive for executables, and from it the shared
//! library for preloading.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::paths;
use crate::process::{self, cargo, step};
use crate::stage::Stage;
use crate::symbols::Exported;

/// Builds both and stages them with the list of exported symbols.
pub(crate) fn build(stage: &Stage) -> Result<()> {
    step("building the runtime");
    process::run(
        cargo()
            .args(["build", "--quiet", "--profile", "runtime"])
            .args(["-p", "racert-runtime"]),
    )?;
    let built = paths::target().join("runtime");
    let archive = built.join("libracert.a");
    let contents =
        fs::read(&archive).with_context(|| format!("cannot read {}", archive.display()))?;
    let exported = Exported::read(&contents)?;
    let library = built.join("libracert.so");
    link(&archive, &exported, &library)?;
    stage.write("lib/libracert.a.syms", &exported.dynamic_list())?;
    stage.copy(&archive, "lib/libracert.a")?;
    stage.copy(&library, "lib/libracert.so")
}

/// Links the shared library. rustc would do it too, but it exports only what
/// is written in Rust, and the thread-local block is not.
fn link(archive: &Path, exported: &Exported, library: &Path) -> Result<()> {
    let script = library.with_extension("so.map");
    fs::write(&script, exported.version_script())
        .with_context(|| format!("cannot write {}", script.display()))?;
    process::run(
        Command::new("cc")
            .args([
                "-shared",
                "-Wl,-soname,libracert.so",
                "-Wl,-z,defs",
                "-Wl,--gc-sections",
            ])
            .arg(format!("-Wl,-u,{}", racert_abi::entry::INIT))
            .arg(format!("-Wl,--version-script={}", script.display()))
            .arg(archive)
            .args(["-lpthread", "-ldl", "-o"])
            .arg(library),
    )
}
