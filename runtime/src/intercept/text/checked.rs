//! The same functions as `_FORTIFY_SOURCE` has them called.

use super::narrow::{appends, copies, copies_up_to};
use super::{Buffer, Text};
use crate::intercept::library::library;
use core::ffi::{c_int, c_void};

type To = *mut c_void;
type From = *const c_void;

library! {
    fn __memcpy_chk(to: To, from: From, len: usize, room: usize) -> To |call, real| {
        call.check(|touches| {
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(to, from, len, room)
    }
    fn __memmove_chk(to: To, from: From, len: usize, room: usize) -> To |call, real| {
        call.check(|touches| {
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(to, from, len, room)
    }
    fn __mempcpy_chk(to: To, from: From, len: usize, room: usize) -> To |call, real| {
        call.check(|touches| {
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(to, from, len, room)
    }
    fn __memset_chk(to: To, value: c_int, len: usize, room: usize) -> To |call, real| {
        call.writes(to, len);
        real(to, value, len, room)
    }
    fn __strcpy_chk(to: Buffer, from: Text, room: usize) -> Buffer |call, real| {
        copies(&call, to, from);
        real(to, from, room)
    }
    fn __stpcpy_chk(to: Buffer, from: Text, room: usize) -> Buffer |call, real| {
        copies(&call, to, from);
        real(to, from, room)
    }
    fn __strncpy_chk(to: Buffer, from: Text, len: usize, room: usize) -> Buffer |call, real| {
        copies_up_to(&call, to, from, len);
        real(to, from, len, room)
    }
    fn __stpncpy_chk(to: Buffer, from: Text, len: usize, room: usize) -> Buffer |call, real| {
        copies_up_to(&call, to, from, len);
        real(to, from, len, room)
    }
    fn __strcat_chk(to: Buffer, from: Text, room: usize) -> Buffer |call, real| {
        appends(&call, to, from, usize::MAX);
        real(to, from, room)
    }
    fn __strncat_chk(to: Buffer, from: Text, len: usize, room: usize) -> Buffer |call, real| {
        appends(&call, to, from, len);
        real(to, from, len, room)
    }
}
