//! `cargo xtask dist`: packages that work on a machine without Rust.
//!
//! A tarball that can be unpacked anywhere, and a `.deb` that names what it
//! needs. Both hold the install tree that `cargo xtask build` stages, with the
//! documents beside it.

mod deb;
mod glibc;
mod tarball;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::build;
use crate::install;
use crate::paths;
use crate::process::step;
use crate::stage::Stage;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What goes into the tree besides the staged files.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Makes the unpacked tree a CMake project, so that FetchContent can use it.
const CMAKE_PROJECT: &str = "\
# The packed racert as a dependency: FetchContent_MakeAvailable(racert).
cmake_minimum_required(VERSION 3.16)
project(racert C CXX)
include(\"${CMAKE_CURRENT_SOURCE_DIR}/lib/cmake/Racert/RacertConfig.cmake\")
if(NOT Racert_FOUND)
  message(FATAL_ERROR \"racert: ${Racert_NOT_FOUND_MESSAGE}\")
endif()
";

/// What to make and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder the packages go to [default: target/dist]
    #[arg(long)]
    output: Option<PathBuf>,
    /// Take target/racert as it is
    #[arg(long)]
    no_build: bool,
}

/// Builds, then packs.
pub(crate) fn main(args: &Args) -> Result<()> {
    if !args.no_build {
        build::main()?;
    }
    let output = args.output.clone();
    let output = std::path::absolute(output.unwrap_or_else(|| paths::target().join("dist")))?;
    fs::create_dir_all(&output).with_context(|| format!("cannot make {}", output.display()))?;
    for package in [tarball::make(&output)?, deb::make(&output)?] {
        let size = fs::metadata(&package)?.len();
        step(&format!(
            "{} ({:.1} MB)",
            package.display(),
            size as f64 / 1e6
        ));
    }
    Ok(())
}

/// The staged tree and the documents in `folder`, which is made anew.
fn tree(folder: &Path, documents: &str) -> Result<Stage> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let stage = Stage::new(folder.to_owned());
    install::copy_tree(&paths::stage(), Path::new(""), &stage)?;
    for name in DOCUMENTS {
        stage.copy(&paths::root().join(name), &format!("{documents}/{name}"))?;
    }
    Ok(stage)
}
