//! Ranks for everybody to read, without the graph's lock.
//!
//! [`Ranks`](super::ranks::Ranks) writes here what it decides. Whether two
//! values that were read belong together, the reader has to find out: see
//! [`Orders`](super::orders::Orders).

use super::super::LockId;
use alloc::boxed::Box;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicI64, AtomicPtr, Ordering};

/// Locks of one chunk, 64 KiB, which is made when the first of them gets a rank.
const CHUNK: usize = 1 << 13;
const CHUNKS: usize = LockId::LIMIT as usize / CHUNK;

/// Added to ranks: 0 stands for none. There are fewer locks than that.
const OFFSET: i64 = 1 << 40;

type Chunk = [AtomicI64; CHUNK];

/// The rank of each lock that has one.
pub(super) struct Heights([AtomicPtr<Chunk>; CHUNKS]);

impl Heights {
    /// None has one.
    pub(super) const fn new() -> Heights {
        Heights([const { AtomicPtr::new(null_mut()) }; CHUNKS])
    }

    fn place(&self, lock: LockId) -> Option<&AtomicI64> {
        let number = lock.number() as usize;
        let chunk = self.0.get(number / CHUNK)?.load(Ordering::Acquire);
        // SAFETY: a chunk stays once it is there.
        unsafe { chunk.as_ref() }.map(|chunk| &chunk[number % CHUNK])
    }

    /// The rank of a lock.
    #[inline]
    pub(super) fn get(&self, lock: LockId) -> Option<i64> {
        match self.place(lock)?.load(Ordering::Relaxed) {
            0 => None,
            height => Some(height - OFFSET),
        }
    }

    /// Changes it. Only who holds the graph's lock does that.
    pub(super) fn set(&self, lock: LockId, rank: Option<i64>) {
        if self.place(lock).is_none() {
            self.add_chunk(lock);
        }
        if let Some(place) = self.place(lock) {
            let height = rank.map_or(0, |rank| rank + OFFSET);
            place.store(height, Ordering::Relaxed);
        }
    }

    fn add_chunk(&self, lock: LockId) {
        if let Some(chunk) = self.0.get(lock.number() as usize / CHUNK) {
            // SAFETY: zeroes are a chunk in which no lock has a rank.
            let fresh = unsafe { Box::<Chunk>::new_zeroed().assume_init() };
            chunk.store(Box::into_raw(fresh), Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lock_has_a_place_of_its_own() {
        let heights = Heights::new();
        let lock = |number| LockId::new(number).unwrap();
        let numbers = [1, CHUNK as u32 - 1, CHUNK as u32, LockId::LIMIT - 1];
        for (rank, number) in (-2..).zip(numbers) {
            assert_eq!(heights.get(lock(number)), None);
            heights.set(lock(number), Some(rank));
        }
        for (rank, number) in (-2..).zip(numbers) {
            assert_eq!(heights.get(lock(number)), Some(rank));
            heights.set(lock(number), None);
            assert_eq!(heights.get(lock(number)), None);
        }
        heights.set(lock(LockId::LIMIT), Some(1));
        assert_eq!(heights.get(lock(LockId::LIMIT)), None);
    }
}
