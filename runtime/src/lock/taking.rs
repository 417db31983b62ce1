//! Locks are made, taken, given back and destroyed.
//!
//! A thread's list of held locks is behind what libc did by at most the way
//! from libc's return to the hook: a lock is in the list only while the thread
//! really holds it.

use super::held::At;
use super::record::{self, Origin};
use super::{Kind, LockId, Mode, misuse, native, order};
use crate::sync::table::{self, SyncObject};
use crate::thread::Thread;
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
    let mine = object.owner() == Some(me.number);
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
    me.held.push(lock, address, manner.mode, at);
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
    /// It was held so, and no longer is.
    Last(Mode),
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
        Some((_, true)) => Released::Inner,
        Some((mode, false)) => {
            if let (Mode::Write, Some(object)) = (mode, object) {
                object.set_owner(None);
            }
            Released::Last(mode)
        }
        None => Released::NotHeld,
    }
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
    if let Some(lock) = table::find(address).and_then(SyncObject::lock_id) {
        record::set_destroyed(lock, me.stack_id(pc));
        record::set_grave(address, Some(lock));
    }
    table::remove(address);
}
