//! Loads, stores and function entries of instrumented code.
//!
//! Aligned accesses of up to 8 bytes make the test that racert's own
//! instrumentation makes inline (see [`racert_abi::word::covered_mask`]) and
//! return; the rest goes to racert's own checks, which keep more registers than
//! they need to here. Functions are pushed on the
//! shadow call stack as racert's own are.

use crate::intercept::stub::interceptors;
use crate::tls::caller;
use crate::{access, init, thread, tls};

/// Exports checks of aligned accesses within one granule: the inlined test
/// first. The mask's byte bits are those of offset 0, shifted by the offset.
macro_rules! aligned {
    ($($name:literal: $size:literal, $write:literal, $slow:literal;)+) => {
        $(
            #[cfg(not(test))]
            core::arch::global_asm!(
                concat!(".pushsection .text.", $name, ",\"ax\",@progbits"),
                ".p2align 4",
                concat!(".weak ", $name),
                concat!(".type ", $name, ", @function"),
                concat!($name, ":"),
                ".cfi_startproc",
                "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
                "mov rax, qword ptr fs:[r11]",
                "test rax, rax",
                "je 2f",
                "mov rdx, rdi",
                "and rdx, -8",
                "btc rdx, {shadow_bit}",
                "mov rdx, qword ptr [rdx + {offset}]",
                "sub rdx, rax",
                "mov ecx, edi",
                "and ecx, 7",
                "mov eax, {bytes}",
                "shl eax, cl",
                "movabs r10, {same_segment}",
                "or rax, r10",
                "test rdx, rax",
                "jne 3f",
                "2: ret",
                concat!("3: jmp ", $slow),
                ".cfi_endproc",
                concat!(".size ", $name, ", . - ", $name),
                ".popsection",
                shadow_bit = const racert_abi::SHADOW_XOR.trailing_zeros(),
                bytes = const (racert_abi::word::covered_mask($size, 0, $write)
                    & !racert_abi::word::SAME_SEGMENT) as u32,
                same_segment = const racert_abi::word::SAME_SEGMENT as i64,
                offset = const racert_abi::SHADOW_OFFSET,
            );
        )+
    };
}

const _: () = assert!(racert_abi::SHADOW_XOR.is_power_of_two());

aligned! {
    "__tsan_read1": 1, false, "__racert_read1";
    "__tsan_read2": 2, false, "__racert_read2";
    "__tsan_read4": 4, false, "__racert_read4";
    "__tsan_read8": 8, false, "__racert_read8";
    "__tsan_write1": 1, true, "__racert_write1";
    "__tsan_write2": 2, true, "__racert_write2";
    "__tsan_write4": 4, true, "__racert_write4";
    "__tsan_write8": 8, true, "__racert_write8";
    "__tsan_read_write1": 1, true, "__racert_write1";
    "__tsan_read_write2": 2, true, "__racert_write2";
    "__tsan_read_write4": 4, true, "__racert_write4";
    "__tsan_read_write8": 8, true, "__racert_write8";
    "__tsan_volatile_read1": 1, false, "__racert_read1";
    "__tsan_volatile_read2": 2, false, "__racert_read2";
    "__tsan_volatile_read4": 4, false, "__racert_read4";
    "__tsan_volatile_read8": 8, false, "__racert_read8";
    "__tsan_volatile_write1": 1, true, "__racert_write1";
    "__tsan_volatile_write2": 2, true, "__racert_write2";
    "__tsan_volatile_write4": 4, true, "__racert_write4";
    "__tsan_volatile_write8": 8, true, "__racert_write8";
}

interceptors! {
    "__tsan_init" => start,
    "__tsan_read16" => any::<16, false>,
    "__tsan_write16" => any::<16, true>,
    "__tsan_read_write16" => any::<16, true>,
    "__tsan_volatile_read16" => any::<16, false>,
    "__tsan_volatile_write16" => any::<16, true>,
    "__tsan_unaligned_read2" => any::<2, false>,
    "__tsan_unaligned_read4" => any::<4, false>,
    "__tsan_unaligned_read8" => any::<8, false>,
    "__tsan_unaligned_read16" => any::<16, false>,
    "__tsan_unaligned_write2" => any::<2, true>,
    "__tsan_unaligned_write4" => any::<4, true>,
    "__tsan_unaligned_write8" => any::<8, true>,
    "__tsan_unaligned_write16" => any::<16, true>,
    "__tsan_unaligned_read_write2" => any::<2, true>,
    "__tsan_unaligned_read_write4" => any::<4, true>,
    "__tsan_unaligned_read_write8" => any::<8, true>,
    "__tsan_unaligned_read_write16" => any::<16, true>,
    "__tsan_unaligned_volatile_read2" => any::<2, false>,
    "__tsan_unaligned_volatile_read4" => any::<4, false>,
    "__tsan_unaligned_volatile_read8" => any::<8, false>,
    "__tsan_unaligned_volatile_read16" => any::<16, false>,
    "__tsan_unaligned_volatile_write2" => any::<2, true>,
    "__tsan_unaligned_volatile_write4" => any::<4, true>,
    "__tsan_unaligned_volatile_write8" => any::<8, true>,
    "__tsan_unaligned_volatile_write16" => any::<16, true>,
    "__tsan_read1_pc" => placed::<1, false>,
    "__tsan_read2_pc" => placed::<2, false>,
    "__tsan_read4_pc" => placed::<4, false>,
    "__tsan_read8_pc" => placed::<8, false>,
    "__tsan_read16_pc" => placed::<16, false>,
    "__tsan_write1_pc" => placed::<1, true>,
    "__tsan_write2_pc" => placed::<2, true>,
    "__tsan_write4_pc" => placed::<4, true>,
    "__tsan_write8_pc" => placed::<8, true>,
    "__tsan_write16_pc" => placed::<16, true>,
    "__tsan_read_range" => read_range,
    "__tsan_write_range" => write_range,
    "__tsan_read_range_pc" => read_range_at,
    "__tsan_write_range_pc" => write_range_at,
    "__tsan_vptr_read" => vptr_read,
    "__tsan_vptr_update" => vptr_update,
    "__sanitizer_unaligned_load16" => load::<u16>,
    "__sanitizer_unaligned_load32" => load::<u32>,
    "__sanitizer_unaligned_load64" => load::<u64>,
    "__sanitizer_unaligned_store16" => store::<u16>,
    "__sanitizer_unaligned_store32" => store::<u32>,
    "__sanitizer_unaligned_store64" => store::<u64>,
}

/// Exports other names for functions of the same convention. The jump leaves
/// the return address alone, which is the code address they note.
macro_rules! other_names {
    ($($($name:literal),+ => $($target:literal),+;)+) => {
        $(
            #[cfg(not(test))]
            core::arch::global_asm!(
                concat!(".pushsection .text.", $($name),+, ",\"ax\",@progbits"),
                ".p2align 4",
                concat!(".weak ", $($name),+),
                concat!(".type ", $($name),+, ", @function"),
                concat!($($name),+, ":"),
                concat!("jmp ", $($target),+),
                concat!(".size ", $($name),+, ", . - ", $($name),+),
                ".popsection",
            );
        )+
    };
}
pub(crate) use other_names;

other_names! {
    "__tsan_memcpy" => "__racert_memcpy";
    "__tsan_memmove" => "__racert_memmove";
    "__tsan_memset" => "__racert_memset";
}

#[cfg(not(test))]
core::arch::global_asm!(
    ".pushsection .text.__tsan_func,\"ax\",@progbits",
    ".p2align 4",
    ".weak __tsan_func_entry",
    ".type __tsan_func_entry, @function",
    "__tsan_func_entry:",
    "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
    "mov rax, qword ptr fs:[r11 + {frames}]",
    "test rax, rax",
    "je 3f",
    // The frame is taken before it is filled: a signal handler's frames then
    // come above it.
    "2: lea rcx, [rax + {size}]",
    "mov qword ptr fs:[r11 + {frames}], rcx",
    "mov qword ptr [rax], rdi",
    "mov qword ptr [rax + 8], 0",
    "ret",
    "3: push r11",
    "call __racert_attach",
    "pop r11",
    "test rax, rax",
    "jne 2b",
    "ret",
    ".size __tsan_func_entry, . - __tsan_func_entry",
    ".p2align 4",
    ".weak __tsan_func_exit",
    ".type __tsan_func_exit, @function",
    "__tsan_func_exit:",
    "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
    "mov rax, qword ptr fs:[r11 + {frames}]",
    "test rax, rax",
    "je 2f",
    // The frame below all others has no return address and stays, should a
    // function have been entered before the thread was attached.
    "cmp qword ptr [rax - {size}], 0",
    "je 2f",
    "sub rax, {size}",
    "mov qword ptr fs:[r11 + {frames}], rax",
    "2: ret",
    ".size __tsan_func_exit, . - __tsan_func_exit",
    ".popsection",
    frames = const racert_abi::tls::FRAMES,
    size = const racert_abi::tls::FRAME_SIZE,
);

extern "C" fn start() {
    init::ensure();
}

extern "C" fn any<const SIZE: usize, const WRITE: bool>(addr: usize) {
    placed::<SIZE, WRITE>(addr, caller());
}

extern "C" fn placed<const SIZE: usize, const WRITE: bool>(addr: usize, pc: usize) {
    // SAFETY: this thread's own block.
    if unsafe { (*tls::block()).current } != 0 {
        access::plain(addr, SIZE, WRITE, pc, 0);
    }
}

/// Enters the runtime for a range, unless nothing needs recording.
#[inline]
fn ranged(f: impl FnOnce()) {
    if !thread::alone() {
        tls::section(f);
    }
}

extern "C" fn read_range(addr: usize, len: usize) {
    read_range_at(addr, len, caller());
}

extern "C" fn write_range(addr: usize, len: usize) {
    write_range_at(addr, len, caller());
}

extern "C" fn read_range_at(addr: usize, len: usize, pc: usize) {
    ranged(|| access::read_range(addr, len, pc));
}

extern "C" fn write_range_at(addr: usize, len: usize, pc: usize) {
    ranged(|| access::write_range(addr, len, pc));
}

extern "C" fn vptr_read(addr: usize) {
    read_range_at(addr, 8, caller());
}

/// A destructor stores its own class's pointer again before it does anything:
/// nothing changes for whoever reads it at the same time.
extern "C" fn vptr_update(addr: usize, new: usize) {
    let pc = caller();
    // SAFETY: the program is about to store there itself.
    if unsafe { (addr as *const usize).read_volatile() } == new {
        read_range_at(addr, 8, pc);
    } else {
        write_range_at(addr, 8, pc);
    }
}

extern "C" fn load<T: Copy>(addr: *const T) -> T {
    read_range_at(addr as usize, size_of::<T>(), caller());
    // SAFETY: the program's own load.
    unsafe { addr.read_unaligned() }
}

extern "C" fn store<T: Copy>(addr: *mut T, value: T) {
    write_range_at(addr as usize, size_of::<T>(), caller());
    // SAFETY: the program's own store.
    unsafe { addr.write_unaligned(value) }
}
