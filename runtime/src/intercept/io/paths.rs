//! Functions that are told a file by its name, and open nothing.

use crate::intercept::library::library;
use core::ffi::{c_char, c_int};
use libc::{DIR, gid_t, mode_t, off_t, uid_t};

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
}
