//! As [`super::results`], under the names that `_FORTIFY_SOURCE` has them
//! called by.

use super::library::library;
use super::results::{filled, written};
use core::ffi::{c_char, c_int};
use libc::{gid_t, size_t, ssize_t};

type Text = *const c_char;
type Buffer = *mut c_char;

library! {
    fn __getcwd_chk(to: Buffer, len: size_t, room: size_t) -> Buffer |call, real| {
        let path = real(to, len, room);
        if !to.is_null() {
            call.check(|touches| touches.writes_text(path));
        }
        path
    }
    fn __gethostname_chk(to: Buffer, len: size_t, room: size_t) -> c_int |call, real| {
        written(&call, real(to, len, room), to)
    }
    fn __getlogin_r_chk(to: Buffer, len: size_t, room: size_t) -> c_int |call, real| {
        written(&call, real(to, len, room), to)
    }
    fn __ttyname_r_chk(fd: c_int, to: Buffer, len: size_t, room: size_t) -> c_int |call, real| {
        written(&call, real(fd, to, len, room), to)
    }
    fn __readlink_chk(path: Text, to: Buffer, len: size_t, room: size_t) -> ssize_t |call, real| {
        call.check(|touches| touches.reads_text(path));
        filled(&call, real(path, to, len, room), to)
    }
    fn __readlinkat_chk(folder: c_int, path: Text, to: Buffer, len: size_t, room: size_t) -> ssize_t |call, real| {
        call.check(|touches| touches.reads_text(path));
        filled(&call, real(folder, path, to, len, room), to)
    }
    fn __realpath_chk(path: Text, to: Buffer, room: size_t) -> Buffer |call, real| {
        call.check(|touches| touches.reads_text(path));
        let result = real(path, to, room);
        if !to.is_null() {
            call.check(|touches| touches.writes_text(result));
        }
        result
    }
    fn __getgroups_chk(count: c_int, to: *mut gid_t, room: size_t) -> c_int |call, real| {
        let got = real(count, to, room);
        if count > 0 && let Ok(got) = usize::try_from(got) {
            call.writes(to, got * size_of::<gid_t>());
        }
        got
    }
}
