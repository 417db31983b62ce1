//! Cells: the records of granules that more than one slot has touched.
//!
//! A cell holds one record a slot. The granule's shadow word then refers to it
//! and carries the lock that guards it:
//!
//! ```text
//!  63      52 51            21 20     5 4    1  0
//! +----------+----------------+---------+------+---+
//! |   4095   |     index      | version | size | L |
//! +----------+----------------+---------+------+---+
//! ```
//!
//! `size` is the logarithm of the capacity; `version` changes whenever a cell
//! changes hands, so that a reader that looks without the lock can tell that
//! the cell it looked into was still the same one.
//!
//! Cells live in one reserved region of 16-byte units (31 bits of index: 32
//! GiB) and are never unmapped. Each thread keeps free cells of its own; what
//! it has too many of, or leaves behind, goes to a shared list.

use super::word::{CELL_SLOT, Word};
use crate::os;
use crate::spin::SpinLock;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use racert_abi::word as abi;

const LOCK: u64 = 1;
pub(crate) const SIZE_SHIFT: u32 = 1;
pub(crate) const SIZE_BITS: u32 = 4;
const VERSION_SHIFT: u32 = 5;
const VERSION_BITS: u32 = 16;
pub(crate) const INDEX_SHIFT: u32 = 21;
const INDEX_BITS: u32 = 31;
const _: () = assert!(INDEX_SHIFT + INDEX_BITS == abi::SLOT_SHIFT);
// Assembly shifts the index to the left by this much less.
const _: () = assert!(UNIT == 1 << 4);

const UNIT: usize = 16;
/// Capacities from 2 to 2^12: one record for every slot there can be.
const SIZES: usize = 13;
/// Units a thread takes from the region at a time: 16 KiB.
const BATCH_UNITS: usize = 1024;

/// A reference to a cell, as stored in a shadow word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellRef(u64);

impl CellRef {
    /// The reference in `word`, if it is one.
    #[inline]
    pub fn from_word(word: Word) -> Option<CellRef> {
        word.is_cell().then_some(CellRef(word.0))
    }

    /// As stored in shadow memory.
    #[inline]
    pub fn word(self) -> Word {
        Word(self.0)
    }

    /// Somebody is changing the cell.
    #[inline]
    pub fn is_locked(self) -> bool {
        self.0 & LOCK != 0
    }

    /// The same cell, locked.
    #[inline]
    pub fn locked(self) -> CellRef {
        CellRef(self.0 | LOCK)
    }

    /// The same cell, unlocked.
    #[inline]
    pub fn unlocked(self) -> CellRef {
        CellRef(self.0 & !LOCK)
    }

    fn size_log(self) -> u32 {
        (self.0 >> SIZE_SHIFT) as u32 & ((1 << SIZE_BITS) - 1)
    }

    fn index(self) -> usize {
        (self.0 >> INDEX_SHIFT) as usize & ((1 << INDEX_BITS) - 1)
    }

    fn new(index: usize, size_log: u32, version: u64) -> CellRef {
        CellRef(
            u64::from(CELL_SLOT) << abi::SLOT_SHIFT
                | (index as u64) << INDEX_SHIFT
                | (version & ((1 << VERSION_BITS) - 1)) << VERSION_SHIFT
                | u64::from(size_log) << SIZE_SHIFT,
        )
    }

    /// The records; empty ones are 0. Without the lock they may change, and
    /// even belong to another granule, while being looked at.
    #[inline]
    pub fn records(self) -> &'static [AtomicU64] {
        let at = REGION.load(Ordering::Relaxed) + self.index() * UNIT;
        // SAFETY: cells lie inside the region, which is never unmapped.
        unsafe { core::slice::from_raw_parts(at as *const AtomicU64, 1 << self.size_log()) }
    }
}

/// Where the cells are; assembly in [`crate::entry`] reads it.
pub(crate) static REGION: AtomicUsize = AtomicUsize::new(0);
static NEXT_UNIT: AtomicUsize = AtomicUsize::new(0);
/// Free cells that no thread keeps, one list a size, linked through their
/// first word by index + 1.
static SHARED: SpinLock<[usize; SIZES]> = SpinLock::new([0; SIZES]);

/// Reserves the region.
pub fn reserve() -> Result<(), os::Errno> {
    let at = os::map(UNIT << INDEX_BITS)?;
    os::advise_wipe_on_fork(at as usize, UNIT << INDEX_BITS);
    REGION.store(at as usize, Ordering::Release);
    Ok(())
}

/// Keeps everybody else out until the process has forked.
pub fn before_fork() {
    SHARED.hold();
}

/// In a forked child, whose shadow is empty: all cells are free.
pub fn forget_all() {
    os::advise_dont_need(REGION.load(Ordering::Relaxed), UNIT << INDEX_BITS);
    *SHARED.lock() = [0; SIZES];
    NEXT_UNIT.store(0, Ordering::Relaxed);
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { SHARED.force_unlock() }
}

/// A thread's own free cells.
pub struct CellCache {
    free: [usize; SIZES],
    next: usize,
    end: usize,
    version: u64,
}

impl Default for CellCache {
    fn default() -> Self {
        Self::new()
    }
}

fn link(index: usize) -> &'static AtomicU64 {
    let at = REGION.load(Ordering::Relaxed) + index * UNIT;
    // SAFETY: inside the region.
    unsafe { &*(at as *const AtomicU64) }
}

impl CellCache {
    /// No cells yet.
    pub const fn new() -> Self {
        CellCache {
            free: [0; SIZES],
            next: 0,
            end: 0,
            version: 0,
        }
    }

    /// A cell with room for at least `count` records, all empty; `None` when
    /// the region is used up.
    pub fn allocate(&mut self, count: usize) -> Option<CellRef> {
        let size_log = count.max(2).next_power_of_two().trailing_zeros();
        let index = self.take(size_log)?;
        self.version += 1;
        let cell = CellRef::new(index, size_log, self.version);
        for record in cell.records() {
            record.store(0, Ordering::Relaxed);
        }
        Some(cell)
    }

    fn take(&mut self, size_log: u32) -> Option<usize> {
        let list = &mut self.free[size_log as usize];
        if *list == 0 {
            *list = core::mem::take(&mut SHARED.lock()[size_log as usize]);
        }
        if *list != 0 {
            let index = *list - 1;
            *list = link(index).load(Ordering::Relaxed) as usize;
            return Some(index);
        }
        let units = (8usize << size_log) / UNIT;
        if self.end - self.next < units {
            let batch = units.max(BATCH_UNITS);
            let start = NEXT_UNIT.fetch_add(batch, Ordering::Relaxed);
            if start + batch > 1 << INDEX_BITS {
                NEXT_UNIT.fetch_sub(batch, Ordering::Relaxed);
                return None;
            }
            (self.next, self.end) = (start, start + batch);
        }
        let index = self.next;
        self.next += units;
        Some(index)
    }

    /// Takes back a cell that no shadow word refers to any more.
    pub fn release(&mut self, cell: CellRef) {
        let list = &mut self.free[cell.size_log() as usize];
        link(cell.index()).store(*list as u64, Ordering::Relaxed);
        *list = cell.index() + 1;
    }

    /// Hands all free cells to whoever needs them next.
    pub fn surrender(&mut self) {
        let mut shared = SHARED.lock();
        for (mine, theirs) in self.free.iter_mut().zip(shared.iter_mut()) {
            while *mine != 0 {
                let index = *mine - 1;
                *mine = link(index).load(Ordering::Relaxed) as usize;
                link(index).store(*theirs as u64, Ordering::Relaxed);
                *theirs = index + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_keep_their_parts_and_cells_are_reused() {
        crate::init::for_tests();
        let mut cache = CellCache::new();
        let a = cache.allocate(3).unwrap();
        assert_eq!(a.records().len(), 4);
        assert!(a.word().is_cell() && !a.is_locked() && a.locked().is_locked());
        assert_eq!(a.locked().unlocked(), a);
        let first = a.records().as_ptr();
        cache.release(a);
        let b = cache.allocate(4).unwrap();
        assert_eq!(b.records().as_ptr(), first);
        assert_ne!(a, b, "the version tells the two lives apart");
    }
}
