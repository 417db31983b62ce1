//! Which entries of the log are wanted.

use super::entry::{Chain, previous};
use super::storage::{self, CHUNK, ChunkId, Marks, Words};
use crate::shadow::word::Word;
use crate::slot::Left;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::sync::atomic::{AtomicU64, Ordering};
use racert_abi::word::SLOT_BITS;

/// Words of a line of the processor's caches.
const LINE: usize = 8;

/// No chunk.
const NONE: u32 = u32::MAX;

/// Marks for the chunks under consideration.
pub(super) struct Marked {
    pub(super) chunks: Vec<ChunkId>,
    pub(super) marks: Vec<Marks>,
    /// Numbers of chunks by [`place_of`], in the next free place if that is
    /// taken; half of it is free. The walk asks for millions of words, and they
    /// lead to chunks in no order.
    places: Vec<u32>,
    /// For every slot, where the first of its chunks begins: nothing before is
    /// under consideration.
    first: Vec<u64>,
    /// What was met of each slot.
    pub(super) met: Box<[Left]>,
}

/// Where the search for a chunk begins in a table of `len`, a power of two.
fn place_of(id: ChunkId, len: usize) -> usize {
    let key = u64::from(id.slot) << 32 | u64::from(id.index);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (len - 1)
}

impl Marked {
    pub(super) fn new(chunks: Vec<ChunkId>) -> Marked {
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
    pub(super) fn record(&mut self, record: Word) {
        if record != Word::EMPTY && !record.is_cell() {
            let met = &mut self.met[record.slot() as usize];
            *met = (*met).max(match record.touch().write {
                true => Left::Anything,
                false => Left::Reads,
            });
            self.entry(record.slot(), record.pos());
        }
    }

    /// Marks the entry at `pos` in the log of `slot`. If that is in a full chunk
    /// that is not under consideration, marks what it leads to.
    pub(super) fn entry(&mut self, slot: u16, pos: u64) {
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
            if storage::is_sparse(id) == Some(true) || chain.step().is_none() {
                return;
            }
        }
    }

    /// Marks what marked entries lead to.
    ///
    /// The records of the shadow lead to entries in no order; from there on it
    /// is done chunk by chunk, the newest first.
    pub(super) fn follow(&mut self) {
        let mut order: Vec<usize> = (0..self.chunks.len()).collect();
        order.sort_unstable_by_key(|&i| Reverse(self.chunks[i]));
        for (at, &i) in order.iter().enumerate() {
            if let Some(&next) = order.get(at + 1) {
                self.fetch(next);
            }
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
                    for (offset, word) in words.iter().rev() {
                        if self.wanted(i, offset) {
                            self.lead(i, offset.into(), word);
                        }
                    }
                }
            }
        }
    }

    /// Asks for the memory that the marked words of the chunk numbered `i` are
    /// in: waiting for one after the other would take longer than all else.
    fn fetch(&self, i: usize) {
        let Some(Words::Full(chunk)) = storage::words(self.chunks[i]) else {
            return;
        };
        for (lines, &bits) in chunk.chunks_exact(64).zip(&self.marks[i]) {
            for (line, marks) in lines.chunks_exact(LINE).zip(bits.to_le_bytes()) {
                if marks != 0 {
                    fetch(line.as_ptr());
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

    pub(super) fn count(&self, i: usize) -> u32 {
        self.marks[i].iter().map(|m| m.count_ones()).sum()
    }
}

/// Asks the processor for the memory at `place`.
pub(super) fn fetch(place: *const AtomicU64) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: it has no effect but on the caches.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Writer;
    use crate::log::storage::Retired;
    use crate::shadow::word::Touch;
    use crate::slot;

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

    #[test]
    fn what_sparse_chunks_lead_to_is_wanted() {
        crate::init::for_tests();
        let lease = slot::fresh_for_tests();
        let mut log = Writer::new(lease.slot, lease.start);
        let touch = Touch {
            bytes: 1,
            write: true,
            atomic: false,
        };
        let mut append = |previous| log.append(touch, 1, false, 7, previous);
        let earlier = append(None);
        let mut last = earlier;
        while ChunkId::of(lease.slot, last) == ChunkId::of(lease.slot, earlier) {
            last = append(None);
        }
        let later = append(Some(earlier));
        let [first, second] = [earlier, later].map(|at| ChunkId::of(lease.slot, at));
        // The second chunk is thinned, then the first is looked at alone.
        let mut marked = Marked::new(alloc::vec![second]);
        marked.entry(lease.slot, later);
        let mut leads = Vec::new();
        let retired = storage::thin(second, &marked.marks[0], &mut leads);
        assert!(matches!(retired, Some(Retired::Full(_))));
        assert_eq!(leads, [(first, earlier)]);
        let is_sparse = [first, second].map(storage::is_sparse);
        assert_eq!(is_sparse, [Some(false), Some(true)]);
        assert_eq!(Chain::new(lease.slot, later).count(), 2);
        let mut marked = Marked::new(alloc::vec![first]);
        marked.entry(lease.slot, later);
        assert_eq!(marked.count(0), 0);
        for (id, at) in leads {
            marked.entry(id.slot, at);
        }
        assert_eq!(marked.count(0), 1);
        let offset = (earlier as usize % CHUNK) as u16;
        assert!(marked.wanted(0, offset));
    }
}
