//! Files that are there whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::error::{self, Error, Result};

/// Writes a file under a temporary name and renames it, with the rights of
/// `like`.
pub(super) fn replace(path: &Path, bytes: &[u8], like: &Path) -> Result<()> {
    let cannot = |e: std::io::Error| {
        Error::new(
            error::CANNOT_WRITE,
            format!("cannot write {}: {e}", path.display()),
        )
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let attempt = || {
        let mut file = fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.set_permissions(fs::metadata(like)?.permissions())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    attempt().map_err(|e| {
        // The reason is reported; a leftover that cannot be removed is not.
        let _ = fs::remove_file(&temporary);
        cannot(e)
    })
}
