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
//! of locks it has taken. A new one that agrees with the order known so far is
//! noted for later, and only what contradicts it leads to the graph and its
//! lock at once ([`orders`]).

mod cache;
mod circle;
mod ends;
mod graph;
mod heights;
mod inside;
mod log;
mod orders;
#[cfg(test)]
mod orders_tests;
mod ranks;
mod report;
mod sorting;
#[cfg(test)]
mod tests;

use super::held::{At, extended};
use super::{LockId, Mode};
use crate::options;
use crate::thread::Thread;
use alloc::vec::Vec;
use cache::Cache;
use graph::Instance;
use heights::Heights;
use inside::Circle;
use log::{Made, Owner};
use orders::Orders;

static HEIGHTS: Heights = Heights::new();
static ORDERS: Orders = Orders::new(&HEIGHTS, orders::MANY);

/// What a thread has for itself.
#[derive(Default)]
pub struct Own {
    seen: Cache,
    log: Option<Owner>,
}

impl Own {
    /// Nothing yet.
    pub const fn new() -> Own {
        Own {
            seen: Cache::new(),
            log: None,
        }
    }
}

/// The thread has taken `lock`, for which it would have waited, while holding
/// others.
#[inline]
pub(super) fn taken(me: &mut Thread, lock: LockId, mode: Mode, at: At) {
    // Before and after the creation or join of a thread is not the same.
    let start = me.held.sequence().wrapping_add(me.time.into());
    let key = extended(start, lock, mode).max(1);
    let own = &me.held.orders;
    if !own.seen.contains(key) {
        taken_anew(me, lock, mode, at, key);
    } else if own.log.as_ref().is_some_and(|log| log.unsure.is_some()) {
        tell(ORDERS.look(&mut me.held.orders.log));
    }
}

#[inline(never)]
fn taken_anew(me: &mut Thread, lock: LockId, mode: Mode, at: At, key: u64) {
    if !options::get().detect_deadlocks {
        return;
    }
    me.held.orders.seen.insert(key);
    let who = (me.number, me.time);
    let set = me.held.lockset();
    let (all, own) = me.held.ordered();
    let others = all.iter().filter(|held| held.lock != lock);
    let edges = others.map(|held| Made {
        from: held.lock,
        to: lock,
        instance: Instance::new(who, set, (held.mode, held.at), (mode, at)),
    });
    tell(ORDERS.made(&mut own.log, edges));
}

/// The process ends.
pub(crate) fn process_ending() {
    tell(ORDERS.finish());
}

fn tell(circles: Vec<Circle>) {
    for circle in circles {
        report::report(&circle);
    }
}

/// The lock is gone, and with it what was known of its order.
#[cold]
pub(super) fn forget(lock: LockId) {
    ORDERS.forget(lock);
}

pub(super) fn before_fork() {
    ORDERS.before_fork();
}

pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { ORDERS.after_fork() }
}
