//! Cells: the records of granules that need more than a word or two.
//!
//! A granule with accesses of several slots that are not ordered refers to a
//! cell that holds all its records; more than two older
//! records that are ordered before the newest one stand in a cell
//! [`super::beside`] it. The reference:
//!
//! ```text
//!  63      52 51            21 20     6  5  4    1  0
//! +----------+----------------+---------+---+------+---+
//! |   4095   |     index      | version | R | size | 0 |
//! +----------+----------------+---------+---+------+---+
//! ```
//!
//! `size` is the logarithm of the records in the cell; the lock is a bit of the
//! first. `R`: all of them are plain reads, and a slot's stand first of all at
//! its [`home`](CellRef::home), so that what many threads read costs each of
//! them no more than what a few do. Whoever does something else takes the bit
//! away first. The granule's word stays as it is while the cell's contents change,
//! so threads that share the granule do not take its line from each other.
//! `version` changes whenever a cell changes hands: whoever has looked into a
//! cell, or locked it, looks again whether the granule still refers to it.
//!
//! Cells live in one reserved region of 16-byte units (31 bits of index: 32
//! GiB) and are never unmapped, and a cell keeps its size.

mod cache;

pub use cache::{CellCache, after_fork, before_fork, forget_all};

use super::word::{CELL_SLOT, Word};
use crate::internal_error;
use crate::os;
use core::iter;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use racert_abi::word as abi;

pub(crate) const SIZE_SHIFT: u32 = 1;
pub(crate) const SIZE_BITS: u32 = 4;
pub(crate) const READS: u64 = 1 << 5;
const VERSION_SHIFT: u32 = 6;
const VERSION_BITS: u32 = 15;
pub(crate) const INDEX_SHIFT: u32 = 21;
const INDEX_BITS: u32 = 31;
const _: () = assert!(INDEX_SHIFT + INDEX_BITS == abi::SLOT_SHIFT);
// Assembly shifts the index to the left by this much less.
const _: () = assert!(UNIT == 1 << 4);

const UNIT: usize = 16;

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

    /// Are all its records plain reads?
    #[inline]
    pub fn is_of_reads(self) -> bool {
        self.0 & READS != 0
    }

    /// The same cell for all kinds of records.
    pub fn of_all(self) -> CellRef {
        CellRef(self.0 & !READS)
    }

    /// Where a record of `slot` is looked for first.
    #[inline]
    pub fn home(self, slot: u16) -> usize {
        usize::from(slot) & ((1 << self.size_log()) - 1)
    }

    #[inline]
    fn places(self) -> &'static [AtomicU64] {
        let at = REGION.load(Ordering::Relaxed) + self.index() * UNIT;
        // SAFETY: cells lie inside the region, which is never unmapped.
        unsafe { core::slice::from_raw_parts(at as *const AtomicU64, 1 << self.size_log()) }
    }

    /// Where its records are.
    pub fn place(self) -> *const AtomicU64 {
        self.places().as_ptr()
    }

    /// The records, empty ones among them. Without the lock they may change,
    /// and even belong to another granule, while being looked at.
    #[inline]
    pub fn records(self) -> impl ExactSizeIterator<Item = Word> + Clone {
        let places = self.places().iter();
        places.map(|place| Word(place.load(Ordering::Acquire) & !LOCK))
    }

    /// One of the records; as [`CellRef::records`].
    #[inline]
    pub fn record(self, i: usize) -> Word {
        Word(self.places()[i].load(Ordering::Acquire) & !LOCK)
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

/// Reserves the region.
pub fn reserve() -> Result<(), os::Errno> {
    let at = os::map(UNIT << INDEX_BITS)?;
    os::advise_wipe_on_fork(at as usize, UNIT << INDEX_BITS);
    REGION.store(at as usize, Ordering::Release);
    Ok(())
}
