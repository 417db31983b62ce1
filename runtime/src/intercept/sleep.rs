//! Sleeping: for how long is read, what is left of it is written.

use super::library::{Call, library};
use core::ffi::c_int;
use libc::{clockid_t, timespec};

/// Checks what is left of a sleep that a signal has ended.
fn woken(call: &Call, interrupted: bool, left: *const timespec) {
    if interrupted {
        call.check(|touches| touches.writes_one(left));
    }
}

library! {
    fn nanosleep(time: *const timespec, left: *mut timespec) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(time));
        let result = real(time, left);
        woken(&call, result != 0 && *libc::__errno_location() == libc::EINTR, left);
        result
    }
    fn clock_nanosleep(clock: clockid_t, flags: c_int, time: *const timespec, left: *mut timespec) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(time));
        let result = real(clock, flags, time, left);
        woken(&call, result == libc::EINTR && flags & libc::TIMER_ABSTIME == 0, left);
        result
    }
}
