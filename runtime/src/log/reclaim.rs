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

use super::entry::Chain;
use super::storage::{self, CHUNK, ChunkId, Retired};
use crate::internal_error;
use crate::shadow::planes::Readers;
use crate::shadow::word::{Beside, Word};
use crate::shadow::{beside, cell::CellRef, scan};
use crate::spin::SpinLock;
use crate::{os, slot, thread};
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

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

type Marks = [u64; CHUNK / 64];

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

    /// Marks the word at `pos` of the chunk numbered `i`; was it marked before?
    fn mark(&mut self, i: usize, pos: u64) -> bool {
        let offset = pos as usize % CHUNK;
        let bits = &mut self.marks[i][offset / 64];
        let bit = 1 << (offset % 64);
        let before = *bits & bit != 0;
        *bits |= bit;
        before
    }

    /// Marks all entries a record leads to.
    fn record(&mut self, record: Word) {
        if record == Word::EMPTY || record.is_cell() {
            return;
        }
        // An entry leads to earlier ones only.
        let first = self.first.get(record.slot() as usize);
        if first.is_none_or(|&first| record.pos() < first) {
            return;
        }
        let mut chain = Chain::new(record.slot(), record.pos());
        while let Some(at) = chain.position() {
            let id = ChunkId::of(record.slot(), at);
            let number = self.find(id);
            let is_known = match number {
                Some(i) => self.mark(i, at),
                None => storage::is_closed(id),
            };
            if is_known {
                return;
            }
            let Some(_) = chain.next() else { return };
            if let Some(i) = number
                && chain.has_second_word()
            {
                // The two are in one chunk.
                self.mark(i, at + 1);
            }
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
    for i in 0..marked.chunks.len() {
        // A chunk that is mostly wanted stays as it is.
        if marked.count(i) as usize <= CHUNK / 16 {
            retired.extend(storage::thin(marked.chunks[i], |o| marked.wanted(i, o)));
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
        assert!(!marked.mark(i, pos) && marked.mark(i, pos));
        assert!(marked.wanted(i, 3) && !marked.wanted(i, 4) && marked.count(i) == 1);
        assert_eq!(Marked::new(Vec::new()).find(id(1, 0)), None);
        assert_eq!(marked.first[..2], [u64::MAX, 0]);
    }
}
