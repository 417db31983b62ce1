//! The access log of a slot.
//!
//! An append-only sequence of entries, one for each distinct way in which a
//! segment touched memory: who (a stack id), what (bytes, write, atomic), and
//! what the same slot had done to that granule before. Shadow words refer to
//! entries by position, vector clocks are made of positions, and a segment is
//! a range of positions: the log is the slot's time.
//!
//! The storage is a table of chunks a slot. Only the slot's thread appends;
//! others read entries they found through a shadow word.

pub mod entry;
pub mod site;

use crate::os::{self, Reserve};
use crate::shadow::word::POS_LIMIT;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
pub use entry::Entry;
use racert_abi::word as abi;

/// Entries a chunk: 16 KiB.
pub const CHUNK: usize = 2048;
const TABLE: usize = (POS_LIMIT as usize) / CHUNK;

/// A piece of a log.
pub type Chunk = [AtomicU64; CHUNK];
type Table = [AtomicPtr<Chunk>; TABLE];

static TABLES: [AtomicPtr<Table>; 1 << abi::SLOT_BITS] =
    [const { AtomicPtr::new(null_mut()) }; 1 << abi::SLOT_BITS];

/// The table of `slot`'s chunks, made on first use.
fn table(slot: u16) -> Option<&'static Table> {
    let place = &TABLES[slot as usize];
    let mut at = place.load(Ordering::Acquire);
    if at.is_null() {
        let fresh = os::reserve(Reserve::Anywhere, size_of::<Table>())
            .ok()?
            .cast::<Table>();
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

/// The chunk of `slot` that holds `pos`, if it is kept.
fn chunk(slot: u16, pos: u64) -> Option<&'static Chunk> {
    let place = &table(slot)?[pos as usize / CHUNK];
    // SAFETY: chunks stay mapped while a shadow word refers into them, which
    // is how the caller got the position.
    unsafe { place.load(Ordering::Acquire).as_ref() }
}

/// The raw word at `pos` in the log of `slot`; `None` if it is not kept.
pub fn read(slot: u16, pos: u64) -> Option<u64> {
    Some(chunk(slot, pos)?[pos as usize % CHUNK].load(Ordering::Relaxed))
}

/// The writing end of a slot's log.
pub struct Writer {
    slot: u16,
    end: u64,
    chunk: *const Chunk,
}

impl Writer {
    /// Continues the log of `slot` at `end`.
    pub fn new(slot: u16, end: u64) -> Writer {
        Writer {
            slot,
            end,
            chunk: core::ptr::null(),
        }
    }

    /// Whose log.
    #[inline]
    pub fn slot(&self) -> u16 {
        self.slot
    }

    /// The position after the last entry.
    #[inline]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Leaves one position unused, so that what comes after is told apart from
    /// what came before.
    #[inline]
    pub fn skip(&mut self) {
        self.end += 1;
        if self.end as usize % CHUNK == 0 {
            self.chunk = core::ptr::null();
        }
    }

    /// Appends a raw word; its position.
    #[inline]
    pub fn push(&mut self, value: u64) -> u64 {
        let pos = self.end;
        let at = pos as usize % CHUNK;
        if self.chunk.is_null() {
            self.chunk = self.open_chunk(pos);
        }
        // SAFETY: `chunk` is the mapped chunk that holds `pos`.
        unsafe { (&(*self.chunk))[at].store(value, Ordering::Relaxed) };
        self.end += 1;
        if at + 1 == CHUNK {
            self.chunk = core::ptr::null();
        }
        pos
    }

    /// Makes room for `count` words in one chunk.
    pub fn keep_together(&mut self, count: usize) {
        while self.end as usize % CHUNK + count > CHUNK {
            self.skip();
        }
    }

    #[cold]
    fn open_chunk(&self, pos: u64) -> *const Chunk {
        let table = table(self.slot).unwrap_or_else(|| out_of_memory());
        let place = &table[pos as usize / CHUNK];
        let mut at = place.load(Ordering::Acquire);
        if at.is_null() {
            at = chunk_pool::take().unwrap_or_else(|| out_of_memory());
            place.store(at, Ordering::Release);
        }
        at
    }
}

#[cold]
fn out_of_memory() -> ! {
    os::write_all(
        os::STDERR,
        b"racert: out of memory for the access log; ending the program\n",
    );
    os::abort()
}

/// Memory for chunks, mapped in batches.
mod chunk_pool {
    use super::Chunk;
    use crate::os;
    use crate::spin::SpinLock;

    const BATCH: usize = 64;

    struct Pool {
        next: *mut Chunk,
        left: usize,
    }
    // SAFETY: the pool owns what it points to.
    unsafe impl Send for Pool {}

    static POOL: SpinLock<Pool> = SpinLock::new(Pool {
        next: core::ptr::null_mut(),
        left: 0,
    });

    pub(super) fn take() -> Option<*mut Chunk> {
        let mut pool = POOL.lock();
        if pool.left == 0 {
            pool.next = os::map(BATCH * size_of::<Chunk>()).ok()?.cast();
            pool.left = BATCH;
        }
        let chunk = pool.next;
        pool.next = chunk.wrapping_add(1);
        pool.left -= 1;
        Some(chunk)
    }
}
