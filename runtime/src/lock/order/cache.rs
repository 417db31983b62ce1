//! Sequences of locks that a thread has taken before.

use alloc::vec;
use alloc::vec::Vec;

/// Entries at first, 2 KiB, and at most, 512 KiB.
const SMALLEST: usize = 1 << 8;
const LARGEST: usize = 1 << 16;

/// Places for one sequence, together half a cache line.
const WAYS: usize = 4;

/// Which sequences; each has a few places where it can be.
#[derive(Default)]
pub(super) struct Cache {
    sets: Vec<[u64; WAYS]>,
    /// Others pushed out since the cache has this size.
    lost: usize,
}

impl Cache {
    /// Nothing yet.
    pub(super) const fn new() -> Cache {
        Cache {
            sets: Vec::new(),
            lost: 0,
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
        if self.sets.is_empty() {
            self.sets = vec![[0; WAYS]; SMALLEST / WAYS];
        } else if self.lost > self.sets.len() && self.sets.len() * WAYS < LARGEST {
            let old = core::mem::take(&mut self.sets);
            self.sets = vec![[0; WAYS]; old.len() * 4];
            self.lost = 0;
            let keys = old.into_iter().flatten().filter(|key| *key != 0);
            keys.for_each(|key| {
                self.put(key);
            });
        }
        if self.put(key) != 0 {
            self.lost += 1;
        }
    }

    /// Puts `key` first in its set; what falls out at the end.
    fn put(&mut self, key: u64) -> u64 {
        let mask = self.sets.len() - 1;
        let set = &mut self.sets[key as usize & mask];
        set.rotate_right(1);
        core::mem::replace(&mut set[0], key)
    }
}

#[cfg(test)]
mod tests {
    use super::Cache;

    #[test]
    fn it_grows_until_all_fit() {
        let mut cache = Cache::new();
        assert!(!cache.contains(5));
        let keys: Vec<u64> = (1..20_000u64)
            .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        for _ in 0..8 {
            for key in &keys {
                if !cache.contains(*key) {
                    cache.insert(*key);
                }
            }
        }
        let known = keys.iter().filter(|key| cache.contains(**key)).count();
        assert!(known > 19_900, "{known}");
    }
}
