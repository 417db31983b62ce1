//! `cargo xtask install --prefix P`: the install tree, somewhere else.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::build;
use crate::paths;
use crate::process::step;
use crate::stage::Stage;

/// Where to install.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder that gets bin/, lib/ and include/
    #[arg(long)]
    prefix: PathBuf,
}

/// Builds, then copies the staged tree.
pub(crate) fn main(args: &Args) -> Result<()> {
    build::main()?;
    let prefix = std::path::absolute(&args.prefix)?;
    copy_tree(&paths::stage(), Path::new(""), &Stage::new(prefix.clone()))?;
    step(&format!("installed in {}", prefix.display()));
    Ok(())
}

/// Copies what is in `root` below `inside` into `to`.
pub(crate) fn copy_tree(root: &Path, inside: &Path, to: &Stage) -> Result<()> {
    let folder = root.join(inside);
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let relative = inside.join(entry.file_name());
        let name = relative.to_string_lossy();
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(root, &relative, to)?;
        } else if kind.is_symlink() {
            let target = fs::read_link(entry.path())?;
            to.link(&name, &target.to_string_lossy())?;
        } else {
            to.copy(&entry.path(), &name)?;
        }
    }
    Ok(())
}
