//! Queues and semaphores of System V, which have numbers instead of addresses.

use super::library::library;
use crate::sync::channel::{self, Channel};
use core::ffi::{c_int, c_long, c_void};
use libc::{sembuf, ssize_t, timespec};

/// Goes over the semaphores of the set `id` that `operations` are for. Whoever
/// lowers one comes after those who raised it, whoever waits until it is zero
/// after those who lowered it.
///
/// # Safety
/// The operations must be readable.
unsafe fn each(
    id: c_int,
    operations: *const sembuf,
    count: usize,
    then: fn(i16, Channel, Channel),
) {
    let count = if operations.is_null() { 0 } else { count };
    for i in 0..count {
        // SAFETY: passed on.
        let operation = unsafe { &*operations.add(i) };
        let index = operation.sem_num.into();
        then(
            operation.sem_op,
            Channel::counter(id, index),
            Channel::lowered(id, index),
        );
    }
}

/// What an operation tells others.
fn tell(operation: i16, raised: Channel, lowered: Channel) {
    match operation {
        1.. => channel::send(raised),
        0 => {}
        _ => channel::send(lowered),
    }
}

/// What an operation that is done was told.
fn hear(operation: i16, raised: Channel, lowered: Channel) {
    match operation {
        1.. => {}
        0 => channel::receive(lowered),
        _ => channel::receive(raised),
    }
}

/// The bytes of a message of `len` bytes with the type in front of it.
fn with_type(len: usize) -> usize {
    len.saturating_add(size_of::<c_long>())
}

library! {
    fn msgsnd(id: c_int, message: *const c_void, len: usize, flags: c_int) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads(message, with_type(len));
            channel::send(Channel::queue(id));
        });
        real(id, message, len, flags)
    }
    fn msgrcv(id: c_int, message: *mut c_void, room: usize, kind: c_long, flags: c_int) -> ssize_t |call, real| {
        let result = real(id, message, room, kind, flags);
        if let Ok(len) = usize::try_from(result) {
            call.check(|touches| {
                channel::receive(Channel::queue(id));
                touches.writes(message, with_type(len));
            });
        }
        result
    }
    fn semop(id: c_int, operations: *mut sembuf, count: usize) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads(operations, count * size_of::<sembuf>());
            each(id, operations, count, tell);
        });
        let result = real(id, operations, count);
        if result == 0 {
            call.check(|_| each(id, operations, count, hear));
        }
        result
    }
    fn semtimedop(id: c_int, operations: *mut sembuf, count: usize, limit: *const timespec) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads(operations, count * size_of::<sembuf>());
            touches.reads_one(limit);
            each(id, operations, count, tell);
        });
        let result = real(id, operations, count, limit);
        if result == 0 {
            call.check(|_| each(id, operations, count, hear));
        }
        result
    }
    // The last argument is there if the command needs one; a register holds
    // something in any case.
    fn semctl(id: c_int, index: c_int, command: c_int, value: usize) -> c_int |call, real| {
        call.check(|_| {
            if command == libc::SETVAL {
                channel::send(Channel::counter(id, index as u32));
                channel::send(Channel::lowered(id, index as u32));
            }
        });
        real(id, index, command, value)
    }
}
