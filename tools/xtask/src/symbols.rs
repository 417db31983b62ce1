//! The list of symbols an executable exports for its shared libraries.
//!
//! The runtime lies in the executable; a library loaded at run time finds the
//! entry points and interceptors only if they are in the dynamic symbol table.
//! The list is read off the archive, so that it cannot fall behind it.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol, SymbolScope};

/// A linker's `--dynamic-list` of every symbol `archive` offers to others.
pub(crate) fn dynamic_list(archive: &[u8]) -> Result<String> {
    let mut names = BTreeSet::new();
    let file = ArchiveFile::parse(archive).context("libracert.a is not an archive")?;
    for member in file.members() {
        let member = member?;
        let data = member.data(archive)?;
        let object = object::File::parse(data).with_context(|| {
            format!(
                "libracert.a: member {}",
                String::from_utf8_lossy(member.name())
            )
        })?;
        for symbol in object.symbols() {
            let offered = symbol.is_definition() && symbol.scope() == SymbolScope::Dynamic;
            if offered && let Ok(name) = symbol.name() {
                names.insert(name.to_owned());
            }
        }
    }
    names.retain(|name| !is_rust_internal(name));
    ensure!(
        names.iter().any(|name| name.starts_with("__racert_")),
        "libracert.a defines no __racert_ symbol"
    );
    let lines: String = names.iter().map(|name| format!("  {name};\n")).collect();
    Ok(format!("{{\n{lines}}};\n"))
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
    fn something_else_than_an_archive_is_refused() {
        assert!(dynamic_list(b"not an archive").is_err());
    }
}
