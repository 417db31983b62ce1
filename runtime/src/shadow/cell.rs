//! Cells: the records of granules that need more than a word or two.
//!
//! A granule with accesses of several slots that are not ordered refers to a
//! cell that holds all its records; more than two older
//! records that are ordered before the newest one stand in a cell
//! [`super::beside`] it. The reference:
//!
//! ```text
//!  63      52 51            21 20     5 4    1  0
//! +----------+----------------+---------+------+---+
//! |   4095   |     index      | version | size | 0 |
//! +----------+----------------+---------+------+---+
//! ```
//!
//! `size` is the logarithm of the records in the cell; the lock is a bit of the
//! first. The granule's word stays as it is while the cell's contents change,
//! so threads that share the granule do not take its line from each other.
//! `version` changes whenever a cell changes hands: whoever has looked into a
//! cell, or locked it, looks again whether the granule still refers to it.
//!
//! Cells live in one reserved region of 16-byte units (31 bits of index: 32
//! GiB) and are never unmapped, and a cell keeps its size. Each thread keeps
//! free cells of its own; what it leaves behind goes to a shared list.

use super::word::{CELL_SLOT, Word};
use crate::internal_error;
use crate::os;
use crate::spin::SpinLock;
use core::iter;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use racert_abi::word as abi;

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
/// Capacities from 2 to 2^15: several records for every slot there can be.
const SIZES: usize = 16;
/// Cells do not lie across cache lines without need.
const LINE_UNITS: usize = 64 / UNIT;
/// Units a thread takes from the region at a time: 16 KiB.
const BATCH_UNITS: usize = 1024;
/// Units worth keeping for another thread: room for a cell of up to
/// [`LINE_UNITS`] wherever they begin.
const SMALLEST_REST: usize = 2 * LINE_UNITS;

/// A reference to a cell, as stored in a shadow word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellRef(u64);

impl CellRef {
    /// The reference in `word`, if it is one.
    #[inline]
    pub fn from_word(word: Word) -> Option<CellRef> {
        (word.is_cell() && word.0 & 1 == 0).then_some(CellRef(word.0))
    }

    /// As stored in shadow memory.
    #[inline]
    pub fn word(self) -> Word {
        Word(self.0)
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

    #[inline]
    fn places(self) -> &'static [AtomicU64] {
        let at = REGION.load(Ordering::Relaxed) + self.index() * UNIT;
        // SAFETY: cells lie inside the region, which is never unmapped.
        unsafe { core::slice::from_raw_parts(at as *const AtomicU64, 1 << self.size_log()) }
    }

    /// The records, empty ones among them. Without the lock they may change,
    /// and even belong to another granule, while being looked at.
    #[inline]
    pub fn records(self) -> impl ExactSizeIterator<Item = Word> + Clone {
        let places = self.places().iter();
        places.map(|place| Word(place.load(Ordering::Acquire) & !LOCK))
    }

    /// Changes an empty record or one of the caller's own; the lock is held.
    #[inline]
    pub fn set(self, i: usize, record: Word) {
        self.places()[i].store(record.0 | lock_at(i), Ordering::Release);
    }

    /// Changes any record; the lock is held. `false` if it is not `from` any
    /// more: a thread may replace its own record of a read without the lock
    /// (see [`crate::entry`]).
    #[inline]
    pub fn replace(self, i: usize, from: Word, to: Word) -> bool {
        let (from, to) = (from.0 | lock_at(i), to.0 | lock_at(i));
        self.places()[i]
            .compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }

    /// Changes a record of the caller's own without the lock, in a cell that
    /// `is_there` says the granule refers to; `false` if the record has changed,
    /// the cell is locked or the granule has left it.
    #[inline]
    pub fn replace_own(
        self,
        i: usize,
        from: Word,
        to: Word,
        is_there: impl FnOnce() -> bool,
    ) -> bool {
        let place = &self.places()[i];
        let done = place.compare_exchange(from.0, to.0, Ordering::AcqRel, Ordering::Relaxed);
        if done.is_err() {
            return false;
        }
        let is_there = is_there();
        if !is_there {
            take_back(place, from, to);
        }
        is_there
    }

    /// Puts `records` in the place of what a cell holds that nobody else can
    /// reach; `false` if it is too small.
    pub fn refill(self, records: &[Word]) -> bool {
        let places = self.places();
        if records.len() > places.len() {
            return false;
        }
        let _guard = self.lock();
        let contents = records.iter().copied().chain(iter::repeat(Word::EMPTY));
        for (i, record) in (0..places.len()).zip(contents) {
            self.set(i, record);
        }
        true
    }

    /// Adds the newest record to a cell that nobody else can reach, with the
    /// oldest first, after `left` has said of each what is left of it; `false`
    /// if there is no room.
    pub fn renew(self, newest: Word, left: impl Fn(Word) -> Word) -> bool {
        let places = self.places();
        let _guard = self.lock();
        let mut count = 0;
        for (i, place) in places.iter().enumerate() {
            let record = Word(place.load(Ordering::Relaxed) & !LOCK);
            if record == Word::EMPTY {
                continue;
            }
            let left = left(record);
            if left != Word::EMPTY {
                if left != record || count != i {
                    self.set(count, left);
                }
                count += 1;
            }
        }
        if count == places.len() {
            return false;
        }
        self.set(count, newest);
        for i in count + 1..places.len() {
            self.set(i, Word::EMPTY);
        }
        true
    }

    /// Takes a record out; the lock is held.
    #[inline]
    pub fn take(self, i: usize) -> Word {
        let lock = lock_at(i);
        Word(self.places()[i].swap(lock, Ordering::AcqRel) & !lock)
    }

    /// Keeps others from changing the cell, whoever it belongs to by now.
    #[inline]
    pub fn lock(self) -> CellGuard {
        let place = &self.places()[0];
        let now = place.load(Ordering::Relaxed);
        let is_free = now & LOCK == 0;
        if !is_free
            || place
                .compare_exchange(now, now | LOCK, Ordering::Acquire, Ordering::Relaxed)
                .is_err()
        {
            wait_for(place);
        }
        CellGuard(place)
    }
}

/// Set in a cell's first record while somebody changes the cell; records in
/// cells do not use this bit.
pub(crate) const LOCK: u64 = abi::OLDER;

/// What the record at `i` carries while the lock is held.
#[inline]
fn lock_at(i: usize) -> u64 {
    if i == 0 { LOCK } else { 0 }
}

/// Undoes a change to a cell that has become another granule's meanwhile.
#[cold]
fn take_back(place: &AtomicU64, from: Word, to: Word) {
    // Whoever holds the lock, which may be a bit of this record, gives it back.
    while let Err(now) = place.compare_exchange(to.0, from.0, Ordering::AcqRel, Ordering::Relaxed)
        && now == to.0 | LOCK
    {
        internal_error::leave_if_off();
        core::hint::spin_loop();
    }
}

#[cold]
fn wait_for(place: &AtomicU64) {
    let mut spins = 0u32;
    loop {
        let now = place.load(Ordering::Relaxed);
        if now & LOCK == 0
            && place
                .compare_exchange(now, now | LOCK, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
        {
            return;
        }
        spins += 1;
        if spins < 100 {
            core::hint::spin_loop();
        } else {
            internal_error::leave_if_off();
            os::sched_yield();
        }
    }
}

/// The lock of a cell, held.
pub struct CellGuard(&'static AtomicU64);

impl Drop for CellGuard {
    #[inline]
    fn drop(&mut self) {
        let now = self.0.load(Ordering::Relaxed);
        self.0.store(now & !LOCK, Ordering::Release);
    }
}

/// Where the cells are; assembly in [`crate::entry`] reads it.
pub(crate) static REGION: AtomicUsize = AtomicUsize::new(0);
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
