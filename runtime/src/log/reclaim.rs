//! Giving back the memory of log entries that nobody can ask for any more.
//!
//! An entry is wanted as long as a shadow word leads to it. Once the log has
//! grown by enough, one thread walks over all shadow memory that exists, marks
//! the entries it meets, and thins the chunks: nothing is forgotten that a
//! report could need.
//!
//! Why this may run beside the program: a thread refers to new entries only,
//! those of its current segment, or passes on a reference the same granule
//! already held. So among entries older than every thread's current segment,
//! what the walk did not meet cannot come back. Threads may be looking at a
//! chunk while it is thinned: its memory is used again once each of them has
//! been seen outside the runtime. Nobody waits for that; whoever needs more
//! memory looks again.

use super::entry::{Chain, previous};
use super::storage::{self, CHUNK, ChunkId, Marks, Retired, Words};
use crate::internal_error;
use crate::shadow::planes::Readers;
use crate::shadow::word::{Beside, Word};
use crate::shadow::{beside, cell::CellRef, scan};
use crate::slot::Left;
use crate::spin::SpinLock;
use crate::{os, slot, thread};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use racert_abi::word::SLOT_BITS;

/// The log may always have this much.
const SMALLEST: usize = 4 << 20;
/// And this much for each byte of shadow that has to be walked over.
const SHARE: usize = 16;
/// But where that is more than so much, then as much as there is shadow.
const ENOUGH: usize = 12 << 20;
/// How much the log grows from one look at threads inside the runtime to the
/// next.
const STEP: usize = 64 << 10;
/// How long to wait for them where memory must be had now.
const PATIENCE_NS: u64 = 20_000_000;

/// There is something to do when the full chunks exceed this.
static LIMIT: AtomicUsize = AtomicUsize::new(SMALLEST);
/// One collector at a time.
static COLLECTOR: SpinLock<Collector> = SpinLock::new(Collector {
    limit: SMALLEST,
    retired: Vec::new(),
    inside: Vec::new(),
});

struct Collector {
    /// Thin the log when the full chunks exceed this.
    limit: usize,
    /// What nothing leads to any more.
    retired: Vec<Retired>,
    /// The threads that may be looking at it: they have not been seen outside
    /// the runtime since.
    inside: Vec<u32>,
}

/// Is it time?
#[inline]
pub fn is_due() -> bool {
    storage::full_bytes() > LIMIT.load(Ordering::Relaxed)
}

/// No chunk.
const NONE: u32 = u32::MAX;

/// Marks for the chunks under consideration.
struct Marked {
    chunks: Vec<ChunkId>,
    marks: Vec<Marks>,
    /// Numbers of chunks by [`place_of`], in the next free place if that is
    /// taken; half of it is free. The walk asks for millions of words, and they
    /// lead to chunks in no order.
    places: Vec<u32>,
    /// For every slot, where the first of its chunks begins: nothing before is
    /// under consideration.
    first: Vec<u64>,
    /// What was met of each slot.
    met: Box<[Left]>,
}

/// Where the search for a chunk begins in a table of `len`, a power of two.
fn place_of(id: ChunkId, len: usize) -> usize {
    let key = u64::from(id.slot) << 32 | u64::from(id.index);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (len - 1)
}

impl Marked {
    fn new(chunks: Vec<ChunkId>) -> Marked {
        let len = (2 * chunks.len()).next_power_of_two();
        let mut places = alloc::vec![NONE; len];
        for (number, id) in chunks.iter().enumerate() {
            let mut at = place_of(*id, len);
            while places[at] != NONE {
                at = (at + 1) & (len - 1);
            }
            places[at] = number as u32;
        }
        let slots = chunks.iter().map(|id| id.slot as usize + 1).max();
        let mut first = alloc::vec![u64::MAX; slots.unwrap_or(0)];
        for id in &chunks {
            let first = &mut first[id.slot as usize];
            *first = (*first).min(id.start());
        }
        Marked {
            marks: alloc::vec![[0; CHUNK / 64]; chunks.len()],
            chunks,
            places,
            first,
            met: alloc::vec![Left::Nothing; 1 << SLOT_BITS].into_boxed_slice(),
        }
    }

    fn find(&self, id: ChunkId) -> Option<usize> {
        let len = self.places.len();
        let mut at = place_of(id, len);
        while self.places[at] != NONE {
            let number = self.places[at] as usize;
            if self.chunks[number] == id {
                return Some(number);
            }
            at = (at + 1) & (len - 1);
        }
        None
    }

    /// Marks the word at `pos` of the chunk numbered `i`.
    fn mark(&mut self, i: usize, pos: u64) {
        let offset = pos as usize % CHUNK;
        self.marks[i][offset / 64] |= 1 << (offset % 64);
    }

    /// Marks the entry that a record leads to.
    fn record(&mut self, record: Word) {
        if record != Word::EMPTY && !record.is_cell() {
            let met = &mut self.met[record.slot() as usize];
            *met = (*met).max(match record.touch().write {
                true => Left::Anything,
                false => Left::Reads,
            });
            self.entry(record.slot(), record.pos());
        }
    }

    /// Marks the entry at `pos` in the log of `slot`. If that is in a chunk that
    /// is not under consideration, marks what it leads to.
    fn entry(&mut self, slot: u16, pos: u64) {
        // An entry leads to earlier ones only.
        let first = self.first.get(slot as usize);
        if first.is_none_or(|&first| pos < first) {
            return;
        }
        let mut chain = Chain::new(slot, pos);
        while let Some(at) = chain.position() {
            let id = ChunkId::of(slot, at);
            if let Some(i) = self.find(id) {
                return self.mark(i, at);
            }
            if storage::is_closed(id, at as usize % CHUNK) || chain.step().is_none() {
                return;
            }
        }
    }

    /// Marks what marked entries lead to.
    ///
    /// The records of the shadow lead to entries in no order; from there on it
    /// is done chunk by chunk, the newest first.
    fn follow(&mut self) {
        let mut order: Vec<usize> = (0..self.chunks.len()).collect();
        order.sort_unstable_by_key(|&i| Reverse(self.chunks[i]));
        for i in order {
            match storage::words(self.chunks[i]) {
                None => {}
                Some(Words::Full(chunk)) => {
                    let mut next = self.last_before(i, CHUNK);
                    while let Some(offset) = next {
                        self.lead(i, offset, chunk[offset].load(Ordering::Relaxed));
                        next = self.last_before(i, offset);
                    }
                }
                Some(Words::Sparse(words)) => {
                    for &(offset, word) in words.iter().rev() {
                        if self.wanted(i, offset) {
                            self.lead(i, offset.into(), word);
                        }
                    }
                }
            }
        }
    }

    /// The last marked offset before `end` in the chunk numbered `i`.
    fn last_before(&self, i: usize, end: usize) -> Option<usize> {
        let (last, rest) = (end / 64, end % 64);
        let within = |at: usize| match at == last {
            true => self.marks[i]
                .get(at)
                .map_or(0, |bits| bits & ((1 << rest) - 1)),
            false => self.marks[i][at],
        };
        (0..=last).rev().find_map(|at| {
            let bits = within(at);
            (bits != 0).then(|| at * 64 + bits.ilog2() as usize)
        })
    }

    /// Marks what the entry `word`, at `offset` in the chunk numbered `i`, leads
    /// to.
    fn lead(&mut self, i: usize, offset: usize, word: u64) {
        let slot = self.chunks[i].slot;
        let at = self.chunks[i].start() + offset as u64;
        let (previous, is_far) = previous(slot, at, word);
        if is_far {
            // The two are in one chunk.
            self.mark(i, at + 1);
        }
        if let Some(previous) = previous {
            self.entry(slot, previous);
        }
    }

    fn wanted(&self, i: usize, offset: u16) -> bool {
        self.marks[i][offset as usize / 64] & 1 << (offset % 64) != 0
    }

    fn count(&self, i: usize) -> u32 {
        self.marks[i].iter().map(|m| m.count_ones()).sum()
    }
}

/// Thins the log, whether it is time or not, and waits a little for its memory.
#[cold]
pub fn force() {
    let Some(mut collector) = COLLECTOR.try_lock() else {
        return;
    };
    collector.thin();
    let deadline = os::monotonic_ns() + PATIENCE_NS;
    while !collector.frees() && os::monotonic_ns() < deadline {
        internal_error::leave_if_off();
        os::sched_yield();
    }
    collector.set_limit();
}

/// Thins the log, whether it is time or not, which also tells which slots are
/// not used any more. As for [`run`].
#[cold]
pub fn look_for_slots() {
    if let Some(mut collector) = COLLECTOR.try_lock() {
        collector.frees();
        collector.thin();
        collector.frees();
        collector.set_limit();
    }
}

/// Thins the log, or takes back the memory of what was thinned, unless another
/// thread is at it. The caller has entered the runtime and holds no lock.
#[cold]
pub fn run() {
    if let Some(mut collector) = COLLECTOR.try_lock()
        && is_due()
    {
        collector.frees();
        if storage::full_bytes() > collector.limit {
            collector.thin();
            collector.frees();
        }
        collector.set_limit();
    }
}

impl Collector {
    /// Says when there is something to do again.
    fn set_limit(&self) {
        let limit = match self.retired.is_empty() {
            true => self.limit,
            false => self.limit.min(storage::full_bytes() + STEP),
        };
        LIMIT.store(limit, Ordering::Relaxed);
    }

    fn thin(&mut self) {
        // Nobody else need try meanwhile.
        LIMIT.store(usize::MAX, Ordering::Relaxed);
        self.limit = collect(&mut self.retired);
        // Who enters from now on does not see what is retired. If the kernel
        // cannot see to that, the memory is never used again.
        if !os::memory_barrier_everywhere() {
            self.retired.clear();
        }
        self.inside = thread::registry::inside();
    }

    /// Makes the memory of what is retired available, if nobody can be looking
    /// at it.
    fn frees(&mut self) -> bool {
        if !self.inside.is_empty() {
            let still = thread::registry::inside();
            self.inside.retain(|number| still.contains(number));
        }
        if self.inside.is_empty() {
            for storage in self.retired.drain(..) {
                // SAFETY: everybody who may have seen it has left since.
                unsafe { storage.free() };
            }
        }
        self.inside.is_empty()
    }
}

/// Thins the log: what nothing leads to goes to `retired`; when it is time
/// again.
fn collect(retired: &mut Vec<Retired>) -> usize {
    let vacant = slot::vacant_ends();
    let horizon = horizons();
    let old = |id: &ChunkId| {
        horizon
            .get(id.slot as usize)
            .is_some_and(|&h| id.end() <= h)
    };
    let (full, sparse) = storage::inventory();
    let full: Vec<ChunkId> = full.into_iter().filter(old).collect();
    // Sparse chunks are looked at again only when there are many.
    let mut considered = full.clone();
    if sparse.len() > full.len() * 8 {
        considered.extend(sparse);
    }
    let mut marked = Marked::new(considered);
    let Some(walked) = scan::words(|word| visit(&mut marked, word)) else {
        // What is wanted is not known, so everything is.
        return storage::full_bytes() * 2;
    };
    slot::walked(&marked.met, &vacant, walked);
    marked.follow();
    for i in 0..marked.chunks.len() {
        // A chunk that is mostly wanted stays as it is.
        if marked.count(i) as usize <= CHUNK / 16 {
            retired.extend(storage::thin(marked.chunks[i], &marked.marks[i]));
        }
    }
    storage::tidy();
    let grown = storage::full_bytes() * 2;
    let share = (walked * SHARE).clamp(SMALLEST, ENOUGH);
    grown.max(walked).max(share)
}

fn visit(marked: &mut Marked, place: &AtomicU64) {
    loop {
        let word = Word(place.load(Ordering::Acquire));
        if word == Word::EMPTY {
            return;
        }
        if word == Word::BUSY {
            internal_error::leave_if_off();
            os::sched_yield();
            continue;
        }
        if !visit_records(marked, place, word) || place.load(Ordering::Acquire) == word.0 {
            return;
        }
    }
}

/// Marks what `word` leads to; `true` if that holds only while the word stays
/// as it is.
fn visit_records(marked: &mut Marked, place: &AtomicU64, word: Word) -> bool {
    if let Some(readers) = Readers::from_word(word) {
        for record in readers.records(place) {
            marked.record(record);
        }
        return true;
    }
    let mut also = word;
    if !word.is_cell() {
        marked.record(word);
        if word.beside() == Beside::Nothing {
            return false;
        }
        let Some([older, oldest]) = beside::places(place) else {
            return false;
        };
        also = Word(older.load(Ordering::Acquire));
        if word.beside() == Beside::Two {
            marked.record(Word(oldest.load(Ordering::Acquire)));
        }
    }
    match CellRef::from_word(also) {
        Some(cell) => {
            for record in cell.records() {
                marked.record(record);
            }
            true
        }
        None => {
            marked.record(also);
            false
        }
    }
}

/// For every slot, the position before which its thread makes no new
/// references.
pub fn horizons() -> Vec<u64> {
    // Threads first: one that ends meanwhile is then still taken at its word.
    let live = thread::registry::current_words();
    let mut horizons = slot::vacant_ends();
    for word in live.into_iter().map(Word) {
        if let Some(horizon) = horizons.get_mut(word.slot() as usize) {
            *horizon = word.pos();
        }
    }
    horizons
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    COLLECTOR.hold();
    storage::before_fork();
}

/// Opens the locks after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        COLLECTOR.force_unlock();
        storage::after_fork();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_under_consideration_are_found() {
        let id = |slot, index| ChunkId { slot, index };
        let all = (1..40).flat_map(|slot| (0..50).map(move |index| id(slot, index * 7)));
        let mut marked = Marked::new(all.clone().collect());
        for (number, chunk) in all.enumerate() {
            assert_eq!(marked.find(chunk), Some(number));
            assert_eq!(marked.find(id(chunk.slot, chunk.index + 1)), None);
        }
        let pos = (7 * CHUNK + 3) as u64;
        let i = marked.find(ChunkId::of(1, pos)).unwrap();
        marked.mark(i, pos);
        marked.mark(i, pos);
        assert!(marked.wanted(i, 3) && !marked.wanted(i, 4) && marked.count(i) == 1);
        marked.mark(i, pos + 61);
        let last = |end| marked.last_before(i, end);
        assert_eq!(
            [CHUNK, 65, 64, 4, 3].map(last),
            [Some(64), Some(64), Some(3), Some(3), None]
        );
        assert_eq!(Marked::new(Vec::new()).find(id(1, 0)), None);
        assert_eq!(marked.first[..2], [u64::MAX, 0]);
    }
}
