//! The locks a thread holds.
//!
//! In the order in which they were taken, without a limit to their number.
//! Each entry carries what follows from it and those before it, the set of
//! locks and a number for the sequence, so that giving back the lock taken
//! last, which is what nearly all programs do, brings the former ones back.

use super::{LockId, Mode, order};
use crate::lockset::{self, LocksetId};
use crate::stack;
use alloc::vec::Vec;

/// A place in the program: a code address and the context of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    /// Code address of the call.
    pub pc: usize,
    /// Context of the function it is in.
    pub context: u32,
}

impl At {
    /// The id of the whole stack.
    pub fn stack(self) -> u32 {
        stack::intern(self.context, self.pc as u64)
    }
}

/// A lock that is held.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// Which.
    pub lock: LockId,
    /// Its address.
    pub address: usize,
    /// Where it was taken.
    pub at: At,
    /// How it is held.
    pub mode: Mode,
    /// How many times it was taken.
    pub count: u32,
    /// Position of the thread's log when it was taken.
    pub since: u64,
    /// The set up to here, once somebody asked.
    set: Option<LocksetId>,
    /// Stands for the sequence up to here.
    sequence: u64,
}

/// All that a thread holds.
#[derive(Default)]
pub struct HeldLocks {
    locks: Vec<Held>,
    sets: lockset::Cache,
    /// The last lock that was held alone, how, and the set of it.
    alone: Option<(LockId, Mode, LocksetId)>,
    /// Orders seen before.
    pub(super) orders: order::Own,
    /// Locks were taken that are not in the list: because the thread asked to
    /// ignore them.
    ignored: bool,
    /// The same, because nobody watched the thread yet.
    unwatched: bool,
}

/// A number for the sequence `before` followed by `lock` in `mode`.
#[inline]
pub(super) fn extended(before: u64, lock: LockId, mode: Mode) -> u64 {
    let item = u64::from(lock.number()) << 1 | mode as u64;
    (before ^ item)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}

/// A lock that was given back once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GivenBack {
    /// How it was held.
    pub(super) mode: Mode,
    /// It was taken more than once.
    pub(super) is_still_held: bool,
    /// See [`Held::since`].
    pub(super) since: u64,
}

/// A lock that another thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Which.
    pub(crate) lock: LockId,
    /// How.
    pub(crate) mode: Mode,
    /// Where it was taken.
    pub(crate) at: At,
}

/// Locks of another thread that are looked at.
const PEEKED: usize = 256;
/// How often that is tried while the thread changes them.
const PEEKS: usize = 16;

impl HeldLocks {
    /// What a thread holds, seen by another one; `None` if it changes too fast
    /// to be read.
    ///
    /// # Safety
    /// The list must stay meanwhile, whatever its owner does with it.
    pub(crate) unsafe fn peek(this: *const HeldLocks) -> Option<Vec<Taken>> {
        let look = || {
            // SAFETY: the vector itself is read as it is, what it points to is
            // not touched.
            let (start, len) = unsafe {
                let locks = &(*this).locks;
                (locks.as_ptr().addr(), locks.len().min(PEEKED))
            };
            let mut bytes = alloc::vec![0u8; len * size_of::<Held>()];
            let got = crate::os::read_memory(start as u64, &mut bytes);
            (got == bytes.len()).then_some(bytes)
        };
        let mut before = look();
        for _ in 0..PEEKS {
            let again = look();
            if let (Some(bytes), true) = (&again, before == again) {
                return bytes.chunks_exact(size_of::<Held>()).map(taken).collect();
            }
            before = again;
        }
        None
    }

    /// Nothing is held.
    pub const fn new() -> HeldLocks {
        HeldLocks {
            locks: Vec::new(),
            sets: lockset::Cache::new(),
            alone: None,
            orders: order::Own::new(),
            ignored: false,
            unwatched: false,
        }
    }

    /// Notes that a lock may have been taken and was not to be listed.
    pub fn set_ignored(&mut self) {
        self.ignored = true;
    }

    /// Notes that locks may have been taken before the thread was watched.
    pub fn set_unwatched(&mut self) {
        self.unwatched = true;
    }

    /// Were locks not to be listed?
    pub(super) fn has_ignored(&self) -> bool {
        self.ignored
    }

    /// Were locks taken that are not listed, for whatever reason?
    pub(super) fn has_gaps(&self) -> bool {
        self.ignored || self.unwatched
    }

    /// The locks, oldest first.
    #[inline]
    pub fn all(&self) -> &[Held] {
        &self.locks
    }

    /// The same, and what the thread knows of their order.
    pub(super) fn ordered(&mut self) -> (&[Held], &mut order::Own) {
        (&self.locks, &mut self.orders)
    }

    /// Stands for the locks held, in their order.
    #[inline]
    pub(super) fn sequence(&self) -> u64 {
        self.locks.last().map_or(0, |held| held.sequence)
    }

    /// The lock at `address`, if it is held.
    #[inline]
    pub fn find(&self, address: usize) -> Option<&Held> {
        self.locks.iter().rev().find(|held| held.address == address)
    }

    /// One more, taken at position `since` of the log.
    #[inline]
    pub(super) fn push(&mut self, lock: LockId, address: usize, mode: Mode, at: At, since: u64) {
        let sequence = extended(self.sequence(), lock, mode);
        self.locks.push(Held {
            lock,
            address,
            at,
            mode,
            count: 1,
            since,
            set: None,
            sequence,
        });
    }

    /// The lock at `address` is taken once more; `false` if it is not held.
    #[inline]
    pub(super) fn again(&mut self, address: usize) -> bool {
        let held = self.locks.iter_mut().rev().find(|h| h.address == address);
        held.is_some_and(|held| {
            held.count += 1;
            true
        })
    }

    /// The lock at `address` is given back once. `None` if it was not held.
    #[inline]
    pub(super) fn pop(&mut self, address: usize) -> Option<GivenBack> {
        let index = self.locks.iter().rposition(|h| h.address == address)?;
        let held = &mut self.locks[index];
        let given = GivenBack {
            mode: held.mode,
            is_still_held: held.count > 1,
            since: held.since,
        };
        if given.is_still_held {
            held.count -= 1;
            return Some(given);
        }
        if index + 1 == self.locks.len() {
            self.locks.pop();
        } else {
            self.take_out(index);
        }
        Some(given)
    }

    /// Removes a lock that was not the last taken.
    #[inline(never)]
    fn take_out(&mut self, index: usize) {
        self.locks.remove(index);
        self.renumber(index);
    }

    /// Removes all for which `keep` does not hold.
    pub(super) fn retain(&mut self, keep: impl FnMut(&Held) -> bool) {
        self.locks.retain(keep);
        self.renumber(0);
    }

    /// Finds out again what follows from the locks from `index` on.
    fn renumber(&mut self, index: usize) {
        let mut sequence = match index.checked_sub(1) {
            Some(before) => self.locks[before].sequence,
            None => 0,
        };
        for held in &mut self.locks[index..] {
            sequence = extended(sequence, held.lock, held.mode);
            held.sequence = sequence;
            held.set = None;
        }
    }

    /// Forgets all.
    pub(super) fn take_all(&mut self) -> Vec<Held> {
        core::mem::take(&mut self.locks)
    }

    /// The set of locks held.
    #[inline]
    pub fn lockset(&mut self) -> LocksetId {
        match self.locks.as_mut_slice() {
            [] => LocksetId::EMPTY,
            [.., Held { set: Some(set), .. }] => *set,
            [only] => match self.alone {
                Some((lock, mode, set)) if (lock, mode) == (only.lock, only.mode) => set,
                _ => self.find_alone(),
            },
            _ => self.find_sets(),
        }
    }

    #[inline(never)]
    fn find_alone(&mut self) -> LocksetId {
        let set = self.find_sets();
        if let [only] = self.locks.as_slice() {
            self.alone = Some((only.lock, only.mode, set));
        }
        set
    }

    #[inline(never)]
    fn find_sets(&mut self) -> LocksetId {
        let known = self.locks.iter().rposition(|held| held.set.is_some());
        let mut set = known
            .and_then(|i| self.locks[i].set)
            .unwrap_or(LocksetId::EMPTY);
        for held in &mut self.locks[known.map_or(0, |i| i + 1)..] {
            set = self.sets.add(set, held.lock, held.mode);
            held.set = Some(set);
        }
        set
    }
}

/// The lock in a copy of [`Held`], unless the copy makes no sense.
fn taken(held: &[u8]) -> Option<Taken> {
    use core::mem::offset_of;
    let number = |offset: usize| Some(u32::from_le_bytes(*held.get(offset..)?.first_chunk()?));
    let word = |offset: usize| Some(u64::from_le_bytes(*held.get(offset..)?.first_chunk()?));
    let lock = number(offset_of!(Held, lock)).filter(|number| *number < LockId::LIMIT)?;
    let at = offset_of!(Held, at);
    Some(Taken {
        lock: LockId::new(lock)?,
        mode: match held.get(offset_of!(Held, mode))? {
            0 => Mode::Read,
            _ => Mode::Write,
        },
        at: At {
            pc: word(at + offset_of!(At, pc))? as usize,
            context: number(at + offset_of!(At, context))?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn push(held: &mut HeldLocks, number: u32, mode: Mode) {
        let at = At { pc: 1, context: 1 };
        held.push(LockId::new(number).unwrap(), number as usize, mode, at, 9);
    }

    /// What a fresh list of the same locks says.
    fn anew(held: &HeldLocks) -> (u64, LocksetId) {
        let mut fresh = HeldLocks::new();
        for one in held.all() {
            push(&mut fresh, one.lock.number(), one.mode);
        }
        (fresh.sequence(), fresh.lockset())
    }

    proptest! {
        #[test]
        fn what_follows_depends_on_the_locks_alone(
            steps in prop::collection::vec((1..12u32, any::<bool>(), any::<bool>()), 0..80)
        ) {
            crate::init::for_tests();
            let mut held = HeldLocks::new();
            for (number, write, ask) in steps {
                let mode = if write { Mode::Write } else { Mode::Read };
                if held.pop(number as usize).is_none() {
                    push(&mut held, number, mode);
                }
                if ask {
                    held.lockset();
                }
                let (sequence, set) = anew(&held);
                prop_assert_eq!(held.sequence(), sequence);
                prop_assert_eq!(held.lockset(), set);
            }
        }
    }

    #[test]
    fn another_thread_sees_the_same() {
        let mut held = HeldLocks::new();
        // SAFETY: the list is right here.
        let peek = |held: &HeldLocks| unsafe { HeldLocks::peek(held) };
        assert_eq!(peek(&held), Some(Vec::new()));
        push(&mut held, 3, Mode::Read);
        push(&mut held, 4, Mode::Write);
        let seen = peek(&held).unwrap();
        let seen: Vec<_> = seen.iter().map(|t| (t.lock.number(), t.mode)).collect();
        assert_eq!(seen, [(3, Mode::Read), (4, Mode::Write)]);
    }

    #[test]
    fn a_lock_taken_twice_is_given_back_twice() {
        let mut held = HeldLocks::new();
        push(&mut held, 3, Mode::Write);
        assert!(held.again(3) && !held.again(4));
        let given = |is_still_held| GivenBack {
            mode: Mode::Write,
            is_still_held,
            since: 9,
        };
        assert_eq!(held.pop(3), Some(given(true)));
        assert_eq!(held.pop(3), Some(given(false)));
        assert_eq!(held.pop(3), None);
    }
}
