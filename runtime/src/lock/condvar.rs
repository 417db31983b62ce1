//! Who waits on which condition variable, and with which mutex.
//!
//! A thread that was signalled no longer counts, although it has not returned
//! yet: from then on the condition variable may be destroyed or used with
//! another mutex.

use super::finding::Trouble;
use super::misuse;
use crate::spin::SpinLock;
use crate::thread::Thread;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Copy)]
struct Waiter {
    thread: u32,
    mutex: usize,
    /// Stack id.
    stack: u32,
}

/// Locks, chosen by address, so that unrelated condition variables do not
/// contend.
const SHARDS: usize = 64;

type Waiters = SpinLock<BTreeMap<usize, Vec<Waiter>>>;
static SHARD: [Waiters; SHARDS] = [const { SpinLock::new(BTreeMap::new()) }; SHARDS];
/// Condition variables with waiters: a signal looks no further if there is
/// none.
static BUSY: [AtomicUsize; SHARDS] = [const { AtomicUsize::new(0) }; SHARDS];

fn shard(condvar: usize) -> usize {
    (condvar >> 3) % SHARDS
}

/// The thread is about to wait on `condvar`, and holds `mutex`.
pub fn waiting(me: &Thread, condvar: usize, mutex: usize, pc: usize) {
    let waiter = Waiter {
        thread: me.number,
        mutex,
        stack: me.stack_id(pc),
    };
    let at = shard(condvar);
    let mut waiters = SHARD[at].lock();
    let here = waiters.entry(condvar).or_default();
    let other = here.iter().find(|other| other.mutex != mutex).copied();
    here.push(waiter);
    BUSY[at].store(waiters.len(), Ordering::Relaxed);
    drop(waiters);
    if let Some(other) = other {
        let there = (other.thread, other.stack);
        misuse::two_mutexes(me, condvar, [mutex, other.mutex], pc, there);
    }
}

/// Changes the list of who waits on `condvar`, if there is one.
fn with_waiters(condvar: usize, f: impl FnOnce(&mut Vec<Waiter>)) {
    let at = shard(condvar);
    if BUSY[at].load(Ordering::Relaxed) == 0 {
        return;
    }
    let mut waiters = SHARD[at].lock();
    if let Some(here) = waiters.get_mut(&condvar) {
        f(here);
        if here.is_empty() {
            waiters.remove(&condvar);
            BUSY[at].store(waiters.len(), Ordering::Relaxed);
        }
    }
}

/// The thread no longer waits.
pub fn waited(me: &Thread, condvar: usize) {
    with_waiters(condvar, |here| here.retain(|w| w.thread != me.number));
}

/// One or all of the waiters are about to be woken. Which one is libc's to
/// choose: as long as nobody knows better, it is the one that came first.
pub fn signalling(condvar: usize, all: bool) {
    with_waiters(condvar, |here| {
        let woken = if all { here.len() } else { here.len().min(1) };
        here.drain(..woken);
    });
}

/// `condvar` is about to be destroyed.
pub fn destroying(me: &Thread, condvar: usize, pc: usize) {
    let mut waiters = Vec::new();
    with_waiters(condvar, |here| {
        waiters = here.drain(..).map(|w| (w.thread, w.stack)).collect();
    });
    if !waiters.is_empty() {
        let trouble = Trouble::CondvarDestroyed;
        misuse::in_use(me, trouble, condvar, "condition variable", pc, &waiters);
    }
}

/// Nobody waits: the memory is used for another one, or this is a child.
pub fn forget(condvar: usize) {
    with_waiters(condvar, Vec::clear);
}

pub(super) fn forget_all() {
    for at in 0..SHARDS {
        SHARD[at].lock().clear();
        BUSY[at].store(0, Ordering::Relaxed);
    }
}

pub(super) fn before_fork() {
    SHARD.iter().for_each(SpinLock::hold);
}

pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    SHARD
        .iter()
        .for_each(|shard| unsafe { shard.force_unlock() });
}
