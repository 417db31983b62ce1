//! The symbols of the runtime that others may use.
//!
//! The runtime lies in the executable; a library loaded at run time finds the
//! entry points and interceptors only if they are in the dynamic symbol table.
//! The list is read off the archive, so that it cannot fall behind it.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol, SymbolScope};

/// The names an archive offers to others.
pub(crate) struct Exported(BTreeSet<String>);

impl Exported {
    /// Reads them off `archive`.
    pub(crate) fn read(archive: &[u8]) -> Result<Self> {
        let mut names = BTreeSet::new();
        let file = ArchiveFile::parse(archive).context("libracert.a is not an archive")?;
        for member in file.members() {
            let member = member?;
            let name = String::from_utf8_lossy(member.name());
            let object = object::File::parse(member.data(archive)?)
                .with_context(|| format!("libracert.a: member {name}"))?;
            let offered = object
                .symbols()
                .filter(|symbol| !symbol.is_undefined() && symbol.scope() == SymbolScope::Dynamic);
            names.extend(offered.filter_map(|symbol| symbol.name().ok().map(str::to_owned)));
        }
        names.retain(|name| !is_rust_internal(name));
        for needed in [racert_abi::entry::INIT, racert_abi::tls::SYMBOL] {
            ensure!(
                names.contains(needed),
                "libracert.a does not define {needed}"
            );
        }
        Ok(Exported(names))
    }

    /// As a linker's `--dynamic-list`, for executables.
    pub(crate) fn dynamic_list(&self) -> String {
        format!("{{\n{}}};\n", self.lines())
    }

    /// As a linker's `--version-script`, for the shared library.
    pub(crate) fn version_script(&self) -> String {
        format!("{{\nglobal:\n{}local:\n  *;\n}};\n", self.lines())
    }

    fn lines(&self) -> String {
        self.0.iter().map(|name| format!("  {name};\n")).collect()
    }
}

/// Mangled Rust names and the language's own support functions: they belong to
/// the program's Rust, if it has one, and never to other libraries.
fn is_rust_internal(name: &str) -> bool {
    let legacy_mangled = name.starts_with("_ZN") && name.ends_with('E') && name.contains("17h");
    name.starts_with("_R") || name.starts_with("rust_") || legacy_mangled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interceptors_stay_and_rust_names_go() {
        for name in [
            "_Znwm",
            "malloc",
            "__racert_read4",
            "pthread_create",
            "_ZNSt6thread4joinEv",
        ] {
            assert!(!is_rust_internal(name), "{name}");
        }
        for name in [
            "_RNvCs_4core",
            "_ZN4core3fmt5write17h0123456789abcdefE",
            "rust_eh_personality",
        ] {
            assert!(is_rust_internal(name), "{name}");
        }
    }

    #[test]
    fn the_list_and_the_script_hold_the_names() {
        let exported = Exported(["malloc", "__racert_init"].map(str::to_owned).into());
        assert_eq!(
            exported.dynamic_list(),
            "{\n  __racert_init;\n  malloc;\n};\n"
        );
        let script = "{\nglobal:\n  __racert_init;\n  malloc;\nlocal:\n  *;\n};\n";
        assert_eq!(exported.version_script(), script);
    }

    #[test]
    fn something_else_than_an_archive_is_refused() {
        assert!(Exported::read(b"not an archive").is_err());
    }
}
