//! Locks are made, taken, given back and destroyed.
//!
//! A thread's list of held locks is behind what libc did by at most the way
//! from libc's return to the hook: a lock is in the list only while the thread
//! really holds it.

use super::held::At;
use super::native::Holder;
use super::record::{self, Origin};
use super::{Kind, LockId, Mode, misuse, native, order};
use crate::intercept;
use crate::sync::table::{self, SyncObject};
use crate::thread::Thread;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// What it is.
    pub kind: Kind,
    /// How it is held.
    pub mode: Mode,
    /// Would the thread have waited for it as long as it takes? If not, it
    /// cannot be part of a deadlock by taking this lock.
    pub waits: bool,
}

/// Some lock was unlocked by a thread that did not own it, so that lists of
/// held locks may be wrong.
static HANDED_OVER: AtomicBool = AtomicBool::new(false);

/// The thread has initialised the lock at `address`.
pub fn created(me: &mut Thread, address: usize, pc: usize, kind: Kind) {
    table::remove(address);
    record::set_grave(address, None);
    if let Some(object) = table::find_or_make(address) {
        identify(me, object, address, pc, kind, true);
    }
}

/// The lock at `address` needs no initialisation: it may be in use already, and
/// its destruction means nothing.
pub fn permanent(me: &mut Thread, address: usize, pc: usize, kind: Kind) {
    if let Some(object) = table::find_or_make(address)
        && let Some(lock) = object
            .lock_id()
            .or_else(|| identify(me, object, address, pc, kind, true))
    {
        record::set_permanent(lock);
    }
}

/// Is the lock at `address` such a one?
pub(super) fn is_permanent(address: usize) -> bool {
    let object = table::find(address);
    object
        .and_then(SyncObject::lock_id)
        .is_some_and(record::is_permanent)
}

#[cold]
fn identify(
    me: &mut Thread,
    object: &SyncObject,
    address: usize,
    pc: usize,
    kind: Kind,
    initialised: bool,
) -> Option<LockId> {
    let origin = Origin {
        address,
        kind,
        initialised,
        stack: me.stack_id(pc),
        thread: me.number,
    };
    if !initialised {
        misuse::first_use(me, address, pc, kind);
    }
    // What the C++ library guards with a lock of its own cannot be seen.
    if intercept::is_cxx_library(pc) {
        object.lock().released.trust(true);
    }
    object.become_lock(|| record::make(origin))
}

/// The thread has got the lock at `address`, whose object is `object`.
#[inline]
pub fn taken(me: &mut Thread, object: &SyncObject, address: usize, pc: usize, manner: Manner) {
    let known = object.lock_id();
    let Some(lock) = known.or_else(|| identify(me, object, address, pc, manner.kind, false)) else {
        return;
    };
    if HANDED_OVER.load(Ordering::Relaxed) {
        drop_given_away(me);
    }
    let owner = object.owner();
    if let (Kind::Custom, Some(owner)) = (manner.kind, owner)
        && (owner != me.number || manner.mode == Mode::Read)
    {
        misuse::taken_from(me, owner, address, pc);
    }
    let mine = owner == Some(me.number);
    if (mine || manner.mode == Mode::Read) && taken_before(me, address, manner) {
        return;
    }
    if manner.mode == Mode::Write {
        object.set_owner(Some(me.number));
    }
    let at = At {
        pc,
        context: me.site(pc).context,
    };
    if manner.waits && !me.held.all().is_empty() {
        order::taken(me, lock, manner.mode, at);
    }
    let since = me.recorder.log_end();
    me.held.push(lock, address, manner.mode, at, since);
}

/// Drops from the list what others have unlocked.
#[cold]
fn drop_given_away(me: &mut Thread) {
    let number = me.number;
    me.held.retain(|held| {
        let object = table::find(held.address);
        held.mode == Mode::Read || object.is_some_and(|object| object.owner() == Some(number))
    });
}

/// Has the thread taken the lock once more? An entry that cannot be true any
/// more is dropped.
#[inline(never)]
fn taken_before(me: &mut Thread, address: usize, manner: Manner) -> bool {
    if me.held.find(address).is_none() {
        return false;
    }
    let counts = match manner.kind {
        Kind::Mutex => native::relock(address) == native::Relock::Counts,
        Kind::RwLock => manner.mode == Mode::Read,
        Kind::Spin => false,
        Kind::Custom => true,
    };
    if counts {
        me.held.again(address);
    } else {
        while me.held.pop(address).is_some() {}
    }
    counts
}

/// How a lock was given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Released {
    /// It was held so since that position of the thread's log, and no longer
    /// is.
    Last(Mode, u64),
    /// It was taken more than once and still is held.
    Inner,
    /// The thread is not known to hold it.
    NotHeld,
}

/// The thread is about to give back the lock at `address`, whose object is
/// `object`, if it has one.
#[inline]
pub fn released(me: &mut Thread, object: Option<&SyncObject>, address: usize) -> Released {
    match me.held.pop(address) {
        Some(given) if given.is_still_held => Released::Inner,
        Some(given) => {
            if let (Mode::Write, Some(object)) = (given.mode, object) {
                object.set_owner(None);
            }
            Released::Last(given.mode, given.since)
        }
        None => Released::NotHeld,
    }
}

/// The robust mutexes that the thread holds: its end gives them to their next
/// owners. Their addresses, and where they were taken.
pub fn bequeathed(me: &Thread) -> Vec<(usize, usize)> {
    let held = me.held.all().iter();
    held.filter(|held| record::describe(held.lock).kind == Kind::Mutex)
        .map(|held| (held.address, held.at.pc))
        .filter(|&(address, _)| {
            native::mutex_is_robust(address) && native::mutex_holder(address) == Holder::Me
        })
        .collect()
}

/// Another thread than its owner gives back the lock at `address`.
#[cold]
pub fn handed_over(address: usize) {
    HANDED_OVER.store(true, Ordering::Relaxed);
    if let Some(object) = table::find(address) {
        object.set_owner(None);
    }
}

/// The lock at `address` is gone.
pub fn destroyed(me: &mut Thread, address: usize, pc: usize) {
    if is_permanent(address) {
        return;
    }
    if let Some(lock) = table::find(address).and_then(SyncObject::lock_id) {
        record::set_destroyed(lock, me.stack_id(pc));
        record::set_grave(address, Some(lock));
    }
    table::remove(address);
}
