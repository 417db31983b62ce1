//! Functions with any number of arguments.
//!
//! Rust cannot define them, so their stubs put the argument registers where a
//! `va_list` finds them and pass such a list on, in the place of the arguments
//! that have no name. What follows is the x86-64 ABI's.

/// Bytes of the registers' copy: six general ones, then eight vector ones.
pub(super) const GENERAL: u32 = 48;
pub(super) const REGISTERS: u32 = 176;

/// `va_list`'s only element.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct List {
    /// Where in the copy the next general register is.
    pub(super) general: u32,
    /// Where in the copy the next vector register is.
    pub(super) vector: u32,
    /// The next argument that is on the stack.
    pub(super) stack: *mut u8,
    /// The copy.
    pub(super) registers: *mut u8,
}

const _: () = assert!(size_of::<List>() == 24);

/// Defines stubs: `variadic! { "printf" (1, "rsi") => printf; ... }`, with the
/// number of named arguments and the register of the one behind them.
macro_rules! variadic {
    ($($name:literal ($named:literal, $register:literal) => $implementation:path;)+) => {
        $(
            #[cfg(not(test))]
            core::arch::global_asm!(
                ".pushsection racert_stubs,\"ax\",@progbits",
                ".p2align 4",
                concat!(".weak ", $name),
                concat!(".type ", $name, ", @function"),
                concat!(".globl __racert_own_", $name),
                concat!(".hidden __racert_own_", $name),
                concat!($name, ":"),
                concat!("__racert_own_", $name, ":"),
                ".cfi_startproc",
                "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
                "mov r10, qword ptr [rsp]",
                "mov qword ptr fs:[r11 + {caller}], r10",
                "sub rsp, 216",
                ".cfi_adjust_cfa_offset 216",
                "mov qword ptr [rsp], rdi",
                "mov qword ptr [rsp + 8], rsi",
                "mov qword ptr [rsp + 16], rdx",
                "mov qword ptr [rsp + 24], rcx",
                "mov qword ptr [rsp + 32], r8",
                "mov qword ptr [rsp + 40], r9",
                "test al, al",
                "je 2f",
                "movaps xmmword ptr [rsp + 48], xmm0",
                "movaps xmmword ptr [rsp + 64], xmm1",
                "movaps xmmword ptr [rsp + 80], xmm2",
                "movaps xmmword ptr [rsp + 96], xmm3",
                "movaps xmmword ptr [rsp + 112], xmm4",
                "movaps xmmword ptr [rsp + 128], xmm5",
                "movaps xmmword ptr [rsp + 144], xmm6",
                "movaps xmmword ptr [rsp + 160], xmm7",
                "2:",
                "mov dword ptr [rsp + 176], 8 * {named}",
                "mov dword ptr [rsp + 180], 48",
                "lea rax, [rsp + 224]",
                "mov qword ptr [rsp + 184], rax",
                "mov qword ptr [rsp + 192], rsp",
                concat!("lea ", $register, ", [rsp + 176]"),
                "call {implementation}",
                "add rsp, 216",
                ".cfi_adjust_cfa_offset -216",
                "ret",
                ".cfi_endproc",
                concat!(".size ", $name, ", . - ", $name),
                ".popsection",
                caller = const racert_abi::tls::CALLER,
                named = const $named,
                implementation = sym $implementation,
            );
        )+
        #[cfg(test)]
        const VARIADIC: &[(&str, *const ())] =
            &[$(($name, $implementation as *const ())),+];
    };
}
pub(super) use variadic;
