//! What instrumented code calls when its inlined test did not settle the
//! matter.
//!
//! The checks use LLVM's preserve_most convention: they save every general
//! register, so that the code around the inlined test keeps its values where
//! they are. Vector registers are the caller's to save.

use crate::tls::{self, Frame, caller};
use crate::{access, init, thread};

/// Saves what preserve_most promises to keep, calls `body` with the address
/// and the return address, and restores. Returns at once while nothing needs
/// to be recorded.
macro_rules! check {
    ($name:ident, $size:literal, $write:literal) => {
        const _: () = {
            #[cfg_attr(test, expect(dead_code, reason = "tests do not export entry points"))]
            extern "C" fn body(addr: usize, pc: usize) {
                access::plain(addr, $size, $write, pc);
            }

            /// Checks one access; see [`racert_abi::entry`].
            #[cfg(not(test))]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name() {
                ::core::arch::naked_asm!(
                    "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
                    "cmp qword ptr fs:[r11], 0",
                    "je 2f",
                    "push rax",
                    "push rcx",
                    "push rdx",
                    "push rsi",
                    "push rdi",
                    "push r8",
                    "push r9",
                    "push r10",
                    "push rbp",
                    "mov rbp, rsp",
                    "and rsp, -16",
                    "mov rsi, qword ptr [rbp + 72]",
                    "call {body}",
                    "mov rsp, rbp",
                    "pop rbp",
                    "pop r10",
                    "pop r9",
                    "pop r8",
                    "pop rdi",
                    "pop rsi",
                    "pop rdx",
                    "pop rcx",
                    "pop rax",
                    "2: ret",
                    body = sym body,
                )
            }
        };
    };
}

check!(__racert_read1, 1, false);
check!(__racert_read2, 2, false);
check!(__racert_read4, 4, false);
check!(__racert_read8, 8, false);
check!(__racert_read16, 16, false);
check!(__racert_write1, 1, true);
check!(__racert_write2, 2, true);
check!(__racert_write4, 4, true);
check!(__racert_write8, 8, true);
check!(__racert_write16, 16, true);

const _: () = {
    #[cfg_attr(test, expect(dead_code, reason = "tests do not export entry points"))]
    extern "C" fn body() -> *mut Frame {
        init::ensure();
        if let Some(_inside) = tls::enter() {
            thread::attach(0, 0);
        }
        // SAFETY: this thread's own block.
        unsafe { (*tls::block()).frames }
    }

    /// Attaches the calling thread; see [`racert_abi::entry::ATTACH`].
    #[cfg(not(test))]
    #[unsafe(naked)]
    #[unsafe(no_mangle)]
    unsafe extern "C" fn __racert_attach() {
        ::core::arch::naked_asm!(
            "push rcx",
            "push rdx",
            "push rsi",
            "push rdi",
            "push r8",
            "push r9",
            "push r10",
            "push rbp",
            "mov rbp, rsp",
            "and rsp, -16",
            "call {body}",
            "mov rsp, rbp",
            "pop rbp",
            "pop r10",
            "pop r9",
            "pop r8",
            "pop rdi",
            "pop rsi",
            "pop rdx",
            "pop rcx",
            "ret",
            body = sym body,
        )
    }
};

crate::stub!(__racert_init, |version: u32| -> () {
    init::module(version);
});

/// Enters the runtime for a checked range, unless nothing needs recording.
#[inline]
fn ranged(f: impl FnOnce(usize)) {
    let pc = caller();
    if thread::alone() {
        return;
    }
    if let Some(_inside) = tls::enter() {
        f(pc);
    }
}

crate::stub!(__racert_read_range, |addr: usize, len: usize| -> () {
    ranged(|pc| access::read_range(addr, len, pc));
});
crate::stub!(__racert_write_range, |addr: usize, len: usize| -> () {
    ranged(|pc| access::write_range(addr, len, pc));
});
crate::stub!(__racert_vptr_read, |addr: usize| -> () {
    ranged(|pc| access::read_range(addr, 8, pc));
});
crate::stub!(__racert_vptr_write, |addr: usize, new: usize| -> () {
    // A destructor stores its own class's pointer again before it does
    // anything: nothing changes for whoever reads it at the same time.
    // SAFETY: the program is about to store there itself.
    let same = unsafe { (addr as *const usize).read_volatile() } == new;
    ranged(|pc| {
        if same {
            access::read_range(addr, 8, pc)
        } else {
            access::write_range(addr, 8, pc)
        }
    });
});
crate::stub!(__racert_memcpy, |to: *mut u8,
                               from: *const u8,
                               len: usize|
 -> *mut u8 {
    ranged(|pc| {
        access::read_range(from as usize, len, pc);
        access::write_range(to as usize, len, pc);
    });
    // SAFETY: the program's own memcpy.
    unsafe { core::ptr::copy_nonoverlapping(from, to, len) };
    to
});
crate::stub!(__racert_memmove, |to: *mut u8,
                                from: *const u8,
                                len: usize|
 -> *mut u8 {
    ranged(|pc| {
        access::read_range(from as usize, len, pc);
        access::write_range(to as usize, len, pc);
    });
    // SAFETY: the program's own memmove.
    unsafe { core::ptr::copy(from, to, len) };
    to
});
crate::stub!(__racert_memset, |to: *mut u8,
                               value: i32,
                               len: usize|
 -> *mut u8 {
    ranged(|pc| access::write_range(to as usize, len, pc));
    // SAFETY: the program's own memset.
    unsafe { core::ptr::write_bytes(to, value as u8, len) };
    to
});
