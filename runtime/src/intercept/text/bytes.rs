//! Memory of a given length, besides what [`super::super::copy`] has.

use crate::intercept::library::library;
use core::ffi::{c_char, c_int, c_void};

type To = *mut c_void;
type From = *const c_void;

/// Bytes looked at by a search from the front that ended at `found`.
fn searched(start: From, found: From, len: usize) -> usize {
    if found.is_null() {
        len
    } else {
        found.addr() - start.addr() + 1
    }
}

library! {
    fn memchr(start: From, byte: c_int, len: usize) -> To |call, real| {
        let found = real(start, byte, len);
        call.reads(start, searched(start, found, len));
        found
    }
    fn memrchr(start: From, byte: c_int, len: usize) -> To |call, real| {
        let found = real(start, byte, len);
        let first = if found.is_null() { start } else { found.cast_const() };
        call.reads(first, start.addr() + len - first.addr());
        found
    }
    fn rawmemchr(start: From, byte: c_int) -> To |call, real| {
        let found = real(start, byte);
        call.reads(start, found.addr() - start.addr() + 1);
        found
    }
    fn memmem(start: From, len: usize, part: From, part_len: usize) -> To |call, real| {
        let found = real(start, len, part, part_len);
        call.check(|touches| {
            let last = searched(start, found, len);
            touches.reads(start, if found.is_null() { len } else { last - 1 + part_len });
            touches.reads(part, part_len);
        });
        found
    }
    fn memccpy(to: To, from: From, byte: c_int, len: usize) -> To |call, real| {
        call.check(|touches| {
            let found = libc::memchr(from, byte, len);
            let len = searched(from, found, len);
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(to, from, byte, len)
    }
    fn mempcpy(to: To, from: From, len: usize) -> To |call, real| {
        call.check(|touches| {
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(to, from, len)
    }
    fn bcopy(from: From, to: To, len: usize) |call, real| {
        call.check(|touches| {
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(from, to, len)
    }
    fn bzero(to: To, len: usize) |call, real| {
        call.writes(to, len);
        real(to, len)
    }
    fn explicit_bzero(to: To, len: usize) |call, real| {
        call.writes(to, len);
        real(to, len)
    }
    fn swab(from: From, to: To, len: isize) |call, real| {
        call.check(|touches| {
            let len = len.max(0) as usize & !1;
            touches.reads(from, len);
            touches.writes(to, len);
        });
        real(from, to, len)
    }
    fn strnlen(text: *const c_char, most: usize) -> usize |call, real| {
        let len = real(text, most);
        call.reads(text, if len < most { len + 1 } else { most });
        len
    }
}
