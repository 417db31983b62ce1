//! Loops that wait on a condition variable.
//!
//! A thread that leaves such a loop is ordered after whoever made the condition
//! true, whether or not it had to wait for that. Both had the mutex then, and
//! data has flowed from one critical section to the other: that edge is made
//! when the condition is read, and it is exact. What is left for the exit is to
//! say so: the signal that woke the thread, which may have come from somebody
//! who made another condition true, then does not count.

use super::condition::{Condition, WaitExit};
use crate::clock::Released;
use crate::engine::{
    self,
    writers::{self, Writer},
};
use crate::lock::advice;
use crate::options;
use crate::sync::condvar;
use crate::thread::Thread;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// `me` is about to wait.
pub fn waiting(me: &mut Thread) {
    me.loops.deferred.forget_wakeup();
}

/// `me` was woken on `condvar`, by one of those who made `released`.
pub fn woken(me: &mut Thread, condvar: usize, released: &Released) {
    if options::get().precise {
        let deferred = &mut me.loops.deferred;
        deferred.woken(condvar, released, &me.recorder);
    } else {
        me.recorder.acquire(released);
    }
}

/// `me` has left a loop because the condition holds, or because it was woken.
pub(super) fn left(me: &mut Thread, exit: &WaitExit<'_>) {
    if !me.recorder.follows_conditions() {
        return;
    }
    let read = read_for(me, exit);
    // A loop that waits by a function of another file does not know on what.
    let condvar = match exit.condvar {
        0 => me.loops.deferred.woken_on(),
        known => known,
    };
    if let Some(woken) = me.loops.woken_by.take()
        && !woken.by.is_locked
        && woken.condvar == condvar
    {
        let writers = read.iter();
        let writers = writers.flat_map(|read| writers::last(&me.recorder, read.addr, read.size));
        advice::changed(me, &woken, &writers.collect::<Vec<Writer>>());
    }
    if !options::get().precise {
        return condvar::acquire(me, condvar);
    }
    let mut is_known = false;
    for read in &read {
        is_known |= writers::order_after_sections(&mut me.recorder, read.addr, read.size);
    }
    // What a predicate has read is noted completely only where every access
    // comes to the runtime; elsewhere the reading itself has made the edge.
    let is_complete = engine::goes_by_states(&me.recorder);
    let is_ordered = is_known || exit.is_noted() && !is_complete;
    let deferred = &mut me.loops.deferred;
    if exit.is_woken() || deferred.is_in_the_dark(condvar, &me.recorder) && !is_known {
        deferred.settle(&mut me.recorder);
    } else if is_ordered {
        deferred.forget_wakeup();
    } else if !read.is_empty() {
        condvar::acquire(me, condvar);
    }
}

/// What was read to decide, by the loop itself and by predicates.
fn read_for(me: &mut Thread, exit: &WaitExit<'_>) -> SmallVec<[Condition; 8]> {
    let mut read: SmallVec<[Condition; 8]> = exit.conditions().collect();
    if exit.is_noted() {
        let noted = me.loops.noting.take().into_iter();
        read.extend(noted.map(|read| Condition {
            addr: read.addr,
            size: read.size,
        }));
    }
    read
}
