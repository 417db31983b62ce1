//! When an invariant of the runtime itself breaks.
//!
//! With `on_internal_error=abort` that is the end of the program. With
//! `disable` the runtime switches itself off for good: whoever noticed goes
//! back to where it entered the runtime ([`jump`]), and its call goes on as if
//! it had never entered; whoever enters later is sent away at once, and whoever
//! waits inside for something that the first one will not do any more goes the
//! same way. To the others that one is a thread that stopped where it stood: a
//! lock that it held stays closed, so nobody sees what it left half done, and
//! what is read without a lock can be read at any moment anyway.
//!
//! Where nothing is to be caught the way in is one look at [`CONDUCT`].

mod jump;
#[cfg(not(test))]
mod panic;
mod testing;

use jump::{Function, attempt_by};
pub(crate) use jump::{attempt, forget_mask, is_within, note_mask, retreat};
#[cfg(test)]
pub(crate) use testing::NAMES;

use crate::options::OnInternalError;
use crate::{init, os, report, tls};
use core::ffi::c_void;
use core::ptr::null;
use core::sync::atomic::{AtomicU32, Ordering};

/// Nothing is caught: an error ends the program.
const ABORT: u32 = 0;
/// An error switches the runtime off.
const DISABLE: u32 = 1;
/// It has.
pub(crate) const OFF: u32 = 2;
/// As [`ABORT`], with an error to come that a test asked for.
const ABORT_TESTED: u32 = 3;

/// What becomes of an error.
pub(crate) static CONDUCT: AtomicU32 = AtomicU32::new(ABORT);

/// The process in which the runtime switched itself off; children inherit that.
static BROKEN: AtomicU32 = AtomicU32::new(0);

/// Did it do so in this process?
pub(crate) fn is_broken_here() -> bool {
    BROKEN.load(Ordering::Relaxed) == os::getpid()
}

/// The options are known.
pub(crate) fn choose(conduct: OnInternalError) {
    if conduct == OnInternalError::Disable {
        CONDUCT.store(DISABLE, Ordering::Relaxed);
    }
}

/// Has the runtime switched itself off?
#[inline]
pub(crate) fn is_off() -> bool {
    CONDUCT.load(Ordering::Relaxed) == OFF
}

/// Are errors caught, or was one?
#[inline(always)]
pub(crate) fn is_caught() -> bool {
    CONDUCT.load(Ordering::Relaxed) != ABORT
}

/// Runs `f`, which may find that the runtime is broken; `None` if it did, or if
/// that was known before. The thread is marked as inside.
#[inline(always)]
pub(crate) fn caught<R>(f: impl FnOnce() -> R) -> Option<R> {
    if is_caught() {
        return caught_if_disabled(f);
    }
    Some(f())
}

#[cold]
#[inline(never)]
fn caught_if_disabled<R>(f: impl FnOnce() -> R) -> Option<R> {
    attempt_by(run_caught, f)
}

/// Runs `function`, which needs `data`, if the runtime is on. Did it come
/// through?
unsafe fn run_caught(function: Function, data: *mut c_void) -> bool {
    if is_off() {
        no_more_checks();
        return false;
    }
    // SAFETY: this thread's own block.
    let frames = unsafe { (*tls::block()).frames };
    let came_through = attempt(|| {
        testing::before();
        // SAFETY: passed on.
        unsafe { function(data) };
        testing::after();
    });
    if came_through.is_none() {
        jump::restore_mask();
        // SAFETY: as above.
        unsafe { (*tls::block()).frames = frames };
        no_more_checks();
    }
    came_through.is_some()
}

/// Has the calling thread's code call no more checks than it must.
fn no_more_checks() {
    let block = tls::block();
    // SAFETY: this thread's own block.
    unsafe {
        (*block).current = 0;
        (*block).memo = null();
    }
}

/// For who waits inside the runtime: does not return if that may be in vain.
#[inline]
pub(crate) fn leave_if_off() {
    if is_off() {
        retreat();
    }
}

/// Switches the runtime off, if errors are to do that. Was it on?
#[cfg_attr(
    test,
    expect(dead_code, reason = "tests have a panic handler of their own")
)]
fn switch_off() -> bool {
    let was = CONDUCT.compare_exchange(DISABLE, OFF, Ordering::SeqCst, Ordering::SeqCst);
    if was.is_ok() {
        BROKEN.store(os::getpid(), Ordering::Relaxed);
        init::switched_off();
        report::abandon();
    }
    was.is_ok()
}
