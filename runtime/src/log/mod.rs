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
mod marked;
pub mod memo;
pub mod reclaim;
pub mod site;
pub mod stash;
mod storage;

use crate::os;
use core::sync::atomic::Ordering;
pub use entry::Entry;
use racert_abi::word::SLOT_SHIFT;
pub(crate) use storage::CHUNK;
use storage::Chunk;

/// The raw word at `pos` in the log of `slot`; `None` if it is not kept.
pub fn read(slot: u16, pos: u64) -> Option<u64> {
    storage::read(slot, pos)
}

/// What stands behind the entry of a write that has its segment to itself. No
/// entry looks like that: each touches some byte.
const MARK: u64 = 1 << 4;

/// Has the write whose entry is at `pos` its segment to itself?
pub fn is_marked(slot: u16, pos: u64) -> bool {
    read(slot, pos + 1) == Some(MARK)
}

/// The writing end of a slot's log.
pub struct Writer {
    slot: u16,
    /// A record with nothing but the slot.
    stem: u64,
    end: u64,
    chunk: *const Chunk,
}

impl Writer {
    /// Continues the log of `slot` at `end`.
    pub fn new(slot: u16, end: u64) -> Writer {
        Writer {
            slot,
            stem: u64::from(slot) << SLOT_SHIFT,
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

    /// Where assembly finds its parts.
    pub(crate) const STEM: usize = core::mem::offset_of!(Writer, stem);
    pub(crate) const END: usize = core::mem::offset_of!(Writer, end);
    pub(crate) const CHUNK: usize = core::mem::offset_of!(Writer, chunk);

    /// Where [`Writer::end`] is kept.
    pub(crate) fn end_place(&self) -> *const u64 {
        &raw const self.end
    }

    /// Leaves one position unused, so that what comes after is told apart from
    /// what came before.
    #[inline]
    pub fn skip(&mut self) {
        self.end += 1;
        if (self.end as usize).is_multiple_of(CHUNK) {
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

    /// Says of the entry just appended what [`is_marked`] asks.
    pub fn mark(&mut self) {
        self.push(MARK);
    }

    /// Makes room for `count` words in one chunk.
    pub fn keep_together(&mut self, count: usize) {
        while self.end as usize % CHUNK + count > CHUNK {
            self.skip();
        }
    }

    #[cold]
    fn open_chunk(&self, pos: u64) -> *const Chunk {
        storage::open(self.slot, pos).unwrap_or_else(|| {
            os::write_all(os::STDERR, b"racert: out of memory for the access log\n");
            os::abort()
        })
    }
}
