//! The parts of an ELF file that symbolising needs.
//!
//! Every answer is an `Option`: a table that is cut off, missing or nonsense
//! is the same as no table.

use super::decompress::{Section, decompress};
use alloc::vec::Vec;
use object::elf::{
    self, FileHeader64, NT_GNU_BUILD_ID, PT_LOAD, PT_NOTE, PT_TLS, SHT_DYNSYM, SHT_SYMTAB,
    STB_GLOBAL, STB_WEAK, STT_COMMON, STT_FUNC, STT_GNU_IFUNC, STT_NOTYPE, STT_OBJECT, STT_TLS,
};
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader, SectionHeader, Sym};
use object::{LittleEndian, SymbolIndex};

const LE: LittleEndian = LittleEndian;
type Header = FileHeader64<LittleEndian>;

/// What a symbol must be to answer a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wanted {
    /// A function.
    Code,
    /// A variable.
    Data,
    /// A thread-local variable; addresses are offsets in the TLS template.
    ThreadLocal,
}

/// A symbol that covers an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symbol<'a> {
    /// As it stands in the table.
    pub(super) name: &'a [u8],
    /// First byte.
    pub(super) start: u64,
    /// Size; 0 if the table does not say.
    pub(super) size: u64,
}

/// A loadable or thread-local part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) offset: u64,
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) align: u64,
}

/// An ELF file or the beginning of one.
#[derive(Clone, Copy)]
pub(super) struct Elf<'a> {
    header: &'a Header,
    data: &'a [u8],
}

impl<'a> Elf<'a> {
    /// Looks at the file header.
    pub(super) fn parse(data: &'a [u8]) -> Option<Elf<'a>> {
        let header = Header::parse(data).ok()?;
        header.is_little_endian().then_some(Elf { header, data })
    }

    /// The program headers of one type.
    fn headers_of(&self, kind: elf::ProgramType) -> impl Iterator<Item = Segment> {
        let headers = self.header.program_headers(LE, self.data);
        headers
            .unwrap_or(&[])
            .iter()
            .filter(move |header| header.p_type(LE) == kind)
            .map(|header| Segment {
                offset: header.p_offset(LE),
                address: header.p_vaddr(LE),
                size: header.p_memsz(LE),
                align: header.p_align(LE),
            })
    }

    /// The parts that are mapped.
    pub(super) fn loaded(&self) -> impl Iterator<Item = Segment> {
        self.headers_of(PT_LOAD)
    }

    /// The TLS template.
    pub(super) fn thread_local(&self) -> Option<Segment> {
        self.headers_of(PT_TLS).next()
    }

    /// The note segments.
    pub(super) fn notes(&self) -> impl Iterator<Item = Segment> {
        self.headers_of(PT_NOTE)
    }

    /// The build id, from the sections (debug files have no segment contents).
    pub(super) fn build_id(&self) -> Option<Vec<u8>> {
        let sections = self.header.sections(LE, self.data).ok()?;
        sections.iter().find_map(|section| {
            let mut notes = section.notes(LE, self.data).ok()??;
            while let Ok(Some(note)) = notes.next() {
                if note.name() == elf::ELF_NOTE_GNU && note.n_type(LE) == NT_GNU_BUILD_ID {
                    return Some(note.desc().to_vec());
                }
            }
            None
        })
    }

    /// Where section `name` is loaded.
    pub(super) fn section_address(&self, name: &str) -> Option<u64> {
        let sections = self.header.sections(LE, self.data).ok()?;
        let (_, section) = sections.section_by_name(LE, name.as_bytes())?;
        Some(section.sh_addr(LE))
    }

    /// Is there a section `name`?
    pub(super) fn has_section(&self, name: &str) -> bool {
        let sections = self.header.sections(LE, self.data);
        sections.is_ok_and(|sections| sections.section_by_name(LE, name.as_bytes()).is_some())
    }

    /// Address and bytes of section `name`.
    pub(super) fn section_at(&self, name: &str) -> Option<(u64, &'a [u8])> {
        let sections = self.header.sections(LE, self.data).ok()?;
        let (_, section) = sections.section_by_name(LE, name.as_bytes())?;
        Some((section.sh_addr(LE), section.data(LE, self.data).ok()?))
    }

    /// The bytes of section `name`, unpacked if they are compressed.
    pub(super) fn section(&self, name: &str) -> Option<Section<'a>> {
        let sections = self.header.sections(LE, self.data).ok()?;
        if let Some((_, section)) = sections.section_by_name(LE, name.as_bytes()) {
            let Some((header, offset, size)) = section.compression(LE, self.data).ok()? else {
                return section.data(LE, self.data).ok().map(Section::Stored);
            };
            let packed = self
                .data
                .get(usize::try_from(offset).ok()?..)?
                .get(..usize::try_from(size).ok()?)?;
            return decompress(header.ch_type.get(LE), header.ch_size.get(LE), packed);
        }
        // The older form: `.zdebug_info`, "ZLIB", big-endian size, zlib.
        let rest = name.strip_prefix(".debug_")?;
        let (_, section) =
            sections.section_by_name(LE, [b".zdebug_", rest.as_bytes()].concat().as_slice())?;
        let data = section.data(LE, self.data).ok()?.strip_prefix(b"ZLIB")?;
        let (size, packed) = data.split_first_chunk::<8>()?;
        decompress(elf::ELFCOMPRESS_ZLIB, u64::from_be_bytes(*size), packed)
    }

    /// The symbol that covers `address`, from the full table if there is one.
    pub(super) fn symbol(&self, address: u64, wanted: Wanted) -> Option<Symbol<'a>> {
        self.symbol_in(SHT_SYMTAB, address, wanted)
            .or_else(|| self.symbol_in(SHT_DYNSYM, address, wanted))
    }

    /// Reads the table from end to end: it is rarely asked, and an index of
    /// half a million symbols would cost more memory than the report.
    fn symbol_in(
        &self,
        table: elf::SectionType,
        address: u64,
        wanted: Wanted,
    ) -> Option<Symbol<'a>> {
        let sections = self.header.sections(LE, self.data).ok()?;
        let symbols = sections.symbols(LE, self.data, table).ok()?;
        let mut best: Option<(Rank, SymbolIndex)> = None;
        for (index, symbol) in symbols.enumerate() {
            let start = symbol.st_value(LE);
            let size = symbol.st_size(LE);
            if symbol.is_undefined(LE) || start > address || !is(symbol.st_type(), wanted) {
                continue;
            }
            // Hand-written code often lacks sizes: then the nearest label
            // before the address, if nothing better turns up.
            let covers = address - start < size;
            if !covers && (size != 0 || wanted != Wanted::Code) {
                continue;
            }
            let rank = Rank {
                covers,
                start,
                binding: match symbol.st_bind() {
                    STB_GLOBAL => 2,
                    STB_WEAK => 1,
                    _ => 0,
                },
            };
            if best.is_none_or(|(best, _)| best < rank) {
                best = Some((rank, index));
            }
        }
        let (_, index) = best?;
        let symbol = symbols.symbol(index).ok()?;
        let name = symbols.symbol_name(LE, symbol).ok()?;
        (!name.is_empty()).then_some(Symbol {
            name,
            start: symbol.st_value(LE),
            size: symbol.st_size(LE),
        })
    }
}

/// Which of several symbols at an address to name: greater is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    covers: bool,
    start: u64,
    binding: u8,
}

fn is(kind: elf::SymbolType, wanted: Wanted) -> bool {
    match wanted {
        Wanted::Code => matches!(kind, STT_FUNC | STT_GNU_IFUNC | STT_NOTYPE),
        Wanted::Data => matches!(kind, STT_OBJECT | STT_COMMON),
        Wanted::ThreadLocal => kind == STT_TLS,
    }
}

/// The build id among the notes in `data`, the contents of a note segment.
pub(super) fn build_id_in_notes(data: &[u8], align: u64) -> Option<Vec<u8>> {
    let mut notes = NoteIterator::<Header>::new(LE, align, data).ok()?;
    while let Ok(Some(note)) = notes.next() {
        if note.name() == elf::ELF_NOTE_GNU && note.n_type(LE) == NT_GNU_BUILD_ID {
            return Some(note.desc().to_vec());
        }
    }
    None
}
