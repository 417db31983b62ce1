//! Putting a signal off.

use super::call::syscall;
use super::{getpid, gettid};
use core::ffi::c_void;

fn change_mask(how: i32, set: u64) {
    let args = [
        how as usize,
        &raw const set as usize,
        0,
        size_of::<u64>(),
        0,
        0,
    ];
    // SAFETY: the kernel's 8-byte signal set.
    let _ = unsafe { syscall(libc::SYS_rt_sigprocmask, args) };
}

/// Sends the calling thread the signal it is just handling once more, and
/// blocks it, so that it stays pending.
///
/// # Safety
/// `info` must be what the kernel passed to the handler.
pub unsafe fn put_off(signal: i32, info: *mut c_void) {
    change_mask(libc::SIG_BLOCK, 1 << (signal - 1));
    let args = [
        getpid() as usize,
        gettid() as usize,
        signal as usize,
        info as usize,
        0,
        0,
    ];
    // SAFETY: passed on.
    let _ = unsafe { syscall(libc::SYS_rt_tgsigqueueinfo, args) };
}

/// Lets the signals of `set` through, those that were put off at once.
pub fn let_through(set: u64) {
    change_mask(libc::SIG_UNBLOCK, set);
}
