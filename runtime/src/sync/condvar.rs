//! Condition variables: a signal happens before the wait it ends.
//!
//! The mutex that belongs to a condition variable orders the two as well, so
//! this matters only where the order of locks does not count.

use super::{events, table};
use crate::finding::Act;
use crate::loops;
use crate::thread::{self, Thread};

/// Somebody who waits at `addr` is about to be woken by a call at `pc`.
#[inline]
pub fn signalling(addr: usize, pc: usize) {
    hybrid(|me| {
        if let Some(object) = table::find_or_make(addr) {
            me.recorder.release_join(&mut object.lock().released);
            events::note(me, Act::CondvarSignal, addr, pc);
        }
    });
}

/// The calling thread was woken.
#[inline]
pub fn woken(addr: usize, pc: usize) {
    hybrid(|me| {
        if let Some(object) = table::find(addr) {
            let released = object.lock().released.clone();
            loops::woken(me, addr, &released);
            events::note(me, Act::CondvarWait, addr, pc);
        }
    });
}

/// The calling thread is about to wait.
#[inline]
pub fn waiting() {
    hybrid(loops::waiting);
}

/// `me` comes after all signals there were.
pub fn acquire(me: &mut Thread, addr: usize) {
    if let Some(object) = table::find(addr) {
        me.recorder.acquire(&object.lock().released);
    }
}

fn hybrid(f: impl FnOnce(&mut Thread)) {
    thread::synchronise(|me| {
        if me.recorder.clock.is_hybrid() {
            f(me);
        }
    });
}
