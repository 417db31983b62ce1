//! The order in which locks are taken: deadlocks that could happen.
//!
//! Taking lock B while holding A is an edge from A to B ([`graph`]). A circle
//! of edges by different threads ([`circle`]) means that each of them may come
//! to wait for the next. It is reported, once, unless something rules it out:
//!
//! - two of the threads hold a common lock while they take theirs (a gate), so
//!   they cannot be there at the same time (Havelund, "Using runtime analysis to
//!   guide model checking of Java programs", 2000);
//! - one thread made several of the edges, unless the option
//!   `single_thread_inversions` says otherwise;
//! - a thread was created or joined between them, so they are never there at
//!   the same time (Bensalem and Havelund, "Dynamic deadlock analysis of
//!   multi-threaded programs", 2005);
//! - a thread only tries a lock, or waits for it with a time limit;
//! - both hold and want a lock for reading. libc's read-write locks let readers
//!   in while a writer waits, unless told otherwise.
//!
//! What a thread has done before it need not do again: it remembers sequences
//! of locks it has taken, and only a new one leads to the graph and its lock.

mod cache;
mod circle;
mod ends;
mod graph;
mod ranks;
mod report;
#[cfg(test)]
mod tests;

pub use cache::Cache;

use super::held::{At, extended};
use super::{LockId, Mode};
use crate::lockset::LocksetId;
use crate::options;
use crate::spin::SpinLock;
use crate::thread::Thread;
use graph::{Graph, Instance};

static GRAPH: SpinLock<Graph> = SpinLock::new(Graph::new());

/// The thread has taken `lock`, for which it would have waited, while holding
/// others.
#[inline]
pub(super) fn taken(me: &mut Thread, lock: LockId, mode: Mode, at: At) {
    // Before and after the creation or join of a thread is not the same.
    let start = me.held.sequence().wrapping_add(me.time.into());
    let key = extended(start, lock, mode).max(1);
    if !me.held.orders.contains(key) {
        taken_anew(me, lock, mode, at, key);
    }
}

#[inline(never)]
fn taken_anew(me: &mut Thread, lock: LockId, mode: Mode, at: At, key: u64) {
    me.held.orders.insert(key);
    if !options::get().detect_deadlocks {
        return;
    }
    let set: LocksetId = me.held.lockset();
    let mut found = None;
    let mut graph = GRAPH.lock();
    for held in me.held.all().iter().filter(|held| held.lock != lock) {
        let who = (me.number, me.time);
        let instance = Instance::new(who, set, (held.mode, held.at), (mode, at));
        if graph.insert(held.lock, lock, instance) && found.is_none() {
            found = circle::through(&mut graph, held.lock, lock);
        }
    }
    drop(graph);
    if let Some(circle) = found {
        report::report(&circle);
    }
}

/// The lock is gone, and with it what was known of its order.
#[cold]
pub(super) fn forget(lock: LockId) {
    GRAPH.lock().remove(lock);
}

pub(super) fn before_fork() {
    GRAPH.hold();
}

pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { GRAPH.force_unlock() }
}
