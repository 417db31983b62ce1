//! The LLVM versions a plugin can be built for.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;

/// A supported major version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Llvm(pub(crate) u32);

/// All supported versions, the preferred one first.
pub(crate) const SUPPORTED: [Llvm; 3] = [Llvm(22), Llvm(19), Llvm(18)];

impl Llvm {
    /// The feature of the pass that chooses this version.
    pub(crate) fn feature(self) -> String {
        format!("llvm{}", self.0)
    }

    /// Whether the headers to build a plugin are here.
    pub(crate) fn has_headers(self) -> bool {
        let header = Path::new("llvm/IR/PassManager.h");
        self.include_folders()
            .iter()
            .any(|folder| folder.join(header).is_file())
    }

    fn include_folders(self) -> Vec<PathBuf> {
        let mut folders = vec![PathBuf::from(format!("/usr/lib/llvm-{}/include", self.0))];
        let config = format!("llvm-config-{}", self.0);
        folders.extend(
            process::output(Command::new(config).arg("--includedir"))
                .map(|text| PathBuf::from(text.trim())),
        );
        folders
    }
}

/// The versions whose headers are installed.
pub(crate) fn installed() -> Vec<Llvm> {
    SUPPORTED
        .into_iter()
        .filter(|llvm| llvm.has_headers())
        .collect()
}
