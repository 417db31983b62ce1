//! Where heap blocks start.
//!
//! One bit per 16 bytes of address space says whether one of our blocks starts
//! there. It tells our blocks (with a header) from libc's own (allocated before
//! the runtime started, or by libc for itself), exactly and without touching
//! the block. Read backwards, it leads from any address to the block around it.
//!
//! 2^47 / 16 bits are 1 TiB of reserved address space of which a program
//! touches 1/128 of its heap. A second level, one bit per page of the first,
//! lets the backward search skip what was never touched.

use crate::os::{self, Errno};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

const ADDRESS_BITS: u32 = 47;
/// log2 of the bytes a bit stands for: malloc's alignment.
const UNIT_SHIFT: u32 = 4;
/// log2 of the bytes a 64-bit word of the map stands for.
const WORD_SHIFT: u32 = UNIT_SHIFT + 6;
/// log2 of the bytes a page of the map stands for: 512 KiB.
const PAGE_SHIFT: u32 = WORD_SHIFT + 9;
/// log2 of the bytes a 64-bit word of the second level stands for: 32 MiB.
const GROUP_SHIFT: u32 = PAGE_SHIFT + 6;

const MAP_BYTES: usize = 1 << (ADDRESS_BITS - UNIT_SHIFT - 3);
const PAGES_BYTES: usize = 1 << (ADDRESS_BITS - PAGE_SHIFT - 3);

/// The map; see the module's comment.
pub(super) struct Bitmap {
    /// Address of the map, then of the second level; 0 until reserved.
    base: AtomicUsize,
    /// Size of the largest block ever marked: how far back a search must look.
    largest: AtomicUsize,
}

impl Bitmap {
    /// A map without memory: nothing is marked.
    pub(super) const fn new() -> Self {
        Bitmap {
            base: AtomicUsize::new(0),
            largest: AtomicUsize::new(0),
        }
    }

    /// Reserves the memory.
    pub(super) fn reserve(&self) -> Result<(), Errno> {
        let base = os::map(MAP_BYTES + PAGES_BYTES)? as usize;
        os::advise_no_huge_pages(base, MAP_BYTES + PAGES_BYTES);
        os::advise_dont_dump(base, MAP_BYTES + PAGES_BYTES);
        self.base.store(base, Ordering::Release);
        Ok(())
    }

    fn word(base: usize, addr: usize) -> &'static AtomicU64 {
        // SAFETY: inside the reservation, which is never given back; callers
        // pass addresses below 2^47.
        unsafe { &*((base + (addr >> WORD_SHIFT) * 8) as *const AtomicU64) }
    }

    fn pages(base: usize, addr: usize) -> &'static AtomicU64 {
        // SAFETY: as above.
        unsafe { &*((base + MAP_BYTES + (addr >> GROUP_SHIFT) * 8) as *const AtomicU64) }
    }

    fn bit(addr: usize) -> u64 {
        1 << ((addr >> UNIT_SHIFT) & 63)
    }

    fn base_for(&self, addr: usize) -> Option<usize> {
        let base = self.base.load(Ordering::Acquire);
        let possible = base != 0 && addr & 15 == 0 && addr >> ADDRESS_BITS == 0;
        possible.then_some(base)
    }

    /// Notes that a block of `size` bytes starts at `addr`.
    pub(super) fn mark(&self, addr: usize, size: usize) {
        let Some(base) = self.base_for(addr) else {
            panic!("a heap block at {addr:#x}");
        };
        if size > self.largest.load(Ordering::Relaxed) {
            self.largest.fetch_max(size, Ordering::Relaxed);
        }
        let pages = Self::pages(base, addr);
        let page_bit = 1 << ((addr >> PAGE_SHIFT) & 63);
        if pages.load(Ordering::Relaxed) & page_bit == 0 {
            pages.fetch_or(page_bit, Ordering::Relaxed);
        }
        Self::word(base, addr).fetch_or(Self::bit(addr), Ordering::Release);
    }

    /// Does one of our blocks start at `addr`?
    pub(super) fn is_marked(&self, addr: usize) -> bool {
        self.base_for(addr).is_some_and(|base| {
            Self::word(base, addr).load(Ordering::Acquire) & Self::bit(addr) != 0
        })
    }

    /// Takes the mark away; true if it was there.
    pub(super) fn unmark(&self, addr: usize) -> bool {
        self.base_for(addr).is_some_and(|base| {
            let bit = Self::bit(addr);
            Self::word(base, addr).fetch_and(!bit, Ordering::AcqRel) & bit != 0
        })
    }

    /// The last block that starts at or before `addr`, unless even the largest
    /// block could not reach from there to `addr`.
    pub(super) fn last_start(&self, addr: usize) -> Option<usize> {
        let base = self.base_for(addr & !15)?;
        let floor = addr.saturating_sub(self.largest.load(Ordering::Relaxed));
        let mut at = addr;
        loop {
            // Bits of pages up to and including the one `at` lies in.
            let touched = Self::pages(base, at).load(Ordering::Relaxed) & up_to(at >> PAGE_SHIFT);
            if touched == 0 {
                at = (at >> GROUP_SHIFT << GROUP_SHIFT).checked_sub(1)?;
            } else {
                let page = (at >> GROUP_SHIFT << 6) + touched.ilog2() as usize;
                at = at.min((page << PAGE_SHIFT) + (1 << PAGE_SHIFT) - 1);
                let page_start = page << PAGE_SHIFT;
                if let Some(found) = Self::last_in_page(base, at, page_start) {
                    return (found >= floor & !15).then_some(found);
                }
                at = page_start.checked_sub(1)?;
            }
            if at < floor & !15 {
                return None;
            }
        }
    }

    fn last_in_page(base: usize, at: usize, page_start: usize) -> Option<usize> {
        let mut at = at;
        loop {
            let marks = Self::word(base, at).load(Ordering::Acquire) & up_to(at >> UNIT_SHIFT);
            if marks != 0 {
                let first = at >> WORD_SHIFT << WORD_SHIFT;
                return Some(first + ((marks.ilog2() as usize) << UNIT_SHIFT));
            }
            at = (at >> WORD_SHIFT << WORD_SHIFT).checked_sub(1)?;
            if at < page_start {
                return None;
            }
        }
    }
}

/// The bits 0 to `index % 64`.
fn up_to(index: usize) -> u64 {
    u64::MAX >> (63 - (index & 63))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn map() -> Bitmap {
        let map = Bitmap::new();
        map.reserve().unwrap();
        map
    }

    #[test]
    fn without_memory_nothing_is_marked() {
        let map = Bitmap::new();
        assert!(!map.is_marked(0x1000));
        assert!(!map.unmark(0x1000));
        assert_eq!(map.last_start(0x1000), None);
    }

    #[test]
    fn marks_are_exact() {
        let map = map();
        map.mark(0x7f00_0000_1010, 8);
        assert!(map.is_marked(0x7f00_0000_1010));
        for other in [
            0x7f00_0000_1000,
            0x7f00_0000_1020,
            0x7f00_0000_1018,
            0,
            usize::MAX,
        ] {
            assert!(!map.is_marked(other), "{other:#x}");
        }
        assert!(map.unmark(0x7f00_0000_1010));
        assert!(!map.unmark(0x7f00_0000_1010));
    }

    #[test]
    fn the_search_does_not_look_further_back_than_the_largest_block() {
        let map = map();
        map.mark(0x5555_0000_0000, 1 << 20);
        assert_eq!(
            map.last_start(0x5555_0000_0000 + (1 << 20)),
            Some(0x5555_0000_0000)
        );
        assert_eq!(map.last_start(0x5555_0000_0000 + (1 << 20) + 16), None);
        assert_eq!(map.last_start(0x5555_0000_0000 - 1), None);
    }

    #[test]
    fn the_search_agrees_with_an_ordered_map() {
        let map = map();
        let mut reference = BTreeMap::new();
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 20) as usize
        };
        let largest = 300 << 20;
        map.mark(0x1000_0000, largest);
        reference.insert(0x1000_0000, ());
        for _ in 0..3000 {
            // Dense in one place, sparse over gigabytes in another.
            let addr = match random() % 2 {
                0 => 0x5000_0000_0000 + random() % (1 << 20),
                _ => 0x5000_0000_0000 + random() % (1 << 33),
            } & !15;
            if random() % 4 == 0 {
                assert_eq!(map.unmark(addr), reference.remove(&addr).is_some());
            } else {
                map.mark(addr, 16);
                reference.insert(addr, ());
            }
            let probe = 0x5000_0000_0000 + random() % (1 << 33);
            let expected = reference.range(..=probe).next_back().map(|(a, ())| *a);
            let expected = expected.filter(|a| *a >= (probe - largest) & !15);
            assert_eq!(map.last_start(probe), expected, "{probe:#x}");
        }
    }
}
