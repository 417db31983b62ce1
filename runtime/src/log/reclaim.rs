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

use super::marked::{Marked, fetch};
use super::storage::{self, CHUNK, ChunkId, Retired};
use crate::internal_error;
use crate::shadow::planes::Readers;
use crate::shadow::word::{Beside, Word};
use crate::shadow::{beside, cell::CellRef, scan, word_of};
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
    sparse_limit: SMALLEST,
    leads: Vec::new(),
    retired: Vec::new(),
    inside: Vec::new(),
});

struct Collector {
    /// Thin the log when the full chunks exceed this.
    limit: usize,
    /// Look at the sparse ones again when they exceed this.
    sparse_limit: usize,
    /// What entries of sparse chunks lead to in full ones.
    leads: Leads,
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

/// Positions of entries, and the chunks they are in.
type Leads = Vec<(ChunkId, u64)>;

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
        self.limit = self.collect();
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

    /// Thins the log: what nothing leads to is retired; when it is time again.
    fn collect(&mut self) -> usize {
        let vacant = slot::vacant_ends();
        let horizon = horizons();
        let old = |id: &ChunkId| {
            horizon
                .get(id.slot as usize)
                .is_some_and(|&h| id.end() <= h)
        };
        let (mut considered, sparse) = storage::inventory();
        considered.retain(old);
        let is_whole = storage::sparse_bytes() > self.sparse_limit;
        if is_whole {
            considered.extend(sparse);
        }
        let mut marked = Marked::new(considered);
        for (id, at) in self.leads.iter().filter(|_| !is_whole) {
            marked.entry(id.slot, *at);
        }
        let walked = scan::pages(|page| {
            page.clone().step_by(8).for_each(|at| ahead(word_of(at)));
            page.step_by(8)
                .for_each(|at| visit(&mut marked, word_of(at)));
        });
        let Some(walked) = walked else {
            // What is wanted is not known, so everything is.
            return storage::full_bytes() * 2;
        };
        slot::walked(&marked.met, &vacant, walked);
        if is_whole {
            self.leads.clear();
        }
        marked.follow();
        for (i, id) in marked.chunks.iter().enumerate() {
            // A chunk that would hardly become smaller stays as it is.
            if marked.count(i) as usize <= CHUNK / 4 {
                let thinned = storage::thin(*id, &marked.marks[i], &mut self.leads);
                self.retired.extend(thinned);
            }
        }
        self.leads
            .retain(|(id, _)| storage::is_sparse(*id) == Some(false));
        storage::tidy();
        let sparse = storage::sparse_bytes();
        if is_whole {
            self.sparse_limit = (2 * sparse).max(SMALLEST);
        }
        let grown = 2 * (storage::full_bytes() + sparse);
        let share = (walked * SHARE).clamp(SMALLEST, ENOUGH);
        grown.max(walked).max(share)
    }
}

/// Asks for the memory of the cell that a visit of `place` will look at.
fn ahead(place: &AtomicU64) {
    let word = Word(place.load(Ordering::Relaxed));
    let cell = match word.beside() {
        _ if word.is_cell() => CellRef::from_word(word),
        Beside::Cell => beside::places(place)
            .and_then(|[older, _]| CellRef::from_word(Word(older.load(Ordering::Relaxed)))),
        _ => None,
    };
    if let Some(cell) = cell {
        fetch(cell.place());
    }
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
