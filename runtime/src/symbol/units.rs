//! One compilation unit at a time.
//!
//! addr2line prepares every unit of a file before the first lookup, which
//! costs some 20 KiB each: tens of megabytes in a large program, when a report
//! needs five units. So it gets to see one unit: a copy of `.debug_info` in
//! which everything before and behind that unit is covered by the header of a
//! unit it cannot use. Offsets stay what they were, and pages of the copy that
//! nobody looks at do not exist. A unit that refers to another one (link-time
//! optimisation does that) is noticed by the error of the lookup; the caller
//! then falls back to the whole file.

use super::dwarf::{Slice, from_readers};
use crate::os;
use addr2line::Context;
use addr2line::gimli::{
    self, DebugInfoOffset, Dwarf, EndianSlice, LittleEndian, Section as _, SectionId,
};
use alloc::vec::Vec;

/// Overlapping ranges that a lookup goes through; sound files have none.
const OVERLAPS: usize = 16;

/// Where the code of each unit is.
pub(super) struct UnitIndex {
    /// Begin, end, and the unit's offset in `.debug_info`; sorted.
    ranges: Vec<(u64, u64, usize)>,
}

impl UnitIndex {
    /// Reads the ranges of all units.
    pub(super) fn new(dwarf: &Dwarf<Slice>) -> UnitIndex {
        let mut ranges = Vec::new();
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let Some(DebugInfoOffset(offset)) = header.debug_info_offset() else {
                continue;
            };
            let is_code = matches!(
                header.type_(),
                gimli::UnitType::Compilation | gimli::UnitType::Skeleton(_)
            );
            if !is_code {
                continue;
            }
            let Ok(unit) = dwarf.unit(header) else {
                continue;
            };
            let Ok(mut of_unit) = dwarf.unit_ranges(&unit) else {
                continue;
            };
            while let Ok(Some(range)) = of_unit.next() {
                // The linker leaves functions it dropped at 0.
                if range.begin != 0 && range.begin < range.end {
                    ranges.push((range.begin, range.end, offset));
                }
            }
        }
        ranges.sort_unstable();
        ranges.shrink_to_fit();
        UnitIndex { ranges }
    }

    /// The unit with the code at `address`.
    pub(super) fn find(&self, address: u64) -> Option<usize> {
        let behind = self.ranges.partition_point(|range| range.0 <= address);
        let before = self.ranges.get(..behind)?.iter().rev();
        before
            .take(OVERLAPS)
            .find(|(_, end, _)| address < *end)
            .map(|(_, _, offset)| *offset)
    }

    /// Bytes of memory that it takes.
    pub(super) fn weight(&self) -> usize {
        self.ranges.capacity() * size_of::<(u64, u64, usize)>()
    }
}

/// What addr2line knows about one unit.
pub(super) struct UnitContext {
    // Declared before `window`, so dropped before what it points into.
    context: Context<Slice>,
    window: Window,
    offset: usize,
}

impl UnitContext {
    /// Prepares the unit at `offset` of `dwarf`, whose sections are `readers`.
    pub(super) fn new(
        dwarf: &Dwarf<Slice>,
        readers: &[(SectionId, Slice)],
        offset: usize,
    ) -> Option<UnitContext> {
        let header = dwarf.unit_header(DebugInfoOffset(offset)).ok()?;
        let len = header.length_including_self();
        let window = Window::new(dwarf.debug_info.reader().slice(), offset, len)?;
        // SAFETY: the window stays mapped and unchanged until the context,
        // the only user of the slice, is dropped.
        let info: &'static [u8] = unsafe { core::slice::from_raw_parts(window.start, window.len) };
        let alone = from_readers(|id| match id {
            SectionId::DebugInfo => EndianSlice::new(info, LittleEndian),
            // Speaks of the other units too.
            SectionId::DebugAranges => EndianSlice::new(&[], LittleEndian),
            _ => {
                let reader = readers.iter().find(|(other, _)| *other == id);
                reader.map_or(EndianSlice::new(&[], LittleEndian), |(_, reader)| *reader)
            }
        });
        let context = Context::from_dwarf(alone).ok()?;
        Some(UnitContext {
            context,
            window,
            offset,
        })
    }

    /// The context. Nothing borrowed from it may outlive `self`.
    pub(super) fn context(&self) -> &Context<Slice> {
        &self.context
    }

    /// Which unit it is.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// Bytes of memory that it takes, roughly: the copy, and as much again for
    /// what was parsed.
    pub(super) fn weight(&self) -> usize {
        self.window.copied * 2
    }
}

/// A copy of `.debug_info` with one unit in it.
struct Window {
    start: *mut u8,
    len: usize,
    copied: usize,
}

// SAFETY: the memory belongs to the window alone.
unsafe impl Send for Window {}

impl Window {
    /// Copies `len` bytes at `offset` of `info`.
    fn new(info: &[u8], offset: usize, len: usize) -> Option<Window> {
        let unit = info.get(offset..)?.get(..len)?;
        let behind = offset.checked_add(len)?;
        let before = filler(offset)?;
        let after = filler(info.len() - behind)?;
        let start = os::map(info.len()).ok()?;
        let window = Window {
            start,
            len: info.len(),
            copied: len,
        };
        // SAFETY: new memory of that size that nobody else has.
        let bytes = unsafe { core::slice::from_raw_parts_mut(start, info.len()) };
        bytes[..before.len()].copy_from_slice(&before);
        bytes[offset..behind].copy_from_slice(unit);
        bytes[behind..behind + after.len()].copy_from_slice(&after);
        Some(window)
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        os::unmap(self.start, self.len);
    }
}

/// The header of a unit of `len` bytes that is passed over: its abbreviations
/// are where no section reaches. `None` if there is no such header.
fn filler(len: usize) -> Option<Vec<u8>> {
    const HEADER: usize = 11;
    if len == 0 {
        return Some(Vec::new());
    }
    // From 0xfffffff0 on, a length means another format.
    let rest = u32::try_from(len.checked_sub(4)?).ok()?;
    if len < HEADER || rest >= 0xffff_fff0 {
        return None;
    }
    let mut header = Vec::with_capacity(HEADER);
    header.extend_from_slice(&rest.to_le_bytes());
    header.extend_from_slice(&4u16.to_le_bytes()); // version
    header.extend_from_slice(&u32::MAX.to_le_bytes()); // abbreviations
    header.push(8); // bytes of an address
    Some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers() {
        assert_eq!(filler(0).unwrap().len(), 0);
        assert!(filler(10).is_none());
        assert_eq!(filler(11).unwrap()[..6], [7, 0, 0, 0, 4, 0]);
        assert!(filler(5 << 30).is_none());
    }

    #[test]
    fn a_window_keeps_offsets() {
        let info: Vec<u8> = (0..100).collect();
        let window = Window::new(&info, 20, 30).unwrap();
        // SAFETY: the window's own memory.
        let bytes = unsafe { core::slice::from_raw_parts(window.start, window.len) };
        assert_eq!(bytes.len(), 100);
        assert_eq!(bytes[20..50], info[20..50]);
        assert_eq!(bytes[0], 16);
        assert_eq!(bytes[50], 46);
        assert!(Window::new(&info, 20, 81).is_none());
        assert!(Window::new(&info, 5, 20).is_none());
    }
}
