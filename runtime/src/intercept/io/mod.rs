//! Calls that take a descriptor: messages from thread to thread, and memory
//! that the kernel reads and writes for the program.
//!
//! A send counts before the call, because the receiver may be ahead of its
//! return; a receipt counts after it, and before what was received is written.

mod addresses;
mod event;
mod file_lock;
mod lifetime;
mod paths;
mod queue;
mod resolver;
mod socket;
mod transfer;

#[cfg(test)]
pub(super) const NAMES: &[&[(&str, *const ())]] = &[
    addresses::NAMES,
    event::NAMES,
    file_lock::NAMES,
    lifetime::NAMES,
    paths::NAMES,
    queue::NAMES,
    resolver::NAMES,
    socket::NAMES,
    transfer::NAMES,
];

use super::library::{Call, Touches};
use crate::descriptor;
use core::ffi::c_int;
use libc::{iovec, socklen_t};

/// Finds every function the modules stand in front of.
pub(super) fn look_up_all() {
    addresses::look_up_all();
    event::look_up_all();
    file_lock::look_up_all();
    lifetime::look_up_all();
    paths::look_up_all();
    queue::look_up_all();
    resolver::look_up_all();
    socket::look_up_all();
    transfer::look_up_all();
}

/// Is about to send through `fd` what `reads` goes over.
fn sends(call: &Call, fd: c_int, reads: impl FnOnce(&Touches)) {
    call.check(|touches| {
        reads(touches);
        descriptor::sending(fd, touches.function);
    });
}

/// Is about to wait for something from `fd`.
fn uses(call: &Call, fd: c_int) {
    call.check(|touches| descriptor::used(fd, touches.function));
}

/// Has received something from `fd`, or heard that nothing more will come, if
/// the call's result is not negative; `writes` goes over where it was put.
fn received(call: &Call, fd: c_int, result: isize, writes: impl FnOnce(&Touches, usize)) {
    if let Ok(len) = usize::try_from(result) {
        call.check(|touches| {
            descriptor::received(fd);
            writes(touches, len);
        });
    }
}

/// How much room there is for an address; its length will be there, which may
/// be more.
///
/// # Safety
/// `len` must be null or a variable.
unsafe fn room_of(len: *const socklen_t) -> socklen_t {
    // SAFETY: passed on.
    unsafe { len.as_ref() }.map_or(0, |len| *len)
}

/// Goes over the first `len` bytes of `count` buffers; the table itself is
/// read.
///
/// # Safety
/// The table must be readable.
unsafe fn each_buffer(
    touches: &Touches,
    buffers: *const iovec,
    count: usize,
    mut len: usize,
    mut touch: impl FnMut(&Touches, *const u8, usize),
) {
    touches.reads(buffers, count.saturating_mul(size_of::<iovec>()));
    for i in 0..count {
        // SAFETY: passed on.
        let buffer = unsafe { *buffers.add(i) };
        let part = len.min(buffer.iov_len);
        touch(touches, buffer.iov_base.cast_const().cast(), part);
        len -= part;
        if len == 0 {
            break;
        }
    }
}

/// Is about to send `count` buffers through `fd`.
///
/// # Safety
/// The table must be readable.
unsafe fn sends_buffers(call: &Call, fd: c_int, buffers: *const iovec, count: c_int) {
    sends(call, fd, |touches| {
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: passed on.
        unsafe { each_buffer(touches, buffers, count, usize::MAX, Touches::reads) };
    });
}

/// Has received into `count` buffers from `fd`.
///
/// # Safety
/// The table must be readable.
unsafe fn received_buffers(
    call: &Call,
    fd: c_int,
    buffers: *const iovec,
    count: c_int,
    result: isize,
) {
    received(call, fd, result, |touches, len| {
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: passed on.
        unsafe { each_buffer(touches, buffers, count, len, Touches::writes) };
    });
}
