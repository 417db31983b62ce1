//! Files that know names, found by build id.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use object::read::elf::{ElfFile64, FileHeader};
use object::{Endianness, Object};
use racert_records::os::MappedFile;
use racert_records::symbol::{Image, fetched};

use crate::error::{self, Error, Result};

/// Where distributions keep debug information.
const SYSTEM: &str = "/usr/lib/debug";
/// How deep directories of symbols are searched for files.
const DEEPEST: usize = 8;
/// Parsed debug information kept from one finding to the next, in bytes.
const KEPT: usize = 64 << 20;

/// The files of modules, opened as they are asked for.
pub(crate) struct Files {
    /// Directories that may have a `.build-id` folder.
    roots: Vec<PathBuf>,
    /// Files given by name, or found in the directories given.
    given: Vec<Given>,
    images: HashMap<(String, Option<String>), Option<Image>>,
}

/// A file that may be the one.
struct Given {
    path: PathBuf,
    build_id: Option<String>,
    has_debug_info: bool,
}

impl Files {
    /// The files and directories in `symbols`, beside where modules themselves
    /// say and the system's directory.
    pub(crate) fn new(symbols: &[PathBuf]) -> Result<Files> {
        let mut files = Files {
            roots: Vec::new(),
            given: Vec::new(),
            images: HashMap::new(),
        };
        for path in symbols {
            if path.is_dir() {
                files.roots.push(path.clone());
                files.search(path, DEEPEST);
            } else {
                let file = Given::open(path).map_err(|why| {
                    let message = format!("--symbols {}: {why}", path.display());
                    Error::new(error::NO_INPUT, message)
                })?;
                files.given.push(file);
            }
        }
        files.roots.push(SYSTEM.into());
        // Of two files with one build id, the one that knows lines.
        files.given.sort_by_key(|file| !file.has_debug_info);
        Ok(files)
    }

    /// Adds the ELF files below `folder`.
    fn search(&mut self, folder: &Path, depth: usize) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for path in entries {
            let is_link = path.is_symlink();
            if path.is_dir() {
                let is_index = path.file_name().is_some_and(|name| name == ".build-id");
                if depth > 0 && !is_link && !is_index {
                    self.search(&path, depth - 1);
                }
            } else if let Ok(file) = Given::open(&path) {
                self.given.push(file);
            }
        }
    }

    /// The names of module `path`, if a file has them.
    pub(crate) fn image(&mut self, path: &str, build_id: Option<&str>) -> Option<&Image> {
        let key = (path.to_owned(), build_id.map(str::to_owned));
        if !self.images.contains_key(&key) {
            let image = self.open(path, build_id);
            self.images.insert(key.clone(), image);
        }
        self.images.get(&key)?.as_ref()
    }

    fn open(&self, path: &str, build_id: Option<&str>) -> Option<Image> {
        let id = build_id.and_then(bytes);
        let open = |file: &Path| Image::open(file.to_str()?, id.as_deref());
        let name = Path::new(path).file_name()?;
        let fits = |file: &&Given| match (build_id, &file.build_id) {
            (Some(id), Some(other)) => id == other,
            _ => file.path.file_name() == Some(name),
        };
        let given = self.given.iter().filter(fits);
        let found = given
            .map(|file| file.path.clone())
            .chain(self.indexed(build_id))
            .chain(build_id.and_then(fetched::path).map(PathBuf::from))
            .find_map(|file| open(&file));
        let Some(id) = &id else { return found };
        match found {
            Some(image) => {
                // A file of debug information alone lacks what the module has.
                let others = self.given.iter().filter(fits);
                let stripped = others.filter(|file| !file.has_debug_info);
                let module = stripped.map(|file| &*file.path).next();
                let module = module.unwrap_or(Path::new(path));
                Some(image.with_module(module.to_str()?, id))
            }
            // On the machine where it ran, or where it was built.
            None => open(Path::new(path)),
        }
    }

    /// `ROOT/.build-id/ab/cdef.debug`, as far as such files are there.
    fn indexed(&self, build_id: Option<&str>) -> impl Iterator<Item = PathBuf> {
        let parts = build_id.and_then(|id| id.split_at_checked(2));
        let paths = parts.into_iter().flat_map(|(first, rest)| {
            self.roots.iter().flat_map(move |root| {
                let folder = match root.file_name() {
                    Some(name) if name == ".build-id" => root.join(first),
                    _ => root.join(".build-id").join(first),
                };
                [folder.join(format!("{rest}.debug")), folder.join(rest)]
            })
        });
        paths.filter(|path| path.is_file())
    }

    /// Gives back memory when lookups made it much.
    pub(crate) fn settle(&mut self) {
        let held: usize = self.images.values().flatten().map(Image::weight).sum();
        if held > KEPT {
            self.images.clear();
        }
    }
}

impl Given {
    fn open(path: &Path) -> std::result::Result<Given, String> {
        let name = path.to_str().ok_or("its name is not UTF-8")?;
        let file = MappedFile::open(name.as_bytes())
            .map_err(|error| std::io::Error::from_raw_os_error(error.0).to_string())?;
        let elf = object::elf::FileHeader64::<Endianness>::parse(file.bytes())
            .and_then(|_| ElfFile64::<Endianness>::parse(file.bytes()))
            .map_err(|_| "not an ELF file")?;
        let build_id = elf.build_id().ok().flatten();
        let has_debug_info = ![".debug_info", ".zdebug_info"]
            .iter()
            .all(|name| elf.section_by_name_bytes(name.as_bytes()).is_none());
        Ok(Given {
            path: path.to_owned(),
            build_id: build_id.map(digits),
            has_debug_info,
        })
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = (0..digits.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok())
        .collect()
}
