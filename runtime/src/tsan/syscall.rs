//! System calls that a program makes itself.
//!
//! A program that goes past libc brackets its system calls with these
//! functions (`sanitizer/linux_syscall_hooks.h`). Those are here that touch
//! the program's memory or copy its process.

use crate::intercept::stub::interceptors;
use crate::{access, init, process, tls};

interceptors! {
    "__sanitizer_syscall_pre_impl_read" => nothing,
    "__sanitizer_syscall_post_impl_read" => after_read,
    "__sanitizer_syscall_pre_impl_write" => before_write,
    "__sanitizer_syscall_post_impl_write" => nothing,
    "__sanitizer_syscall_pre_impl_pread64" => nothing,
    "__sanitizer_syscall_post_impl_pread64" => after_read,
    "__sanitizer_syscall_pre_impl_pwrite64" => before_write,
    "__sanitizer_syscall_post_impl_pwrite64" => nothing,
    "__sanitizer_syscall_pre_impl_pipe" => nothing,
    "__sanitizer_syscall_post_impl_pipe" => after_pipe,
    "__sanitizer_syscall_pre_impl_pipe2" => nothing,
    "__sanitizer_syscall_post_impl_pipe2" => after_pipe,
    "__sanitizer_syscall_pre_impl_close" => nothing,
    "__sanitizer_syscall_post_impl_close" => nothing,
    "__sanitizer_syscall_pre_impl_futex" => nothing,
    "__sanitizer_syscall_post_impl_futex" => nothing,
    "__sanitizer_syscall_pre_impl_nanosleep" => nothing,
    "__sanitizer_syscall_post_impl_nanosleep" => nothing,
    "__sanitizer_syscall_pre_impl_fork" => before_fork,
    "__sanitizer_syscall_post_impl_fork" => after_fork,
    "__sanitizer_syscall_pre_impl_vfork" => before_fork,
    "__sanitizer_syscall_post_impl_vfork" => after_fork,
}

/// Bytes of the two descriptors of a pipe.
const PIPE: usize = 8;

fn inside(f: impl FnOnce(usize)) {
    let pc = tls::caller();
    init::ensure();
    tls::section(|| f(pc));
}

extern "C" fn nothing() {}

extern "C" fn after_read(result: isize, _descriptor: isize, buffer: usize, _count: usize) {
    if let Ok(count @ 1..) = usize::try_from(result) {
        inside(|pc| access::write_range(buffer, count, pc));
    }
}

extern "C" fn before_write(_descriptor: isize, buffer: usize, count: usize) {
    if count != 0 {
        inside(|pc| access::read_range(buffer, count, pc));
    }
}

extern "C" fn after_pipe(result: isize, descriptors: usize) {
    if result == 0 {
        inside(|pc| access::write_range(descriptors, PIPE, pc));
    }
}

extern "C" fn before_fork() {
    inside(|_| process::before_fork());
}

extern "C" fn after_fork(result: isize) {
    inside(|_| match result {
        0 => process::after_fork_child(),
        _ => process::after_fork_parent(),
    });
}
