//! Places in the source tree and in the build folder.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the source tree.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("this crate lies two folders below the root")
}

/// The build folder, `target/` unless `CARGO_TARGET_DIR` names another.
pub(crate) fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The staged install tree.
pub(crate) fn stage() -> PathBuf {
    target().join("racert")
}
