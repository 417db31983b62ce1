//! Cells that are free, and the region they come from.
//!
//! Each thread keeps free cells of its own; what it leaves behind when it ends
//! goes to all.

use super::{CellRef, INDEX_BITS, READS, REGION, UNIT};
use crate::os;
use crate::shadow::word::Word;
use crate::spin::SpinLock;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Capacities from 2 to 2^15: several records for every slot there can be.
const SIZES: usize = 16;
/// Cells do not lie across cache lines without need.
const LINE_UNITS: usize = 64 / UNIT;
/// Units worth keeping for another thread: room for a cell of up to
/// [`LINE_UNITS`] wherever they begin.
const SMALLEST_REST: usize = 2 * LINE_UNITS;
/// Units a thread takes from the region at a time: 16 KiB.
const BATCH_UNITS: usize = 1024;

static NEXT_UNIT: AtomicUsize = AtomicUsize::new(0);
static SHARED: SpinLock<Shared> = SpinLock::new(Shared::new());

/// What no thread keeps.
struct Shared {
    /// Free cells, one list a size, linked through their second record by
    /// index + 1.
    free: [usize; SIZES],
    /// What threads that are gone have left of what they took from the region:
    /// index + 1 of the first rest, whose first word leads to the next one and
    /// whose second is its end.
    rests: usize,
    /// At least the version of every cell that is free here.
    version: u64,
}

impl Shared {
    const fn new() -> Shared {
        Shared {
            free: [0; SIZES],
            rests: 0,
            version: 0,
        }
    }

    fn leave_rest(&mut self, rest: Range<usize>) {
        if rest.len() < SMALLEST_REST {
            return;
        }
        let [next, end] = rest_words(rest.start);
        next.store(self.rests as u64, Ordering::Relaxed);
        end.store(rest.end as u64, Ordering::Relaxed);
        self.rests = rest.start + 1;
    }

    fn take_rest(&mut self) -> Option<Range<usize>> {
        let start = self.rests.checked_sub(1)?;
        let [next, end] = rest_words(start).map(|word| word.swap(0, Ordering::Relaxed) as usize);
        self.rests = next;
        Some(start..end)
    }
}

/// The two words at the beginning of a rest.
fn rest_words(index: usize) -> [&'static AtomicU64; 2] {
    let at = REGION.load(Ordering::Relaxed) + index * UNIT;
    // SAFETY: inside the region.
    [0, size_of::<u64>()].map(|offset| unsafe { &*((at + offset) as *const AtomicU64) })
}

/// Keeps everybody else out until the process has forked.
pub fn before_fork() {
    SHARED.hold();
}

/// In a forked child, whose shadow is empty: all cells are free.
pub fn forget_all() {
    os::advise_dont_need(REGION.load(Ordering::Relaxed), UNIT << INDEX_BITS);
    *SHARED.lock() = Shared::new();
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

/// Units of the region that nobody has used.
fn new_batch(units: usize) -> Option<Range<usize>> {
    let start = NEXT_UNIT.fetch_add(units, Ordering::Relaxed);
    if start + units > 1 << INDEX_BITS {
        NEXT_UNIT.fetch_sub(units, Ordering::Relaxed);
        return None;
    }
    Some(start..start + units)
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
    let at = REGION.load(Ordering::Relaxed) + index * UNIT + size_of::<u64>();
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

    /// A cell that holds `records`; `None` when the region is used up.
    pub fn put(&mut self, records: &[Word]) -> Option<CellRef> {
        let size_log = records.len().max(2).next_power_of_two().trailing_zeros();
        if size_log as usize >= SIZES {
            return None;
        }
        let index = self.take(size_log)?;
        self.version += 1;
        let cell = CellRef::new(index, size_log, self.version);
        // With the lock: somebody who is late may still hold it.
        cell.refill(records);
        Some(cell)
    }

    /// As [`CellCache::put`], in no order: each record is at home, if nobody
    /// else is there.
    pub fn spread(&mut self, records: &[Word]) -> Option<CellRef> {
        let cell = self.put(records)?;
        let is_read = |record: &Word| record.written() == 0 && !record.atomic();
        if !records.iter().all(is_read) {
            return Some(cell);
        }
        let _guard = cell.lock();
        for i in 0..records.len() {
            // Each that comes home makes another one look for its home.
            for _ in 0..records.len() {
                let record = cell.record(i);
                if record == Word::EMPTY {
                    break;
                }
                let home = cell.home(record.slot());
                let there = cell.record(home);
                if there != Word::EMPTY && cell.home(there.slot()) == home {
                    break;
                }
                cell.set(home, record);
                cell.set(i, there);
            }
        }
        Some(CellRef(cell.0 | READS))
    }

    fn take(&mut self, size_log: u32) -> Option<usize> {
        let list = &mut self.free[size_log as usize];
        if *list == 0 {
            let mut shared = SHARED.lock();
            *list = core::mem::take(&mut shared.free[size_log as usize]);
            self.version = self.version.max(shared.version);
        }
        if *list != 0 {
            let index = *list - 1;
            *list = link(index).load(Ordering::Relaxed) as usize;
            return Some(index);
        }
        let units = (8usize << size_log) / UNIT;
        let aligned = |at: usize| at.next_multiple_of(units.min(LINE_UNITS));
        if self.end < aligned(self.next) + units {
            self.take_more(units)?;
        }
        let index = aligned(self.next);
        self.next = index + units;
        Some(index)
    }

    /// Room for a cell of so many units in the place of what is left.
    #[cold]
    fn take_more(&mut self, units: usize) -> Option<()> {
        let mut shared = SHARED.lock();
        let old = self.next..self.end;
        let rest = (units <= LINE_UNITS).then(|| shared.take_rest()).flatten();
        let new = match rest {
            Some(rest) => rest,
            None => new_batch(units.max(BATCH_UNITS))?,
        };
        (self.next, self.end) = (new.start, new.end);
        shared.leave_rest(old);
        Some(())
    }

    /// Takes back a cell that no shadow word refers to any more.
    pub fn release(&mut self, cell: CellRef) {
        let list = &mut self.free[cell.size_log() as usize];
        link(cell.index()).store(*list as u64, Ordering::Relaxed);
        *list = cell.index() + 1;
    }

    /// Hands all that is free to whoever needs it next.
    pub fn surrender(&mut self) {
        let mut shared = SHARED.lock();
        shared.leave_rest(self.next..self.end);
        (self.next, self.end) = (0, 0);
        shared.version = shared.version.max(self.version);
        for (mine, theirs) in self.free.iter_mut().zip(&mut shared.free) {
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
    use crate::shadow::word::Touch;
    use alloc::collections::BTreeSet;

    fn record(pos: u64) -> Word {
        let touch = Touch {
            bytes: 1,
            write: true,
            atomic: false,
        };
        Word::new(5, pos, touch)
    }

    #[test]
    fn references_keep_their_parts_and_cells_are_reused() {
        crate::init::for_tests();
        let mut cache = CellCache::new();
        let a = cache.put(&[record(1), record(2), record(3)]).unwrap();
        let guard = a.lock();
        a.set(0, record(9));
        drop(guard);
        let contents: Vec<Word> = a.records().collect();
        assert_eq!(contents, [record(9), record(2), record(3), Word::EMPTY]);
        assert!(a.word().is_cell() && a.word() != Word::BUSY);
        cache.release(a);
        let b = cache.put(&[record(4); 4]).unwrap();
        assert_eq!(a.index(), b.index());
        assert_ne!(a, b, "the version tells the two lives apart");
    }

    fn read(slot: u16) -> Word {
        let touch = Touch {
            bytes: 0x0f,
            write: false,
            atomic: false,
        };
        Word::new(slot, 7, touch)
    }

    #[test]
    fn reads_are_at_home() {
        crate::init::for_tests();
        let mut cache = CellCache::new();
        for size in [2usize, 3, 8, 13, 64, 100] {
            // Numbered one after the other, as threads mostly are.
            let records: Vec<Word> = (0..size).rev().map(|i| read(900 + i as u16)).collect();
            let cell = cache.spread(&records).unwrap();
            assert!(cell.is_of_reads() && CellRef::from_word(cell.word()) == Some(cell));
            for record in &records {
                assert_eq!(cell.record(cell.home(record.slot())), *record);
            }
            // With the same home, none is lost.
            let records: Vec<Word> = (1..=size).map(|i| read(64 * (i / 2) as u16 + 3)).collect();
            let cell = cache.spread(&records).unwrap();
            let mut contents: Vec<u64> = cell.records().map(|r| r.0).filter(|r| *r != 0).collect();
            let mut wanted: Vec<u64> = records.iter().map(|r| r.0).collect();
            contents.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(contents, wanted);
            assert_eq!(cell.record(cell.home(3)).slot() % 64, 3);
        }
        let mixed = cache.spread(&[read(5), record(1)]).unwrap();
        assert!(!mixed.is_of_reads());
    }

    #[test]
    fn what_a_thread_leaves_is_used_by_the_next() {
        crate::init::for_tests();
        let mut indices = Vec::new();
        let mut cells = Vec::new();
        for _ in 0..20 {
            let mut cache = CellCache::new();
            for n in 0..100 {
                let cell = cache.put(&[record(n), record(n + 1)]).unwrap();
                let contents: Vec<Word> = cell.records().collect();
                assert_eq!(contents, [record(n), record(n + 1)]);
                indices.push(cell.index());
                cells.push(cell);
            }
            cache.surrender();
        }
        let batches: BTreeSet<usize> = indices.iter().map(|at| at / BATCH_UNITS).collect();
        // Other tests take what is left meanwhile.
        assert!(batches.len() <= 10, "{batches:?}");
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), cells.len(), "no two of one place");

        let mut first = CellCache::new();
        first.release(cells[0]);
        first.version = 7;
        first.surrender();
        let mut second = CellCache::new();
        let again = second.put(&[record(1)]).unwrap();
        assert!(again.index() != cells[0].index() || second.version > 7);
    }
}
