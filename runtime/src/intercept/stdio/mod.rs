//! Streams: what libc reads and writes for them, and what goes through them.
//!
//! libc's streams call the kernel past the interceptors. A function that
//! writes counts as sending what is in the stream's descriptor, one that reads
//! as receiving from it.

mod arguments;
mod block;
mod buffer;
mod log;
pub(super) mod memory;
mod print;
mod scan;
mod wide;
mod wide_scan;

#[cfg(test)]
pub(super) const NAMES: &[&[(&str, *const ())]] = &[
    block::NAMES,
    buffer::NAMES,
    log::NAMES,
    log::PLAIN_NAMES,
    memory::NAMES,
    print::NAMES,
    print::PLAIN_NAMES,
    scan::NAMES,
    scan::PLAIN_NAMES,
    wide::NAMES,
    wide::PLAIN_NAMES,
    wide_scan::NAMES,
    wide_scan::PLAIN_NAMES,
];

use super::library::{Call, Touches};
use crate::descriptor;
use crate::signal::misuse;
use libc::FILE;

/// Finds every function the modules stand in front of.
pub(super) fn look_up_all() {
    block::look_up_all();
    buffer::look_up_all();
    log::look_up_all();
    memory::look_up_all();
    print::look_up_all();
    scan::look_up_all();
    wide::look_up_all();
    wide_scan::look_up_all();
}

/// The descriptor of a stream, -1 if it has none, as one in memory.
pub(super) fn number(stream: *mut FILE) -> i32 {
    if stream.is_null() {
        return -1;
    }
    // SAFETY: the program's stream; the other address is this thread's own.
    unsafe {
        let errno = *libc::__errno_location();
        let fd = libc::fileno(stream);
        *libc::__errno_location() = errno;
        fd
    }
}

/// Is about to write to `stream` what `reads` goes over.
fn sends(call: &Call, stream: *mut FILE, reads: impl FnOnce(&Touches)) {
    call.check(|touches| {
        not_in_a_handler(touches);
        reads(touches);
        descriptor::sending(number(stream), touches.function);
    });
}

/// Is about to read from `stream`.
fn uses(call: &Call, stream: *mut FILE) {
    call.check(|touches| {
        not_in_a_handler(touches);
        descriptor::used(number(stream), touches.function);
    });
}

/// Has read from `stream`; `writes` goes over where it was put.
fn received(call: &Call, stream: *mut FILE, writes: impl FnOnce(&Touches)) {
    call.check(|touches| {
        descriptor::received(number(stream));
        writes(touches);
    });
}

/// A stream is locked while it is used, and a handler may have interrupted
/// that.
fn not_in_a_handler(touches: &Touches) {
    if misuse::in_handler() {
        misuse::unsafe_call("a function of stdio", touches.function);
    }
}
