//! Producer-consumer queues that annotations describe.
//!
//! What a producer did before it put a message is ordered before what the
//! consumer of that message does, and of no other: the queue is first in,
//! first out, so a put's knowledge travels with its message.

use crate::clock::Released;
use crate::spin::SpinLock;
use crate::thread;
use alloc::collections::{BTreeMap, VecDeque};

static QUEUES: SpinLock<BTreeMap<usize, VecDeque<Released>>> = SpinLock::new(BTreeMap::new());

/// A queue begins or ceases to exist at `addr`.
pub(super) fn reset(addr: usize) {
    QUEUES.lock().remove(&addr);
}

/// The calling thread puts a message.
pub(super) fn put(addr: usize) {
    // Also from a thread that is alone: its message has to be counted.
    if let Some(me) = thread::current() {
        let released = me.recorder.released();
        me.publish_segment();
        QUEUES.lock().entry(addr).or_default().push_back(released);
    }
}

/// The calling thread has got the oldest message.
pub(super) fn get(addr: usize) {
    let message = QUEUES.lock().get_mut(&addr).and_then(VecDeque::pop_front);
    if let Some(released) = message {
        thread::synchronise(|me| me.recorder.acquire(&released));
    }
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    QUEUES.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { QUEUES.force_unlock() }
}
