//! rustdoc, which compiles tests in documentation and takes no wrapper: a
//! script in the build folder is what cargo calls instead.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::{self, Error, Result};
use crate::layout::Layout;

use super::toolchain::Toolchain;

/// Writes the script and says where it is.
pub(super) fn write(
    folder: &Path,
    toolchain: &Toolchain,
    sysroot: &Path,
    layout: &Layout,
) -> Result<PathBuf> {
    let rustdoc = env::var("RUSTDOC").unwrap_or_else(|_| "rustdoc".to_owned());
    let script = format!(
        "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec {} \"$@\" {} {} {} --cfg=racert\n",
        quoted(&rustdoc),
        quoted(&format!("-Zllvm-plugins={}", toolchain.plugin.display())),
        quoted(&format!("--sysroot={}", sysroot.display())),
        quoted(&format!(
            "-Clinker={}",
            layout.bin().join("racert-clang").display()
        )),
    );
    let path = folder.join("rustdoc");
    if fs::read_to_string(&path).is_ok_and(|there| there == script) {
        return Ok(path);
    }
    // Another cargo may be about to start it.
    let draft = folder.join(format!("rustdoc.{}", std::process::id()));
    fs::write(&draft, script)
        .and_then(|()| fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)))
        .and_then(|()| fs::rename(&draft, &path))
        .map_err(|e| {
            Error::new(
                error::CANNOT_WRITE,
                format!("cannot write {}: {e}", path.display()),
            )
        })?;
    Ok(path)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
