//! From the two ends of an edge to its number.
//!
//! A table of its own, because most questions a program with many locks asks
//! are about edges that do not exist yet: answering one touches one cache line,
//! and so does the insertion that follows. Entries carry their hash, so growing
//! looks at nothing else. Linear probing; what is removed leaves no gap.

use super::super::LockId;
use alloc::vec;
use alloc::vec::Vec;

/// Entries of the smallest table: 2 KiB.
const SMALLEST: usize = 1 << 8;

/// Hash in the upper half, number of the edge plus one in the lower; 0 if it is
/// free.
pub(super) struct Ends {
    entries: Vec<u64>,
    len: usize,
}

/// What the table goes by. Locks are numbered by the runtime, nobody can choose
/// them to clash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u32);

impl Key {
    /// That of an edge.
    pub(super) fn new(from: LockId, to: LockId) -> Key {
        let both = u64::from(from.number()) << 32 | u64::from(to.number());
        let mixed = both.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        Key((mixed >> 32) as u32)
    }
}

fn key(entry: u64) -> Key {
    Key((entry >> 32) as u32)
}

fn number(entry: u64) -> Option<u32> {
    (entry as u32).checked_sub(1)
}

impl Ends {
    pub(super) const fn new() -> Ends {
        Ends {
            entries: Vec::new(),
            len: 0,
        }
    }

    /// How many edges there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn mask(&self) -> usize {
        self.entries.len().wrapping_sub(1)
    }

    /// Where the search for a key begins.
    fn start(&self, key: Key) -> usize {
        key.0 as usize & self.mask()
    }

    /// The number of the edge with that key that is the right one.
    pub(super) fn find(&self, wanted: Key, is_right: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.start(wanted);
        loop {
            let entry = *self.entries.get(at)?;
            let number = number(entry)?;
            if key(entry) == wanted && is_right(number) {
                return Some(number);
            }
            at = (at + 1) & self.mask();
        }
    }

    /// The memory that a search for a key reads first.
    pub(super) fn memory(&self, key: Key) -> *const u64 {
        self.entries.as_ptr().wrapping_add(self.start(key))
    }

    /// Adds an edge that is not there.
    pub(super) fn insert(&mut self, key: Key, number: u32) {
        if self.entries.len() < 2 * (self.len + 1) {
            self.grow();
        }
        self.len += 1;
        self.put(u64::from(key.0) << 32 | u64::from(number + 1));
    }

    fn put(&mut self, entry: u64) {
        let mut at = self.start(key(entry));
        while self.entries[at] != 0 {
            at = (at + 1) & self.mask();
        }
        self.entries[at] = entry;
    }

    fn grow(&mut self) {
        let size = (self.entries.len() * 2).max(SMALLEST);
        let old = core::mem::replace(&mut self.entries, vec![0; size]);
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            self.put(entry);
        }
    }

    /// Removes an edge that is there.
    pub(super) fn remove(&mut self, wanted: Key, which: u32) {
        let mut at = self.start(wanted);
        while self.entries[at] != 0 && number(self.entries[at]) != Some(which) {
            at = (at + 1) & self.mask();
        }
        if self.entries[at] == 0 {
            return;
        }
        self.len -= 1;
        // What was pushed aside by it, or by what moves up, moves up.
        let mut next = (at + 1) & self.mask();
        while self.entries[next] != 0 {
            let home = self.start(key(self.entries[next]));
            let way = next.wrapping_sub(home) & self.mask();
            if way >= next.wrapping_sub(at) & self.mask() {
                self.entries[at] = self.entries[next];
                at = next;
            }
            next = (next + 1) & self.mask();
        }
        self.entries[at] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_is_a_map(steps in prop::collection::vec((1..40u32, 1..40u32, any::<bool>()), 0..2000)) {
            let mut model: BTreeMap<(u32, u32), u32> = BTreeMap::new();
            let mut ends = Ends::new();
            let mut names: Vec<(u32, u32)> = Vec::new();
            for (from, to, add) in steps {
                let key = Key::new(LockId::new(from).unwrap(), LockId::new(to).unwrap());
                let found = ends.find(key, |n| names[n as usize] == (from, to));
                prop_assert_eq!(found, model.get(&(from, to)).copied());
                match (add, found) {
                    (true, None) => {
                        names.push((from, to));
                        let number = names.len() as u32 - 1;
                        ends.insert(key, number);
                        model.insert((from, to), number);
                    }
                    (false, Some(number)) => {
                        ends.remove(key, number);
                        model.remove(&(from, to));
                    }
                    _ => {}
                }
                prop_assert_eq!(ends.len(), model.len());
            }
        }
    }
}
