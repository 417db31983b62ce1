//! Functions that libc calls on threads of its own, when something has come to
//! its end.
//!
//! Nobody sees how these threads begin. What was done before libc was asked to
//! call comes before the call all the same: a thread that nobody saw begin comes
//! after all such requests.

use super::hook;
use crate::sync::channel::{self, Channel};
use crate::{signal, thread};
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering};
use libc::sigevent;

/// `SIGEV_THREAD`
pub(super) const BY_THREAD: c_int = 2;

static EXPECTED: AtomicBool = AtomicBool::new(false);

/// The program asks to be told as `event` says; null is not at all.
///
/// # Safety
/// The event must be readable.
pub(super) unsafe fn expects(event: *const sigevent) {
    // SAFETY: passed on.
    let Some(event) = (unsafe { event.as_ref() }) else {
        return;
    };
    match event.sigev_notify {
        BY_THREAD => {
            hook(|| {
                if !EXPECTED.swap(true, Ordering::Relaxed) {
                    thread::expect_stranger();
                }
                channel::send(Channel::STRANGERS);
            });
        }
        libc::SIGEV_SIGNAL if event.sigev_signo > 0 => {
            hook(|| signal::sending(event.sigev_signo));
        }
        _ => {}
    }
}
