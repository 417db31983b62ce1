//! Abseil's locks and what it makes of them, where it is a library without
//! checks.
//!
//! Its names carry a version, and every version that is known gets stubs
//! ([`versions`]). Whoever gives a mutex back may look at the conditions that
//! others wait for, which are the program's code: it runs with the mutex held,
//! though the thread has been said not to have it any more.

mod versions;

use super::library_cond::{self, LibraryWait};
use super::{Pc, hook, section};
use crate::annotate::{begin_lock, end_lock};
use crate::lock::condvar::Guard;
use crate::lock::{Kind, Mode};
use crate::sync::{self, rwlock, semaphore};
use crate::thread;
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};

#[cfg(test)]
pub(super) use versions::NAMES;

type Pointer = *mut c_void;

/// Somebody has waited for a condition.
static CONDITIONS: AtomicBool = AtomicBool::new(false);

/// Runs `real`, which may look at conditions, without what they look at.
fn looking<R>(real: impl FnOnce() -> R) -> R {
    if !CONDITIONS.load(Ordering::Relaxed) {
        return real();
    }
    let begun = hook(|| thread::current().map(begin_lock)).flatten();
    let result = real();
    if begun.is_some() {
        section(|| thread::current().map(end_lock));
    }
    result
}

fn taken(mutex: Pointer, mode: Mode, pc: Pc, waits: bool) {
    hook(|| match mode {
        Mode::Write => rwlock::write_acquired(mutex.addr(), pc, Kind::Custom, waits),
        Mode::Read => rwlock::read_acquired(mutex.addr(), pc, Kind::Custom, waits),
    });
}

/// Takes `mutex` by `real`.
fn locks(mutex: Pointer, mode: Mode, pc: Pc, real: impl FnOnce()) {
    real();
    taken(mutex, mode, pc, true);
}

/// Takes it by `real`, if it can.
fn tries(mutex: Pointer, mode: Mode, pc: Pc, real: impl FnOnce() -> bool) -> bool {
    let got = real();
    if got {
        taken(mutex, mode, pc, false);
    }
    got
}

/// Takes it by `real`, which waits for a condition.
fn locks_when<R>(mutex: Pointer, mode: Mode, pc: Pc, real: impl FnOnce() -> R) -> R {
    CONDITIONS.store(true, Ordering::Relaxed);
    let result = looking(real);
    taken(mutex, mode, pc, true);
    result
}

/// Gives it back by `real`.
fn unlocks(mutex: Pointer, mode: Mode, pc: Pc, real: impl FnOnce()) {
    hook(|| match mode {
        Mode::Write => rwlock::write_releasing(mutex.addr(), pc),
        Mode::Read => rwlock::read_releasing(mutex.addr(), pc),
    });
    looking(real);
}

/// Waits by `real` for a condition, with the mutex given back meanwhile, which
/// the thread holds in whatever way.
fn awaits<R>(mutex: Pointer, pc: Pc, real: impl FnOnce() -> R) -> R {
    CONDITIONS.store(true, Ordering::Relaxed);
    let mode = hook(|| {
        let held = thread::current().and_then(|me| me.held.find(mutex.addr()));
        let mode = held.map_or(Mode::Write, |held| held.mode);
        rwlock::custom_releasing(mutex.addr(), pc);
        mode
    });
    let result = looking(real);
    if let Some(mode) = mode {
        taken(mutex, mode, pc, true);
    }
    result
}

/// Waits on a condition variable by `real`, which says whether time was over.
fn waits(cond: Pointer, mutex: Pointer, pc: Pc, timed: bool, real: impl FnOnce() -> bool) -> bool {
    let wait = LibraryWait {
        cond: cond.addr(),
        mutex: mutex.addr(),
        guard: Guard::Listed,
        pc,
        timed,
    };
    hook(sync::condvar::waiting);
    let mode = hook(|| {
        let held = thread::current().and_then(|me| me.held.find(mutex.addr()));
        held.map_or(Mode::Write, |held| held.mode)
    });
    let is_woken = wait.wait(
        || {
            hook(|| rwlock::custom_releasing(mutex.addr(), pc));
        },
        || !looking(real),
        || taken(mutex, mode.unwrap_or(Mode::Write), pc, true),
    );
    if is_woken {
        hook(|| sync::condvar::woken(cond.addr(), pc));
    }
    !is_woken
}

/// Wakes one or all of those who wait, by `real`.
fn wakes(cond: Pointer, all: bool, pc: Pc, real: impl FnOnce()) {
    hook(|| sync::condvar::signalling(cond.addr(), pc));
    library_cond::wake(cond.addr(), all, pc, real);
}

/// A mutex is gone.
fn mutex_gone(mutex: Pointer) {
    hook(|| rwlock::forgotten(mutex.addr()));
}

/// A condition variable is gone.
fn condition_gone(cond: Pointer) {
    library_cond::forget(cond.addr());
}

/// Something is made known at `place`.
fn tells(place: Pointer, pc: Pc) {
    hook(|| semaphore::posting(place.addr(), pc));
}

/// It is known.
fn learns(place: Pointer, pc: Pc) {
    hook(|| semaphore::waited(place.addr(), pc));
}

/// The atomic variable of a notification, at which programs look in code of
/// their own; a mutex of one word is before it.
fn told(notification: Pointer) -> Pointer {
    notification.wrapping_byte_add(size_of::<usize>())
}
