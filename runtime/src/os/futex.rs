//! Sleeping and waking.

use super::call::syscall;
use core::sync::atomic::AtomicU32;

/// Sleeps while `word` holds `value`, until woken; may return early.
pub fn futex_wait(word: &AtomicU32, value: u32) {
    let op = (libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG) as usize;
    // SAFETY: the word outlives the call.
    let _ = unsafe {
        syscall(
            libc::SYS_futex,
            [word.as_ptr() as usize, op, value as usize, 0, 0, 0],
        )
    };
}

/// Wakes up to `count` sleepers on `word`.
pub fn futex_wake(word: &AtomicU32, count: u32) {
    let op = (libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG) as usize;
    // SAFETY: the word outlives the call.
    let _ = unsafe {
        syscall(
            libc::SYS_futex,
            [word.as_ptr() as usize, op, count as usize, 0, 0, 0],
        )
    };
}
