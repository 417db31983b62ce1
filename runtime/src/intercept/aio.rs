//! Input and output that goes on while the program does something else.
//!
//! From the call on, the buffer is libc's. Who hears that a request has come to
//! its end comes after whoever made it.

use super::library::{Call, library};
use super::notified;
use crate::sync::channel::{self, Channel, Class};
use core::ffi::c_int;
use libc::{aiocb, sigevent, ssize_t, timespec};

/// What is heard of a request.
fn channel_of(request: *const aiocb) -> Channel {
    Channel::new(Class::Library, (request.addr() >> 3) as u64)
}

/// Is about to make a request, which reads from the buffer or writes to it.
///
/// # Safety
/// The request must be readable.
unsafe fn requests(call: &Call, request: *const aiocb, operation: c_int) {
    // SAFETY: passed on.
    let Some(asked) = (unsafe { request.as_ref() }) else {
        return;
    };
    call.check(|touches| {
        touches.reads_one(request);
        match operation {
            libc::LIO_READ => touches.writes(asked.aio_buf, asked.aio_nbytes),
            libc::LIO_WRITE => touches.reads(asked.aio_buf, asked.aio_nbytes),
            _ => {}
        }
        channel::send(channel_of(request));
    });
    // SAFETY: part of the request.
    unsafe { notified::expects(&raw const asked.aio_sigevent) };
}

/// Has heard that a request is over, if `done`.
fn heard(call: &Call, request: *const aiocb, done: bool) {
    if done {
        call.check(|_| channel::receive(channel_of(request)));
    }
}

/// Has waited until at least one of some requests was over.
///
/// # Safety
/// The list must be readable.
unsafe fn waited(call: &Call, requests: *const *const aiocb, count: c_int, result: c_int) {
    for i in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: passed on.
        let request = unsafe { *requests.add(i) };
        heard(call, request, result == 0 && !request.is_null());
    }
}

library! {
    [always] fn aio_read(request: *mut aiocb) -> c_int |call, real| {
        requests(&call, request, libc::LIO_READ);
        real(request)
    }
    [always] fn aio_read64(request: *mut aiocb) -> c_int |call, real| {
        requests(&call, request, libc::LIO_READ);
        real(request)
    }
    [always] fn aio_write(request: *mut aiocb) -> c_int |call, real| {
        requests(&call, request, libc::LIO_WRITE);
        real(request)
    }
    [always] fn aio_write64(request: *mut aiocb) -> c_int |call, real| {
        requests(&call, request, libc::LIO_WRITE);
        real(request)
    }
    [always] fn aio_fsync(operation: c_int, request: *mut aiocb) -> c_int |call, real| {
        requests(&call, request, libc::LIO_NOP);
        real(operation, request)
    }
    [always] fn aio_fsync64(operation: c_int, request: *mut aiocb) -> c_int |call, real| {
        requests(&call, request, libc::LIO_NOP);
        real(operation, request)
    }
    [always] fn lio_listio(mode: c_int, list: *const *mut aiocb, count: c_int, event: *mut sigevent) -> c_int |call, real| {
        requests_list(&call, list, count, event);
        real(mode, list, count, event)
    }
    [always] fn lio_listio64(mode: c_int, list: *const *mut aiocb, count: c_int, event: *mut sigevent) -> c_int |call, real| {
        requests_list(&call, list, count, event);
        real(mode, list, count, event)
    }
    fn aio_error(request: *const aiocb) -> c_int |call, real| {
        let result = real(request);
        heard(&call, request, result != libc::EINPROGRESS);
        result
    }
    fn aio_error64(request: *const aiocb) -> c_int |call, real| {
        let result = real(request);
        heard(&call, request, result != libc::EINPROGRESS);
        result
    }
    fn aio_return(request: *mut aiocb) -> ssize_t |call, real| {
        let result = real(request);
        heard(&call, request, true);
        result
    }
    fn aio_return64(request: *mut aiocb) -> ssize_t |call, real| {
        let result = real(request);
        heard(&call, request, true);
        result
    }
    fn aio_suspend(list: *const *const aiocb, count: c_int, limit: *const timespec) -> c_int |call, real| {
        let result = real(list, count, limit);
        waited(&call, list, count, result);
        result
    }
    fn aio_suspend64(list: *const *const aiocb, count: c_int, limit: *const timespec) -> c_int |call, real| {
        let result = real(list, count, limit);
        waited(&call, list, count, result);
        result
    }
}

/// As [`requests`], for several at once.
///
/// # Safety
/// The list, and what it points to, must be readable.
unsafe fn requests_list(
    call: &Call,
    list: *const *mut aiocb,
    count: c_int,
    event: *const sigevent,
) {
    for i in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: passed on.
        unsafe {
            let request = *list.add(i);
            if let Some(asked) = request.as_ref() {
                requests(call, request, asked.aio_lio_opcode);
            }
        }
    }
    // SAFETY: passed on.
    unsafe { notified::expects(event) };
}
