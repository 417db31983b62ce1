//! The oldest C library that a file runs with.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The newest `GLIBC_x.y` that one of the files asks for, as `(x, y)`.
pub(super) fn needed(files: &[impl AsRef<Path>]) -> Result<(u32, u32)> {
    let mut newest = (2, 0);
    for file in files {
        let file = file.as_ref();
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        newest = newest.max(newest_in(&bytes));
    }
    Ok(newest)
}

/// Symbol versions are plain strings of an ELF file, each ended by a zero.
fn newest_in(bytes: &[u8]) -> (u32, u32) {
    let versions = bytes.split(|byte| *byte == 0).filter_map(|string| {
        let text = std::str::from_utf8(string).ok()?;
        let (major, minor) = text.strip_prefix("GLIBC_")?.split_once('.')?;
        let minor = minor.split('.').next()?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    versions.max().unwrap_or((2, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let strings = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0";
        assert_eq!(newest_in(strings), (2, 34));
        assert_eq!(newest_in(b"nothing"), (2, 0));
    }
}
