//! Functions that are told a file by its name, and open nothing.

use crate::intercept::library::library;
use core::ffi::{c_char, c_int, c_void};
use libc::{DIR, gid_t, mode_t, off_t, timespec, timeval, uid_t, utimbuf};

type Path = *const c_char;

library! {
    fn access(path: Path, mode: c_int) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path, mode)
    }
    fn chdir(path: Path) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path)
    }
    fn chmod(path: Path, mode: mode_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path, mode)
    }
    fn chown(path: Path, user: uid_t, group: gid_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path, user, group)
    }
    fn truncate(path: Path, len: off_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path, len)
    }
    fn mkdir(path: Path, mode: mode_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path, mode)
    }
    fn rmdir(path: Path) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path)
    }
    fn unlink(path: Path) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path)
    }
    fn remove(path: Path) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path)
    }
    fn rename(path: Path, other: Path) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_text(other);
        });
        real(path, other)
    }
    fn link(path: Path, other: Path) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_text(other);
        });
        real(path, other)
    }
    fn symlink(path: Path, other: Path) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_text(other);
        });
        real(path, other)
    }
    fn opendir(path: Path) -> *mut DIR |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path)
    }
    fn truncate64(path: Path, len: off_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path, len)
    }
    fn lchown(path: Path, user: uid_t, group: gid_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path, user, group)
    }
    fn faccessat(folder: c_int, path: Path, mode: c_int, flags: c_int) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(folder, path, mode, flags)
    }
    fn fchmodat(folder: c_int, path: Path, mode: mode_t, flags: c_int) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(folder, path, mode, flags)
    }
    fn fchownat(folder: c_int, path: Path, user: uid_t, group: gid_t, flags: c_int) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(folder, path, user, group, flags)
    }
    fn mkdirat(folder: c_int, path: Path, mode: mode_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(folder, path, mode)
    }
    fn mkfifo(path: Path, mode: mode_t) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(path, mode)
    }
    fn unlinkat(folder: c_int, path: Path, flags: c_int) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(folder, path, flags)
    }
    fn renameat(folder: c_int, path: Path, to: c_int, other: Path) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_text(other);
        });
        real(folder, path, to, other)
    }
    fn linkat(folder: c_int, path: Path, to: c_int, other: Path, flags: c_int) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_text(other);
        });
        real(folder, path, to, other, flags)
    }
    fn symlinkat(path: Path, to: c_int, other: Path) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_text(other);
        });
        real(path, to, other)
    }
    fn inotify_add_watch(fd: c_int, path: Path, mask: u32) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        real(fd, path, mask)
    }
    fn mkdtemp(template: *mut c_char) -> *mut c_char |call, real| {
        let path = real(template);
        call.check(|touches| touches.writes_text(path));
        path
    }
    fn utime(path: Path, times: *const utimbuf) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_one(times);
        });
        real(path, times)
    }
    fn utimes(path: Path, times: *const [timeval; 2]) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_one(times);
        });
        real(path, times)
    }
    fn utimensat(folder: c_int, path: Path, times: *const [timespec; 2], flags: c_int) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_text(path);
            touches.reads_one(times);
        });
        real(folder, path, times, flags)
    }
    fn futimens(fd: c_int, times: *const [timespec; 2]) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(times));
        real(fd, times)
    }
    fn scandir(path: Path, list: *mut c_void, chosen: *const c_void, compare: *const c_void) -> c_int |call, real| {
        call.check(|touches| touches.reads_text(path));
        let count = real(path, list, chosen, compare);
        if count >= 0 {
            call.writes(list, size_of::<*mut c_void>());
        }
        count
    }
}
