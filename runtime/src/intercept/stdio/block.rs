//! Reading and writing blocks, lines and characters.

use super::{memory, number, received, sends, uses};
use crate::intercept::hook;
use crate::intercept::library::library;
use crate::sync::channel::{self, Channel, Class};
use core::ffi::{c_char, c_int, c_void};
use libc::{FILE, ssize_t, wchar_t};

type Stream = *mut FILE;

/// The lock of a stream that a program takes itself.
pub(super) fn lock_of(stream: Stream) -> Channel {
    Channel::new(Class::Library, (stream.addr() >> 4) as u64)
}

library! {
    fn fread(to: *mut c_void, size: usize, count: usize, stream: Stream) -> usize |call, real| {
        uses(&call, stream);
        let got = real(to, size, count, stream);
        received(&call, stream, |touches| touches.writes(to, got * size));
        got
    }
    fn fread_unlocked(to: *mut c_void, size: usize, count: usize, stream: Stream) -> usize |call, real| {
        uses(&call, stream);
        let got = real(to, size, count, stream);
        received(&call, stream, |touches| touches.writes(to, got * size));
        got
    }
    fn __fread_chk(to: *mut c_void, room: usize, size: usize, count: usize, stream: Stream) -> usize |call, real| {
        uses(&call, stream);
        let got = real(to, room, size, count, stream);
        received(&call, stream, |touches| touches.writes(to, got * size));
        got
    }
    fn fwrite(from: *const c_void, size: usize, count: usize, stream: Stream) -> usize |call, real| {
        sends(&call, stream, |touches| touches.reads(from, size.saturating_mul(count)));
        real(from, size, count, stream)
    }
    fn fwrite_unlocked(from: *const c_void, size: usize, count: usize, stream: Stream) -> usize |call, real| {
        sends(&call, stream, |touches| touches.reads(from, size.saturating_mul(count)));
        real(from, size, count, stream)
    }
    fn fgets(to: *mut c_char, room: c_int, stream: Stream) -> *mut c_char |call, real| {
        uses(&call, stream);
        let got = real(to, room, stream);
        received(&call, stream, |touches| touches.writes_text(got));
        got
    }
    fn fgets_unlocked(to: *mut c_char, room: c_int, stream: Stream) -> *mut c_char |call, real| {
        uses(&call, stream);
        let got = real(to, room, stream);
        received(&call, stream, |touches| touches.writes_text(got));
        got
    }
    fn __fgets_chk(to: *mut c_char, size: usize, room: c_int, stream: Stream) -> *mut c_char |call, real| {
        uses(&call, stream);
        let got = real(to, size, room, stream);
        received(&call, stream, |touches| touches.writes_text(got));
        got
    }
    fn fgetws(to: *mut wchar_t, room: c_int, stream: Stream) -> *mut wchar_t |call, real| {
        uses(&call, stream);
        let got = real(to, room, stream);
        received(&call, stream, |touches| {
            if !got.is_null() {
                touches.writes(got, (libc::wcslen(got) + 1) * size_of::<wchar_t>());
            }
        });
        got
    }
    fn fputs(text: *const c_char, stream: Stream) -> c_int |call, real| {
        sends(&call, stream, |touches| touches.reads(text, libc::strlen(text)));
        real(text, stream)
    }
    fn fputs_unlocked(text: *const c_char, stream: Stream) -> c_int |call, real| {
        sends(&call, stream, |touches| touches.reads(text, libc::strlen(text)));
        real(text, stream)
    }
    fn fputws(text: *const wchar_t, stream: Stream) -> c_int |call, real| {
        sends(&call, stream, |touches| {
            touches.reads(text, libc::wcslen(text) * size_of::<wchar_t>());
        });
        real(text, stream)
    }
    fn puts(text: *const c_char) -> c_int |call, real| {
        call.check(|touches| {
            super::not_in_a_handler(touches);
            touches.reads(text, libc::strlen(text));
            crate::descriptor::sending(libc::STDOUT_FILENO, touches.function);
        });
        real(text)
    }
    fn fgetc(stream: Stream) -> c_int |call, real| {
        let got = real(stream);
        received(&call, stream, |_| ());
        got
    }
    fn getc(stream: Stream) -> c_int |call, real| {
        let got = real(stream);
        received(&call, stream, |_| ());
        got
    }
    fn getline(line: *mut *mut c_char, room: *mut usize, stream: Stream) -> ssize_t |call, real| {
        uses(&call, stream);
        let got = real(line, room, stream);
        received(&call, stream, |touches| {
            touches.writes_one(line);
            touches.writes_one(room);
            if got >= 0 {
                touches.writes(*line, got as usize + 1);
            }
        });
        got
    }
    fn getdelim(line: *mut *mut c_char, room: *mut usize, end: c_int, stream: Stream) -> ssize_t |call, real| {
        uses(&call, stream);
        let got = real(line, room, end, stream);
        received(&call, stream, |touches| {
            touches.writes_one(line);
            touches.writes_one(room);
            if got >= 0 {
                touches.writes(*line, got as usize + 1);
            }
        });
        got
    }
    fn __getdelim(line: *mut *mut c_char, room: *mut usize, end: c_int, stream: Stream) -> ssize_t |call, real| {
        uses(&call, stream);
        let got = real(line, room, end, stream);
        received(&call, stream, |touches| {
            touches.writes_one(line);
            touches.writes_one(room);
            if got >= 0 {
                touches.writes(*line, got as usize + 1);
            }
        });
        got
    }
    fn fflush(stream: Stream) -> c_int |call, real| {
        if number(stream) >= 0 {
            sends(&call, stream, |_| ());
            return real(stream);
        }
        let result = real(stream);
        if result == 0 {
            memory::flushed(&call, stream);
        }
        result
    }
    fn perror(text: *const c_char) |call, real| {
        call.check(|touches| {
            super::not_in_a_handler(touches);
            touches.reads_text(text);
        });
        real(text)
    }
    fn flockfile(stream: Stream) |_, real| {
        real(stream);
        hook(|| channel::receive(lock_of(stream)));
    }
    fn ftrylockfile(stream: Stream) -> c_int |_, real| {
        let result = real(stream);
        if result == 0 {
            hook(|| channel::receive(lock_of(stream)));
        }
        result
    }
    fn funlockfile(stream: Stream) |_, real| {
        hook(|| channel::send(lock_of(stream)));
        real(stream)
    }
}
