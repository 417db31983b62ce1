//! Starting the program once more, in another address space layout.
//!
//! With an unlimited stack, or when asked by `setarch -L`, the kernel maps
//! libraries from a third of the address space upwards, where the shadow has
//! to be. Both are properties a process can change, for the next program it
//! executes.

use super::File;
use super::call::syscall;
use super::limits::limit_unlimited_stack;
use alloc::vec::Vec;
use core::ffi::c_char;

unsafe extern "C" {
    static environ: *const *const c_char;
}

/// Asks `personality` for the present value.
const QUERY: usize = 0xffff_ffff;

/// Takes the old layout out of the process's personality. Did that change
/// anything?
fn leave_compatible_layout() -> bool {
    let flag = libc::ADDR_COMPAT_LAYOUT as usize;
    // SAFETY: affects only what is executed later.
    let call = |value| unsafe { syscall(libc::SYS_personality, [value, 0, 0, 0, 0, 0]) };
    call(QUERY).is_ok_and(|now| now & flag != 0 && call(now & !flag).is_ok())
}

/// Executes the program anew with the same arguments and environment if
/// something was found that made the kernel choose the old layout. Returns if
/// not, or if it cannot.
pub fn restart_in_standard_layout() {
    let (personality, stack) = (leave_compatible_layout(), limit_unlimited_stack());
    if !personality && !stack {
        return;
    }
    let Ok(arguments) = File::open(b"/proc/self/cmdline").and_then(|f| f.read_to_end()) else {
        return;
    };
    let mut pointers: Vec<*const u8> = arguments
        .split_inclusive(|byte| *byte == 0)
        .map(<[u8]>::as_ptr)
        .collect();
    pointers.push(core::ptr::null());
    let mut path = [0u8; 4096];
    let link = c"/proc/self/exe";
    let room = path.len() - 1;
    // SAFETY: the kernel writes at most `room` bytes, which leaves a zero at
    // the end.
    let named = unsafe {
        syscall(
            libc::SYS_readlink,
            [
                link.as_ptr() as usize,
                path.as_mut_ptr() as usize,
                room,
                0,
                0,
                0,
            ],
        )
    };
    // The name shows in lists of processes; the link works for files that have
    // none any more.
    let names = [path.as_ptr() as usize, link.as_ptr() as usize];
    for name in &names[usize::from(named.is_err())..] {
        // SAFETY: a path, and lists that end in null. Returns only on failure.
        let _ = unsafe {
            syscall(
                libc::SYS_execve,
                [*name, pointers.as_ptr() as usize, environ as usize, 0, 0, 0],
            )
        };
    }
}
