//! The files whose code the process runs.

use super::InModule;
use super::debug_file::hex;
use super::elf::{self, Elf};
use super::image::Image;
use super::maps::Mapping;
use super::unwind::Position;
use crate::os;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Modules kept after they were unloaded; more means a program that loads and
/// unloads for ever.
const REMEMBERED: usize = 256;

/// Program headers are behind the file header unless a tool moved them.
const HEAD: usize = 4096;

/// The largest note segment worth reading, and the largest vdso.
const SMALL: u64 = 64 << 10;

/// What the kernel calls its own code in every process.
const VDSO: &str = "[vdso]";

/// What the kernel appends to the name of a file that is gone.
const DELETED: &str = " (deleted)";

/// A loaded file.
pub(super) struct Module {
    path: String,
    /// First byte in memory.
    start: u64,
    /// End in memory, zero-filled data included.
    end: u64,
    /// Address in memory minus address in the file.
    bias: u64,
    build_id: Option<Vec<u8>>,
    image: Opened,
}

/// The files of a module, if they were asked for.
enum Opened {
    NotYet,
    No,
    Yes(Box<Image>),
}

impl Module {
    /// The module that begins at `maps[index]`, if one does.
    fn at(maps: &[Mapping], index: usize) -> Option<Module> {
        let first = &maps[index];
        let is_vdso = first.name == VDSO;
        if first.offset != 0 || !(is_vdso || first.name.starts_with('/')) {
            return None;
        }
        let head = head(first)?;
        let elf = Elf::parse(&head)?;
        let at_start = elf
            .loaded()
            .find(|segment| segment.offset < os::PAGE as u64)?;
        let bias = first.start.wrapping_sub(page(at_start.address));
        let last = elf
            .loaded()
            .map(|s| s.address.saturating_add(s.size))
            .max()?;
        let end = bias.wrapping_add(last);
        // A program may map an ELF file just to read it.
        let runs = |map: &Mapping| map.executable && map.name == first.name && map.start < end;
        if end <= first.start || !maps[index..].iter().take(64).any(runs) {
            return None;
        }
        Some(Module {
            path: first.name.to_string(),
            start: first.start,
            end,
            bias,
            build_id: build_id(&elf, bias),
            image: Opened::NotYet,
        })
    }

    fn contains(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }

    fn is_same(&self, other: &Module) -> bool {
        self.start == other.start
            && self.end == other.end
            && self.path == other.path
            && self.build_id == other.build_id
    }

    /// An address in memory as the file counts.
    pub(super) fn file_address(&self, address: u64) -> u64 {
        address.wrapping_sub(self.bias)
    }

    /// An address of the file in memory.
    pub(super) fn memory_address(&self, address: u64) -> u64 {
        address.wrapping_add(self.bias)
    }

    /// The caller of the function at `position`.
    pub(super) fn caller(&mut self, position: &Position, called: bool) -> Option<Position> {
        let bias = self.bias;
        self.image()?.caller(position, bias, called)
    }

    /// How a report names `address`.
    pub(super) fn place(&self, address: u64) -> InModule {
        InModule {
            path: self.path.trim_end_matches(DELETED).to_string(),
            offset: self.file_address(address),
            build_id: self.build_id.as_deref().map(hex),
        }
    }

    /// The files, opened now if need be.
    pub(super) fn image(&mut self) -> Option<&Image> {
        if matches!(self.image, Opened::NotYet) {
            let image = if self.path == VDSO {
                // Its section headers are behind the loaded part, in the same
                // page.
                let end = page(self.end.saturating_add(os::PAGE as u64 - 1));
                let mut bytes = vec![0; (end - self.start).min(SMALL) as usize];
                let got = os::read_memory(self.start, &mut bytes);
                bytes.truncate(got);
                Some(Image::copied(bytes))
            } else {
                // A new file may have taken a deleted one's name; the build
                // id tells.
                let path = self.path.trim_end_matches(DELETED);
                Image::open(path, self.build_id.as_deref())
            };
            self.image = image.map_or(Opened::No, |image| Opened::Yes(Box::new(image)));
        }
        match &self.image {
            Opened::Yes(image) => Some(image),
            _ => None,
        }
    }
}

/// The file header with the program headers behind it. The rewriter, for one,
/// moves them to where they have room.
fn head(first: &Mapping) -> Option<Vec<u8>> {
    const OFFSET: usize = 32;
    const SIZES: usize = 54;
    let mut head = vec![0; HEAD];
    let got = os::read_memory(first.start, &mut head);
    head.truncate(got);
    let offset = u64::from_le_bytes(head.get(OFFSET..OFFSET + 8)?.try_into().ok()?);
    let size = |at: usize| Some(u16::from_le_bytes([*head.get(at)?, *head.get(at + 1)?]));
    let table = usize::from(size(SIZES)?) * usize::from(size(SIZES + 2)?);
    if offset.saturating_add(table as u64) > HEAD as u64 {
        let mut moved = vec![0; table];
        let path = first.name.trim_end_matches(DELETED).as_bytes();
        let read = os::File::open(path).ok()?.read_at(offset, &mut moved);
        if read.is_ok_and(|read| read == table) {
            let place = head.len().next_multiple_of(8);
            head.resize(place, 0);
            head.extend(moved);
            head[OFFSET..OFFSET + 8].copy_from_slice(&(place as u64).to_le_bytes());
        }
    }
    Some(head)
}

fn page(address: u64) -> u64 {
    address & !(os::PAGE as u64 - 1)
}

fn build_id(elf: &Elf<'_>, bias: u64) -> Option<Vec<u8>> {
    elf.notes().find_map(|segment| {
        let mut notes = vec![0; segment.size.min(SMALL) as usize];
        let got = os::read_memory(bias.wrapping_add(segment.address), &mut notes);
        elf::build_id_in_notes(notes.get(..got)?, segment.align)
    })
}

/// All modules, loaded ones first, then those that are gone, latest first.
#[derive(Default)]
pub(super) struct Modules {
    loaded: Vec<Module>,
    gone: Vec<Module>,
}

impl Modules {
    /// An empty list.
    pub(super) const fn new() -> Modules {
        Modules {
            loaded: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Brings the list up to date. Did that change it?
    pub(super) fn refresh(&mut self, maps: &[Mapping]) -> bool {
        let mut before = core::mem::take(&mut self.loaded);
        let mut is_new = false;
        let mut end = 0;
        for (index, map) in maps.iter().enumerate() {
            if map.start < end {
                continue;
            }
            let Some(module) = Module::at(maps, index) else {
                continue;
            };
            end = module.end;
            let known = before.iter().position(|old| old.is_same(&module));
            self.loaded.push(match known {
                Some(known) => before.swap_remove(known),
                None => {
                    is_new = true;
                    module
                }
            });
        }
        let changed = is_new || !before.is_empty();
        for mut module in before {
            module.image = Opened::NotYet;
            self.gone.retain(|old| !old.is_same(&module));
            self.gone.insert(0, module);
        }
        self.gone.truncate(REMEMBERED);
        changed
    }

    /// The module that holds or held `address`.
    pub(super) fn find(&mut self, address: u64) -> Option<&mut Module> {
        let mut all = self.loaded.iter_mut().chain(self.gone.iter_mut());
        all.find(|module| module.contains(address))
    }

    /// The program itself: the kernel maps it below everything else.
    pub(super) fn program(&mut self) -> Option<&mut Module> {
        self.loaded.first_mut()
    }

    /// Memory held for lookups, roughly.
    pub(super) fn weight(&self) -> usize {
        let all = self.loaded.iter().chain(&self.gone);
        all.map(|module| match &module.image {
            Opened::Yes(image) => image.weight(),
            _ => 0,
        })
        .sum()
    }

    /// Closes all files.
    pub(super) fn close_images(&mut self) {
        for module in self.loaded.iter_mut().chain(self.gone.iter_mut()) {
            module.image = Opened::NotYet;
        }
    }
}
