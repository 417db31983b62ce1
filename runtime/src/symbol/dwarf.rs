//! DWARF, through addr2line.
//!
//! addr2line borrows the sections it reads for as long as it lives, and so
//! needs them beside itself: [`Sections`] keeps what the context in [`Dwarf`]
//! points into. This is the only place that stretches a lifetime, and nothing
//! borrowed leaves it.

use super::debug_file::{find_shared, join};
use super::decompress::Section;
use super::demangle::{demangle, is_mangled};
use super::elf::Elf;
use super::{Frame, SourceLine};
use crate::os::MappedFile;
use addr2line::gimli::{self, EndianSlice, LittleEndian, SectionId};
use addr2line::{Context, LookupContinuation, LookupResult, SplitDwarfLoad};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::RefCell;

type Slice = EndianSlice<'static, LittleEndian>;

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
    // Declared before `sections`, so dropped before what they point into.
    context: Context<Slice>,
    package: Option<gimli::DwarfPackage<Slice>>,
    sections: Sections,
    /// Units parsed so far, by their offset.
    parsed: RefCell<BTreeSet<usize>>,
    parsed_bytes: RefCell<usize>,
}

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
        SectionId::DebugLoc
            | SectionId::DebugLocLists
            | SectionId::DebugMacinfo
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
        let mut dwarf = load(&sections, &elf, |id| Some(id.name()));
        if let Some(shared) = find_shared(path, &elf) {
            let elf = Elf::parse(sections.keep(&Arc::new(shared)))?;
            dwarf.set_sup(load(&sections, &elf, |id| Some(id.name())));
        }
        let context = Context::from_dwarf(dwarf).ok()?;
        Some(Dwarf {
            context,
            package: open_package(&sections, module),
            sections,
            parsed: RefCell::default(),
            parsed_bytes: RefCell::new(0),
        })
    }

    /// Memory that lookups made this hold, roughly: what the sections unpack
    /// to, and as much again as the units that were looked into.
    pub(super) fn weight(&self) -> usize {
        self.sections.unpacked_bytes() + *self.parsed_bytes.borrow()
    }

    /// The functions at `address`.
    pub(super) fn frames(&self, address: u64) -> Option<Found> {
        let mut lookup = self.context.find_frames(address);
        let mut iterator = loop {
            match lookup {
                LookupResult::Output(output) => break output.ok()?,
                LookupResult::Load { load, continuation } => {
                    lookup = continuation.resume(self.load_split(&load));
                }
            }
        };
        let mut frames = Vec::new();
        let mut qualified = true;
        while frames.len() < DEEPEST
            && let Ok(Some(frame)) = iterator.next()
        {
            let name = frame.function.as_ref();
            let raw = name.and_then(|name| name.raw_name().ok());
            qualified = raw.as_ref().is_some_and(|raw| {
                is_mangled(raw) || !name.is_some_and(|name| mangles(name.language))
            });
            frames.push(Frame {
                function: raw.map(|raw| demangle(&raw)),
                source: frame.location.and_then(|location| {
                    Some(SourceLine {
                        file: location.file?.to_string(),
                        line: location.line.unwrap_or(0),
                        column: location.column.unwrap_or(0),
                    })
                }),
            });
        }
        self.count(address);
        (!frames.is_empty()).then_some(Found { frames, qualified })
    }

    /// Counts the unit of `address` among those parsed.
    fn count(&self, address: u64) {
        if let Some(unit) = self.unit(address)
            && let Some(gimli::DebugInfoOffset(offset)) = unit.header.debug_info_offset()
            && self.parsed.borrow_mut().insert(offset)
        {
            *self.parsed_bytes.borrow_mut() += unit.header.length_including_self();
        }
    }

    /// The unit that holds the code at `address`.
    pub(super) fn unit(&self, address: u64) -> Option<gimli::UnitRef<'_, Slice>> {
        let mut lookup = self.context.find_dwarf_and_unit(address);
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
        let mut dwarf = self::load(&self.sections, &elf, |id| id.dwo_name());
        let header = dwarf.units().next().ok()??;
        let unit = dwarf.unit(header).ok()?;
        if unit.dwo_id != Some(load.dwo_id) {
            return None;
        }
        dwarf.make_dwo(&load.parent);
        Some(Arc::new(dwarf))
    }
}

/// All sections of `elf`.
fn load(
    sections: &Sections,
    elf: &Elf<'static>,
    name: impl Fn(SectionId) -> Option<&'static str>,
) -> gimli::Dwarf<Slice> {
    let loaded = gimli::Dwarf::load(|id| {
        let name = is_read(id).then(|| name(id)).flatten();
        Ok::<_, core::convert::Infallible>(sections.reader(elf, name))
    });
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
    let load = |id: SectionId| {
        let name = is_read(id).then(|| id.dwo_name()).flatten();
        Ok::<_, gimli::Error>(sections.reader(&elf, name))
    };
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
