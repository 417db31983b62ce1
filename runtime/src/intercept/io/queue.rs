//! Message queues, which are descriptors.

use super::{received, sends, uses};
use crate::descriptor;
use crate::intercept::library::library;
use crate::intercept::notified;
use core::ffi::{c_char, c_int, c_uint, c_void};
use libc::{mode_t, mq_attr, mqd_t, sigevent, ssize_t, timespec};

library! {
    // Without `O_CREAT` the last two are not there; registers hold something in
    // any case.
    [always] fn mq_open(name: *const c_char, flags: c_int, mode: mode_t, attributes: *mut mq_attr) -> mqd_t |call, real| {
        let queue = real(name, flags, mode, attributes);
        if queue >= 0 {
            call.check(|touches| descriptor::opened(queue, touches.function));
        }
        queue
    }
    [always] fn __mq_open_2(name: *const c_char, flags: c_int) -> mqd_t |call, real| {
        let queue = real(name, flags);
        if queue >= 0 {
            call.check(|touches| descriptor::opened(queue, touches.function));
        }
        queue
    }
    [always] fn mq_close(queue: mqd_t) -> c_int |call, real| {
        call.check(|touches| descriptor::closing(queue, touches.function));
        real(queue)
    }
    fn mq_send(queue: mqd_t, from: *const c_void, len: usize, priority: c_uint) -> c_int |call, real| {
        sends(&call, queue, |touches| touches.reads(from, len));
        real(queue, from, len, priority)
    }
    fn mq_timedsend(queue: mqd_t, from: *const c_void, len: usize, priority: c_uint, limit: *const timespec) -> c_int |call, real| {
        sends(&call, queue, |touches| {
            touches.reads(from, len);
            touches.reads_one(limit);
        });
        real(queue, from, len, priority, limit)
    }
    fn mq_receive(queue: mqd_t, to: *mut c_void, room: usize, priority: *mut c_uint) -> ssize_t |call, real| {
        uses(&call, queue);
        let result = real(queue, to, room, priority);
        received(&call, queue, result, |touches, len| {
            touches.writes(to, len);
            touches.writes_one(priority);
        });
        result
    }
    fn mq_timedreceive(queue: mqd_t, to: *mut c_void, room: usize, priority: *mut c_uint, limit: *const timespec) -> ssize_t |call, real| {
        uses(&call, queue);
        let result = real(queue, to, room, priority, limit);
        received(&call, queue, result, |touches, len| {
            touches.writes(to, len);
            touches.writes_one(priority);
        });
        result
    }
    [always] fn mq_notify(queue: mqd_t, event: *const sigevent) -> c_int |_, real| {
        notified::expects(event);
        real(queue, event)
    }
}
