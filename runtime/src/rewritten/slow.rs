//! The way from rewritten code into Rust.
//!
//! The code there holds values in any register and flag. The runtime itself
//! is compiled for the baseline, but it copies memory with the C library's
//! functions, which use whatever the processor has: so vector registers are
//! saved in the widest form that is switched on and that the library uses.

use super::known;
use core::arch::{asm, naked_asm};
use core::sync::atomic::{AtomicUsize, Ordering};
use racert_abi::rewritten::vectors;

/// State components of the vector registers: SSE, AVX and the three of
/// AVX-512.
const VECTORS: u32 = 0xe6;
const AVX: u32 = 0x06;
const AVX512: u32 = 0xe0;

/// Bytes that saving all of them takes.
static AREA: AtomicUsize = AtomicUsize::new(0);

/// The address for the slot of a library that uses `used` of [`vectors`].
pub(super) fn address(used: u64) -> usize {
    let enabled = enabled_state();
    if used == vectors::SSE {
        slow_sse as *const () as usize
    } else if used == vectors::AVX && enabled & AVX == AVX {
        slow_avx as *const () as usize
    } else if enabled & AVX512 == AVX512 {
        let size = core::arch::x86_64::__cpuid_count(0xd, 0).ebx;
        AREA.store(size as usize, Ordering::Relaxed);
        slow_xsave as *const () as usize
    } else if enabled & AVX == AVX {
        slow_avx as *const () as usize
    } else {
        slow_sse as *const () as usize
    }
}

/// The vector state that the operating system keeps for programs.
fn enabled_state() -> u32 {
    const OSXSAVE: u32 = 1 << 27;
    let features = core::arch::x86_64::__cpuid(1).ecx;
    if features & OSXSAVE == 0 {
        return 0;
    }
    let state: u32;
    // SAFETY: the bit just tested says that the instruction exists.
    unsafe {
        asm!("xgetbv", in("ecx") 0, out("eax") state, out("edx") _, options(nomem, nostack));
    }
    state
}

/// Entry with a way to save (`$save`) and restore (`$restore`) vector
/// registers at the stack pointer. `rax`, `rcx` and `rdx` are free there. Most
/// checks end before that, in [`known`].
/// Flags: all of them, or just the arithmetic ones, which is much faster.
macro_rules! slow {
    ($name:ident, [$($keep:literal),+], [$($bring:literal),+],
     [$($save:literal),+], [$($restore:literal),+] $(, { $($operands:tt)+ })?) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(
                $($keep,)+
                "push rcx",
                "push rdx",
                "push rsi",
                "push rdi",
                "push r8",
                "push r9",
                "push r10",
                "push r11",
                "push rbp",
                "mov rbp, rsp",
                "call {known}",
                "test rax, rax",
                "jz 2f",
                "mov r10, rax",
                $($save,)+
                "mov edx, dword ptr [rbp + 88]",
                "mov rdi, qword ptr [rbp + 96]",
                "mov rsi, qword ptr [rbp + 104]",
                "mov rcx, qword ptr [rbp + 112]",
                "lea r8, [rbp + 120]",
                "mov r9, qword ptr [rbp]",
                "call r10",
                $($restore,)+
                "mov rsp, rbp",
                "2: pop rbp",
                "pop r11",
                "pop r10",
                "pop r9",
                "pop r8",
                "pop rdi",
                "pop rsi",
                "pop rdx",
                "pop rcx",
                $($bring,)+
                "lea rsp, [rsp + 24]",
                "ret",
                known = sym known::check,
                $($($operands)+)?
            )
        }
    };
}

slow!(
    slow_sse,
    ["push rax", "lahf", "seto al", "push rax"],
    ["pop rax", "add al, 0x7f", "sahf", "pop rax"],
    [
        "sub rsp, 256",
        "and rsp, -64",
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
        "movaps xmmword ptr [rsp + 16 * \\n], xmm\\n",
        ".endr"
    ],
    [
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
        "movaps xmm\\n, xmmword ptr [rsp + 16 * \\n]",
        ".endr"
    ]
);

slow!(
    slow_avx,
    ["push rax", "lahf", "seto al", "push rax"],
    ["pop rax", "add al, 0x7f", "sahf", "pop rax"],
    [
        "sub rsp, 512",
        "and rsp, -64",
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
        "vmovaps ymmword ptr [rsp + 32 * \\n], ymm\\n",
        ".endr"
    ],
    [
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
        "vmovaps ymm\\n, ymmword ptr [rsp + 32 * \\n]",
        ".endr"
    ]
);

slow!(
    slow_xsave,
    ["pushfq", "cld", "push rax"],
    ["pop rax", "popfq"],
    [
        "sub rsp, qword ptr [rip + {area}]",
        "and rsp, -64",
        // The header must be zero before the first save.
        "xor eax, eax",
        ".irp n, 0, 8, 16, 24, 32, 40, 48, 56",
        "mov qword ptr [rsp + 512 + \\n], rax",
        ".endr",
        "mov eax, {vectors}",
        "xor edx, edx",
        "xsave [rsp]"
    ],
    ["mov eax, {vectors}", "xor edx, edx", "xrstor [rsp]"],
    { area = sym AREA, vectors = const VECTORS }
);
