//! Sequences of locks that a thread has taken before.

use alloc::vec;
use alloc::vec::Vec;

/// Entries at first, 2 KiB, and at most, 512 KiB.
const SMALLEST: usize = 1 << 8;
const LARGEST: usize = 1 << 16;

/// Which sequences; each has one place where it can be.
#[derive(Default)]
pub struct Cache {
    keys: Vec<u64>,
    /// Others pushed out since the cache has this size.
    lost: usize,
}

impl Cache {
    /// Nothing yet.
    pub const fn new() -> Cache {
        Cache {
            keys: Vec::new(),
            lost: 0,
        }
    }

    /// Has the sequence `key` been taken before? It may say no wrongly.
    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        let mask = self.keys.len().wrapping_sub(1);
        self.keys.get(key as usize & mask) == Some(&key)
    }

    /// Remembers `key`, which is not 0. A cache that forgets as much as it
    /// holds grows.
    pub(super) fn insert(&mut self, key: u64) {
        if self.keys.is_empty() {
            self.keys = vec![0; SMALLEST];
        } else if self.lost > self.keys.len() / 2 && self.keys.len() < LARGEST {
            let old = core::mem::take(&mut self.keys);
            self.keys = vec![0; old.len() * 4];
            self.lost = 0;
            old.into_iter().filter(|key| *key != 0).for_each(|key| {
                self.put(key);
            });
        }
        if self.put(key) != 0 {
            self.lost += 1;
        }
    }

    fn put(&mut self, key: u64) -> u64 {
        let mask = self.keys.len() - 1;
        core::mem::replace(&mut self.keys[key as usize & mask], key)
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
        assert!(known > 14_000, "{known}");
    }
}
