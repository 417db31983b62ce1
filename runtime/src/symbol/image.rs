//! The files behind one module, opened when an address in it is looked up.

use super::debug_file;
use super::demangle::{demangle, demangle_variable, is_mangled};
use super::dwarf::Dwarf;
use super::elf::{Elf, Symbol, Wanted};
use super::unwind::Position;
use super::variables::Declaration;
use super::{Frame, Variable};
use crate::os::MappedFile;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The bytes of an ELF file.
enum Bytes {
    /// Mapped from disk.
    File(Arc<MappedFile>),
    /// Copied from memory: the vdso has no file.
    Copy(Vec<u8>),
}

impl Bytes {
    fn elf(&self) -> Option<Elf<'_>> {
        Elf::parse(match self {
            Bytes::File(file) => file.bytes(),
            Bytes::Copy(bytes) => bytes,
        })
    }
}

/// A module's files.
pub struct Image {
    module: Bytes,
    /// A separate file with symbols and debug information.
    separate: Option<Arc<MappedFile>>,
    dwarf: Option<Dwarf>,
}

impl Image {
    /// Opens the file at `path`, provided that it is the one that was loaded.
    pub fn open(path: &str, build_id: Option<&[u8]>) -> Option<Image> {
        let file = Arc::new(MappedFile::open(path.as_bytes()).ok()?);
        let elf = Elf::parse(file.bytes())?;
        if build_id.is_some_and(|id| elf.build_id().is_some_and(|other| other != id)) {
            return None;
        }
        let mut separate = None;
        let dwarf = if debug_file::has_debug_info(&elf) {
            Dwarf::open(path, &file, path)
        } else if let Some((found, debug)) = debug_file::find(path, &elf) {
            let debug = Arc::new(debug);
            separate = Some(debug.clone());
            let wanted = !names_are_enough(path);
            wanted.then(|| Dwarf::open(&found, &debug, path)).flatten()
        } else {
            None
        };
        Some(Image {
            module: Bytes::File(file),
            separate,
            dwarf,
        })
    }

    /// An image that is only in memory.
    pub(super) fn copied(bytes: Vec<u8>) -> Image {
        Image {
            module: Bytes::Copy(bytes),
            separate: None,
            dwarf: None,
        }
    }

    /// The caller of the function at `position`, in this module loaded with
    /// `bias`.
    pub(super) fn caller(&self, position: &Position, bias: u64, called: bool) -> Option<Position> {
        position.caller(&self.module.elf()?, bias, called)
    }

    /// Memory held for lookups, roughly.
    pub fn weight(&self) -> usize {
        self.dwarf.as_ref().map_or(0, Dwarf::weight)
    }

    /// The functions at `address`, innermost first.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let found = self.dwarf.as_ref().and_then(|dwarf| dwarf.frames(address));
        match found {
            Some(mut found) => {
                if !found.qualified
                    && let Some(name) = self.function(address)
                    && let Some(last) = found.frames.last_mut()
                {
                    last.function = Some(name);
                }
                found.frames
            }
            None => {
                let function = self.function(address);
                let frame = function.map(|name| Frame {
                    function: Some(name),
                    source: None,
                });
                frame.into_iter().collect()
            }
        }
    }

    fn function(&self, address: u64) -> Option<String> {
        self.symbol(address, Wanted::Code)
            .map(|symbol| demangled(symbol.name))
    }

    /// The variable at `address`. `code` are addresses of code that uses it.
    pub fn variable(&self, address: u64, code: &[u64]) -> Option<Variable> {
        let symbol = self.symbol(address, Wanted::Data)?;
        let dwarf = self.dwarf.as_ref();
        let declaration = dwarf.and_then(|dwarf| dwarf.declaration(symbol.start, code));
        Some(named(&symbol, declaration))
    }

    /// The thread-local variable at `address` in the thread with
    /// `thread_pointer`, if this is the program itself.
    pub fn thread_local(&self, address: u64, thread_pointer: u64) -> Option<Variable> {
        // The program's block ends at the thread pointer, rounded so that its
        // start is as aligned as the template's (x86-64 psABI, TLS variant II).
        let template = self.module.elf()?.thread_local()?;
        let align = template.align.max(1);
        let pad = template.address.wrapping_add(template.size) % align;
        let room = template.size.checked_add((align - pad) % align)?;
        let start = thread_pointer.checked_sub(room)?;
        let offset = address.checked_sub(start)?;
        if offset >= template.size {
            return None;
        }
        let symbol = self.symbol(offset, Wanted::ThreadLocal)?;
        let mut variable = named(&symbol, None);
        variable.start = start.checked_add(variable.start)?;
        Some(variable)
    }

    /// From the separate file if there is one: its table is the full one.
    fn symbol(&self, address: u64, wanted: Wanted) -> Option<Symbol<'_>> {
        let separate = self.separate.as_ref();
        separate
            .and_then(|file| Elf::parse(file.bytes())?.symbol(address, wanted))
            .or_else(|| self.module.elf()?.symbol(address, wanted))
    }
}

/// The variable of `symbol`. Compilers number and prefix the static locals of
/// C (`calls.0`, `f.calls`); the declaration knows what they are called.
fn named(symbol: &Symbol<'_>, declaration: Option<Declaration>) -> Variable {
    let raw = String::from_utf8_lossy(symbol.name);
    let mut variable = Variable {
        name: demangle_variable(&raw),
        start: symbol.start,
        size: symbol.size,
        declared: None,
    };
    if let Some(declaration) = declaration {
        variable.declared = declaration.source;
        if let (false, Some(name), Some(function)) =
            (is_mangled(&raw), declaration.name, declaration.function)
        {
            variable.name = format!("{function}::{name}");
        }
    }
    variable
}

/// Nobody mends libc: its functions need names, not lines. Every stack touches
/// it, and where its debug information is installed, that is larger than most
/// programs' own.
fn names_are_enough(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or("");
    ["libc.so.", "libc-", "libpthread", "ld-linux", "ld-2"]
        .iter()
        .any(|prefix| file.starts_with(prefix))
}

fn demangled(name: &[u8]) -> String {
    demangle(&String::from_utf8_lossy(name))
}
