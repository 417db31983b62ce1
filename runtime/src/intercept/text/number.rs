//! Numbers in texts.

use super::wide::{Buffer as WideBuffer, Text as WideText};
use super::{Buffer, Text};
use crate::intercept::library::{Call, library};
use core::ffi::c_int;
use core::ptr::null_mut;

/// Checks the bytes of a number that `real` reads from `text`, with the one
/// behind it that ends it; returns its value. The place where it ends goes to
/// `end`, which may be null.
///
/// # Safety
/// `real` must store the end of the number at its argument, or nothing if it
/// does not know the base.
unsafe fn converted<C, R>(
    call: &Call,
    text: *const C,
    end: *mut *mut C,
    real: impl FnOnce(*mut *mut C) -> R,
) -> R {
    let mut stop = null_mut();
    let value = real(&mut stop);
    if stop.is_null() {
        return value;
    }
    call.check(|touches| {
        touches.reads(text, stop.addr() - text.addr() + size_of::<C>());
        touches.writes_one(end);
    });
    if !end.is_null() {
        // SAFETY: the program's own variable.
        unsafe { *end = stop };
    }
    value
}

/// Checks what is read of `text` for a number. In front of functions that do
/// not tell where it ends, and of those whose result is a `long double`, which
/// is in none of the registers that are known here.
///
/// # Safety
/// It must be a text.
unsafe fn reads_number(call: &Call, text: Text, floating: bool) {
    call.check(|touches| {
        let mut stop = null_mut();
        // SAFETY: passed on.
        unsafe {
            let errno = *libc::__errno_location();
            if floating {
                libc::strtod(text, &mut stop);
            } else {
                libc::strtol(text, &mut stop, 10);
            }
            *libc::__errno_location() = errno;
        }
        touches.reads(text, stop.addr() - text.addr() + 1);
    });
}

library! {
    fn strtol(text: Text, end: *mut Buffer, base: c_int) -> i64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn strtoll(text: Text, end: *mut Buffer, base: c_int) -> i64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn strtoul(text: Text, end: *mut Buffer, base: c_int) -> u64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn strtoull(text: Text, end: *mut Buffer, base: c_int) -> u64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn strtod(text: Text, end: *mut Buffer) -> f64 |call, real| {
        converted(&call, text, end, |end| real(text, end))
    }
    fn strtof(text: Text, end: *mut Buffer) -> f32 |call, real| {
        converted(&call, text, end, |end| real(text, end))
    }
    fn atoi(text: Text) -> c_int |call, real| {
        reads_number(&call, text, false);
        real(text)
    }
    fn atol(text: Text) -> i64 |call, real| {
        reads_number(&call, text, false);
        real(text)
    }
    fn atoll(text: Text) -> i64 |call, real| {
        reads_number(&call, text, false);
        real(text)
    }
    fn atof(text: Text) -> f64 |call, real| {
        reads_number(&call, text, true);
        real(text)
    }
    fn strtold(text: Text, end: *mut Buffer) |call, real| {
        reads_number(&call, text, true);
        call.check(|touches| touches.writes_one(end));
        real(text, end)
    }
    fn strtoimax(text: Text, end: *mut Buffer, base: c_int) -> i64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn strtoumax(text: Text, end: *mut Buffer, base: c_int) -> u64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn __isoc23_strtol(text: Text, end: *mut Buffer, base: c_int) -> i64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn __isoc23_strtoll(text: Text, end: *mut Buffer, base: c_int) -> i64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn __isoc23_strtoul(text: Text, end: *mut Buffer, base: c_int) -> u64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn __isoc23_strtoull(text: Text, end: *mut Buffer, base: c_int) -> u64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn wcstol(text: WideText, end: *mut WideBuffer, base: c_int) -> i64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn wcstoll(text: WideText, end: *mut WideBuffer, base: c_int) -> i64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn wcstoul(text: WideText, end: *mut WideBuffer, base: c_int) -> u64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn wcstoull(text: WideText, end: *mut WideBuffer, base: c_int) -> u64 |call, real| {
        converted(&call, text, end, |end| real(text, end, base))
    }
    fn wcstod(text: WideText, end: *mut WideBuffer) -> f64 |call, real| {
        converted(&call, text, end, |end| real(text, end))
    }
    fn wcstof(text: WideText, end: *mut WideBuffer) -> f32 |call, real| {
        converted(&call, text, end, |end| real(text, end))
    }
}
