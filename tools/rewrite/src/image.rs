//! The ELF file as the rewriter sees it.
//!
//! Everything is checked here once: later modules may rely on segments that
//! lie inside the file and do not overlap.

use std::ops::Range;

use object::LittleEndian;
use object::elf;
use object::read::elf::{FileHeader, ProgramHeader, Rela, SectionHeader, Sym};

use crate::error::{Error, Result};

type Header = elf::FileHeader64<LittleEndian>;
const LE: LittleEndian = LittleEndian;

/// Where addresses end: what lies closer together than that is within reach of
/// all code.
pub(super) const ADDRESSES: u64 = 1 << 31;

/// The size of a page, and so the alignment of what is added.
pub(super) const PAGE: u64 = 4096;

/// A loaded part of the file.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) offset: u64,
    pub(super) address: u64,
    pub(super) file_size: u64,
    pub(super) memory_size: u64,
    pub(super) writable: bool,
}

/// A named part of the file.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) range: Range<u64>,
    pub(super) executable: bool,
}

/// A function symbol.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) address: u64,
    pub(super) resolver: bool,
}

/// A checked x86-64 shared object or position-independent executable.
pub struct Image {
    /// The file.
    pub bytes: Vec<u8>,
    pub(super) segments: Vec<Segment>,
    pub(super) sections: Vec<Section>,
    pub(super) symbols: Vec<Symbol>,
    /// Addresses that relocations store somewhere.
    pub(super) pointers: Vec<u64>,
    /// Where relocations store addresses of this file, and which, by place.
    filled: Vec<(u64, u64)>,
    /// Functions the loader calls to choose an implementation.
    pub(super) resolvers: Vec<u64>,
    /// Written by the loader only.
    pub(super) sealed: Range<u64>,
    pub(super) entry: u64,
    /// What the linker has named the file by.
    pub build_id: Option<Vec<u8>>,
}

fn refuse(message: &str) -> Error {
    Error::new(message)
}

fn damaged(what: impl std::fmt::Display) -> Error {
    Error::new(format!("the file is damaged: {what}"))
}

impl Image {
    /// Reads and checks a file.
    pub fn read(bytes: Vec<u8>) -> Result<Image> {
        recognise(&bytes)?;
        let data = bytes.as_slice();
        let header = Header::parse(data).map_err(damaged)?;
        let programs = header.program_headers(LE, data).map_err(damaged)?;
        let mut segments = Vec::new();
        let mut sealed = 0..0;
        for program in programs {
            let segment = Segment {
                offset: program.p_offset(LE),
                address: program.p_vaddr(LE),
                file_size: program.p_filesz(LE),
                memory_size: program.p_memsz(LE),
                writable: program.p_flags(LE).0 & 2 != 0,
            };
            let end = segment.address.checked_add(segment.memory_size);
            match program.p_type(LE) {
                elf::PT_LOAD => {}
                elf::PT_GNU_RELRO => {
                    sealed = segment.address..end.unwrap_or(segment.address);
                    continue;
                }
                _ => continue,
            }
            let in_file = segment.offset.checked_add(segment.file_size);
            if in_file.is_none_or(|end| end > data.len() as u64) {
                return Err(refuse(
                    "the file is truncated: a segment ends behind the file",
                ));
            }
            if end.is_none_or(|end| end > ADDRESSES) || segment.file_size > segment.memory_size {
                return Err(damaged("impossible segment sizes"));
            }
            segments.push(segment);
        }
        if segments.is_empty() {
            return Err(damaged("nothing to load"));
        }
        let apart = segments
            .windows(2)
            .all(|pair| pair[0].address + pair[0].memory_size <= pair[1].address);
        if !apart {
            return Err(damaged("segments overlap or are out of order"));
        }
        let mut image = Image {
            segments,
            sealed,
            entry: header.e_entry(LE),
            sections: Vec::new(),
            symbols: Vec::new(),
            pointers: Vec::new(),
            filled: Vec::new(),
            resolvers: Vec::new(),
            build_id: None,
            bytes: Vec::new(),
        };
        image.read_sections(header, data)?;
        image.bytes = bytes;
        Ok(image)
    }

    fn read_sections(&mut self, header: &Header, data: &[u8]) -> Result<()> {
        let sections = header.sections(LE, data).map_err(|e| {
            refuse("the file is truncated or damaged").hint(format!("section headers: {e}"))
        })?;
        if sections.is_empty() {
            return Err(refuse(
                "the file has no section headers (stripped of them, or packed)",
            ));
        }
        let dynamic = sections
            .symbols(LE, data, elf::SHT_DYNSYM)
            .map_err(damaged)?;
        for section in sections.iter() {
            let flags = section.sh_flags(LE).0;
            let start = section.sh_addr(LE);
            let size = section.sh_size(LE);
            if start == 0 || flags & 2 == 0 {
                continue;
            }
            let name = sections.section_name(LE, section).unwrap_or_default();
            let end = start.checked_add(size).filter(|&end| end <= ADDRESSES);
            let end = end.ok_or_else(|| damaged("impossible section sizes"))?;
            let executable = flags & 4 != 0;
            if executable && end > start && !self.is_in_file(start..end) {
                return Err(damaged("a section of code lies outside of the file"));
            }
            self.sections.push(Section {
                name: String::from_utf8_lossy(name).into_owned(),
                range: start..end,
                executable,
            });
            if let Ok(Some((relocations, _))) = section.rela(LE, data) {
                for relocation in relocations {
                    let addend = relocation.r_addend(LE) as u64;
                    let place = relocation.r_offset(LE);
                    match relocation.r_type(LE, false) {
                        elf::R_X86_64_RELATIVE => {
                            self.pointers.push(addend);
                            self.filled.push((place, addend));
                        }
                        elf::R_X86_64_GLOB_DAT | elf::R_X86_64_64 => {
                            let index = relocation.r_sym(LE, false) as usize;
                            let symbol = dynamic.symbol(object::SymbolIndex(index));
                            let address = symbol.map_or(0, |symbol| symbol.st_value(LE));
                            self.filled.push((place, address.wrapping_add(addend)));
                        }
                        elf::R_X86_64_IRELATIVE => self.resolvers.push(addend),
                        _ => {}
                    }
                }
            }
            if let Ok(Some(places)) = section.relr(LE, data) {
                for place in places {
                    if let Some(value) = self.stored(data, place) {
                        self.pointers.push(value);
                        self.filled.push((place, value));
                    }
                }
            }
            if let Ok(Some(mut notes)) = section.notes(LE, data) {
                while let Ok(Some(note)) = notes.next() {
                    if note.name() == b"GNU" && note.n_type(LE) == elf::NT_GNU_BUILD_ID {
                        self.build_id = Some(note.desc().to_vec());
                    }
                }
            }
        }
        for kind in [elf::SHT_DYNSYM, elf::SHT_SYMTAB] {
            let table = sections.symbols(LE, data, kind).map_err(damaged)?;
            for symbol in table.iter() {
                let (address, kind) = (symbol.st_value(LE), symbol.st_type());
                let code = kind == elf::STT_FUNC || kind == elf::STT_GNU_IFUNC;
                if address == 0 || !(code || kind == elf::STT_NOTYPE) {
                    continue;
                }
                let name = table.symbol_name(LE, symbol).unwrap_or_default();
                self.symbols.push(Symbol {
                    name: String::from_utf8_lossy(name).into_owned(),
                    address,
                    resolver: kind == elf::STT_GNU_IFUNC,
                });
            }
        }
        self.filled.sort_unstable();
        let resolvers = self.symbols.iter().filter(|symbol| symbol.resolver);
        self.resolvers
            .extend(resolvers.map(|symbol| symbol.address));
        self.symbols
            .sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        Ok(())
    }

    fn stored(&self, data: &[u8], address: u64) -> Option<u64> {
        let at = self.offset(address)? as usize;
        let bytes = data.get(at..at.checked_add(8)?)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    /// The address that the loader probably stores at `place`.
    pub(super) fn filled(&self, place: u64) -> Option<u64> {
        let at = self.filled.binary_search_by_key(&place, |pair| pair.0);
        at.ok().map(|at| self.filled[at].1)
    }

    /// Where the byte at `address` is in the file.
    pub(super) fn offset(&self, address: u64) -> Option<u64> {
        self.segments.iter().find_map(|segment| {
            let into = address.checked_sub(segment.address)?;
            (into < segment.file_size).then_some(segment.offset + into)
        })
    }

    /// Does one segment bring all of these bytes?
    fn is_in_file(&self, range: Range<u64>) -> bool {
        self.segments.iter().any(|segment| {
            let bytes = segment.address..segment.address + segment.file_size;
            bytes.start <= range.start && range.end <= bytes.end
        })
    }

    /// The bytes of a range of addresses.
    pub(super) fn slice(&self, range: Range<u64>) -> Option<&[u8]> {
        let len = range.end.checked_sub(range.start)? as usize;
        let at = self.offset(range.start)? as usize;
        self.bytes.get(at..at.checked_add(len)?)
    }

    /// The four bytes at `address` as a signed number.
    pub(super) fn i32_at(&self, address: u64) -> Option<i32> {
        let bytes = self.slice(address..address.checked_add(4)?)?;
        Some(i32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// The section of that name.
    pub(super) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Can nothing but the loader write there?
    pub(super) fn is_constant(&self, address: u64) -> bool {
        self.constants(address).is_some()
    }

    /// All around `address` that nothing but the loader can write.
    pub(super) fn constants(&self, address: u64) -> Option<Range<u64>> {
        let ranges = self.segments.iter().filter(|s| !s.writable);
        let mut ranges = ranges
            .map(|s| s.address..s.address + s.memory_size)
            .chain([self.sealed.clone()]);
        ranges.find(|range| range.contains(&address))
    }

    /// The first address behind everything, on a page of its own.
    pub(super) fn end(&self) -> u64 {
        let ends = self.segments.iter().map(|s| s.address + s.memory_size);
        ends.max().unwrap_or(0).next_multiple_of(PAGE)
    }

    /// Has the rewriter made this file?
    pub(super) fn is_rewritten(&self) -> bool {
        self.segments.iter().any(|segment| {
            segment.writable
                && self
                    .slice(segment.address..segment.address + 16)
                    .is_some_and(|bytes| bytes == racert_abi::rewritten::MAGIC)
        })
    }
}

/// Says in the user's words why a file cannot be an x86-64 library.
fn recognise(data: &[u8]) -> Result<()> {
    if data.len() < 4 || data[..4] != elf::ELFMAG {
        return Err(refuse("not an ELF file"));
    }
    let Some(ident) = data.get(..64) else {
        return Err(refuse("the file is truncated: it ends in the ELF header"));
    };
    if ident[4] != 2 {
        return Err(refuse("a 32-bit file; only x86-64 can be rewritten"));
    }
    if ident[5] != 1 {
        return Err(refuse("a big-endian file; only x86-64 can be rewritten"));
    }
    let half = |at: usize| u16::from_le_bytes([ident[at], ident[at + 1]]);
    let machine = half(18);
    if machine != 62 {
        let name = match machine {
            183 => " (AArch64)",
            243 => " (RISC-V)",
            21 => " (PowerPC)",
            _ => "",
        };
        return Err(refuse(&format!(
            "made for another processor{name}; only x86-64 can be rewritten"
        )));
    }
    match half(16) {
        3 => Ok(()),
        2 => Err(refuse(
            "an executable with fixed addresses; only position-independent ones can be rewritten",
        )),
        1 => Err(refuse("an object file; rewrite what is linked from it")),
        _ => Err(refuse("neither a shared library nor an executable")),
    }
}

#[cfg(test)]
impl Image {
    /// A file with segments of a page each, by address and whether they are
    /// writable.
    pub(super) fn for_tests(segments: &[(u64, bool)], filled: &[(u64, u64)]) -> Image {
        let segments = segments.iter().map(|&(address, writable)| Segment {
            offset: address,
            address,
            file_size: PAGE,
            memory_size: PAGE,
            writable,
        });
        Image {
            bytes: Vec::new(),
            segments: segments.collect(),
            sections: Vec::new(),
            symbols: Vec::new(),
            pointers: Vec::new(),
            filled: filled.to_vec(),
            resolvers: Vec::new(),
            sealed: 0..0,
            entry: 0,
            build_id: None,
        }
    }
}
