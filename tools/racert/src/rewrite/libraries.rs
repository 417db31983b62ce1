//! The libraries of a program, rewritten and kept.
//!
//! The loader itself says which libraries a program gets; each is rewritten
//! once and kept under its build id, so the second run starts at once.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use racert_abi::ABI_VERSION;
use racert_abi::rewritten::{LIBRARIES_VARIABLE, VERSION};

use racert_rewrite::{Image, Options};

use super::{progress, search, write};
use crate::error::{self, Error, Result};

const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";

/// Never rewritten: the runtime intercepts them, or stands on them.
const NEVER: [&str; 8] = [
    "ld-linux-x86-64",
    "libc",
    "libpthread",
    "libdl",
    "librt",
    "libracert",
    "linux-vdso",
    "libgcc_s",
];

/// Rewritten only if asked for: they hold no data of the program.
const QUIET: [&str; 4] = ["libm", "libmvec", "libresolv", "libutil"];

/// Which libraries to rewrite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All that may hold data of the program.
    Auto,
    /// All that can be.
    All,
    /// These, as `z`, `libz` or `libz.so.1`.
    Named(Vec<String>),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Auto => f.write_str("auto"),
            Wanted::All => f.write_str("all"),
            Wanted::Named(names) => f.write_str(&names.join(",")),
        }
    }
}

impl Wanted {
    /// Reads the value of `--libs`.
    pub(crate) fn parse(text: &str) -> std::result::Result<Wanted, String> {
        match text {
            "" => Err("write auto, all or names of libraries".to_owned()),
            "auto" => Ok(Wanted::Auto),
            "all" => Ok(Wanted::All),
            names => Ok(Wanted::Named(names.split(',').map(str::to_owned).collect())),
        }
    }

    fn includes(&self, file: &str) -> bool {
        let stem = stem(file);
        if NEVER.contains(&stem) {
            return false;
        }
        match self {
            Wanted::Auto => !QUIET.contains(&stem),
            Wanted::All => true,
            Wanted::Named(names) => names.iter().any(|name| is_named(name, file)),
        }
    }
}

/// `libz` of `libz.so.1` and of `libz-1.2.so`.
fn stem(file: &str) -> &str {
    let end = file.find(".so").unwrap_or(file.len());
    &file[..end]
}

fn is_named(name: &str, file: &str) -> bool {
    let stem = stem(file);
    name == file || name == stem || stem.strip_prefix("lib") == Some(name)
}

/// Folders with rewritten libraries for `program`, to be searched first.
pub(crate) fn prepare(program: &OsStr, wanted: &Wanted) -> Result<Vec<PathBuf>> {
    let program = find_program(program);
    let loaded = loaded(&program)?;
    if let Wanted::Named(names) = wanted {
        for name in names {
            if !loaded.iter().any(|(file, _)| is_named(name, file)) {
                let shown = program.display();
                anstream::eprintln!(
                    "racert: {shown} does not load {name} at its start; it is rewritten if it is \
                     opened later"
                );
            }
            if let Some((file, _)) = loaded
                .iter()
                .find(|(file, _)| is_named(name, file) && NEVER.contains(&stem(file)))
            {
                let message = format!("{file} is not rewritten: the runtime intercepts it");
                return Err(Error::new(error::USAGE, message));
            }
        }
    }
    let cache = cache()?;
    let mut folders = Vec::new();
    for (file, path) in loaded.iter().filter(|(file, _)| wanted.includes(file)) {
        match keep(&cache, file, path) {
            Ok(folder) => folders.push(folder),
            // Named ones must work; of the others, what can be done is done.
            Err(error) if matches!(wanted, Wanted::Named(_)) => return Err(error),
            Err(error) => anstream::eprintln!("racert: not checked: {error}"),
        }
    }
    Ok(folders)
}

/// The rewritten twin of a program without the runtime, and where it searches
/// for libraries: its atomic instructions are synchronisation that data in
/// libraries relies on. `None` if it cannot be rewritten, which is said.
pub(crate) fn program_twin(program: &OsStr) -> Result<Option<(PathBuf, Vec<PathBuf>)>> {
    let path = find_program(program);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    match keep(&cache()?, &file, &path) {
        Ok(folder) => Ok(Some((folder.join(&*file), search::folders_of(&path)))),
        Err(error) => {
            anstream::eprintln!("racert: not checked: {error}");
            Ok(None)
        }
    }
}

/// Prints the paths of the rewritten twins of the library `name`, which a
/// running program opens from the module at `caller` (or the program itself, if
/// that is empty): first of those it needs, at last its own. Nothing if it is to
/// be loaded as it is.
pub(crate) fn twin(name: &OsStr, caller: Option<&OsStr>) -> Result<()> {
    let wanted = env::var(LIBRARIES_VARIABLE).unwrap_or_default();
    let usage = |why: String| Error::new(error::USAGE, why);
    let wanted = Wanted::parse(&wanted).map_err(usage)?;
    let caller = caller.map(|caller| match caller.is_empty() {
        true => PathBuf::from(format!("/proc/{}/exe", std::os::unix::process::parent_id())),
        false => PathBuf::from(caller),
    });
    let Some(path) = search::find(name, caller.as_deref()) else {
        return Ok(());
    };
    let cache = cache()?;
    let twin_of = |file: &str, path: &Path| -> Option<PathBuf> {
        let folder = wanted.includes(file).then(|| keep(&cache, file, path));
        folder?.ok().map(|folder| folder.join(file))
    };
    // What cannot be listed or rewritten is loaded as it is.
    let needed = loaded(&path).unwrap_or_default();
    let needed = needed.iter().rev();
    let mut twins: Vec<PathBuf> = needed
        .filter_map(|(file, path)| twin_of(file, path))
        .collect();
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    match twin_of(&file, &path) {
        Some(own) => twins.push(own),
        None if twins.is_empty() => {}
        None => twins.push(path),
    }
    for twin in twins {
        println!("{}", twin.display());
    }
    Ok(())
}

/// Does the file bring the runtime along?
pub(crate) fn has_runtime(program: &OsStr) -> bool {
    let marker = racert_abi::entry::INIT.as_bytes();
    let bytes = fs::read(find_program(program)).unwrap_or_default();
    bytes.windows(marker.len()).any(|window| window == marker)
}

fn find_program(program: &OsStr) -> PathBuf {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.to_owned();
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&folders).map(|folder| folder.join(path));
    places
        .find(|place| place.is_file())
        .unwrap_or_else(|| path.to_owned())
}

/// Names and paths of the libraries that the loader finds.
fn loaded(program: &Path) -> Result<Vec<(String, PathBuf)>> {
    let cannot = |why: String| {
        let message = format!("cannot list the libraries of {}: {why}", program.display());
        Error::new(error::UNUSABLE, message)
    };
    let output = Command::new(LOADER)
        .arg("--list")
        .arg(program)
        .output()
        .map_err(|e| cannot(e.to_string()))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        let why = why.trim().rsplit(": ").next().unwrap_or_default();
        return Err(cannot(why.to_owned()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(listed).collect())
}

/// One line of the list: `libz.so.1 => /lib/libz.so.1 (0x7f12)`.
fn listed(line: &str) -> Option<(String, PathBuf)> {
    let (name, rest) = line.trim().split_once(" => ")?;
    let path = rest.rsplit_once(" (").map_or(rest, |(path, _)| path);
    let file = name.rsplit('/').next()?;
    // Relative if LD_LIBRARY_PATH is.
    path.contains('/')
        .then(|| (file.to_owned(), PathBuf::from(path)))
}

/// Where rewritten libraries are kept.
fn cache() -> Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value: &OsString| !value.is_empty());
    let base = match (set("XDG_CACHE_HOME"), set("HOME")) {
        (Some(cache), _) => PathBuf::from(cache),
        (None, Some(home)) => PathBuf::from(home).join(".cache"),
        (None, None) => {
            let error = Error::new(error::UNUSABLE, "no place for rewritten libraries");
            return Err(error.hint("set XDG_CACHE_HOME"));
        }
    };
    Ok(base.join("racert/rewritten"))
}

/// The folder with the rewritten twin of the library at `path`.
fn keep(cache: &Path, file: &str, path: &Path) -> Result<PathBuf> {
    let shown = path.display().to_string();
    let bytes = fs::read(path)
        .map_err(|e| Error::new(error::NO_INPUT, format!("cannot read {shown}: {e}")))?;
    let image = Image::read(bytes).map_err(|e| Error::from(e).about(&shown))?;
    let identity = match &image.build_id {
        Some(id) => id.iter().map(|byte| format!("{byte:02x}")).collect(),
        None => format!("{:016x}-{}", digest(&image.bytes), image.bytes.len()),
    };
    let version = env!("CARGO_PKG_VERSION");
    let folder = cache.join(format!("{version}-{ABI_VERSION}.{VERSION}-{identity}"));
    let kept = folder.join(file);
    if kept.is_file() {
        return Ok(folder);
    }
    let rewritten = progress::rewrite(file, image.bytes, &Options::default())
        .map_err(|e| Error::from(e).about(&shown))?;
    fs::create_dir_all(&folder).map_err(|e| {
        let message = format!("cannot make {}: {e}", folder.display());
        Error::new(error::CANNOT_WRITE, message)
    })?;
    write::replace(&kept, &rewritten.bytes, path)?;
    Ok(folder)
}

/// FNV-1a, for files without a build id.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_loader() {
        let line = "\tlibz.so.1 => /lib/libz.so.1 (0x00007f0000000000)";
        let expected = ("libz.so.1".to_owned(), PathBuf::from("/lib/libz.so.1"));
        assert_eq!(listed(line), Some(expected));
        assert_eq!(listed("\tlinux-vdso.so.1 (0x00007ffd)"), None);
        assert_eq!(listed("\tlibgone.so => not found"), None);
        let relative = listed("\tlibz.so.1 => out/libz.so.1 (0x00007f0000000000)");
        assert_eq!(relative.unwrap().1, Path::new("out/libz.so.1"));
    }

    #[test]
    fn libraries_by_name() {
        let wanted = Wanted::parse("z,libssl.so.3").unwrap();
        assert!(wanted.includes("libz.so.1") && wanted.includes("libssl.so.3"));
        assert!(!wanted.includes("libssl.so.1.1") && !wanted.includes("libzstd.so.1"));
        assert!(Wanted::parse("").is_err());
    }

    #[test]
    fn what_the_runtime_intercepts_is_never_rewritten() {
        for file in ["libc.so.6", "ld-linux-x86-64.so.2", "libpthread.so.0"] {
            assert!(!Wanted::All.includes(file), "{file}");
        }
        assert!(Wanted::All.includes("libm.so.6") && !Wanted::Auto.includes("libm.so.6"));
    }
}
