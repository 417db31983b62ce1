//! The files behind one module, opened when an address in it is looked up.

use super::debug_file;
use super::decompress::Section;
use super::demangle::{demangle, demangle_variable, is_mangled};
use super::dwarf::Dwarf;
use super::elf::{Elf, Symbol, Wanted};
use super::locals::{self, FrameRule, InFrame};
use super::unwind::Position;
use super::variables::{Declaration, Start};
use super::{Block, Bytes, Frame, Hint, Part, Variable, types};
use crate::os::MappedFile;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::RefCell;

/// The bytes of an ELF file.
enum Contents {
    /// Mapped from disk.
    File(Arc<MappedFile>),
    /// Copied from memory: the vdso has no file.
    Copy(Vec<u8>),
}

impl Contents {
    fn elf(&self) -> Option<Elf<'_>> {
        Elf::parse(match self {
            Contents::File(file) => file.bytes(),
            Contents::Copy(bytes) => bytes,
        })
    }
}

/// A module's files.
pub struct Image {
    module: Contents,
    /// A separate file with symbols and debug information.
    separate: Option<Arc<MappedFile>>,
    dwarf: Option<Dwarf>,
    /// Variables found in the symbol table, by where they begin: the table is
    /// read from end to end each time.
    found: RefCell<BTreeMap<(Wanted, u64), Object>>,
}

/// Variables that are remembered.
const REMEMBERED: usize = 1024;

/// A variable as the symbol table has it.
#[derive(Clone)]
struct Object {
    name: String,
    start: u64,
    size: u64,
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
            module: Contents::File(file),
            separate,
            dwarf,
            found: RefCell::default(),
        })
    }

    /// With the module itself, at `path`, beside this file with its debug
    /// information: frames are described only there. As it is if that is not
    /// the module with `build_id`.
    pub fn with_module(mut self, path: &str, build_id: &[u8]) -> Image {
        let Ok(file) = MappedFile::open(path.as_bytes()) else {
            return self;
        };
        let is_same = Elf::parse(file.bytes())
            .and_then(|elf| elf.build_id())
            .is_some_and(|id| id == build_id);
        if let (true, Contents::File(debug)) = (is_same, &self.module) {
            self.separate = Some(debug.clone());
            self.module = Contents::File(Arc::new(file));
        }
        self
    }

    /// An image that is only in memory.
    pub(super) fn copied(bytes: Vec<u8>) -> Image {
        Image {
            module: Contents::Copy(bytes),
            separate: None,
            dwarf: None,
            found: RefCell::default(),
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

    /// The variable at `bytes`. `code` are addresses of code that uses it.
    pub fn variable(&self, bytes: Bytes, code: &[u64]) -> Option<Variable> {
        self.object(bytes, code, Wanted::Data, Start::Fixed)
    }

    /// The thread-local variable at `bytes` in the thread with
    /// `thread_pointer`, if this is the program itself.
    pub fn thread_local(
        &self,
        bytes: Bytes,
        thread_pointer: u64,
        code: &[u64],
    ) -> Option<Variable> {
        // The program's block ends at the thread pointer, rounded so that its
        // start is as aligned as the template's (x86-64 psABI, TLS variant II).
        let template = self.module.elf()?.thread_local()?;
        let align = template.align.max(1);
        let pad = template.address.wrapping_add(template.size) % align;
        let room = template.size.checked_add((align - pad) % align)?;
        let start = thread_pointer.checked_sub(room)?;
        let offset = bytes.address.checked_sub(start)?;
        if offset >= template.size {
            return None;
        }
        let in_template = Bytes {
            address: offset,
            ..bytes
        };
        let mut variable =
            self.object(in_template, code, Wanted::ThreadLocal, Start::ThreadLocal)?;
        variable.start = start.checked_add(variable.start)?;
        if let Some(part) = &mut variable.part {
            part.start = start.checked_add(part.start)?;
        }
        Some(variable)
    }

    /// What of a heap block allocated at `code` the `bytes` are; named by the
    /// type of the block.
    pub fn allocated(&self, code: u64, hint: &Hint, block: Block, bytes: Bytes) -> Option<Part> {
        let found = self.dwarf.as_ref()?.allocated(code, hint, block, bytes);
        let (whole, part) = found?;
        let part = located(part, block.start);
        Some(Part {
            path: format!("{whole}{}", part.path),
            ..part
        })
    }

    /// The local variable at `bytes` in the frame that ends at `frame`, of the
    /// function at `code`, which begins at `entry`, if that is known.
    pub fn local(
        &self,
        bytes: Bytes,
        frame: u64,
        code: u64,
        entry: Option<u64>,
    ) -> Option<Variable> {
        let place = InFrame {
            offset: bytes.address.wrapping_sub(frame) as i64,
            size: bytes.size,
            code,
            entry,
        };
        let dwarf = self.dwarf.as_ref()?;
        let local = dwarf.local(place, || self.frame_rule(place.code))?;
        let start = frame.checked_add_signed(local.offset)?;
        let declaration = local.declaration;
        let name = declaration.name?;
        Some(Variable {
            name: match declaration.function {
                Some(function) => format!("{function}::{name}"),
                None => name,
            },
            start,
            size: local.size,
            declared: declaration.source,
            part: declaration.part.map(|part| located(part, start)),
        })
    }

    /// How the frame of the function at `code` is found.
    fn frame_rule(&self, code: u64) -> Option<FrameRule> {
        let elf = self.module.elf()?;
        let address = elf.section_address(".eh_frame")?;
        match elf.section(".eh_frame")? {
            Section::Stored(bytes) => locals::rule(bytes, address, code),
            Section::Unpacked(bytes) => locals::rule(&bytes, address, code),
        }
    }

    fn object(
        &self,
        bytes: Bytes,
        code: &[u64],
        wanted: Wanted,
        start: fn(u64) -> Start,
    ) -> Option<Variable> {
        let symbol = self.object_at(bytes.address, wanted)?;
        let at = (bytes.address - symbol.start, bytes.size);
        let dwarf = self.dwarf.as_ref();
        let declaration = dwarf.and_then(|dwarf| dwarf.declaration(start(symbol.start), code, at));
        Some(named(&symbol, declaration))
    }

    fn object_at(&self, address: u64, wanted: Wanted) -> Option<Object> {
        let mut found = self.found.borrow_mut();
        let before = found.range((wanted, 0)..=(wanted, address)).next_back();
        if let Some((_, object)) = before
            && address - object.start < object.size
        {
            return Some(object.clone());
        }
        let symbol = self.symbol(address, wanted)?;
        let object = Object {
            name: String::from_utf8_lossy(symbol.name).into_owned(),
            start: symbol.start,
            size: symbol.size,
        };
        if found.len() == REMEMBERED {
            found.clear();
        }
        found.insert((wanted, object.start), object.clone());
        Some(object)
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
/// C (`calls.0`, `f.calls`), and number the pieces of what they take apart; the
/// declaration knows what they are called.
fn named(symbol: &Object, declaration: Option<Declaration>) -> Variable {
    let piece = declaration.as_ref().and_then(|known| known.piece);
    let declared = declaration.as_ref().and_then(|known| known.name.as_ref());
    let raw = match (piece, declared) {
        (None, None) => symbol.name.as_str(),
        _ => without_number(&symbol.name),
    };
    let mut variable = Variable {
        name: demangle_variable(raw),
        start: symbol.start,
        size: symbol.size,
        declared: None,
        part: None,
    };
    if let Some(declaration) = declaration {
        variable.declared = declaration.source;
        let start = symbol.start.wrapping_sub(piece.unwrap_or(0));
        variable.part = declaration.part.map(|part| located(part, start));
        if let (false, Some(name), Some(function)) =
            (is_mangled(raw), declaration.name, declaration.function)
        {
            variable.name = format!("{function}::{name}");
        }
    }
    variable
}

/// `name.3` without the number.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((whole, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => whole,
        _ => name,
    }
}

/// `part` of an object that begins at `start`.
fn located(part: types::Part, start: u64) -> Part {
    Part {
        path: part.path,
        start: start.wrapping_add(part.offset),
        size: part.size.unwrap_or(0),
        type_name: part.type_name,
        member: part.member,
    }
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
