//! Sets of locks as numbers.
//!
//! A set of (lock, read or write) is interned: equal sets have one
//! [`LocksetId`], so a segment carries its locks as one number and comparing
//! two sets of which nothing is in common is one look into a cache. Sets are
//! never removed; a program has few distinct ones.

mod cache;
mod table;
#[cfg(test)]
mod tests;

pub use cache::Cache;
pub use table::reserve;

use crate::lock::{LockId, Mode};
use smallvec::SmallVec;

/// An interned set of locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocksetId(u32);

impl LocksetId {
    /// No lock at all.
    pub const EMPTY: LocksetId = LocksetId(0);
    /// Stands for a set that found no room. Nothing is known of it: it counts
    /// as having every lock, so that it never makes a finding.
    pub const UNKNOWN: LocksetId = LocksetId(u32::MAX);

    /// The number, for packing.
    #[inline]
    pub fn number(self) -> u32 {
        self.0
    }

    /// The set with that number, which [`LocksetId::number`] gave.
    #[inline]
    pub fn from_number(number: u32) -> LocksetId {
        LocksetId(number)
    }
}

/// A lock and how it is held, as sets keep it: ordered by lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Item(u32);

impl Item {
    /// `lock` held in `mode`.
    #[inline]
    pub fn new(lock: LockId, mode: Mode) -> Item {
        Item(lock.number() << 1 | mode as u32)
    }

    /// The lock.
    #[inline]
    pub fn lock(self) -> Option<LockId> {
        LockId::new(self.0 >> 1)
    }

    /// How it is held.
    #[inline]
    pub fn mode(self) -> Mode {
        if self.0 & 1 == 0 {
            Mode::Read
        } else {
            Mode::Write
        }
    }
}

/// The locks of a set, in the order of their numbers.
pub fn items(set: LocksetId) -> &'static [Item] {
    table::items(set)
}

/// `set` with `lock` in `mode`, which replaces another mode it had.
pub fn add(set: LocksetId, lock: LockId, mode: Mode) -> LocksetId {
    let new = Item::new(lock, mode);
    change(set, |items| {
        match items.binary_search_by_key(&lock, |item| item.lock().unwrap_or(lock)) {
            Ok(at) => items[at] = new,
            Err(at) => items.insert(at, new),
        }
    })
}

/// `set` without `lock`.
pub fn remove(set: LocksetId, lock: LockId) -> LocksetId {
    change(set, |items| items.retain(|item| item.lock() != Some(lock)))
}

/// Few locks are held at once: their list needs no memory of its own.
type Items = SmallVec<[Item; 16]>;

fn change(set: LocksetId, f: impl FnOnce(&mut Items)) -> LocksetId {
    if set == LocksetId::UNKNOWN {
        return set;
    }
    let mut items = Items::from_slice(items(set));
    f(&mut items);
    table::intern(&items)
}

/// The locks of `set` that protect a write, or a read: those held for writing,
/// or all of them. How they are held no longer matters and is the same for all.
pub fn protecting(set: LocksetId, write: bool) -> LocksetId {
    change(set, |items| {
        items.retain(|item| !write || item.mode() == Mode::Write);
        for item in items.iter_mut() {
            item.0 &= !1;
        }
    })
}

/// The locks that are in both sets; for writing only those that both hold so.
pub fn intersect(a: LocksetId, b: LocksetId) -> LocksetId {
    if a == b || b == LocksetId::UNKNOWN {
        return a;
    }
    if a == LocksetId::UNKNOWN {
        return b;
    }
    let mut both = Items::new();
    each_common(items(a), items(b), |one, other| {
        both.push(one.min(other));
        false
    });
    table::intern(&both)
}

/// A lock that keeps two critical sections with these sets apart: both hold
/// it, and at least one of them for writing.
///
/// So a read lock protects reads only: a write under it is apart from those who
/// hold the lock for writing, and from no other reader. Whether the accesses
/// themselves read or write makes no difference.
pub fn common(a: LocksetId, b: LocksetId) -> Option<LockId> {
    if a == LocksetId::EMPTY || b == LocksetId::EMPTY {
        return None;
    }
    if a == LocksetId::UNKNOWN || b == LocksetId::UNKNOWN {
        return LockId::new(LockId::LIMIT);
    }
    let mut found = None;
    each_common(items(a), items(b), |one, other| {
        if one.mode().excludes(other.mode()) {
            found = one.lock();
        }
        found.is_some()
    });
    found
}

/// All that [`common`] could give.
pub fn all_common(a: LocksetId, b: LocksetId) -> SmallVec<[LockId; 2]> {
    let mut found: SmallVec<[LockId; 2]> = common(a, b).into_iter().collect();
    if !found.is_empty() && a != LocksetId::UNKNOWN && b != LocksetId::UNKNOWN {
        found.clear();
        each_common(items(a), items(b), |one, other| {
            let excludes = one.mode().excludes(other.mode());
            found.extend(one.lock().filter(|_| excludes));
            false
        });
    }
    found
}

/// Is every lock of `a` in `b`, held at least as strongly?
pub fn is_subset(a: LocksetId, b: LocksetId) -> bool {
    if a == b || b == LocksetId::UNKNOWN {
        return true;
    }
    if a == LocksetId::UNKNOWN {
        return false;
    }
    let mut found = 0;
    each_common(items(a), items(b), |one, other| {
        found += usize::from(one.mode() <= other.mode());
        false
    });
    found == items(a).len()
}

/// Calls `f` with the items of each lock that both have, until it says `true`.
fn each_common(a: &[Item], b: &[Item], mut f: impl FnMut(Item, Item) -> bool) {
    let (mut i, mut j) = (0, 0);
    while let (Some(&one), Some(&other)) = (a.get(i), b.get(j)) {
        match one.lock().cmp(&other.lock()) {
            core::cmp::Ordering::Less => i += 1,
            core::cmp::Ordering::Greater => j += 1,
            core::cmp::Ordering::Equal => {
                if f(one, other) {
                    return;
                }
                (i, j) = (i + 1, j + 1);
            }
        }
    }
}
