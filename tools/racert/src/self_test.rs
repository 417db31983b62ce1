//! `racert self-test`: does this installation find a race?
//!
//! With every clang that a plugin is installed for, because a plugin that does
//! not fit its clang shows only when it is loaded.

use std::ffi::OsStr;
use std::process::ExitCode;
use std::time::Instant;

use crate::doctor::trial;
use crate::error::{self, Error, Result};
use crate::layout::Layout;
use crate::wrap::clang;

/// Tries them all; fails if one does, or if there is none.
pub(crate) fn run() -> Result<ExitCode> {
    let layout = Layout::find()?;
    let mut tried = 0;
    let mut failed = false;
    for version in layout.plugin_versions() {
        let name = format!("clang-{version}");
        if clang::search_path(OsStr::new(&name)).is_none() {
            println!("{name}: not installed, its plugin is");
            continue;
        }
        tried += 1;
        let start = Instant::now();
        match trial::try_out(Some(&name)) {
            Ok(()) => println!(
                "{name}: a race was compiled, run and found in {:.1} s",
                start.elapsed().as_secs_f32()
            ),
            Err(trouble) => {
                failed = true;
                println!("{name}: {}; {}", trouble.what, trouble.remedy);
            }
        }
    }
    if tried == 0 {
        return Err(Error::new(error::NOT_FOUND, "there is no clang to try")
            .hint("racert doctor says what is missing"));
    }
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
