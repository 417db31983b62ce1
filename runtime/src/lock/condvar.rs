//! Who waits on which condition variable, and with which mutex.
//!
//! A thread that was signalled no longer counts, although it has not returned
//! yet: from then on the condition variable may be destroyed or used with
//! another mutex.

use super::finding::Trouble;
use super::held::At;
use super::native::{self, Holder};
use super::{misuse, stuck};
use crate::spin::SpinLock;
use crate::thread::{self, Thread};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

/// A signal or a broadcast.
#[derive(Clone, Copy, Debug)]
pub struct Signal {
    /// Whose.
    pub thread: u32,
    /// Where that thread's log was then.
    pub slot: u16,
    /// First position behind what it had done.
    pub end: u64,
    /// Where it was made.
    pub at: At,
    /// Whether the thread held the mutex of those who waited, or that is not
    /// known.
    pub is_locked: bool,
    /// Whether anybody waited.
    pub woke: bool,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug)]
pub struct Woken {
    /// The condition variable.
    pub condvar: usize,
    /// The mutex it was used with.
    pub mutex: usize,
    /// Stack id of the wait.
    pub stack: u32,
    /// What ended it.
    pub by: Signal,
}

/// A thread that waits and has not been signalled.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The condition variable.
    pub condvar: usize,
    /// Who.
    pub thread: u32,
    /// The mutex it has given back.
    pub mutex: usize,
    /// Stack id.
    pub stack: u32,
}

/// What tells who holds the mutex that a thread waits with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// It is libc's: the list of held locks, or the mutex itself.
    Libc,
    /// The list alone.
    Listed,
    /// Nothing.
    Unlisted,
}

#[derive(Clone, Copy)]
struct Waiter {
    thread: u32,
    mutex: usize,
    guard: Guard,
    /// Stack id.
    stack: u32,
    /// It goes on by itself after some time.
    is_timed: bool,
    woken: Option<Signal>,
}

impl Waiter {
    /// Only a signal makes it go on.
    fn is_parked(&self) -> bool {
        !self.is_timed && self.woken.is_none()
    }
}

/// Locks, chosen by address, so that unrelated condition variables do not
/// contend.
const SHARDS: usize = 64;

type Waiters = SpinLock<BTreeMap<usize, Vec<Waiter>>>;
static SHARD: [Waiters; SHARDS] = [const { SpinLock::new(BTreeMap::new()) }; SHARDS];
/// Condition variables with waiters: a signal looks no further if there is
/// none.
static BUSY: [AtomicUsize; SHARDS] = [const { AtomicUsize::new(0) }; SHARDS];
/// The last signals of some condition variables, by address.
static LAST: [SpinLock<(usize, Option<Signal>)>; SHARDS] =
    [const { SpinLock::new((0, None)) }; SHARDS];

fn shard(condvar: usize) -> usize {
    (condvar >> 3) % SHARDS
}

/// The thread is about to wait on `condvar`, and holds `mutex`.
pub fn waiting(
    me: &Thread,
    condvar: usize,
    (mutex, guard): (usize, Guard),
    pc: usize,
    is_timed: bool,
) {
    let waiter = Waiter {
        thread: me.number,
        mutex,
        guard,
        stack: me.stack_id(pc),
        is_timed,
        woken: None,
    };
    let at = shard(condvar);
    let mut waiters = SHARD[at].lock();
    let here = waiters.entry(condvar).or_default();
    let mut others = here.iter().filter(|other| other.woken.is_none());
    let other = others.find(|other| other.mutex != mutex).copied();
    here.push(waiter);
    BUSY[at].store(waiters.len(), Ordering::Relaxed);
    drop(waiters);
    if !is_timed {
        stuck::parked();
    }
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

/// The thread no longer waits: its time was over, or somebody woke it. Says who
/// did, if only that could end the wait.
pub fn waited(me: &Thread, condvar: usize, timed_out: bool) -> Option<Woken> {
    let mut woken = None;
    with_waiters(condvar, |here| {
        let Some(index) = here.iter().position(|w| w.thread == me.number) else {
            return;
        };
        let mine = here.remove(index);
        if mine.is_parked() {
            stuck::gone(1);
        }
        // Who was taken for the one that is signalled waits on, if this one
        // was signalled instead.
        let by = mine.woken.or_else(|| {
            let instead = here.iter_mut().filter(|_| !timed_out);
            let other = instead.into_iter().find(|other| other.woken.is_some())?;
            let by = other.woken.take();
            if other.is_parked() {
                stuck::parked();
            }
            by
        });
        // Who waits for a limited time only does not depend on the signal.
        woken = by.filter(|_| !mine.is_timed).map(|by| Woken {
            condvar,
            mutex: mine.mutex,
            stack: mine.stack,
            by,
        });
    });
    woken
}

/// The calling thread is about to wake one or all of the waiters, by a call at
/// `pc`. Which one is libc's to choose: as long as nobody knows better, it is
/// the one that came first.
pub fn signalling(condvar: usize, all: bool, pc: usize) {
    let Some(me) = thread::listening() else {
        return;
    };
    let context = me.site(pc).context;
    let mut signal = Signal {
        thread: me.number,
        slot: me.recorder.slot(),
        end: me.recorder.log.end(),
        at: At { pc, context },
        is_locked: true,
        woke: false,
    };
    with_waiters(condvar, |here| {
        let chosen = here.iter_mut().filter(|waiter| waiter.woken.is_none());
        let mut released = 0;
        for waiter in chosen.take(if all { usize::MAX } else { 1 }) {
            signal.is_locked = holds(me, waiter);
            signal.woke = true;
            released += u32::from(waiter.is_parked());
            waiter.woken = Some(signal);
        }
        stuck::gone(released);
    });
    *LAST[shard(condvar)].lock() = (condvar, Some(signal));
}

/// Does `me` hold the mutex of the waiter, or is that not known?
fn holds(me: &Thread, waiter: &Waiter) -> bool {
    me.held.has_ignored()
        || waiter.guard == Guard::Unlisted
        || me.held.find(waiter.mutex).is_some()
        || waiter.guard == Guard::Libc && native::mutex_holder(waiter.mutex) == Holder::Me
}

/// The last signal of `condvar`, if it is still known.
pub fn last_signal(condvar: usize) -> Option<Signal> {
    let (address, signal) = *LAST[shard(condvar)].lock();
    signal.filter(|_| address == condvar)
}

/// Whether nothing has overwritten what is known of signals of `condvar`.
pub fn knows_signals(condvar: usize) -> bool {
    let (address, signal) = *LAST[shard(condvar)].lock();
    signal.is_none() || address == condvar
}

/// All threads that wait until they are signalled, and have not been.
pub fn all_parked() -> Vec<Waiting> {
    let mut all = Vec::new();
    for shard in &SHARD {
        for (&condvar, here) in shard.lock().iter() {
            let parked = here.iter().filter(|waiter| waiter.is_parked());
            all.extend(parked.map(|waiter| Waiting {
                condvar,
                thread: waiter.thread,
                mutex: waiter.mutex,
                stack: waiter.stack,
            }));
        }
    }
    all
}

/// Takes everybody off the list; gives those who had not been signalled.
fn drain(condvar: usize) -> Vec<(u32, u32)> {
    let mut waiters = Vec::new();
    with_waiters(condvar, |here| {
        let parked = here.iter().filter(|waiter| waiter.is_parked()).count();
        stuck::gone(parked as u32);
        let left = here.drain(..).filter(|waiter| waiter.woken.is_none());
        waiters = left.map(|waiter| (waiter.thread, waiter.stack)).collect();
    });
    waiters
}

/// `condvar` is about to be destroyed.
pub fn destroying(me: &Thread, condvar: usize, pc: usize) {
    let waiters = drain(condvar);
    if !waiters.is_empty() {
        let trouble = Trouble::CondvarDestroyed;
        misuse::in_use(me, trouble, condvar, "condition variable", pc, &waiters);
    }
}

/// Nobody waits: the memory is used for another one.
pub fn forget(condvar: usize) {
    drain(condvar);
    let mut last = LAST[shard(condvar)].lock();
    if last.0 == condvar {
        *last = (0, None);
    }
}

pub(super) fn forget_all() {
    for at in 0..SHARDS {
        SHARD[at].lock().clear();
        BUSY[at].store(0, Ordering::Relaxed);
    }
}

pub(super) fn before_fork() {
    SHARD.iter().for_each(SpinLock::hold);
    LAST.iter().for_each(SpinLock::hold);
}

pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    SHARD
        .iter()
        .for_each(|shard| unsafe { shard.force_unlock() });
    // SAFETY: passed on.
    LAST.iter().for_each(|last| unsafe { last.force_unlock() });
}
