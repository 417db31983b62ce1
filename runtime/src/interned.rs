//! Lists of numbers that are stored once.
//!
//! Equal lists have one number, so comparing two is comparing numbers and a
//! list travels in a few bits. The lists of a table lie one after another in
//! one large reservation, each behind a header: its number is the position of
//! the header. Chains of a hash table find equal lists again. Lists are never
//! removed. Insertion is one compare-and-swap on a chain's head, readers take
//! no lock.

use crate::os;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Words of 4 bytes for all lists of a table: 1 GiB. A list of one number takes
/// 4 of them.
const WORDS: usize = 1 << NUMBER_BITS;
/// Numbers of lists fit into so many bits.
pub const NUMBER_BITS: u32 = 28;
/// Heads of the hash chains: 1 MiB if all are touched. A program that takes
/// locks in half a million combinations then has two lists in a chain.
const BUCKETS: usize = 1 << 18;

/// In front of a list.
const HASH: usize = 0;
const NEXT: usize = 1;
const LENGTH: usize = 2;
const HEADER: usize = 3;

/// A table of lists. The empty list has the number 0.
pub struct Lists {
    lists: AtomicUsize,
    heads: AtomicUsize,
    /// The first free word.
    end: AtomicUsize,
}

impl Lists {
    /// A table that [`Lists::reserve`] has to be called on.
    pub const fn new() -> Lists {
        Lists {
            lists: AtomicUsize::new(0),
            heads: AtomicUsize::new(0),
            end: AtomicUsize::new(HEADER + 1),
        }
    }

    /// Reserves the table.
    pub fn reserve(&self) -> Result<(), os::Errno> {
        let lists = os::map(WORDS * size_of::<u32>())?;
        let heads = os::map(BUCKETS * size_of::<u32>())?;
        self.lists.store(lists as usize, Ordering::Relaxed);
        self.heads.store(heads as usize, Ordering::Release);
        Ok(())
    }

    fn word(&self, at: usize) -> &'static AtomicU32 {
        let base = self.lists.load(Ordering::Relaxed) as *const AtomicU32;
        // SAFETY: positions of lists and their words are within the table.
        unsafe { &*base.add(at) }
    }

    fn head(&self, hash: u32) -> &'static AtomicU32 {
        let base = self.heads.load(Ordering::Relaxed) as *const AtomicU32;
        // SAFETY: the index is within the table.
        unsafe { &*base.add(hash as usize % BUCKETS) }
    }

    /// The list with that number.
    pub fn get(&self, number: u32) -> &'static [u32] {
        if number == 0 {
            return &[];
        }
        let at = number as usize;
        let length = self.word(at + LENGTH).load(Ordering::Relaxed) as usize;
        // SAFETY: written before the list was published, never changed since.
        unsafe { core::slice::from_raw_parts(self.word(at + HEADER).as_ptr(), length) }
    }

    /// The number of `list`; `None` when there is no room for it.
    pub fn intern(&self, list: &[u32]) -> Option<u32> {
        if list.is_empty() {
            return Some(0);
        }
        let hash = hash(list);
        let head = self.head(hash);
        let mut fresh = None;
        let mut first = head.load(Ordering::Acquire);
        loop {
            if let Some(known) = self.find(first, hash, list) {
                return Some(known);
            }
            let new = match fresh {
                Some(new) => new,
                None => *fresh.insert(self.write(hash, list)?),
            };
            let next = self.word(new as usize + NEXT);
            next.store(first, Ordering::Relaxed);
            match head.compare_exchange_weak(first, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(new),
                Err(now) => first = now,
            }
        }
    }

    fn find(&self, first: u32, hash: u32, wanted: &[u32]) -> Option<u32> {
        let mut at = first;
        while at != 0 {
            let known = self.word(at as usize + HASH).load(Ordering::Relaxed);
            if known == hash && self.get(at) == wanted {
                return Some(at);
            }
            at = self.word(at as usize + NEXT).load(Ordering::Relaxed);
        }
        None
    }

    /// Writes a list that nobody can find yet; `None` when there is no room.
    fn write(&self, hash: u32, list: &[u32]) -> Option<u32> {
        let size = HEADER + list.len();
        let room = |end: usize| (end + size <= WORDS).then(|| end + size);
        let at = self
            .end
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, room)
            .ok()?;
        self.word(at + HASH).store(hash, Ordering::Relaxed);
        let length = self.word(at + LENGTH);
        length.store(list.len() as u32, Ordering::Relaxed);
        for (i, number) in list.iter().enumerate() {
            self.word(at + HEADER + i).store(*number, Ordering::Relaxed);
        }
        Some(at as u32)
    }
}

impl Default for Lists {
    fn default() -> Self {
        Self::new()
    }
}

fn hash(list: &[u32]) -> u32 {
    let sum = list.iter().fold(0u64, |sum, number| {
        (sum ^ u64::from(*number))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(27)
    });
    (sum >> 32 ^ sum) as u32
}
