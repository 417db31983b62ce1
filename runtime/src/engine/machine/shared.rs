//! The sets of locks and threads that belong to a shared location.
//!
//! Both together are one number: few combinations exist, and a location keeps
//! them in a few bits.
//!
//! A thread that was joined no longer counts as one that uses a location; if
//! one is left, the location is its alone. The papers' detectors look through
//! all memory at each join. Here that is found out when the location is next
//! accessed, with what was true at the time of the join.

use crate::interned::Lists;
use crate::lockset::LocksetId;
use crate::os;
use crate::shadow::word::Word;
use crate::spin::SpinLock;
use crate::thread::registry;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

static SETS: Lists = Lists::new();

/// Reserves the table.
pub fn reserve() -> Result<(), os::Errno> {
    SETS.reserve()
}

/// A set of locks and a set of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared(u32);

impl Shared {
    /// No locks and no threads.
    pub const NONE: Shared = Shared(0);

    /// `locks`, and `threads` in any order.
    pub fn new(locks: LocksetId, threads: &[u32]) -> Shared {
        let mut list = Vec::with_capacity(threads.len() + 1);
        list.push(locks.number());
        list.extend_from_slice(threads);
        list[1..].sort_unstable();
        list.dedup();
        // Without room the location is as if it had never been shared.
        Shared(SETS.intern(&list).unwrap_or(0))
    }

    /// The number, for packing: [`crate::interned::NUMBER_BITS`] of them.
    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// What [`Shared::number`] gave.
    pub(super) fn from_number(number: u32) -> Shared {
        Shared(number)
    }

    /// The locks: `C_d`.
    pub fn locks(self) -> LocksetId {
        let first = SETS.get(self.0).first();
        LocksetId::from_number(first.copied().unwrap_or(0))
    }

    /// The threads: `S_d`.
    pub fn threads(self) -> &'static [u32] {
        SETS.get(self.0).get(1..).unwrap_or(&[])
    }

    /// After an access by `thread` under `locks`.
    pub fn refined(self, locks: LocksetId, thread: u32) -> Shared {
        let both = crate::lockset::intersect(self.locks(), locks);
        let threads = self.threads();
        if both == self.locks() && threads.contains(&thread) {
            return self;
        }
        let mut all = threads.to_vec();
        all.push(thread);
        Shared::new(both, &all)
    }
}

/// Joins remembered. Older ones count as not having been.
const KEPT: usize = 1 << 16;

/// A join.
struct Join {
    /// Which one, from 1.
    number: u32,
    /// Where all live threads were then, by thread.
    live: Vec<(u32, Word)>,
}

struct Joins {
    /// By the thread that was joined.
    joins: BTreeMap<u32, Join>,
    order: VecDeque<u32>,
}

impl Joins {
    const fn new() -> Joins {
        Joins {
            joins: BTreeMap::new(),
            order: VecDeque::new(),
        }
    }
}

static JOINS: SpinLock<Joins> = SpinLock::new(Joins::new());
/// How many there were.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// `thread` has ended and was joined.
pub fn joined(thread: u32) {
    note(thread, registry::current_places());
}

fn note(thread: u32, live: Vec<(u32, u64)>) {
    let mut joins = JOINS.lock();
    if joins.order.len() == KEPT
        && let Some(oldest) = joins.order.pop_front()
    {
        joins.joins.remove(&oldest);
    }
    let number = COUNT.load(Ordering::Relaxed) + 1;
    let live = live.into_iter().map(|(t, word)| (t, Word(word))).collect();
    joins.joins.insert(thread, Join { number, live });
    joins.order.push_back(thread);
    COUNT.store(number, Ordering::Release);
}

/// How many threads were joined so far, in 16 bits: if that is as before,
/// [`owner`] has no other answer.
pub(super) fn joins() -> u16 {
    COUNT.load(Ordering::Acquire) as u16
}

/// Who has a location for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Several threads use it.
    Several,
    /// This thread: all others that used it were joined when it was there.
    One(u32, Option<Word>),
}

/// Who is left of `threads`, now that some may have been joined.
pub(super) fn owner(threads: &[u32]) -> Owner {
    let joins = JOINS.lock();
    let mut gone: Vec<(u32, u32)> = threads
        .iter()
        .filter_map(|t| Some((joins.joins.get(t)?.number, *t)))
        .collect();
    let others = threads.len().saturating_sub(1);
    if gone.len() < others || others == 0 {
        return Owner::Several;
    }
    gone.sort_unstable();
    gone.truncate(others);
    let is_gone = |t: &&u32| !gone.iter().any(|(_, g)| g == *t);
    let (Some(left), Some((_, last))) = (threads.iter().find(is_gone), gone.last()) else {
        return Owner::Several;
    };
    let then = joins.joins.get(last).and_then(|join| {
        let place = join.live.iter().find(|(thread, _)| thread == left);
        place.map(|(_, word)| *word)
    });
    Owner::One(*left, then)
}

/// In a forked child.
pub(crate) fn forget_all() {
    // SAFETY: the only thread.
    unsafe { JOINS.reset_if_held(Joins::new()) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shadow::word::Touch;

    #[test]
    fn who_is_left_was_somewhere_at_the_last_join_that_mattered() {
        let word = |slot, pos| {
            let touch = Touch {
                bytes: 0,
                write: false,
                atomic: false,
            };
            Word::new(slot, pos, touch)
        };
        let (a, b, c) = (900_001, 900_002, 900_003);
        assert_eq!(owner(&[a, b, c]), Owner::Several);
        note(b, vec![(a, word(1, 10).0), (c, word(3, 30).0)]);
        assert_eq!(owner(&[a, b, c]), Owner::Several);
        assert_eq!(owner(&[a, b]), Owner::One(a, Some(word(1, 10))));
        note(a, vec![(c, word(3, 40).0)]);
        assert_eq!(owner(&[a, b, c]), Owner::One(c, Some(word(3, 40))));
        assert_eq!(owner(&[a, b]), Owner::One(a, Some(word(1, 10))));
        assert_eq!(owner(&[c]), Owner::Several);
    }

    #[test]
    fn sets_are_refined() {
        crate::init::for_tests();
        use crate::lock::{LockId, Mode};
        let lock = |n| LockId::new(n).unwrap();
        let one = crate::lockset::add(LocksetId::EMPTY, lock(5), Mode::Read);
        let two = crate::lockset::add(one, lock(6), Mode::Read);
        let shared = Shared::new(two, &[9, 3]);
        assert_eq!((shared.locks(), shared.threads()), (two, &[3, 9][..]));
        let refined = shared.refined(one, 4);
        assert_eq!((refined.locks(), refined.threads()), (one, &[3, 4, 9][..]));
        assert_eq!(refined.refined(two, 3), refined);
        assert_eq!(Shared::NONE.locks(), LocksetId::EMPTY);
        assert!(Shared::NONE.threads().is_empty());
    }
}
