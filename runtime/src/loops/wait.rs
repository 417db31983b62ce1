//! Loops that wait on a condition variable.
//!
//! A thread that leaves such a loop is ordered after whoever made the condition
//! true, whether or not it had to wait for that. Both had the mutex then, and
//! data has flowed from one critical section to the other: that edge is made
//! when the condition is read, and it is exact. What is left for the exit is to
//! say so: the signal that woke the thread, which may have come from somebody
//! who made another condition true, then does not count.

use super::condition::WaitExit;
use crate::clock::Released;
use crate::engine::writers;
use crate::options;
use crate::sync::condvar;
use crate::thread::Thread;

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
    if !options::get().precise {
        return condvar::acquire(me, exit.condvar);
    }
    let mut is_known = false;
    let mut reads_any = false;
    for condition in exit.conditions() {
        reads_any = true;
        is_known |= writers::order_after_sections(&mut me.recorder, condition.addr, condition.size);
    }
    let deferred = &mut me.loops.deferred;
    if exit.is_woken() || deferred.is_in_the_dark(exit.condvar, &me.recorder) && !is_known {
        deferred.settle(&mut me.recorder);
    } else if is_known || exit.is_noted() {
        deferred.forget_wakeup();
    } else if reads_any {
        condvar::acquire(me, exit.condvar);
    }
}
