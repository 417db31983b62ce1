//! Locks whose initialisation was seen, until another thread uses them.
//!
//! Initialising and destroying such a lock is a write, the first use by another
//! thread a read ([`lifetime`]): what nothing orders with the beginning or the
//! end of a lock's life is a race. Later uses cost nothing. Only locks of the
//! program itself count: a library without checks may publish its own in ways
//! that are not seen.

use super::table::{self, SyncObject};
use crate::intercept::{is_instrumented, lifetime};
use crate::lock::{self, Kind};
use crate::thread::{self, Thread};

/// The lock at `addr` was initialised.
pub(super) fn begins(addr: usize, pc: usize, kind: Kind) {
    if kind != Kind::Custom
        && is_instrumented(pc)
        && let Some(object) = table::find(addr)
    {
        object.set_young(true);
        lifetime::begins(addr, pc);
    }
}

/// It is about to be destroyed.
pub(super) fn ends(addr: usize, pc: usize, kind: Kind) {
    if kind != Kind::Custom && is_instrumented(pc) {
        lifetime::ends(addr, pc);
    }
}

/// The calling thread, which has just got the lock at `addr`, and the lock's
/// object; `None` if nobody listens to that.
#[inline]
pub(super) fn taking(addr: usize, pc: usize) -> Option<(&'static mut Thread, &'static SyncObject)> {
    let me = thread::listening()?;
    let object = table::find_or_make(addr)?;
    if object.is_young() {
        used(object, me.number, addr, pc);
        return Some((thread::listening()?, object));
    }
    Some((me, object))
}

#[cold]
fn used(object: &SyncObject, me: u32, addr: usize, pc: usize) {
    let Some(lock) = object.lock_id() else {
        return;
    };
    if lock::describe(lock).thread != me {
        object.set_young(false);
        if is_instrumented(pc) {
            lifetime::used(addr, pc);
        }
    }
}
