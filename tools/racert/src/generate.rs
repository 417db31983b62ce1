//! Manual pages and shell completions, made from the command line's definition
//! so that they cannot fall behind it.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::error::{self, Error, Result};

/// Prints the completions for one shell.
pub(crate) fn completions(shell: Shell) {
    clap_complete::generate(shell, &mut Cli::command(), "racert", &mut std::io::stdout());
}

/// Writes `racert.1` and a page for each subcommand.
pub(crate) fn man_pages(folder: &Path) -> Result<()> {
    let cannot = |error: std::io::Error| {
        Error::new(
            error::CANNOT_WRITE,
            format!("cannot write {}: {error}", folder.display()),
        )
    };
    fs::create_dir_all(folder).map_err(cannot)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(cannot)?;
    for name in ["racert-clang", "racert-clang++"] {
        let page = if name.ends_with("++") {
            "racert-c++"
        } else {
            "racert-cc"
        };
        let path = folder.join(format!("{name}.1"));
        fs::write(path, format!(".so man1/{page}.1\n")).map_err(cannot)?;
    }
    Ok(())
}
