//! Locks on files that belong to whoever has opened the file, so that threads
//! exclude each other with them if each has opened it for itself. They order
//! like messages through the file. Those that belong to the process (`lockf`)
//! exclude no thread.

use super::{received, sends};
use crate::intercept::library::{Call, library};
use core::ffi::{c_int, c_void};

/// What `fcntl` is asked to do with such a lock.
///
/// # Safety
/// The argument must be what the command takes.
unsafe fn wanted(command: c_int, argument: *const c_void) -> Option<c_int> {
    if !matches!(command, libc::F_OFD_SETLK | libc::F_OFD_SETLKW) {
        return None;
    }
    // SAFETY: passed on; without a lock the kernel refuses.
    let lock = unsafe { argument.cast::<libc::flock>().as_ref() };
    lock.map(|lock| lock.l_type.into())
}

/// `fcntl` is about to be called.
///
/// # Safety
/// As [`wanted`].
pub(super) unsafe fn controlling(call: &Call, fd: c_int, command: c_int, argument: *const c_void) {
    // SAFETY: passed on.
    if unsafe { wanted(command, argument) } == Some(libc::F_UNLCK) {
        sends(call, fd, |_| ());
    }
}

/// It has returned `result`.
///
/// # Safety
/// As [`wanted`].
pub(super) unsafe fn controlled(
    call: &Call,
    fd: c_int,
    command: c_int,
    argument: *const c_void,
    result: c_int,
) {
    // SAFETY: passed on.
    if unsafe { wanted(command, argument) }.is_some_and(|kind| kind != libc::F_UNLCK) {
        received(call, fd, result as isize, |_, _| ());
    }
}

library! {
    fn flock(fd: c_int, operation: c_int) -> c_int |call, real| {
        // Who holds the lock for itself and wants to share it gives it back, too.
        if operation & libc::LOCK_EX == 0 {
            sends(&call, fd, |_| ());
        }
        let result = real(fd, operation);
        if operation & libc::LOCK_UN == 0 {
            received(&call, fd, result as isize, |_, _| ());
        }
        result
    }
}
