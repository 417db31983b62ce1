//! Functions that put what the system answers where the program says.

use super::library::{Call, library};
use super::signal_sets::Set;
use core::ffi::{c_char, c_int, c_uint, c_void};
use libc::{
    clockid_t, cpu_set_t, gid_t, itimerval, pid_t, pthread_t, rlimit, rusage, sigset_t, size_t,
    sockaddr, socklen_t, ssize_t, stack_t, stat as Status, statfs as FileSystem, statvfs as Volume,
    statx as Extended, sysinfo as System, termios, time_t, timespec, timeval, tm, tms, utsname,
};

type Text = *const c_char;
type Buffer = *mut c_char;

/// Checks the result of a call that returned `result`, if it did not fail.
fn answered<T>(call: &Call, result: c_int, to: *const T) -> c_int {
    if result == 0 {
        call.check(|touches| touches.writes_one(to));
    }
    result
}

/// Checks a text, if the call did not fail.
pub(super) fn written(call: &Call, result: c_int, to: Buffer) -> c_int {
    if result == 0 {
        call.check(|touches| touches.writes_text(to));
    }
    result
}

/// Checks `result` bytes.
pub(super) fn filled<T>(call: &Call, result: ssize_t, to: *const T) -> ssize_t {
    if let Ok(len) = usize::try_from(result) {
        call.writes(to, len);
    }
    result
}

/// Checks an address that `real` puts at `to`, with its length, which was how
/// much room there is.
///
/// # Safety
/// The length must be null or a variable.
unsafe fn named(
    call: &Call,
    to: *mut sockaddr,
    len: *mut socklen_t,
    real: impl FnOnce(*mut socklen_t) -> c_int,
) -> c_int {
    // SAFETY: passed on.
    let room = if len.is_null() { 0 } else { unsafe { *len } };
    let result = real(len);
    if result == 0 {
        call.check(|touches| {
            // SAFETY: the kernel has written it.
            touches.writes(to, room.min(unsafe { *len }) as usize);
            touches.writes_one(len);
        });
    }
    result
}

library! {
    fn clock_gettime(clock: clockid_t, to: *mut timespec) -> c_int |call, real| {
        answered(&call, real(clock, to), to)
    }
    fn clock_getres(clock: clockid_t, to: *mut timespec) -> c_int |call, real| {
        answered(&call, real(clock, to), to)
    }
    fn gettimeofday(to: *mut timeval, zone: *mut c_void) -> c_int |call, real| {
        answered(&call, real(to, zone), to)
    }
    fn time(to: *mut time_t) -> time_t |call, real| {
        call.check(|touches| touches.writes_one(to));
        real(to)
    }
    fn timegm(parts: *mut tm) -> time_t |call, real| {
        call.check(|touches| touches.writes_one(parts));
        real(parts)
    }
    fn strftime(to: Buffer, room: size_t, format: Text, parts: *const tm) -> size_t |call, real| {
        call.check(|touches| {
            touches.reads_text(format);
            touches.reads_one(parts);
        });
        let len = real(to, room, format, parts);
        if len != 0 {
            call.writes(to, len + 1);
        }
        len
    }
    fn strptime(text: Text, format: Text, parts: *mut tm) -> Buffer |call, real| {
        call.check(|touches| touches.reads_text(format));
        let end = real(text, format, parts);
        call.check(|touches| {
            if end.is_null() {
                touches.reads(text, 1);
            } else {
                touches.reads(text, end.addr() - text.addr());
                touches.writes_one(parts);
            }
        });
        end
    }
    fn getitimer(which: c_int, to: *mut itimerval) -> c_int |call, real| {
        answered(&call, real(which, to), to)
    }
    fn times(to: *mut tms) -> libc::clock_t |call, real| {
        call.check(|touches| touches.writes_one(to));
        real(to)
    }
    fn getrlimit(which: c_uint, to: *mut rlimit) -> c_int |call, real| {
        answered(&call, real(which, to), to)
    }
    fn getrlimit64(which: c_uint, to: *mut rlimit) -> c_int |call, real| {
        answered(&call, real(which, to), to)
    }
    fn setrlimit(which: c_uint, from: *const rlimit) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(from));
        real(which, from)
    }
    fn getrusage(who: c_int, to: *mut rusage) -> c_int |call, real| {
        answered(&call, real(who, to), to)
    }
    fn uname(to: *mut utsname) -> c_int |call, real| {
        answered(&call, real(to), to)
    }
    fn sysinfo(to: *mut System) -> c_int |call, real| {
        answered(&call, real(to), to)
    }
    fn statvfs(path: Text, to: *mut Volume) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        answered(&call, real(path, to), to)
    }
    fn statvfs64(path: Text, to: *mut Volume) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        answered(&call, real(path, to), to)
    }
    fn fstatvfs(fd: c_int, to: *mut Volume) -> c_int |call, real| {
        answered(&call, real(fd, to), to)
    }
    fn statfs(path: Text, to: *mut FileSystem) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        answered(&call, real(path, to), to)
    }
    fn statfs64(path: Text, to: *mut FileSystem) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        answered(&call, real(path, to), to)
    }
    fn fstatfs(fd: c_int, to: *mut FileSystem) -> c_int |call, real| {
        answered(&call, real(fd, to), to)
    }
    fn getcwd(to: Buffer, room: size_t) -> Buffer |call, real| {
        let path = real(to, room);
        if !to.is_null() {
            call.check(|touches| touches.writes_text(path));
        }
        path
    }
    fn gethostname(to: Buffer, room: size_t) -> c_int |call, real| {
        written(&call, real(to, room), to)
    }
    fn readlink(path: Text, to: Buffer, room: size_t) -> ssize_t |call, real| {
        call.check(|touches| touches.reads_text(path));
        filled(&call, real(path, to, room), to)
    }
    fn readlinkat(folder: c_int, path: Text, to: Buffer, room: size_t) -> ssize_t |call, real| {
        call.check(|touches| touches.reads_text(path));
        filled(&call, real(folder, path, to, room), to)
    }
    fn realpath(path: Text, to: Buffer) -> Buffer |call, real| {
        call.check(|touches| touches.reads_text(path));
        let result = real(path, to);
        if !to.is_null() {
            call.check(|touches| touches.writes_text(result));
        }
        result
    }
    fn getrandom(to: *mut c_void, len: size_t, flags: c_uint) -> ssize_t |call, real| {
        filled(&call, real(to, len, flags), to)
    }
    fn getentropy(to: *mut c_void, len: size_t) -> c_int |call, real| {
        let result = real(to, len);
        if result == 0 {
            call.writes(to, len);
        }
        result
    }
    fn getgroups(room: c_int, to: *mut gid_t) -> c_int |call, real| {
        let count = real(room, to);
        if room > 0 && let Ok(count) = usize::try_from(count) {
            call.writes(to, count * size_of::<gid_t>());
        }
        count
    }
    fn getsockname(fd: c_int, to: *mut sockaddr, len: *mut socklen_t) -> c_int |call, real| {
        named(&call, to, len, |len| real(fd, to, len))
    }
    fn getpeername(fd: c_int, to: *mut sockaddr, len: *mut socklen_t) -> c_int |call, real| {
        named(&call, to, len, |len| real(fd, to, len))
    }
    fn getsockopt(fd: c_int, level: c_int, name: c_int, to: *mut c_void, len: *mut socklen_t) -> c_int |call, real| {
        let result = real(fd, level, name, to, len);
        if result == 0 {
            call.writes(to, *len as usize);
            call.check(|touches| touches.writes_one(len));
        }
        result
    }
    fn setsockopt(fd: c_int, level: c_int, name: c_int, from: *const c_void, len: socklen_t) -> c_int |call, real| {
        if !from.is_null() {
            call.reads(from, len as usize);
        }
        real(fd, level, name, from, len)
    }
    fn sched_getaffinity(process: pid_t, size: size_t, to: *mut cpu_set_t) -> c_int |call, real| {
        let result = real(process, size, to);
        if result == 0 {
            call.writes(to, size);
        }
        result
    }
    fn pthread_sigmask(how: c_int, set: *const sigset_t, before: *mut sigset_t) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_one(set.cast::<Set>());
            touches.writes_one(before.cast::<Set>());
        });
        real(how, set, before)
    }
    fn sigprocmask(how: c_int, set: *const sigset_t, before: *mut sigset_t) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_one(set.cast::<Set>());
            touches.writes_one(before.cast::<Set>());
        });
        real(how, set, before)
    }
    fn sigaltstack(new: *const stack_t, old: *mut stack_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(new));
        answered(&call, real(new, old), old)
    }
    fn sched_setaffinity(process: pid_t, size: size_t, from: *const cpu_set_t) -> c_int |call, real| {
        call.reads(from, size);
        real(process, size, from)
    }
    fn pthread_setaffinity_np(thread: pthread_t, size: size_t, from: *const cpu_set_t) -> c_int |call, real| {
        call.reads(from, size);
        real(thread, size, from)
    }
    fn pthread_getaffinity_np(thread: pthread_t, size: size_t, to: *mut cpu_set_t) -> c_int |call, real| {
        let result = real(thread, size, to);
        if result == 0 {
            call.writes(to, size);
        }
        result
    }
    fn pthread_getname_np(thread: pthread_t, to: Buffer, room: size_t) -> c_int |call, real| {
        written(&call, real(thread, to, room), to)
    }
    fn getlogin_r(to: Buffer, room: size_t) -> c_int |call, real| {
        written(&call, real(to, room), to)
    }
    fn ttyname_r(fd: c_int, to: Buffer, room: size_t) -> c_int |call, real| {
        written(&call, real(fd, to, room), to)
    }
    fn ptsname_r(fd: c_int, to: Buffer, room: size_t) -> c_int |call, real| {
        written(&call, real(fd, to, room), to)
    }
    fn tcgetattr(fd: c_int, to: *mut termios) -> c_int |call, real| {
        answered(&call, real(fd, to), to)
    }
    fn tcsetattr(fd: c_int, when: c_int, from: *const termios) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(from));
        real(fd, when, from)
    }
    fn statx(folder: c_int, path: Text, flags: c_int, mask: c_uint, to: *mut Extended) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        answered(&call, real(folder, path, flags, mask, to), to)
    }
    fn rand_r(seed: *mut c_uint) -> c_int |call, real| {
        call.check(|touches| touches.writes_one(seed));
        real(seed)
    }
}

/// The functions that ask for a file's state call the kernel themselves: older
/// versions of libc have them in every program instead of in the library.
pub(super) mod status {
    use super::{Call, Status, Text, answered, c_int};
    use crate::intercept::caller;
    use crate::intercept::library::is_watched;
    use crate::intercept::stub::{code_of, interceptors};

    interceptors! {
        "stat" => stat,
        "stat64" => stat,
        "lstat" => lstat,
        "lstat64" => lstat,
        "fstat" => fstat,
        "fstat64" => fstat,
        "fstatat" => fstatat,
        "fstatat64" => fstatat,
    }

    /// Asks for the state of `path`, seen from `folder`, or of `folder` itself
    /// if the path is empty.
    fn ask(call: Call, folder: c_int, path: Text, to: *mut Status, flags: c_int) -> c_int {
        let watched = is_watched();
        if watched {
            call.check(|touches| touches.reads_text(path));
        }
        // SAFETY: the program's own arguments.
        let result = unsafe { libc::syscall(libc::SYS_newfstatat, folder, path, to, flags) };
        if watched {
            answered(&call, result as c_int, to);
        }
        result as c_int
    }

    extern "C" fn stat(path: Text, to: *mut Status) -> c_int {
        let call = Call::new(caller(), code_of!("stat"));
        ask(call, libc::AT_FDCWD, path, to, 0)
    }

    extern "C" fn lstat(path: Text, to: *mut Status) -> c_int {
        let call = Call::new(caller(), code_of!("lstat"));
        ask(call, libc::AT_FDCWD, path, to, libc::AT_SYMLINK_NOFOLLOW)
    }

    extern "C" fn fstat(fd: c_int, to: *mut Status) -> c_int {
        let call = Call::new(caller(), code_of!("fstat"));
        let watched = is_watched();
        // SAFETY: the program's own arguments.
        let result = unsafe { libc::syscall(libc::SYS_fstat, fd, to) } as c_int;
        if watched {
            answered(&call, result, to);
        }
        result
    }

    extern "C" fn fstatat(folder: c_int, path: Text, to: *mut Status, flags: c_int) -> c_int {
        let call = Call::new(caller(), code_of!("fstatat"));
        ask(call, folder, path, to, flags)
    }
}
