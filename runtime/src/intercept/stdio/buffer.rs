//! Memory of the program that a stream is given as its buffer: from then on it
//! is the stream's.

use crate::intercept::library::{Call, library};
use core::ffi::{c_char, c_int};
use libc::{FILE, size_t};

type Stream = *mut FILE;

/// Bytes of a buffer whose size nobody says.
const SIZE: usize = libc::BUFSIZ as usize;

/// Checks that `buffer` changes hands; null is none.
fn given(call: &Call, buffer: *const c_char, size: usize) {
    if !buffer.is_null() {
        call.writes(buffer, size);
    }
}

library! {
    fn setvbuf(stream: Stream, buffer: *mut c_char, mode: c_int, size: size_t) -> c_int |call, real| {
        if mode != libc::_IONBF {
            given(&call, buffer, size);
        }
        real(stream, buffer, mode, size)
    }
    fn setbuf(stream: Stream, buffer: *mut c_char) |call, real| {
        given(&call, buffer, SIZE);
        real(stream, buffer)
    }
    fn setbuffer(stream: Stream, buffer: *mut c_char, size: size_t) |call, real| {
        given(&call, buffer, size);
        real(stream, buffer, size)
    }
}
