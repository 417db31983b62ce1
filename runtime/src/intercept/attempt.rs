//! Attempts to get a lock.
//!
//! A lock that is waited for is first only tried: a thread that does not get it
//! at once says what it waits for, so that a deadlock is seen when it happens.

use super::{Pc, hook};
use crate::lock::{Kind, Mode, misuse, wait};
use crate::thread;
use core::ffi::{c_int, c_void};

/// Gets the lock at `lock`: by `attempt`, and if that returns `busy`, by
/// `real`.
#[inline(always)]
pub(super) fn get_by(
    lock: *mut c_void,
    pc: Pc,
    (kind, mode): (Kind, Mode),
    busy: c_int,
    attempt: impl Fn() -> c_int,
    real: impl FnOnce() -> c_int,
) -> c_int {
    let result = attempt();
    if result != busy {
        return result;
    }
    match try_again(busy, attempt) {
        result if result == busy => wait_by(lock, pc, kind, mode, real),
        result => result,
    }
}

/// Most critical sections end within a microsecond or two, which is less than
/// it takes to go to sleep and be woken: tries a few times more.
#[cold]
fn try_again(busy: c_int, attempt: impl Fn() -> c_int) -> c_int {
    for pauses in [2, 4, 8, 16] {
        for _ in 0..pauses {
            core::hint::spin_loop();
        }
        let result = attempt();
        if result != busy {
            return result;
        }
    }
    busy
}

#[cold]
fn wait_by(
    lock: *mut c_void,
    pc: Pc,
    kind: Kind,
    mode: Mode,
    real: impl FnOnce() -> c_int,
) -> c_int {
    let address = lock as usize;
    let listed = hook(move || match thread::listening() {
        Some(me) => wait::blocked(me, address, pc, kind, mode),
        None => false,
    });
    let result = real();
    if listed == Some(true) {
        hook(move || thread::current().map(wait::done));
    }
    if result == libc::EDEADLK && kind == Kind::RwLock {
        hook(move || {
            if let Some(me) = thread::listening() {
                misuse::relock_refused(me, address, pc);
            }
        });
    }
    result
}

/// An attempt has failed: because the lock was destroyed?
#[cold]
pub(super) fn refused(lock: *mut c_void, pc: Pc, kind: Kind) {
    hook(move || {
        if let Some(me) = thread::listening() {
            misuse::lock_refused(me, lock as usize, pc, kind);
        }
    });
}
