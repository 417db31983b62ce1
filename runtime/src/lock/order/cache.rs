//! Sequences of locks that a thread has taken before.
//!
//! Larger than a few pages the cache costs the program more than it saves, if
//! the thread takes ever new sequences. So it grows beyond that only when a
//! sample of what is inserted shows that much of it was there before.

use alloc::vec;
use alloc::vec::Vec;

/// Entries at first, 2 KiB; without a reason, 32 KiB; and at most, 2 MiB.
const SMALLEST: usize = 1 << 8;
const MODEST: usize = 1 << 12;
const LARGEST: usize = 1 << 18;

/// Places for one sequence, together half a cache line.
const WAYS: usize = 4;

/// One of so many sequences belongs to the sample.
const SAMPLED: u64 = 1 << 8;
/// Places for them, 8 KiB: the sample of the largest cache.
const PLACES: usize = LARGEST / SAMPLED as usize;
/// So many of them tell whether the cache should grow.
const ENOUGH: u32 = 32;

/// Which sequences; each has a few places where it can be.
#[derive(Default)]
pub(super) struct Cache {
    sets: Vec<[u64; WAYS]>,
    /// Others pushed out since the cache has this size.
    lost: usize,
    sample: Sample,
}

impl Cache {
    /// Nothing yet.
    pub(super) const fn new() -> Cache {
        Cache {
            sets: Vec::new(),
            lost: 0,
            sample: Sample {
                keys: Vec::new(),
                seen: 0,
                back: 0,
            },
        }
    }

    /// Has the sequence `key` been taken before? It may say no wrongly.
    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        let mask = self.sets.len().wrapping_sub(1);
        let set = self.sets.get(key as usize & mask);
        set.is_some_and(|set| set.contains(&key))
    }

    /// Remembers `key`, which is not 0. A cache that forgets as much as it
    /// holds grows.
    pub(super) fn insert(&mut self, key: u64) {
        let size = self.sets.len() * WAYS;
        let is_useful = size >= MODEST && self.sample.says_grow(key);
        if size == 0 {
            self.sets = vec![[0; WAYS]; SMALLEST / WAYS];
        } else if self.lost > self.sets.len() && (size < MODEST || is_useful && size < LARGEST) {
            self.grow();
        }
        if self.put(key) != 0 {
            self.lost += 1;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let old = core::mem::take(&mut self.sets);
        self.sets = vec![[0; WAYS]; old.len() * 4];
        self.lost = 0;
        let keys = old.into_iter().flatten().filter(|key| *key != 0);
        keys.for_each(|key| {
            self.put(key);
        });
    }

    /// Puts `key` first in its set; what falls out at the end.
    fn put(&mut self, key: u64) -> u64 {
        let mask = self.sets.len() - 1;
        let set = &mut self.sets[key as usize & mask];
        set.rotate_right(1);
        core::mem::replace(&mut set[0], key)
    }
}

/// Some of the sequences that were inserted.
#[derive(Default)]
struct Sample {
    keys: Vec<u64>,
    /// Inserted since it spoke last.
    seen: u32,
    /// How many of these were inserted before.
    back: u32,
}

impl Sample {
    /// `key` is inserted. Was enough of what was inserted last there before?
    #[inline]
    fn says_grow(&mut self, key: u64) -> bool {
        key / (u64::MAX / SAMPLED + 1) == 0 && self.add(key)
    }

    #[cold]
    fn add(&mut self, key: u64) -> bool {
        if self.keys.is_empty() {
            self.keys = vec![0; PLACES];
        }
        let before = core::mem::replace(&mut self.keys[key as usize % PLACES], key);
        self.seen += 1;
        self.back += u32::from(before == key);
        if self.seen < ENOUGH {
            return false;
        }
        let is_much = 4 * self.back >= self.seen;
        (self.seen, self.back) = (0, 0);
        is_much
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(count: u64) -> impl Iterator<Item = u64> {
        (1..count).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[test]
    fn it_grows_until_all_fit() {
        let mut cache = Cache::new();
        assert!(!cache.contains(5));
        for _ in 0..12 {
            for key in keys(20_000) {
                if !cache.contains(key) {
                    cache.insert(key);
                }
            }
        }
        let known = keys(20_000).filter(|key| cache.contains(*key)).count();
        assert!(known > 19_900, "{known}");
    }

    #[test]
    fn it_does_not_grow_for_what_comes_once() {
        let mut cache = Cache::new();
        keys(1_000_000).for_each(|key| cache.insert(key));
        assert_eq!(cache.sets.len() * WAYS, MODEST);
    }
}
