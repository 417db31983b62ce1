//! ZeroMQ, whose queues between threads are made of atomics of its own.
//!
//! Which socket a message comes to depends on addresses, patterns and proxies,
//! so whoever sends comes before whoever receives later, by whatever sockets.

use super::foreign::foreign;
use super::stub::interceptors;
use super::{callbacks, caller, hook};
use crate::sync::semaphore;
use core::ffi::{c_int, c_void};

type Pointer = *mut c_void;

foreign! { [c"libzmq.so.5"]
    SEND = c"zmq_send": fn(Pointer, Pointer, usize, c_int) -> c_int;
    SEND_CONST = c"zmq_send_const": fn(Pointer, Pointer, usize, c_int) -> c_int;
    SEND_OLD = c"zmq_sendmsg": fn(Pointer, Pointer, c_int) -> c_int;
    SEND_PARTS = c"zmq_sendiov": fn(Pointer, Pointer, usize, c_int) -> c_int;
    MESSAGE_SEND = c"zmq_msg_send": fn(Pointer, Pointer, c_int) -> c_int;
    RECEIVE = c"zmq_recv": fn(Pointer, Pointer, usize, c_int) -> c_int;
    RECEIVE_OLD = c"zmq_recvmsg": fn(Pointer, Pointer, c_int) -> c_int;
    RECEIVE_PARTS = c"zmq_recviov": fn(Pointer, Pointer, *mut usize, c_int) -> c_int;
    MESSAGE_RECEIVE = c"zmq_msg_recv": fn(Pointer, Pointer, c_int) -> c_int;
    WITH_DATA = c"zmq_msg_init_data":
        fn(Pointer, Pointer, usize, Pointer, Pointer) -> c_int;
    CLOSE = c"zmq_msg_close": fn(Pointer) -> c_int;
    INCREASE = c"zmq_atomic_counter_inc": fn(Pointer) -> c_int;
    DECREASE = c"zmq_atomic_counter_dec": fn(Pointer) -> c_int;
}

interceptors! {
    "zmq_send" => send,
    "zmq_send_const" => send_const,
    "zmq_sendmsg" => send_old,
    "zmq_sendiov" => send_parts,
    "zmq_msg_send" => message_send,
    "zmq_recv" => receive,
    "zmq_recvmsg" => receive_old,
    "zmq_recviov" => receive_parts,
    "zmq_msg_recv" => message_receive,
    "zmq_msg_init_data" => with_data,
    "zmq_msg_close" => close,
    "zmq_atomic_counter_inc" => increase,
    "zmq_atomic_counter_dec" => decrease,
}

/// Its address stands for all that is on the way.
static MESSAGES: u8 = 0;

/// A message is sent, and with it perhaps a part in data that is given back.
fn sends() {
    let pc = caller();
    hook(|| semaphore::posting((&raw const MESSAGES).addr(), pc));
    callbacks::sends();
}

/// A message has come, if `result` says so. The one before it in its place has
/// gone.
fn received(pc: usize, result: c_int) -> c_int {
    if result >= 0 {
        hook(|| semaphore::waited((&raw const MESSAGES).addr(), pc));
        callbacks::sends();
    }
    result
}

/// Changes a counter by `real`.
fn counts(counter: Pointer, real: unsafe extern "C" fn(Pointer) -> c_int) -> c_int {
    let pc = caller();
    hook(|| semaphore::posting(counter.addr(), pc));
    // SAFETY: the program's own argument.
    let result = unsafe { real(counter) };
    hook(|| semaphore::waited(counter.addr(), pc));
    result
}

// SAFETY of the calls below: the program's own arguments, but for a callback,
// whose thunk does the same.

unsafe extern "C" fn send(socket: Pointer, data: Pointer, len: usize, flags: c_int) -> c_int {
    sends();
    // SAFETY: see above.
    unsafe { SEND.get()(socket, data, len, flags) }
}

unsafe extern "C" fn send_const(socket: Pointer, data: Pointer, len: usize, flags: c_int) -> c_int {
    sends();
    // SAFETY: see above.
    unsafe { SEND_CONST.get()(socket, data, len, flags) }
}

unsafe extern "C" fn send_old(socket: Pointer, message: Pointer, flags: c_int) -> c_int {
    sends();
    // SAFETY: see above.
    unsafe { SEND_OLD.get()(socket, message, flags) }
}

unsafe extern "C" fn send_parts(
    socket: Pointer,
    parts: Pointer,
    count: usize,
    flags: c_int,
) -> c_int {
    sends();
    // SAFETY: see above.
    unsafe { SEND_PARTS.get()(socket, parts, count, flags) }
}

unsafe extern "C" fn message_send(message: Pointer, socket: Pointer, flags: c_int) -> c_int {
    sends();
    // SAFETY: see above.
    unsafe { MESSAGE_SEND.get()(message, socket, flags) }
}

unsafe extern "C" fn receive(socket: Pointer, data: Pointer, len: usize, flags: c_int) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    received(pc, unsafe { RECEIVE.get()(socket, data, len, flags) })
}

unsafe extern "C" fn receive_old(socket: Pointer, message: Pointer, flags: c_int) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    received(pc, unsafe { RECEIVE_OLD.get()(socket, message, flags) })
}

unsafe extern "C" fn receive_parts(
    socket: Pointer,
    parts: Pointer,
    count: *mut usize,
    flags: c_int,
) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    received(pc, unsafe {
        RECEIVE_PARTS.get()(socket, parts, count, flags)
    })
}

unsafe extern "C" fn message_receive(message: Pointer, socket: Pointer, flags: c_int) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    received(pc, unsafe { MESSAGE_RECEIVE.get()(message, socket, flags) })
}

/// The library gives the data back by `done` when the last part of it has gone.
unsafe extern "C" fn with_data(
    message: Pointer,
    data: Pointer,
    len: usize,
    done: Pointer,
    hint: Pointer,
) -> c_int {
    // SAFETY: see above.
    unsafe { WITH_DATA.get()(message, data, len, callbacks::given(done), hint) }
}

/// Others may have the same data still.
unsafe extern "C" fn close(message: Pointer) -> c_int {
    callbacks::sends();
    // SAFETY: see above.
    unsafe { CLOSE.get()(message) }
}

unsafe extern "C" fn increase(counter: Pointer) -> c_int {
    counts(counter, INCREASE.get())
}

unsafe extern "C" fn decrease(counter: Pointer) -> c_int {
    counts(counter, DECREASE.get())
}
