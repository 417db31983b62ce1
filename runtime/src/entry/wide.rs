//! The checks of accesses that never fit into one granule; by the convention of
//! [`super::check`].

use crate::access;

/// Saves what preserve_most promises to keep, and calls `body` with the address
/// and the return address. Returns at once while nothing needs to be recorded.
macro_rules! check_wide {
    ($name:ident, $write:literal) => {
        const _: () = {
            #[cfg_attr(test, expect(dead_code, reason = "tests do not export entry points"))]
            extern "C" fn body(addr: usize, pc: usize) {
                access::plain(addr, 16, $write, pc, 0);
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

check_wide!(__racert_read16, false);
check_wide!(__racert_write16, true);
