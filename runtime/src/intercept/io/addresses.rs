//! Addresses and their texts, and entries of the system's lists in buffers of
//! the caller.

use crate::intercept::library::{Call, library};
use core::ffi::{c_char, c_int, c_uint, c_void};
use libc::{gid_t, group, hostent, ifaddrs, in_addr, passwd, size_t, socklen_t, uid_t};

type Text = *const c_char;
type Buffer = *mut c_char;

/// Bytes of an address of a family.
fn size(family: c_int) -> usize {
    match family {
        libc::AF_INET => 4,
        libc::AF_INET6 => 16,
        _ => 0,
    }
}

/// Checks an entry that was found, and where it is said that it was.
fn found<T>(call: &Call, result: c_int, entry: *const T, answer: *const *mut T) -> c_int {
    call.check(|touches| {
        touches.writes_one(answer);
        // SAFETY: the function has written it.
        if result == 0 && !unsafe { *answer }.is_null() {
            touches.writes_one(entry);
        }
    });
    result
}

library! {
    fn inet_pton(family: c_int, text: Text, to: *mut c_void) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(text));
        let result = real(family, text, to);
        if result == 1 {
            call.writes(to, size(family));
        }
        result
    }
    fn inet_ntop(family: c_int, from: *const c_void, to: Buffer, room: socklen_t) -> Text |call, real| {
        call.reads(from, size(family));
        let text = real(family, from, to, room);
        call.check(|touches| touches.writes_text(text));
        text
    }
    fn inet_aton(text: Text, to: *mut in_addr) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(text));
        let result = real(text, to);
        if result != 0 {
            call.check(|touches| touches.writes_one(to));
        }
        result
    }
    fn inet_addr(text: Text) -> u32 |call, real| {
        call.check(|touches| touches.reads_text(text));
        real(text)
    }
    fn getpwnam_r(name: Text, entry: *mut passwd, buffer: Buffer, room: size_t, answer: *mut *mut passwd) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(name));
        found(&call, real(name, entry, buffer, room, answer), entry, answer)
    }
    fn getpwuid_r(user: uid_t, entry: *mut passwd, buffer: Buffer, room: size_t, answer: *mut *mut passwd) -> c_int |call, real| {
        found(&call, real(user, entry, buffer, room, answer), entry, answer)
    }
    fn getgrnam_r(name: Text, entry: *mut group, buffer: Buffer, room: size_t, answer: *mut *mut group) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(name));
        found(&call, real(name, entry, buffer, room, answer), entry, answer)
    }
    fn getgrgid_r(id: gid_t, entry: *mut group, buffer: Buffer, room: size_t, answer: *mut *mut group) -> c_int |call, real| {
        found(&call, real(id, entry, buffer, room, answer), entry, answer)
    }
    fn gethostbyname_r(name: Text, entry: *mut hostent, buffer: Buffer, room: size_t, answer: *mut *mut hostent, error: *mut c_int) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(name));
        found(&call, real(name, entry, buffer, room, answer, error), entry, answer)
    }
    fn if_nametoindex(name: Text) -> c_uint |call, real| {
        call.check(|touches| touches.reads_text(name));
        real(name)
    }
    fn if_indextoname(index: c_uint, to: Buffer) -> Buffer |call, real| {
        let name = real(index, to);
        call.check(|touches| touches.writes_text(name));
        name
    }
    fn getifaddrs(list: *mut *mut ifaddrs) -> c_int |call, real| {
        let result = real(list);
        if result == 0 {
            call.check(|touches| touches.writes_one(list));
        }
        result
    }
}
