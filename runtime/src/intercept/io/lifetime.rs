//! Descriptors that come and go.
//!
//! Calls that are not seen (`syscall`, functions of other libraries that open
//! files) do no harm: a descriptor that turns out to be open after it was
//! closed has no history.

use super::{file_lock, room_of};
use crate::descriptor;
use crate::intercept::library::{Call, is_watched, library};
use crate::intercept::signal_sets::Set;
use crate::intercept::stdio::{memory, number};
use core::ffi::{c_char, c_int, c_uint, c_void};
use libc::{DIR, FILE, mode_t, sigset_t, sockaddr, socklen_t};

/// Notes a call's new descriptor.
fn opened(call: &Call, fd: c_int) -> c_int {
    if fd >= 0 {
        call.check(|touches| descriptor::opened(fd, touches.function));
    }
    fd
}

/// Notes a new descriptor of something that has no name.
fn opened_anonymous(call: &Call, fd: c_int) -> c_int {
    if fd >= 0 {
        call.check(|touches| descriptor::opened_anonymous(fd, touches.function));
    }
    fd
}

/// Notes that `copy` stands for what `fd` does; it did not exist before if it
/// is `fresh`.
fn duplicated(call: &Call, fd: c_int, copy: c_int, fresh: bool) -> c_int {
    if copy >= 0 && copy != fd {
        call.check(|touches| {
            descriptor::used(fd, touches.function);
            descriptor::duplicated(fd, copy, fresh, touches.function);
        });
    }
    copy
}

/// Has accepted a connection, whose address was written as far as there was
/// room.
fn accepted(
    call: &Call,
    listener: c_int,
    fd: c_int,
    address: *mut sockaddr,
    (room, len): (socklen_t, *mut socklen_t),
) -> c_int {
    if fd >= 0 {
        call.check(|touches| {
            descriptor::accepted(listener, fd, touches.function);
            if !address.is_null() && !len.is_null() {
                // SAFETY: the kernel has just written it.
                touches.writes(address, unsafe { *len }.min(room) as usize);
                touches.writes_one(len);
            }
        });
    // SAFETY: this thread's own.
    } else if unsafe { *libc::__errno_location() } == libc::EINVAL {
        // Somebody has shut it down.
        call.check(|_| descriptor::received(listener));
    }
    fd
}

/// Has opened a file whose name was made of `template`: six characters of it
/// were replaced, in front of the last `behind`.
fn made_of(call: &Call, fd: c_int, template: *const c_char, behind: c_int) -> c_int {
    if fd >= 0 {
        call.check(|touches| {
            // SAFETY: the program passed it as a text.
            let len = unsafe { libc::strlen(template) };
            let start = len.saturating_sub(6 + behind.max(0) as usize);
            touches.writes(template.wrapping_add(start), 6);
        });
    }
    opened(call, fd)
}

fn closing(call: &Call, fd: c_int) {
    call.check(|touches| descriptor::closing(fd, touches.function));
}

fn closing_stream(call: &Call, stream: *mut FILE) {
    if !stream.is_null() {
        memory::closing(call, stream);
        closing(call, number(stream));
    }
}

fn opened_stream(call: &Call, stream: *mut FILE) -> *mut FILE {
    if !stream.is_null() {
        opened(call, number(stream));
    }
    stream
}

/// Checks the name of what is to be opened.
fn reads_path(call: &Call, path: *const c_char) {
    if is_watched() {
        call.check(|touches| touches.reads_text(path));
    }
}

/// `fcntl` takes a third argument or none; a register holds something in any
/// case.
fn controlled(call: &Call, fd: c_int, command: c_int, result: c_int) -> c_int {
    match command {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => duplicated(call, fd, result, true),
        _ => result,
    }
}

library! {
    [always] fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(path, flags, mode))
    }
    [always] fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(path, flags, mode))
    }
    [always] fn openat(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(folder, path, flags, mode))
    }
    [always] fn openat64(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(folder, path, flags, mode))
    }
    [always] fn __open_2(path: *const c_char, flags: c_int) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(path, flags))
    }
    [always] fn __open64_2(path: *const c_char, flags: c_int) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(path, flags))
    }
    [always] fn __openat_2(folder: c_int, path: *const c_char, flags: c_int) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(folder, path, flags))
    }
    [always] fn __openat64_2(folder: c_int, path: *const c_char, flags: c_int) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(folder, path, flags))
    }
    [always] fn creat(path: *const c_char, mode: mode_t) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(path, mode))
    }
    [always] fn creat64(path: *const c_char, mode: mode_t) -> c_int |call, real| {
        reads_path(&call, path);
        opened(&call, real(path, mode))
    }
    [always] fn mkstemp(template: *mut c_char) -> c_int |call, real| {
        made_of(&call, real(template), template, 0)
    }
    [always] fn mkstemp64(template: *mut c_char) -> c_int |call, real| {
        made_of(&call, real(template), template, 0)
    }
    [always] fn mkostemp(template: *mut c_char, flags: c_int) -> c_int |call, real| {
        made_of(&call, real(template, flags), template, 0)
    }
    [always] fn mkostemp64(template: *mut c_char, flags: c_int) -> c_int |call, real| {
        made_of(&call, real(template, flags), template, 0)
    }
    [always] fn mkstemps(template: *mut c_char, behind: c_int) -> c_int |call, real| {
        made_of(&call, real(template, behind), template, behind)
    }
    [always] fn memfd_create(name: *const c_char, flags: c_uint) -> c_int |call, real| {
        reads_path(&call, name);
        opened(&call, real(name, flags))
    }
    [always] fn shm_open(name: *const c_char, flags: c_int, mode: mode_t) -> c_int |call, real| {
        reads_path(&call, name);
        opened(&call, real(name, flags, mode))
    }
    [always] fn fopen(path: *const c_char, mode: *const c_char) -> *mut FILE |call, real| {
        reads_path(&call, path);
        opened_stream(&call, real(path, mode))
    }
    [always] fn fopen64(path: *const c_char, mode: *const c_char) -> *mut FILE |call, real| {
        reads_path(&call, path);
        opened_stream(&call, real(path, mode))
    }
    [always] fn popen(command: *const c_char, mode: *const c_char) -> *mut FILE |call, real| {
        reads_path(&call, command);
        opened_stream(&call, real(command, mode))
    }
    [always] fn pipe(fds: *mut c_int) -> c_int |call, real| {
        let result = real(fds);
        if result == 0 {
            call.writes(fds, 8);
            opened(&call, *fds);
            opened(&call, *fds.add(1));
        }
        result
    }
    [always] fn pipe2(fds: *mut c_int, flags: c_int) -> c_int |call, real| {
        let result = real(fds, flags);
        if result == 0 {
            call.writes(fds, 8);
            opened(&call, *fds);
            opened(&call, *fds.add(1));
        }
        result
    }
    [always] fn socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int |call, real| {
        opened(&call, real(domain, kind, protocol))
    }
    [always] fn socketpair(domain: c_int, kind: c_int, protocol: c_int, fds: *mut c_int) -> c_int |call, real| {
        let result = real(domain, kind, protocol, fds);
        if result == 0 {
            call.check(|touches| {
                touches.writes(fds, 8);
                descriptor::opened_pair([*fds, *fds.add(1)], touches.function);
            });
        }
        result
    }
    [always] fn accept(fd: c_int, address: *mut sockaddr, len: *mut socklen_t) -> c_int |call, real| {
        super::uses(&call, fd);
        let room = room_of(len);
        accepted(&call, fd, real(fd, address, len), address, (room, len))
    }
    [always] fn accept4(fd: c_int, address: *mut sockaddr, len: *mut socklen_t, flags: c_int) -> c_int |call, real| {
        super::uses(&call, fd);
        let room = room_of(len);
        accepted(&call, fd, real(fd, address, len, flags), address, (room, len))
    }
    [always] fn eventfd(value: c_uint, flags: c_int) -> c_int |call, real| {
        opened_anonymous(&call, real(value, flags))
    }
    [always] fn timerfd_create(clock: c_int, flags: c_int) -> c_int |call, real| {
        opened_anonymous(&call, real(clock, flags))
    }
    [always] fn epoll_create(size: c_int) -> c_int |call, real| {
        opened_anonymous(&call, real(size))
    }
    [always] fn epoll_create1(flags: c_int) -> c_int |call, real| {
        opened_anonymous(&call, real(flags))
    }
    [always] fn inotify_init() -> c_int |call, real| {
        opened_anonymous(&call, real())
    }
    [always] fn inotify_init1(flags: c_int) -> c_int |call, real| {
        opened_anonymous(&call, real(flags))
    }
    [always] fn signalfd(fd: c_int, signals: *const sigset_t, flags: c_int) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(signals.cast::<Set>()));
        let result = real(fd, signals, flags);
        if result >= 0 && result != fd {
            call.check(|touches| descriptor::opened_signals(result, touches.function));
        }
        result
    }
    [always] fn dup(fd: c_int) -> c_int |call, real| {
        duplicated(&call, fd, real(fd), true)
    }
    [always] fn dup2(fd: c_int, copy: c_int) -> c_int |call, real| {
        duplicated(&call, fd, real(fd, copy), false)
    }
    [always] fn dup3(fd: c_int, copy: c_int, flags: c_int) -> c_int |call, real| {
        duplicated(&call, fd, real(fd, copy, flags), false)
    }
    [always] fn fcntl(fd: c_int, command: c_int, argument: *mut c_void) -> c_int |call, real| {
        file_lock::controlling(&call, fd, command, argument);
        let result = real(fd, command, argument);
        file_lock::controlled(&call, fd, command, argument, result);
        controlled(&call, fd, command, result)
    }
    [always] fn fcntl64(fd: c_int, command: c_int, argument: *mut c_void) -> c_int |call, real| {
        file_lock::controlling(&call, fd, command, argument);
        let result = real(fd, command, argument);
        file_lock::controlled(&call, fd, command, argument, result);
        controlled(&call, fd, command, result)
    }
    [always] fn close(fd: c_int) -> c_int |call, real| {
        closing(&call, fd);
        real(fd)
    }
    [always] fn fclose(stream: *mut FILE) -> c_int |call, real| {
        closing_stream(&call, stream);
        real(stream)
    }
    [always] fn pclose(stream: *mut FILE) -> c_int |call, real| {
        closing_stream(&call, stream);
        real(stream)
    }
    [always] fn freopen(path: *const c_char, mode: *const c_char, stream: *mut FILE) -> *mut FILE |call, real| {
        reads_path(&call, path);
        closing_stream(&call, stream);
        opened_stream(&call, real(path, mode, stream))
    }
    [always] fn freopen64(path: *const c_char, mode: *const c_char, stream: *mut FILE) -> *mut FILE |call, real| {
        reads_path(&call, path);
        closing_stream(&call, stream);
        opened_stream(&call, real(path, mode, stream))
    }
    [always] fn closedir(folder: *mut DIR) -> c_int |call, real| {
        if !folder.is_null() {
            closing(&call, libc::dirfd(folder));
        }
        real(folder)
    }
    [always] fn close_range(first: c_uint, last: c_uint, flags: c_int) -> c_int |call, real| {
        call.check(|_| descriptor::closed_unseen_range(first, last));
        real(first, last, flags)
    }
    [always] fn closefrom(first: c_int) |call, real| {
        call.check(|_| descriptor::closed_unseen_range(first.max(0) as u32, u32::MAX));
        real(first)
    }
}
