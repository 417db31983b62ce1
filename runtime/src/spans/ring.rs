//! The spans of one slot: one writer, readers without a lock.
//!
//! A ring of places. What stands there stays as it is until the ring comes
//! round; only the newest span may be replaced by one with the same start. So a
//! reader copies a span and then looks whether it could have changed meanwhile.

use super::{Newest, Span};
use crate::clock::Snapshot;
use crate::internal_error;
use crate::lock::LockId;
use crate::lockset::LocksetId;
use crate::os;
use crate::spin::SpinLock;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};

/// Components of clocks kept of a slot: 4 MiB.
const KNOWN: usize = 1 << 19;
/// Of all slots together, beside the newest of each: 32 MiB.
const KNOWN_OF_ALL: usize = 1 << 22;

/// Rings that have places.
static RINGS: AtomicUsize = AtomicUsize::new(0);

/// How many spans a ring keeps if `others` have places: 2 MiB, and less where
/// there are many, of which those pages exist that were used. A power of two.
fn room(others: usize) -> usize {
    match others {
        0..4 => 1 << 16,
        4..16 => 1 << 15,
        16..64 => 1 << 14,
        64..256 => 1 << 13,
        _ => 1 << 11,
    }
}

#[repr(C)]
struct Place {
    start: AtomicU64,
    /// Code address below, how long a lock has been held above.
    pc_and_since: AtomicU64,
    /// Context below, set of locks above.
    context_and_locks: AtomicU64,
    /// Newest lock and whether again below, number of what was known above.
    newest_and_known: AtomicU64,
}

const _: () = assert!(size_of::<Place>() == 32);

/// Locks have lower numbers.
const AGAIN: u32 = 1 << 31;
const _: () = assert!(LockId::LIMIT <= AGAIN);

/// Code addresses have no more bits.
const PC_BITS: u32 = 48;
const PC_MASK: u64 = (1 << PC_BITS) - 1;

impl Place {
    fn locks(&self) -> LocksetId {
        LocksetId::from_number((self.context_and_locks.load(Ordering::Relaxed) >> 32) as u32)
    }

    fn known(&self) -> u32 {
        (self.newest_and_known.load(Ordering::Relaxed) >> 32) as u32
    }

    fn copy(&self) -> Span {
        let context_and_locks = self.context_and_locks.load(Ordering::Relaxed);
        let newest_and_known = self.newest_and_known.load(Ordering::Relaxed);
        let pc_and_since = self.pc_and_since.load(Ordering::Relaxed);
        Span {
            start: self.start.load(Ordering::Relaxed),
            pc: pc_and_since & PC_MASK,
            context: context_and_locks as u32,
            locks: LocksetId::from_number((context_and_locks >> 32) as u32),
            newest: newest_and_known as u32 & !AGAIN,
            again: newest_and_known as u32 & AGAIN != 0,
            known: (newest_and_known >> 32) as u32,
            since: (pc_and_since >> PC_BITS) as u16,
        }
    }

    #[inline(always)]
    fn fill(&self, words: Words) {
        let [start, pc_and_since, context_and_locks, newest_and_known] = words.0;
        self.start.store(start, Ordering::Relaxed);
        self.pc_and_since.store(pc_and_since, Ordering::Relaxed);
        self.context_and_locks
            .store(context_and_locks, Ordering::Relaxed);
        self.newest_and_known
            .store(newest_and_known, Ordering::Relaxed);
    }
}

/// A span as it stands in a [`Place`].
pub(super) struct Words([u64; 4]);

impl Words {
    /// `known` is the number of what was known, and whether again.
    #[inline(always)]
    pub(super) fn new(
        start: u64,
        locks: LocksetId,
        newest: Newest,
        (known, again): (u32, bool),
        since: u16,
    ) -> Words {
        let above = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let again = if again { AGAIN } else { 0 };
        Words([
            start,
            newest.pc & PC_MASK | u64::from(since) << PC_BITS,
            above(locks.number(), newest.context()),
            above(known, newest.lock() | again),
        ])
    }
}

/// What the slot's threads knew, each as long as it was the same.
struct Knowledge {
    snapshots: VecDeque<Snapshot>,
    /// Number of the first of them; numbers begin anew after the highest.
    first: u32,
    /// Components of all of them.
    size: usize,
}

impl Knowledge {
    const fn new() -> Knowledge {
        Knowledge {
            snapshots: VecDeque::new(),
            first: 0,
            size: 0,
        }
    }

    fn drop_first(&mut self) {
        if let Some(dropped) = self.snapshots.pop_front() {
            self.size -= dropped.len();
            self.first = self.first.wrapping_add(1);
        }
    }
}

/// See the module's description.
pub(super) struct Ring {
    places: AtomicPtr<Place>,
    /// How many places there are, a power of two; set before they are.
    room: AtomicUsize,
    /// Spans there have been.
    count: AtomicUsize,
    /// Odd while the newest span is being replaced.
    version: AtomicU64,
    /// The newest snapshot's address, for the writer.
    newest_known: AtomicUsize,
    /// Its number.
    newest_number: AtomicU64,
    knowledge: SpinLock<Knowledge>,
}

impl Ring {
    pub(super) const fn new() -> Ring {
        Ring {
            places: AtomicPtr::new(null_mut()),
            room: AtomicUsize::new(1),
            count: AtomicUsize::new(0),
            version: AtomicU64::new(0),
            newest_known: AtomicUsize::new(0),
            newest_number: AtomicU64::new(0),
            knowledge: SpinLock::new(Knowledge::new()),
        }
    }

    fn place(&self, index: usize) -> Option<&Place> {
        let places = self.places.load(Ordering::Acquire);
        if places.is_null() {
            return None;
        }
        // SAFETY: never unmapped, and as many as `room` says; zeroed memory is
        // a place.
        Some(unsafe { &*places.add(index & (self.room() - 1)) })
    }

    /// How many spans are kept, at most; 1 before the first.
    #[inline]
    pub(super) fn room(&self) -> usize {
        self.room.load(Ordering::Relaxed)
    }

    /// Numbers of the spans that are kept.
    pub(super) fn kept(&self) -> core::ops::Range<usize> {
        let count = self.count.load(Ordering::Acquire);
        // The oldest may be overwritten at any time.
        (count + 1).saturating_sub(self.room())..count
    }

    /// Have no spans been dropped?
    pub(super) fn is_whole(&self) -> bool {
        (1..self.room()).contains(&self.count.load(Ordering::Acquire))
    }

    /// A span; `None` if it is not kept any more.
    pub(super) fn get(&self, index: usize) -> Option<Span> {
        loop {
            let version = self.version.load(Ordering::Acquire);
            let count = self.count.load(Ordering::Acquire);
            if index >= count {
                return None;
            }
            let is_newest = index + 1 == count;
            let span = self.place(index)?.copy();
            fence(Ordering::Acquire);
            if is_newest
                && (!version.is_multiple_of(2) || self.version.load(Ordering::Relaxed) != version)
            {
                internal_error::leave_if_off();
                core::hint::spin_loop();
                continue;
            }
            return (index + self.room() > self.count.load(Ordering::Relaxed)).then_some(span);
        }
    }

    /// Where a span begins; `None` if it is not kept any more.
    #[inline]
    pub(super) fn start_of(&self, index: usize) -> Option<u64> {
        let start = self.place(index)?.start.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        (index + self.room() > self.count.load(Ordering::Relaxed)).then_some(start)
    }

    /// The newest span, for the writer.
    #[inline]
    pub(super) fn newest(&self) -> Option<Span> {
        let count = self.count.load(Ordering::Relaxed);
        Some(self.place(count.checked_sub(1)?)?.copy())
    }

    /// The locks of the newest span, for the writer.
    #[inline]
    pub(super) fn newest_locks(&self) -> Option<LocksetId> {
        let count = self.count.load(Ordering::Relaxed);
        let place = self.place(count.checked_sub(1)?)?;
        Some(place.locks())
    }

    /// Where the newest span begins, and the number of what was known then; for
    /// the writer.
    #[inline]
    pub(super) fn newest_start_and_known(&self) -> Option<(u64, u32)> {
        let count = self.count.load(Ordering::Relaxed);
        let place = self.place(count.checked_sub(1)?)?;
        Some((place.start.load(Ordering::Relaxed), place.known()))
    }

    /// Puts `span` in the place of the newest; for the writer. Part of its
    /// caller, as all that takes a whole span: see [`super::Change`].
    #[inline(always)]
    pub(super) fn replace(&self, span: Words) {
        let count = self.count.load(Ordering::Relaxed);
        if let Some(place) = self.place(count.wrapping_sub(1)) {
            let version = self.version.load(Ordering::Relaxed);
            self.version.store(version + 1, Ordering::Relaxed);
            fence(Ordering::Release);
            place.fill(span);
            self.version.store(version + 2, Ordering::Release);
        }
    }

    /// One more; for the writer.
    #[inline(always)]
    pub(super) fn push(&self, span: Words) {
        let count = self.count.load(Ordering::Relaxed);
        let place = match self.place(count) {
            Some(place) => place,
            None => match self.map(count) {
                Some(place) => place,
                None => return,
            },
        };
        // Who reads the span that goes must see that it does.
        fence(Ordering::Release);
        place.fill(span);
        self.count.store(count + 1, Ordering::Release);
    }

    /// Makes the places; that of a span.
    #[cold]
    fn map(&self, index: usize) -> Option<&Place> {
        let room = room(RINGS.load(Ordering::Relaxed));
        let places = os::map(room * size_of::<Place>()).ok()?;
        RINGS.fetch_add(1, Ordering::Relaxed);
        self.room.store(room, Ordering::Relaxed);
        self.places.store(places.cast(), Ordering::Release);
        self.place(index)
    }

    /// The number of `known`, which is the newest or newer; for the writer.
    #[inline]
    pub(super) fn number_of(&self, known: &Snapshot) -> u32 {
        let address = Arc::as_ptr(known).cast::<u64>().addr();
        if self.newest_known.load(Ordering::Relaxed) != address {
            self.keep(known);
        }
        self.newest_number.load(Ordering::Relaxed) as u32
    }

    #[inline(never)]
    fn keep(&self, known: &Snapshot) {
        let oldest = self.get(self.kept().start).map(|span| span.known);
        let mut all = self.knowledge.lock();
        let unused = oldest.map_or(0, |oldest| oldest.wrapping_sub(all.first) as i32);
        for _ in 0..unused {
            all.drop_first();
        }
        all.snapshots.push_back(known.clone());
        all.size += known.len();
        let share = KNOWN_OF_ALL / RINGS.load(Ordering::Relaxed).max(1);
        while all.size > KNOWN.min(share) && all.snapshots.len() > 1 {
            all.drop_first();
        }
        let number = all.first.wrapping_add(all.snapshots.len() as u32 - 1);
        let address = Arc::as_ptr(known).cast::<u64>().addr();
        self.newest_known.store(address, Ordering::Relaxed);
        self.newest_number.store(number.into(), Ordering::Relaxed);
    }

    /// What was known when `span` began; `None` if it is not kept any more.
    pub(super) fn known_at(&self, span: &Span) -> Option<Snapshot> {
        let all = self.knowledge.lock();
        let index = span.known.wrapping_sub(all.first);
        all.snapshots.get(index as usize).cloned()
    }

    /// In a forked child, of whose threads only one is left.
    pub(super) fn forget(&self) {
        // SAFETY: the only thread.
        unsafe { self.knowledge.reset_if_held(Knowledge::new()) };
        *self.knowledge.lock() = Knowledge::new();
        self.newest_known.store(0, Ordering::Relaxed);
        self.version.store(0, Ordering::Relaxed);
        self.count.store(0, Ordering::Release);
    }
}
