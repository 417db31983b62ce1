//! Functions that return a buffer of their own, or change what is one for the
//! whole process. See [`crate::static_buffer`].

use super::library::{Call, library};
use crate::static_buffer::{Buffer, address};
use core::ffi::{c_char, c_int, c_void};
use libc::{DIR, dirent, gid_t, group, hostent, passwd, servent, time_t, tm, uid_t};

pub(super) type Text = *const c_char;

pub(super) fn writes(call: &Call, buffer: Buffer) {
    call.writes(address(buffer), 8);
}

pub(super) fn reads(call: &Call, buffer: Buffer) {
    call.reads(address(buffer), 8);
}

library! {
    fn localtime(time: *const time_t) -> *mut tm |call, real| {
        call.check(|touches| touches.reads_one(time));
        writes(&call, Buffer::Time);
        real(time)
    }
    fn gmtime(time: *const time_t) -> *mut tm |call, real| {
        call.check(|touches| touches.reads_one(time));
        writes(&call, Buffer::Time);
        real(time)
    }
    fn ctime(time: *const time_t) -> *mut c_char |call, real| {
        call.check(|touches| touches.reads_one(time));
        writes(&call, Buffer::Time);
        real(time)
    }
    fn asctime(parts: *const tm) -> *mut c_char |call, real| {
        call.check(|touches| touches.reads_one(parts));
        writes(&call, Buffer::Time);
        real(parts)
    }
    fn localtime_r(time: *const time_t, parts: *mut tm) -> *mut tm |call, real| {
        call.check(|touches| {
            touches.reads_one(time);
            touches.writes_one(parts);
        });
        real(time, parts)
    }
    fn gmtime_r(time: *const time_t, parts: *mut tm) -> *mut tm |call, real| {
        call.check(|touches| {
            touches.reads_one(time);
            touches.writes_one(parts);
        });
        real(time, parts)
    }
    fn strerror_r(number: c_int, buffer: *mut c_char, room: usize) -> *mut c_char |call, real| {
        let result = real(number, buffer, room);
        // Known numbers have texts of their own.
        if result == buffer {
            call.check(|touches| touches.writes_text(result));
        }
        result
    }
    fn __xpg_strerror_r(number: c_int, buffer: *mut c_char, room: usize) -> c_int |call, real| {
        let result = real(number, buffer, room);
        if room != 0 {
            call.check(|touches| touches.writes_text(buffer));
        }
        result
    }
    fn ctime_r(time: *const time_t, text: *mut c_char) -> *mut c_char |call, real| {
        let result = real(time, text);
        call.check(|touches| {
            touches.reads_one(time);
            touches.writes_text(result);
        });
        result
    }
    fn asctime_r(parts: *const tm, text: *mut c_char) -> *mut c_char |call, real| {
        let result = real(parts, text);
        call.check(|touches| {
            touches.reads_one(parts);
            touches.writes_text(result);
        });
        result
    }
    fn mktime(parts: *mut tm) -> time_t |call, real| {
        call.check(|touches| touches.writes_one(parts));
        real(parts)
    }
    fn strtok(text: *mut c_char, set: Text) -> *mut c_char |call, real| {
        writes(&call, Buffer::Token);
        let piece = real(text, set);
        call.check(|touches| {
            touches.reads_text(set);
            touches.writes_text(piece);
        });
        piece
    }
    fn getpwnam(name: Text) -> *mut passwd |call, real| {
        call.check(|touches| touches.reads_text(name));
        writes(&call, Buffer::User);
        real(name)
    }
    fn getpwuid(user: uid_t) -> *mut passwd |call, real| {
        writes(&call, Buffer::User);
        real(user)
    }
    fn getpwent() -> *mut passwd |call, real| {
        writes(&call, Buffer::User);
        real()
    }
    fn getgrnam(name: Text) -> *mut group |call, real| {
        call.check(|touches| touches.reads_text(name));
        writes(&call, Buffer::Group);
        real(name)
    }
    fn getgrgid(group: gid_t) -> *mut group |call, real| {
        writes(&call, Buffer::Group);
        real(group)
    }
    fn getgrent() -> *mut group |call, real| {
        writes(&call, Buffer::Group);
        real()
    }
    fn gethostbyname(name: Text) -> *mut hostent |call, real| {
        call.check(|touches| touches.reads_text(name));
        writes(&call, Buffer::Host);
        real(name)
    }
    fn gethostbyaddr(host: *const c_void, len: libc::socklen_t, family: c_int) -> *mut hostent |call, real| {
        call.reads(host, len as usize);
        writes(&call, Buffer::Host);
        real(host, len, family)
    }
    fn getservbyname(name: Text, protocol: Text) -> *mut servent |call, real| {
        writes(&call, Buffer::Service);
        real(name, protocol)
    }
    fn getservbyport(port: c_int, protocol: Text) -> *mut servent |call, real| {
        writes(&call, Buffer::Service);
        real(port, protocol)
    }
    fn getprotobyname(name: Text) -> *mut c_void |call, real| {
        writes(&call, Buffer::Service);
        real(name)
    }
    fn ttyname(fd: c_int) -> *mut c_char |call, real| {
        writes(&call, Buffer::Terminal);
        real(fd)
    }
    fn setlocale(category: c_int, name: Text) -> *mut c_char |call, real| {
        if name.is_null() {
            reads(&call, Buffer::Locale);
        } else {
            call.check(|touches| touches.reads_text(name));
            writes(&call, Buffer::Locale);
        }
        real(category, name)
    }
    fn localeconv() -> *mut c_void |call, real| {
        reads(&call, Buffer::Locale);
        real()
    }
    fn secure_getenv(name: Text) -> *mut c_char |call, real| {
        call.check(|touches| touches.reads_text(name));
        reads(&call, Buffer::Environment);
        real(name)
    }
    fn setenv(name: Text, value: Text, replace: c_int) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(name);
            touches.reads_text(value);
        });
        writes(&call, Buffer::Environment);
        real(name, value, replace)
    }
    fn putenv(variable: *mut c_char) -> c_int |call, real| {
        writes(&call, Buffer::Environment);
        real(variable)
    }
    fn unsetenv(name: Text) -> c_int |call, real| {
        writes(&call, Buffer::Environment);
        real(name)
    }
    fn clearenv() -> c_int |call, real| {
        writes(&call, Buffer::Environment);
        real()
    }
    fn readdir(folder: *mut DIR) -> *mut dirent |call, real| {
        call.writes(folder, 8);
        real(folder)
    }
    fn readdir64(folder: *mut DIR) -> *mut dirent |call, real| {
        call.writes(folder, 8);
        real(folder)
    }
}
