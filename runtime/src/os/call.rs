//! The `syscall` instruction, and the kernel's way to report failure.

use core::arch::asm;

/// A failed system call's `errno` value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

/// Issues system call `n` and sorts the kernel's answer into value and error.
///
/// # Safety
/// The arguments must be valid for that system call.
#[inline]
pub(super) unsafe fn syscall(n: libc::c_long, args: [usize; 6]) -> Result<usize, Errno> {
    let ret: isize;
    // SAFETY: the kernel preserves everything but rax, rcx and r11; what the
    // call itself does is the caller's promise.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") n as isize => ret,
            in("rdi") args[0],
            in("rsi") args[1],
            in("rdx") args[2],
            in("r10") args[3],
            in("r8") args[4],
            in("r9") args[5],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    if (-4095..0).contains(&ret) {
        Err(Errno(-ret as i32))
    } else {
        Ok(ret as usize)
    }
}
