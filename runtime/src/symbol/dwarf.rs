//! DWARF, through addr2line.
//!
//! addr2line borrows the sections it reads for as long as it lives, and so
//! needs them beside itself: [`Sections`] keeps what the context in [`Dwarf`]
//! points into. This is the only place that stretches a lifetime, and nothing
//! borrowed leaves it.

use super::debug_file::find_shared;
use super::decompress::Section;
use super::demangle::{demangle, is_mangled};
use super::elf::Elf;
use super::locals::{self, FrameRule, InFrame, Local};
use super::paths::{join, tidy};
use super::types::Part;
use super::units::{UnitContext, UnitIndex};
use super::variable_index::VariableIndex;
use super::variables::{self, Declaration, Start};
use super::{Block, Bytes, Frame, Hint, SourceLine, blocks};
use crate::os::MappedFile;
use addr2line::gimli::{self, EndianSlice, LittleEndian, Section as _, SectionId};
use addr2line::{Context, LookupContinuation, LookupResult, SplitDwarfLoad};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{OnceCell, RefCell};

/// How sections are read.
pub(super) type Slice = EndianSlice<'static, LittleEndian>;

/// Inlined calls at one address; deeper nesting is damage.
const DEEPEST: usize = 256;

/// A function found in DWARF.
pub(super) struct Found {
    /// The frames, innermost first.
    pub(super) frames: Vec<Frame>,
    /// The name of the last one is qualified. Reduced debug information has
    /// `f` where the symbol table has `n::f(int)`.
    pub(super) qualified: bool,
}

/// The debug information of one module.
pub(super) struct Dwarf {
    // All before `sections`, so dropped before what they point into.
    units: RefCell<Vec<UnitContext>>,
    whole: OnceCell<Option<Context<Slice>>>,
    index: OnceCell<UnitIndex>,
    variables: RefCell<VariableIndex>,
    parsed: RefCell<Vec<(usize, Arc<gimli::Unit<Slice>>)>>,
    main: Arc<gimli::Dwarf<Slice>>,
    /// The sections that `main` was made from.
    readers: Vec<(SectionId, Slice)>,
    package: Option<gimli::DwarfPackage<Slice>>,
    sections: Sections,
}

/// Units prepared at a time; each reserves as much address space as the file
/// has debug information.
const UNITS: usize = 16;

/// Owns the bytes that readers point into.
#[derive(Default)]
struct Sections {
    files: RefCell<Vec<Arc<MappedFile>>>,
    unpacked: RefCell<Vec<Vec<u8>>>,
}

impl Sections {
    /// Keeps `file` for as long as `self` lives.
    fn keep(&self, file: &Arc<MappedFile>) -> &'static [u8] {
        let file = file.clone();
        // SAFETY: the mapping stays until `self` is dropped, and every reader
        // made from it is dropped before (see `Dwarf`).
        let bytes = unsafe { &*core::ptr::from_ref(file.bytes()) };
        self.files.borrow_mut().push(file);
        bytes
    }

    /// A reader of section `name`; an empty one if it is not there.
    fn reader(&self, elf: &Elf<'static>, name: Option<&str>) -> Slice {
        let section = name.and_then(|name| elf.section(name));
        let bytes = match section {
            None => &[],
            Some(Section::Stored(bytes)) => bytes,
            Some(Section::Unpacked(bytes)) => {
                // SAFETY: the heap block stays where it is until `self` is
                // dropped; as in `keep`.
                let slice = unsafe { &*core::ptr::from_ref(bytes.as_slice()) };
                self.unpacked.borrow_mut().push(bytes);
                slice
            }
        };
        EndianSlice::new(bytes, LittleEndian)
    }

    fn unpacked_bytes(&self) -> usize {
        self.unpacked.borrow().iter().map(Vec::len).sum()
    }
}

/// Sections that lookups read; unpacking others would be for nothing.
fn is_read(id: SectionId) -> bool {
    !matches!(
        id,
        SectionId::DebugMacinfo
            | SectionId::DebugMacro
            | SectionId::DebugNames
            | SectionId::DebugTypes
    )
}

impl Dwarf {
    /// Opens the debug information in `file` at `path`, of the module at
    /// `module`.
    pub(super) fn open(path: &str, file: &Arc<MappedFile>, module: &str) -> Option<Dwarf> {
        let sections = Sections::default();
        let elf = Elf::parse(sections.keep(file))?;
        let mut readers = Vec::new();
        let mut dwarf = from_readers(|id| {
            let reader = sections.reader(&elf, is_read(id).then(|| id.name()));
            readers.push((id, reader));
            reader
        });
        if let Some(shared) = find_shared(path, &elf) {
            let elf = Elf::parse(sections.keep(&Arc::new(shared)))?;
            dwarf.set_sup(from_readers(|id| {
                sections.reader(&elf, is_read(id).then(|| id.name()))
            }));
        }
        Some(Dwarf {
            units: RefCell::default(),
            whole: OnceCell::new(),
            index: OnceCell::new(),
            variables: RefCell::default(),
            parsed: RefCell::default(),
            main: Arc::new(dwarf),
            readers,
            package: open_package(&sections, module),
            sections,
        })
    }

    /// Memory that lookups made this hold, roughly.
    pub(super) fn weight(&self) -> usize {
        let units = self.units.borrow();
        let whole = match self.whole.get() {
            Some(Some(_)) => self.main.debug_info.reader().len(),
            _ => 0,
        };
        self.sections.unpacked_bytes()
            + self.index.get().map_or(0, UnitIndex::weight)
            + self.variables.borrow().weight()
            + units.iter().map(UnitContext::weight).sum::<usize>()
            + whole
    }

    /// Asks the unit of `address`; if that refers to others, all of them.
    fn ask<T>(
        &self,
        address: u64,
        question: impl Fn(&Context<Slice>) -> Result<T, gimli::Error>,
    ) -> Option<T> {
        if self.main.sup().is_none() {
            let index = self.index.get_or_init(|| UnitIndex::new(&self.main));
            let offset = index.find(address)?;
            let mut units = self.units.borrow_mut();
            let known = units.iter().position(|unit| unit.offset() == offset);
            let position = known.or_else(|| {
                let unit = UnitContext::new(&self.main, &self.readers, offset)?;
                if units.len() == UNITS {
                    units.remove(0);
                }
                units.push(unit);
                Some(units.len() - 1)
            });
            if let Some(unit) = position.and_then(|position| units.get(position))
                && let Ok(answer) = question(unit.context())
            {
                return Some(answer);
            }
        }
        let whole = self
            .whole
            .get_or_init(|| Context::from_arc_dwarf(self.main.clone()).ok());
        question(whole.as_ref()?).ok()
    }

    /// The functions at `address`.
    pub(super) fn frames(&self, address: u64) -> Option<Found> {
        let found = self.ask(address, |context| self.frames_in(context, address))?;
        (!found.frames.is_empty()).then_some(found)
    }

    fn frames_in(&self, context: &Context<Slice>, address: u64) -> Result<Found, gimli::Error> {
        let mut lookup = context.find_frames(address);
        let mut iterator = loop {
            match lookup {
                LookupResult::Output(output) => break output?,
                LookupResult::Load { load, continuation } => {
                    lookup = continuation.resume(self.load_split(&load));
                }
            }
        };
        let mut found = Found {
            frames: Vec::new(),
            qualified: true,
        };
        while found.frames.len() < DEEPEST
            && let Some(frame) = iterator.next()?
        {
            let name = frame.function.as_ref();
            let raw = name.and_then(|name| name.raw_name().ok());
            found.qualified = raw.as_ref().is_some_and(|raw| {
                is_mangled(raw) || !name.is_some_and(|name| mangles(name.language))
            });
            found.frames.push(Frame {
                function: raw.map(|raw| demangle(&raw)),
                source: frame.location.and_then(|location| {
                    Some(SourceLine {
                        file: tidy(location.file?),
                        line: location.line.unwrap_or(0),
                        column: location.column.unwrap_or(0),
                    })
                }),
            });
        }
        Ok(found)
    }

    /// The declaration of the variable that begins at `start`, and what its
    /// bytes `at` (offset and size) are. It is searched for in the units of
    /// `code`, then in all if that does not take long.
    pub(super) fn declaration(
        &self,
        start: Start,
        code: &[u64],
        at: (u64, u64),
    ) -> Option<Declaration> {
        let near = code
            .iter()
            .find_map(|code| self.declaration_near(start, *code, at));
        near.or_else(|| {
            let info = self.main.debug_info.reader().len();
            let (unit, variable) = self.variables.borrow_mut().find(&self.main, info, start)?;
            let unit = self.unit_at(unit)?;
            let unit = unit.unit_ref(&self.main);
            variables::describe(unit, unit, variable, at)
        })
    }

    fn declaration_near(&self, start: Start, code: u64, at: (u64, u64)) -> Option<Declaration> {
        let index = self.index.get_or_init(|| UnitIndex::new(&self.main));
        let unit = self.unit_at(index.find(code)?)?;
        let unit = unit.unit_ref(&self.main);
        if unit.dwo_id.is_none() {
            let offset = unit.header.debug_info_offset()?.0;
            let found = self.variables.borrow_mut().find_in(unit, offset, start)?;
            return variables::describe(unit, unit, found, at);
        }
        self.ask(code, |context| {
            let split = self.unit_in(context, code);
            Ok(split.and_then(|split| self.declaration_in(split, start, at)))
        })?
    }

    fn declaration_in(
        &self,
        unit: gimli::UnitRef<'_, Slice>,
        start: Start,
        at: (u64, u64),
    ) -> Option<Declaration> {
        let skeleton = match (unit.dwo_id, &unit.line_program) {
            (Some(id), None) => self.skeleton(id),
            _ => None,
        };
        let files = match &skeleton {
            Some(skeleton) => skeleton.unit_ref(&self.main),
            None => unit,
        };
        let found = variables::at(&variables::index(unit), start)?;
        variables::describe(unit, files, found, at)
    }

    /// The local variable at `place`; `rule` says how its frame is found.
    pub(super) fn local(
        &self,
        place: InFrame,
        rule: impl FnOnce() -> Option<FrameRule>,
    ) -> Option<Local> {
        let index = self.index.get_or_init(|| UnitIndex::new(&self.main));
        let unit = self.unit_at(index.find(place.code)?)?;
        let unit = unit.unit_ref(&self.main);
        let rule = rule();
        if unit.dwo_id.is_none() {
            return locals::find(unit, unit, rule, place);
        }
        self.ask(place.code, |context| {
            let split = self.unit_in(context, place.code);
            Ok(split.and_then(|split| locals::find(split, unit, rule, place)))
        })?
    }

    /// What of a heap block allocated at `code` the `bytes` are.
    pub(super) fn allocated(
        &self,
        code: u64,
        hint: &Hint,
        block: Block,
        bytes: Bytes,
    ) -> Option<(String, Part)> {
        let index = self.index.get_or_init(|| UnitIndex::new(&self.main));
        let unit = self.unit_at(index.find(code)?)?;
        let unit = unit.unit_ref(&self.main);
        if unit.dwo_id.is_none() {
            return blocks::part(unit, code, hint, block, bytes);
        }
        self.ask(code, |context| {
            let split = self.unit_in(context, code);
            Ok(split.and_then(|split| blocks::part(split, code, hint, block, bytes)))
        })?
    }

    /// The unit at `offset` of the program's own debug information.
    fn unit_at(&self, offset: usize) -> Option<Arc<gimli::Unit<Slice>>> {
        let mut parsed = self.parsed.borrow_mut();
        if let Some((_, unit)) = parsed.iter().find(|(other, _)| *other == offset) {
            return Some(unit.clone());
        }
        let header = self.main.unit_header(gimli::DebugInfoOffset(offset)).ok()?;
        let unit = Arc::new(self.main.unit(header).ok()?);
        if parsed.len() == UNITS {
            parsed.remove(0);
        }
        parsed.push((offset, unit.clone()));
        Some(unit)
    }

    /// The part of a split unit that stayed in the program: it has the table
    /// of file names.
    fn skeleton(&self, id: gimli::DwoId) -> Option<gimli::Unit<Slice>> {
        let mut headers = self.main.units();
        while let Ok(Some(header)) = headers.next() {
            if let Ok(unit) = self.main.unit(header)
                && unit.dwo_id == Some(id)
            {
                return Some(unit);
            }
        }
        None
    }

    /// The unit that holds the code at `address`.
    fn unit_in<'a>(
        &self,
        context: &'a Context<Slice>,
        address: u64,
    ) -> Option<gimli::UnitRef<'a, Slice>> {
        let mut lookup = context.find_dwarf_and_unit(address);
        loop {
            match lookup {
                LookupResult::Output(output) => return output,
                LookupResult::Load { load, continuation } => {
                    lookup = continuation.resume(self.load_split(&load));
                }
            }
        }
    }

    /// Loads the split part of a unit: from the package, or from its own file.
    fn load_split(&self, load: &SplitDwarfLoad<Slice>) -> Option<Arc<gimli::Dwarf<Slice>>> {
        if let Some(package) = &self.package
            && let Ok(Some(dwarf)) = package.find_cu(load.dwo_id, &load.parent)
        {
            return Some(Arc::new(dwarf));
        }
        let text = |slice: Option<Slice>| slice.map(|s| s.to_string_lossy().into_owned());
        let folder = text(load.comp_dir).unwrap_or_default();
        let path = join(&folder, &text(load.path)?);
        let file = MappedFile::open(path.as_bytes()).ok()?;
        let elf = Elf::parse(self.sections.keep(&Arc::new(file)))?;
        let mut dwarf = from_readers(|id| {
            let name = is_read(id).then(|| id.dwo_name()).flatten();
            self.sections.reader(&elf, name)
        });
        let header = dwarf.units().next().ok()??;
        let unit = dwarf.unit(header).ok()?;
        if unit.dwo_id != Some(load.dwo_id) {
            return None;
        }
        dwarf.make_dwo(&load.parent);
        Some(Arc::new(dwarf))
    }
}

/// Puts sections together.
pub(super) fn from_readers(mut reader: impl FnMut(SectionId) -> Slice) -> gimli::Dwarf<Slice> {
    let loaded = gimli::Dwarf::load(|id| Ok::<_, core::convert::Infallible>(reader(id)));
    match loaded {
        Ok(dwarf) => dwarf,
        Err(never) => match never {},
    }
}

/// The package `MODULE.dwp` of split units.
fn open_package(sections: &Sections, module: &str) -> Option<gimli::DwarfPackage<Slice>> {
    let path = format!("{module}.dwp");
    let file = MappedFile::open(path.as_bytes()).ok()?;
    let elf = Elf::parse(sections.keep(&Arc::new(file)))?;
    let empty = EndianSlice::new(&[], LittleEndian);
    // Every section, because the index refers to all of them.
    let load = |id: SectionId| Ok::<_, gimli::Error>(sections.reader(&elf, id.dwo_name()));
    gimli::DwarfPackage::load(load, empty).ok()
}

/// Does this language mangle the names of its functions?
fn mangles(language: Option<gimli::DwLang>) -> bool {
    matches!(
        language,
        Some(
            gimli::DW_LANG_C_plus_plus
                | gimli::DW_LANG_C_plus_plus_03
                | gimli::DW_LANG_C_plus_plus_11
                | gimli::DW_LANG_C_plus_plus_14
                | gimli::DW_LANG_C_plus_plus_17
                | gimli::DW_LANG_C_plus_plus_20
                | gimli::DW_LANG_Rust
        )
    )
}
