//! Reading and writing.

use super::{received, received_buffers, sends, sends_buffers, uses};
use crate::descriptor;
use crate::intercept::library::library;
use core::ffi::{c_int, c_uint, c_void};
use libc::{iovec, off_t, ssize_t};

type Buffer = *mut c_void;
type Data = *const c_void;

library! {
    fn read(fd: c_int, to: Buffer, len: usize) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, len);
        received(&call, fd, result, |touches, len| touches.writes(to, len));
        result
    }
    fn __read_chk(fd: c_int, to: Buffer, len: usize, room: usize) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, len, room);
        received(&call, fd, result, |touches, len| touches.writes(to, len));
        result
    }
    fn pread(fd: c_int, to: Buffer, len: usize, at: off_t) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, len, at);
        received(&call, fd, result, |touches, len| touches.writes(to, len));
        result
    }
    fn pread64(fd: c_int, to: Buffer, len: usize, at: off_t) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, len, at);
        received(&call, fd, result, |touches, len| touches.writes(to, len));
        result
    }
    fn __pread_chk(fd: c_int, to: Buffer, len: usize, at: off_t, room: usize) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, len, at, room);
        received(&call, fd, result, |touches, len| touches.writes(to, len));
        result
    }
    fn __pread64_chk(fd: c_int, to: Buffer, len: usize, at: off_t, room: usize) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, len, at, room);
        received(&call, fd, result, |touches, len| touches.writes(to, len));
        result
    }
    fn readv(fd: c_int, to: *const iovec, count: c_int) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, count);
        received_buffers(&call, fd, to, count, result);
        result
    }
    fn preadv(fd: c_int, to: *const iovec, count: c_int, at: off_t) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, count, at);
        received_buffers(&call, fd, to, count, result);
        result
    }
    fn preadv64(fd: c_int, to: *const iovec, count: c_int, at: off_t) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, count, at);
        received_buffers(&call, fd, to, count, result);
        result
    }
    fn preadv2(fd: c_int, to: *const iovec, count: c_int, at: off_t, flags: c_int) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, count, at, flags);
        received_buffers(&call, fd, to, count, result);
        result
    }
    fn preadv64v2(fd: c_int, to: *const iovec, count: c_int, at: off_t, flags: c_int) -> ssize_t |call, real| {
        uses(&call, fd);
        let result = real(fd, to, count, at, flags);
        received_buffers(&call, fd, to, count, result);
        result
    }
    fn write(fd: c_int, from: Data, len: usize) -> ssize_t |call, real| {
        sends(&call, fd, |touches| touches.reads(from, len));
        real(fd, from, len)
    }
    fn pwrite(fd: c_int, from: Data, len: usize, at: off_t) -> ssize_t |call, real| {
        sends(&call, fd, |touches| touches.reads(from, len));
        real(fd, from, len, at)
    }
    fn pwrite64(fd: c_int, from: Data, len: usize, at: off_t) -> ssize_t |call, real| {
        sends(&call, fd, |touches| touches.reads(from, len));
        real(fd, from, len, at)
    }
    fn writev(fd: c_int, from: *const iovec, count: c_int) -> ssize_t |call, real| {
        sends_buffers(&call, fd, from, count);
        real(fd, from, count)
    }
    fn pwritev(fd: c_int, from: *const iovec, count: c_int, at: off_t) -> ssize_t |call, real| {
        sends_buffers(&call, fd, from, count);
        real(fd, from, count, at)
    }
    fn pwritev64(fd: c_int, from: *const iovec, count: c_int, at: off_t) -> ssize_t |call, real| {
        sends_buffers(&call, fd, from, count);
        real(fd, from, count, at)
    }
    fn pwritev2(fd: c_int, from: *const iovec, count: c_int, at: off_t, flags: c_int) -> ssize_t |call, real| {
        sends_buffers(&call, fd, from, count);
        real(fd, from, count, at, flags)
    }
    fn pwritev64v2(fd: c_int, from: *const iovec, count: c_int, at: off_t, flags: c_int) -> ssize_t |call, real| {
        sends_buffers(&call, fd, from, count);
        real(fd, from, count, at, flags)
    }
    fn vmsplice(fd: c_int, from: *const iovec, count: usize, flags: c_uint) -> ssize_t |call, real| {
        sends_buffers(&call, fd, from, count as c_int);
        let result = real(fd, from, count, flags);
        received(&call, fd, result, |_, _| ());
        result
    }
    fn sendfile(to: c_int, from: c_int, at: *mut off_t, len: usize) -> ssize_t |call, real| {
        call.check(|touches| {
            descriptor::used(from, touches.function);
            descriptor::received(from);
            touches.writes_one(at);
            descriptor::sending(to, touches.function);
        });
        real(to, from, at, len)
    }
    fn sendfile64(to: c_int, from: c_int, at: *mut off_t, len: usize) -> ssize_t |call, real| {
        call.check(|touches| {
            descriptor::used(from, touches.function);
            descriptor::received(from);
            touches.writes_one(at);
            descriptor::sending(to, touches.function);
        });
        real(to, from, at, len)
    }
    fn splice(from: c_int, from_at: *mut off_t, to: c_int, to_at: *mut off_t, len: usize, flags: c_uint) -> ssize_t |call, real| {
        call.check(|touches| {
            descriptor::used(from, touches.function);
            touches.writes_one(from_at);
            touches.writes_one(to_at);
            descriptor::sending(to, touches.function);
        });
        let result = real(from, from_at, to, to_at, len, flags);
        received(&call, from, result, |touches, _| descriptor::sending(to, touches.function));
        result
    }
    fn tee(from: c_int, to: c_int, len: usize, flags: c_uint) -> ssize_t |call, real| {
        call.check(|touches| {
            descriptor::used(from, touches.function);
            descriptor::sending(to, touches.function);
        });
        let result = real(from, to, len, flags);
        received(&call, from, result, |touches, _| descriptor::sending(to, touches.function));
        result
    }
    fn copy_file_range(from: c_int, from_at: *mut off_t, to: c_int, to_at: *mut off_t, len: usize, flags: c_uint) -> ssize_t |call, real| {
        call.check(|touches| {
            descriptor::used(from, touches.function);
            descriptor::received(from);
            touches.writes_one(from_at);
            touches.writes_one(to_at);
            descriptor::sending(to, touches.function);
        });
        real(from, from_at, to, to_at, len, flags)
    }
}
