//! Condition variables of other libraries than libc.
//!
//! Some are made of futexes, some of libc's condition variables. What the
//! program waits on is theirs, so the ones inside do not count.

use super::{Pc, hook};
use crate::lock::condvar::{self, Guard};
use crate::lock::stuck;
use crate::thread;

/// A wait by a function of a library.
#[derive(Clone, Copy)]
pub(super) struct LibraryWait {
    /// The condition variable.
    pub(super) cond: usize,
    /// The mutex that is given back meanwhile.
    pub(super) mutex: usize,
    /// What tells who holds it.
    pub(super) guard: Guard,
    /// Where it waits.
    pub(super) pc: Pc,
    /// Does it end by itself?
    pub(super) timed: bool,
}

impl LibraryWait {
    /// Waits by `real`, which says whether it was woken, with the mutex given
    /// back by `release` and taken again by `acquire`.
    pub(super) fn wait(
        self,
        release: impl FnOnce(),
        real: impl FnOnce() -> bool,
        acquire: impl FnOnce(),
    ) -> bool {
        if is_inside() {
            release();
            let is_woken = real();
            acquire();
            return is_woken;
        }
        hook(|| {
            if let Some(me) = thread::listening() {
                let mutex = (self.mutex, self.guard);
                condvar::waiting(me, self.cond, mutex, self.pc, self.timed);
            }
        });
        release();
        hook(|| {
            set_inside(true);
            if !self.timed {
                stuck::look();
            }
        });
        let is_woken = real();
        let ended = hook(|| {
            set_inside(false);
            let me = thread::listening()?;
            condvar::waited(me, self.cond, !is_woken)
        });
        acquire();
        hook(|| {
            if let Some(me) = thread::current() {
                me.loops.woken_by = ended.flatten();
            }
        });
        is_woken
    }
}

/// Wakes one or all of those who wait on `cond`, by `real`.
pub(super) fn wake(cond: usize, all: bool, pc: Pc, real: impl FnOnce()) {
    if is_inside() {
        return real();
    }
    hook(|| {
        condvar::signalling(cond, all, pc);
        set_inside(true);
    });
    real();
    hook(|| set_inside(false));
}

/// A condition variable is gone, or memory becomes one.
pub(super) fn forget(cond: usize) {
    hook(|| condvar::forget(cond));
}

/// One function of the library calls another.
fn is_inside() -> bool {
    hook(|| thread::current().is_some_and(|me| me.loops.waits_by_library)).unwrap_or(false)
}

fn set_inside(inside: bool) {
    if let Some(me) = thread::current() {
        me.loops.waits_by_library = inside;
    }
}
