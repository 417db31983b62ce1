//! Where log entries are kept.
//!
//! A table of chunks a slot. A chunk is full while it is being written and for
//! some time after; when few of its entries are still wanted it is replaced by
//! a sparse one that holds just those (see [`super::reclaim`]).

use super::entry::leads_before;
use crate::os;
use crate::shadow::word::POS_LIMIT;
use crate::spin::SpinLock;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use racert_abi::word as abi;

/// Entries a chunk: 16 KiB.
pub(crate) const CHUNK: usize = 2048;
const TABLE: usize = (POS_LIMIT as usize) / CHUNK;

/// A piece of a log.
pub(super) type Chunk = [AtomicU64; CHUNK];

/// What is left of a chunk: offsets in rising order, and their words.
#[derive(Default)]
pub(super) struct Sparse {
    offsets: Vec<u16>,
    words: Vec<u64>,
}

impl Sparse {
    fn with_capacity(count: usize) -> Sparse {
        Sparse {
            offsets: Vec::with_capacity(count),
            words: Vec::with_capacity(count),
        }
    }

    fn push(&mut self, offset: u16, word: u64) {
        self.offsets.push(offset);
        self.words.push(word);
    }

    /// The offsets with their words.
    pub(super) fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = (u16, u64)> + DoubleEndedIterator + Clone {
        let offsets = self.offsets.iter().copied();
        offsets.zip(self.words.iter().copied())
    }

    /// Bytes it takes.
    fn size(&self) -> usize {
        let blocks = [
            size_of::<Sparse>(),
            size_of_val(self.offsets.as_slice()),
            size_of_val(self.words.as_slice()),
        ];
        blocks.into_iter().map(usize::next_power_of_two).sum()
    }
}

/// Null, a chunk, or a sparse one, which has [`SPARSE`] set.
type Place = AtomicPtr<Chunk>;

const SPARSE: usize = 1;
const _: () = assert!(align_of::<Sparse>() > SPARSE && CHUNK < 1 << 16);

/// The sparse chunk that a tagged pointer leads to.
fn untagged(at: *mut Chunk) -> *mut Sparse {
    at.map_addr(|a| a & !SPARSE).cast()
}
type Table = [Place; TABLE];

static TABLES: [AtomicPtr<Table>; 1 << abi::SLOT_BITS] =
    [const { AtomicPtr::new(null_mut()) }; 1 << abi::SLOT_BITS];

/// Which chunk of which slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChunkId {
    /// Slot.
    pub(super) slot: u16,
    /// Position divided by [`CHUNK`].
    pub(super) index: u32,
}

impl ChunkId {
    pub(super) fn of(slot: u16, pos: u64) -> ChunkId {
        ChunkId {
            slot,
            index: (pos / CHUNK as u64) as u32,
        }
    }

    /// Its first position.
    pub(super) fn start(self) -> u64 {
        u64::from(self.index) * CHUNK as u64
    }

    /// The position after its last.
    pub(super) fn end(self) -> u64 {
        (u64::from(self.index) + 1) * CHUNK as u64
    }
}

fn table(slot: u16) -> Option<&'static Table> {
    let place = &TABLES[slot as usize];
    let mut at = place.load(Ordering::Acquire);
    if at.is_null() {
        let fresh = os::map(size_of::<Table>()).ok()?.cast::<Table>();
        match place.compare_exchange(null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => at = fresh,
            Err(theirs) => {
                os::unmap(fresh.cast(), size_of::<Table>());
                at = theirs;
            }
        }
    }
    // SAFETY: tables are never unmapped once published; zeroed memory is a
    // table of null pointers.
    Some(unsafe { &*at })
}

fn place(id: ChunkId) -> Option<&'static Place> {
    table(id.slot)?.get(id.index as usize)
}

/// The word at `pos` in the log of `slot`; `None` if it is not kept.
#[inline]
pub(super) fn read(slot: u16, pos: u64) -> Option<u64> {
    let at = place(ChunkId::of(slot, pos))?.load(Ordering::Acquire);
    let offset = pos as usize % CHUNK;
    if at.addr() & SPARSE != 0 {
        return read_sparse(at, offset as u16);
    }
    // SAFETY: a chunk is given back only after every thread that may have
    // loaded its address has left the runtime.
    Some(unsafe { at.as_ref() }?[offset].load(Ordering::Relaxed))
}

#[cold]
fn read_sparse(at: *mut Chunk, offset: u16) -> Option<u64> {
    // SAFETY: a tagged pointer leads to a sparse chunk, which lives by the
    // same rule as full ones.
    let sparse = unsafe { &*untagged(at) };
    let i = sparse.offsets.binary_search(&offset).ok()?;
    sparse.words.get(i).copied()
}

/// The words of a chunk.
pub(super) enum Words {
    /// All of them.
    Full(&'static Chunk),
    /// Those that are left.
    Sparse(&'static Sparse),
}

/// What there is of the chunk `id`; for the one who thins chunks.
pub(super) fn words(id: ChunkId) -> Option<Words> {
    let at = place(id)?.load(Ordering::Acquire);
    if at.addr() & SPARSE != 0 {
        // SAFETY: a tagged pointer leads to a sparse chunk, and nobody but the
        // caller gives that back.
        return Some(Words::Sparse(unsafe { &*untagged(at) }));
    }
    // SAFETY: as above, to a full one.
    unsafe { at.as_ref() }.map(Words::Full)
}

/// Is the chunk there, and sparse?
pub(super) fn is_sparse(id: ChunkId) -> Option<bool> {
    let at = place(id)?.load(Ordering::Acquire);
    (!at.is_null()).then(|| at.addr() & SPARSE != 0)
}

/// A page of a slot's table: slot and number.
type Page = (u16, u32);

/// Places in a page of a table.
const PAGE_PLACES: usize = os::PAGE / size_of::<Place>();

/// The page of the table that has the chunk's place.
fn page(id: &ChunkId) -> Page {
    (id.slot, id.index / PAGE_PLACES as u32)
}

/// Chunks that exist, and memory for more.
struct Pool {
    full: Vec<ChunkId>,
    sparse: Vec<ChunkId>,
    /// Pages of tables that were ever needed for chunks and not given back.
    pages: BTreeSet<Page>,
    free: Vec<*mut Chunk>,
    next: *mut Chunk,
    left: usize,
}
// SAFETY: the pool owns what it points to.
unsafe impl Send for Pool {}

static POOL: SpinLock<Pool> = SpinLock::new(Pool {
    full: Vec::new(),
    sparse: Vec::new(),
    pages: BTreeSet::new(),
    free: Vec::new(),
    next: null_mut(),
    left: 0,
});
/// Bytes in full chunks.
static FULL_BYTES: AtomicUsize = AtomicUsize::new(0);
/// Bytes in sparse ones.
static SPARSE_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Chunks mapped at a time: 256 KiB.
const BATCH: usize = 16;

/// Bytes of log that could be looked through for entries nobody wants.
pub(super) fn full_bytes() -> usize {
    FULL_BYTES.load(Ordering::Relaxed)
}

/// Bytes of log that were looked through, and are wanted.
pub(super) fn sparse_bytes() -> usize {
    SPARSE_BYTES.load(Ordering::Relaxed)
}

/// The chunk that holds `pos`, made if need be; `None` without memory.
pub(super) fn open(slot: u16, pos: u64) -> Option<*const Chunk> {
    let id = ChunkId::of(slot, pos);
    let place = place(id)?;
    let at = place.load(Ordering::Acquire);
    if !at.is_null() {
        return (at.addr() & SPARSE == 0).then_some(at.cast_const());
    }
    let mut pool = POOL.lock();
    let chunk = match pool.free.pop() {
        Some(chunk) => {
            // SAFETY: a chunk that nobody uses; zeros are words.
            unsafe { chunk.write_bytes(0, 1) };
            chunk
        }
        None => {
            if pool.left == 0 {
                pool.next = os::map(BATCH * size_of::<Chunk>()).ok()?.cast();
                pool.left = BATCH;
            }
            pool.left -= 1;
            let chunk = pool.next;
            pool.next = chunk.wrapping_add(1);
            chunk
        }
    };
    pool.full.push(id);
    pool.pages.insert(page(&id));
    FULL_BYTES.fetch_add(size_of::<Chunk>(), Ordering::Relaxed);
    place.store(chunk, Ordering::Release);
    Some(chunk)
}

/// Storage that nothing refers to any more, but that a thread may still be
/// looking at.
pub(super) enum Retired {
    /// A full chunk.
    Full(*mut Chunk),
    /// A sparse one.
    Sparse(*mut Sparse),
}
// SAFETY: unreachable memory.
unsafe impl Send for Retired {}

/// All chunks that exist, full ones and sparse ones. Those opened afterwards
/// are not in it.
pub(super) fn inventory() -> (Vec<ChunkId>, Vec<ChunkId>) {
    let pool = POOL.lock();
    (pool.full.clone(), pool.sparse.clone())
}

/// Brings the inventory up to date after chunks were thinned.
pub(super) fn tidy() {
    let kind = |id: &ChunkId| is_sparse(*id);
    let mut pool = POOL.lock();
    let thinned: Vec<ChunkId> = pool
        .full
        .iter()
        .copied()
        .filter(|id| kind(id) == Some(true))
        .collect();
    pool.sparse.retain(|id| kind(id) == Some(true));
    pool.sparse.extend(thinned);
    pool.full.retain(|id| kind(id) == Some(false));
    FULL_BYTES.store(pool.full.len() * size_of::<Chunk>(), Ordering::Relaxed);
    pool.give_back_pages();
}

impl Pool {
    /// Gives back the pages of tables in which there is no chunk any more: who
    /// looks finds none, as before, and who opens one has to wait for the pool.
    fn give_back_pages(&mut self) {
        let used: BTreeSet<Page> = self.full.iter().chain(&self.sparse).map(page).collect();
        self.pages.retain(|page| {
            let is_used = used.contains(page);
            if let (false, Some(table)) = (is_used, table(page.0)) {
                let first = &table[page.1 as usize * PAGE_PLACES];
                os::advise_dont_need(core::ptr::from_ref(first).addr(), os::PAGE);
            }
            is_used
        });
    }
}

/// A bit for each word of a chunk.
pub(super) type Marks = [u64; CHUNK / 64];

/// Keeps of chunk `id` only the `wanted` words; [`tidy`] has to follow. Adds to
/// `leads` the places in other chunks that they lead to.
pub(super) fn thin(
    id: ChunkId,
    wanted: &Marks,
    leads: &mut Vec<(ChunkId, u64)>,
) -> Option<Retired> {
    let place = place(id)?;
    let old = place.load(Ordering::Acquire);
    if old.is_null() {
        return None;
    }
    let was_sparse = old.addr() & SPARSE != 0;
    let count = wanted.iter().map(|bits| bits.count_ones()).sum::<u32>();
    let mut kept = Sparse::with_capacity(count as usize);
    if was_sparse {
        // SAFETY: a tagged pointer leads to a sparse chunk.
        let sparse = unsafe { &*untagged(old) };
        SPARSE_BYTES.fetch_sub(sparse.size(), Ordering::Relaxed);
        let is_wanted = |o: u16| wanted[o as usize / 64] & 1 << (o % 64) != 0;
        for (offset, word) in sparse.iter().filter(|&(o, _)| is_wanted(o)) {
            kept.push(offset, word);
        }
    } else {
        // SAFETY: an untagged pointer leads to a chunk.
        let chunk = unsafe { &*old };
        for (at, &bits) in wanted.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let offset = at * 64 + bits.trailing_zeros() as usize;
                kept.push(offset as u16, chunk[offset].load(Ordering::Relaxed));
                bits &= bits - 1;
            }
        }
    }
    let new = if kept.words.is_empty() {
        null_mut()
    } else {
        SPARSE_BYTES.fetch_add(kept.size(), Ordering::Relaxed);
        let places = leads_before(id.start(), kept.iter());
        leads.extend(places.map(|at| (ChunkId::of(id.slot, at), at)));
        Box::into_raw(Box::new(kept))
            .cast::<Chunk>()
            .map_addr(|a| a | SPARSE)
    };
    place.store(new, Ordering::Release);
    Some(if was_sparse {
        Retired::Sparse(untagged(old))
    } else {
        Retired::Full(old)
    })
}

impl Retired {
    /// Makes the memory available again.
    ///
    /// # Safety
    /// No thread may still be looking at it.
    pub(super) unsafe fn free(self) {
        match self {
            Retired::Full(chunk) => POOL.lock().free.push(chunk),
            // SAFETY: made by `Box::into_raw`, and unreachable.
            Retired::Sparse(sparse) => drop(unsafe { Box::from_raw(sparse) }),
        }
    }
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    POOL.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { POOL.force_unlock() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_table_without_chunks_are_given_back() {
        crate::init::for_tests();
        // No thread has this slot.
        let slot = 4000;
        let id = |number: usize| ChunkId {
            slot,
            index: (number * PAGE_PLACES) as u32,
        };
        let ids = [0, 1, 2].map(id);
        for id in ids {
            assert!(open(slot, id.start()).is_some());
        }
        let kept = {
            let mut kept: Marks = [0; CHUNK / 64];
            kept[0] = 2;
            kept
        };
        for (id, wanted) in [(ids[0], [0; CHUNK / 64]), (ids[1], kept)] {
            let retired = thin(id, &wanted, &mut Vec::new()).unwrap();
            // SAFETY: nobody else knows of it.
            unsafe { retired.free() };
        }
        tidy();
        let pages = || ids.map(|id| POOL.lock().pages.contains(&page(&id)));
        assert_eq!(pages(), [false, true, true]);
        let table = table(slot).unwrap();
        let mut resident = [0; 3];
        assert!(os::resident_pages(table.as_ptr().addr(), &mut resident));
        assert_eq!(resident.map(|page| page & 1), [0, 1, 1]);
        assert_eq!(read(slot, ids[0].start() + 1), None);
        assert!(read(slot, ids[1].start() + 1).is_some());
        assert!(open(slot, ids[0].start()).is_some());
        assert_eq!(pages(), [true; 3]);
    }
}
