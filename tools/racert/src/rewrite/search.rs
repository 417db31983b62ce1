//! Where the loader finds a library that is opened by name.
//!
//! The order is the loader's: the asking module's `DT_RPATH`, the variable
//! `LD_LIBRARY_PATH`, the module's `DT_RUNPATH`, the loader's cache.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::elf::{DT_RPATH, DT_RUNPATH, FileHeader64};
use object::read::elf::{Dyn as _, FileHeader as _};
use object::{LittleEndian, StringTable};

const LE: LittleEndian = LittleEndian;
const CACHE_READER: &str = "/sbin/ldconfig";

/// The file that `name` stands for if the module at `caller` asks for it.
pub(super) fn find(name: &OsStr, caller: Option<&Path>) -> Option<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let (rpath, runpath) = caller.and_then(paths_of).unwrap_or_default();
    let variable = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let variable = env::split_paths(&variable).filter(|folder| !folder.as_os_str().is_empty());
    let rpath = if runpath.is_empty() {
        rpath
    } else {
        Vec::new()
    };
    let folders = rpath.into_iter().chain(variable).chain(runpath);
    let mut places = folders.map(|folder| folder.join(name));
    places.find(|path| path.is_file()).or_else(|| cached(name))
}

/// Where the module at `path` itself says that libraries are.
pub(super) fn folders_of(path: &Path) -> Vec<PathBuf> {
    let (rpath, runpath) = paths_of(path).unwrap_or_default();
    if runpath.is_empty() { rpath } else { runpath }
}

/// `DT_RPATH` and `DT_RUNPATH` of the module at `path`.
fn paths_of(path: &Path) -> Option<(Vec<PathBuf>, Vec<PathBuf>)> {
    let data = fs::read(path).ok()?;
    let data = data.as_slice();
    let header = FileHeader64::<LittleEndian>::parse(data).ok()?;
    let sections = header.sections(LE, data).ok()?;
    let (entries, strings) = sections.dynamic(LE, data).ok()??;
    let strings: StringTable<'_> = sections.strings(LE, data, strings).ok()?;
    let origin = path.canonicalize().ok()?;
    let origin = origin.parent()?;
    let folders = |tag| -> Vec<PathBuf> {
        let values = entries.iter().filter(|entry| entry.d_tag(LE) == tag);
        let values = values.filter_map(|entry| entry.string(LE, strings).ok());
        let folders = values.flat_map(|value| value.split(|byte| *byte == b':'));
        folders.map(|folder| expanded(folder, origin)).collect()
    };
    Some((folders(DT_RPATH), folders(DT_RUNPATH)))
}

/// A folder with `$ORIGIN` replaced.
fn expanded(folder: &[u8], origin: &Path) -> PathBuf {
    let text = String::from_utf8_lossy(folder);
    let origin = origin.to_string_lossy();
    let text = text.replace("${ORIGIN}", &origin);
    PathBuf::from(text.replace("$ORIGIN", &origin))
}

/// What the loader's cache has for 64-bit programs.
fn cached(name: &OsStr) -> Option<PathBuf> {
    let output = Command::new(CACHE_READER).arg("-p").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| entry(line, name))
}

/// One line of it: `libz.so.1 (libc6,x86-64) => /lib/libz.so.1`.
fn entry(line: &str, name: &OsStr) -> Option<PathBuf> {
    let (what, path) = line.trim().split_once(" => ")?;
    let (file, kind) = what.split_once(" (")?;
    (OsStr::new(file) == name && kind.contains("x86-64")).then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_cache() {
        let line = "\tlibz.so.1 (libc6,x86-64) => /lib/libz.so.1";
        let found = entry(line, OsStr::new("libz.so.1"));
        assert_eq!(found.as_deref(), Some(Path::new("/lib/libz.so.1")));
        assert_eq!(entry(line, OsStr::new("libz.so")), None);
        let old = "\tlibz.so.1 (libc6) => /lib32/libz.so.1";
        assert_eq!(entry(old, OsStr::new("libz.so.1")), None);
    }

    #[test]
    fn folders_beside_the_module() {
        let origin = Path::new("/opt/app/bin");
        for text in ["$ORIGIN/../lib", "${ORIGIN}/../lib"] {
            let folder = expanded(text.as_bytes(), origin);
            assert_eq!(folder, Path::new("/opt/app/bin/../lib"));
        }
    }
}
