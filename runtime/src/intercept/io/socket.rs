//! Sockets.

use super::{each_buffer, received, room_of, sends, uses};
use crate::descriptor;
use crate::intercept::library::{Call, Touches, library};
use core::ffi::{c_int, c_uint, c_void};
use libc::{mmsghdr, msghdr, sockaddr, socklen_t, ssize_t, timespec};

type Buffer = *mut c_void;
type Data = *const c_void;

/// Is about to send `data` to an address, which may be null.
fn sends_to(call: &Call, fd: c_int, data: (Data, usize), address: *const sockaddr, len: socklen_t) {
    call.check(|touches| {
        touches.reads(data.0, data.1);
        // SAFETY: the program's own address.
        unsafe { touches_address(touches, fd, address, len) };
    });
}

/// # Safety
/// `address` must be null or readable for `len` bytes.
unsafe fn touches_address(touches: &Touches, fd: c_int, address: *const sockaddr, len: socklen_t) {
    if !address.is_null() {
        touches.reads(address, len as usize);
    }
    // SAFETY: passed on.
    unsafe { descriptor::sending_to(fd, address.cast(), len as usize, touches.function) };
}

/// Has received from an address, which was written if it is not null, as far
/// as there was room.
fn wrote_address(
    touches: &Touches,
    address: *mut sockaddr,
    (room, len): (socklen_t, *mut socklen_t),
) {
    if !address.is_null() && !len.is_null() {
        // SAFETY: the kernel has just written it.
        touches.writes(address, unsafe { *len }.min(room) as usize);
        touches.writes_one(len);
    }
}

/// Is about to send a message.
///
/// # Safety
/// The message must be readable.
unsafe fn sends_message(touches: &Touches, fd: c_int, message: *const msghdr) {
    touches.reads_one(message);
    // SAFETY: passed on.
    unsafe {
        let message = &*message;
        each_buffer(
            touches,
            message.msg_iov,
            message.msg_iovlen,
            usize::MAX,
            Touches::reads,
        );
        touches.reads(message.msg_control, message.msg_controllen);
        touches_address(touches, fd, message.msg_name.cast(), message.msg_namelen);
    }
}

/// Has received `len` bytes of a message.
///
/// # Safety
/// The message must be readable.
unsafe fn received_message(touches: &Touches, message: *mut msghdr, len: usize) {
    touches.writes_one(message);
    // SAFETY: passed on.
    unsafe {
        let message = &*message;
        each_buffer(
            touches,
            message.msg_iov,
            message.msg_iovlen,
            len,
            Touches::writes,
        );
        touches.writes(message.msg_control, message.msg_controllen);
        if !message.msg_name.is_null() {
            touches.writes(message.msg_name, message.msg_namelen as usize);
        }
    }
}

/// Has received `result` messages.
///
/// # Safety
/// The messages must be readable.
unsafe fn received_messages(call: &Call, fd: c_int, messages: *mut mmsghdr, result: c_int) {
    received(call, fd, result as isize, |touches, count| {
        for i in 0..count {
            // SAFETY: passed on.
            unsafe {
                let message = messages.add(i);
                let len = (*message).msg_len as usize;
                received_message(touches, &raw mut (*message).msg_hdr, len);
                touches.writes_one(&raw const (*message).msg_len);
            }
        }
    });
}

library! {
    fn send(fd: c_int, from: Data, len: usize, flags: c_int) -> ssize_t |call, real| {
        sends(&call, fd, |touches| touches.reads(from, len));
        real(fd, from, len, flags)
    }
    fn sendto(fd: c_int, from: Data, len: usize, flags: c_int, address: *const sockaddr, address_len: socklen_t) -> ssize_t |call, real| {
        sends_to(&call, fd, (from, len), address, address_len);
        real(fd, from, len, flags, address, address_len)
    }
    fn sendmsg(fd: c_int, message: *const msghdr, flags: c_int) -> ssize_t |call, real| {
        call.check(|touches| sends_message(touches, fd, message));
        real(fd, message, flags)
    }
    fn sendmmsg(fd: c_int, messages: *mut mmsghdr, count: c_uint, flags: c_int) -> c_int |call, real| {
        call.check(|touches| {
            for i in 0..count as usize {
                let message = messages.add(i);
                touches.writes_one(&raw const (*message).msg_len);
                sends_message(touches, fd, &raw const (*message).msg_hdr);
            }
        });
        real(fd, messages, count, flags)
    }
    fn recv(fd: c_int, to: Buffer, len: usize, flags: c_int) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, len, flags);
        received(&call, fd, result, |touches, got| touches.writes(to, got.min(len)));
        result
    }
    fn __recv_chk(fd: c_int, to: Buffer, len: usize, room: usize, flags: c_int) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, len, room, flags);
        received(&call, fd, result, |touches, got| touches.writes(to, got.min(len)));
        result
    }
    fn recvfrom(fd: c_int, to: Buffer, len: usize, flags: c_int, address: *mut sockaddr, address_len: *mut socklen_t) -> ssize_t |call, real| {
        uses(&call, fd);
        let address_room = room_of(address_len);
        let result = real(fd, to, len, flags, address, address_len);
        received(&call, fd, result, |touches, got| {
            touches.writes(to, got.min(len));
            wrote_address(touches, address, (address_room, address_len));
        });
        result
    }
    fn __recvfrom_chk(fd: c_int, to: Buffer, len: usize, room: usize, flags: c_int, address: *mut sockaddr, address_len: *mut socklen_t) -> ssize_t |call, real| {
        uses(&call, fd);
        let address_room = room_of(address_len);
        let result = real(fd, to, len, room, flags, address, address_len);
        received(&call, fd, result, |touches, got| {
            touches.writes(to, got.min(len));
            wrote_address(touches, address, (address_room, address_len));
        });
        result
    }
    fn recvmsg(fd: c_int, message: *mut msghdr, flags: c_int) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, message, flags);
        received(&call, fd, result, |touches, len| received_message(touches, message, len));
        result
    }
    fn recvmmsg(fd: c_int, messages: *mut mmsghdr, count: c_uint, flags: c_int, patience: *mut timespec) -> c_int |call, real| {
        uses(&call, fd);
        let result = real(fd, messages, count, flags, patience);
        received_messages(&call, fd, messages, result);
        result
    }
    [always] fn connect(fd: c_int, address: *const sockaddr, len: socklen_t) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads(address, len as usize);
            descriptor::connecting(fd, address.cast(), len as usize, touches.function);
        });
        let result = real(fd, address, len);
        call.check(|_| descriptor::forget_ends(fd));
        result
    }
    [always] fn bind(fd: c_int, address: *const sockaddr, len: socklen_t) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads(address, len as usize);
            descriptor::used(fd, touches.function);
        });
        let result = real(fd, address, len);
        call.check(|_| descriptor::forget_ends(fd));
        result
    }
    fn listen(fd: c_int, backlog: c_int) -> c_int |call, real| {
        uses(&call, fd);
        real(fd, backlog)
    }
    fn shutdown(fd: c_int, how: c_int) -> c_int |call, real| {
        call.check(|touches| descriptor::shutting_down(fd, how, touches.function));
        real(fd, how)
    }
}
