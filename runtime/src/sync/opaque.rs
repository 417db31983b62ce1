//! Critical sections of code without checks.
//!
//! A library that nobody instrumented hands data from one thread to another
//! behind a lock of its own: a queue, a cache. What its critical sections touch
//! is not seen, so that they conflict cannot be known ([`crate::engine`]); it is
//! believed. A section counts as the library's if the lock was taken by code
//! without checks and until it is given back nothing but such code, or what that
//! called, has run. A library that only wraps locks returns to its caller
//! with the lock held, and what the caller does then tells the two apart.

use crate::clock::Released;
use crate::intercept::has_checks;
use crate::lock::held::At;
use crate::log::entry;
use crate::recorder::Recorder;
use crate::thread::Thread;
use crate::{options, stack};
use alloc::vec::Vec;

/// Entries of a section that are looked at, the newest: a caller that has the
/// lock goes on using it.
const LOOKED_AT: u64 = 4096;

/// A critical section that may be a library's own.
struct Section {
    /// The lock.
    address: usize,
    /// Where it was taken.
    at: At,
    /// The slot and the position in its log that the thread had then.
    since: (u16, u64),
    /// What writers and readers had left there that the thread did not know.
    before: [Released; 2],
}

/// Those that a thread is in.
#[derive(Default)]
pub(crate) struct Sections(Vec<Section>);

impl Section {
    /// Has nothing run since but the code that took the lock, and what it called?
    fn is_own(&self, recorder: &Recorder) -> bool {
        let (slot, since) = self.since;
        let end = recorder.log_end();
        let start = since.max(end.saturating_sub(LOOKED_AT));
        slot == recorder.slot()
            && entry::stacks(slot, start, end).all(|stack| is_within(stack, self.at))
    }
}

/// May a section that begins at `pc` be a library's own? Not to be asked with
/// a lock held that who loads a library may wait for.
#[inline]
pub(super) fn is_possible(me: &Thread, pc: usize) -> bool {
    me.recorder.clock.is_hybrid() && !has_checks(pc)
}

/// The thread has taken the lock at `address`, at `pc`, from which it has learnt
/// what others had left there: `released` and, if they read, `readers`.
#[inline]
pub(super) fn begins(
    me: &mut Thread,
    address: usize,
    pc: usize,
    released: &Released,
    readers: Option<&Released>,
) {
    let clock = &me.recorder.clock;
    if !clock.knows(released) || readers.is_some_and(|readers| !clock.knows(readers)) {
        note(me, address, pc, [Some(released), readers]);
    }
}

#[cold]
fn note(me: &mut Thread, address: usize, pc: usize, before: [Option<&Released>; 2]) {
    // A section goes on while its lock is taken once more.
    let is_inner = me.held.find(address).is_some_and(|held| held.count > 1);
    if is_inner || !options::get().conflict_edges {
        return;
    }
    let context = me.site(pc).context;
    let section = Section {
        address,
        at: At { pc, context },
        since: (me.recorder.slot(), me.recorder.log_end()),
        before: before.map(|one| one.cloned().unwrap_or_default()),
    };
    me.opaque.0.retain(|section| section.address != address);
    me.opaque.0.push(section);
}

/// The thread is about to give the lock at `address` back. Who does that is not
/// asked: a function whose last call it is has left no return address.
#[inline]
pub(super) fn ends(me: &mut Thread, address: usize) {
    if !me.opaque.0.is_empty() {
        learn(me, address);
    }
}

#[cold]
fn learn(me: &mut Thread, address: usize) {
    let Some(index) = me.opaque.0.iter().position(|one| one.address == address) else {
        return;
    };
    let section = me.opaque.0.swap_remove(index);
    if section.is_own(&me.recorder) {
        for one in &section.before {
            me.recorder.acquire(one);
        }
    }
}

/// Was the access with `stack` made by the code that took a lock at `at`, without
/// checks, or by what that called?
fn is_within(stack: u32, at: At) -> bool {
    let mut inner = stack;
    loop {
        let (outer, address) = stack::node(inner);
        if outer == at.context {
            return !has_checks(address as usize);
        }
        if outer == stack::LOST || outer == stack::ROOT {
            return false;
        }
        inner = outer;
    }
}

/// Was entry `pos` of `slot` made before a lock was given to `me` that it has
/// now, in a section of a library's own which the access with `stack` is part
/// of?
pub(crate) fn comes_before(me: &Thread, stack: u32, slot: u16, pos: u64) -> bool {
    let has_seen = |section: &Section| section.before.iter().any(|one| one.has_seen(slot, pos));
    let mut sections = me.opaque.0.iter();
    sections.any(|section| has_seen(section) && is_within(stack, section.at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_calls_is_its_own() {
        crate::init::for_tests();
        let program = what_the_library_calls_is_its_own as fn() as usize as u64;
        let library = libc::getpid as *const () as u64;
        let caller = stack::intern(stack::ROOT, program);
        let at = At {
            pc: library as usize,
            context: caller,
        };
        let within = |stack| is_within(stack, at);
        let callback = stack::intern(caller, library);
        assert!(within(callback));
        assert!(within(stack::intern(callback, program)));
        assert!(!within(stack::intern(caller, program)));
        let callee = stack::intern(caller, program + 1);
        assert!(!within(stack::intern(callee, library)));
        assert!(!within(caller) && !within(stack::ROOT) && !within(stack::LOST));
    }
}
