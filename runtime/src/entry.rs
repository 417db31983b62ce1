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
///
/// Before that it looks into the [`crate::log::memo`]: most calls are a loop's
/// next granule in a new segment, and do what the one before did. Up to label
/// 4, the shadow word is replaced by 0 for the look-up if it is an own record
/// that this access makes superfluous, as `memo::filed` does; `$wrote` is 0xff
/// for reads, which make no written bytes superfluous, and 0 for writes.
macro_rules! check {
    ($name:ident, $size:literal, $write:literal, $wrote:literal) => {
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
                    "push r8",
                    "push r9",
                    "push r10",
                    // rsi: the granule's word; r8: what it holds.
                    "mov rsi, rdi",
                    "and rsi, -8",
                    "btc rsi, {xor_bit}",
                    "add rsi, {offset}",
                    "mov r8, qword ptr [rsi]",
                    "mov rax, r8",
                    // r9: offset in the granule, across its end is not ours.
                    "mov r9d, edi",
                    "and r9d, 7",
                    "cmp r9d, 8 - {size}",
                    "ja 3f",
                    // A cell: has one of its records the bytes in this segment?
                    "mov rdx, r8",
                    "shr rdx, {slot_shift}",
                    "cmp edx, {cell_slot}",
                    "je 7f",
                    // Own, nothing older, no bytes but ours, no lost write?
                    "mov rdx, r8",
                    "xor rdx, qword ptr fs:[r11]",
                    "shr rdx, {slot_shift}",
                    "jnz 4f",
                    "bt r8, {older_bit}",
                    "jc 4f",
                    "mov ecx, r9d",
                    "mov edx, (1 << {size}) - 1",
                    "shl edx, cl",
                    "or edx, r8d",
                    "cmp dl, -1",
                    "jne 4f",
                    "mov edx, r8d",
                    "shr edx, 8",
                    "or edx, 255 - {wrote}",
                    "cmp dl, -1",
                    "jne 4f",
                    "xor eax, eax",
                    // rax: filed under; rdx: access; rcx: the transition.
                    "4: mov rdx, r9",
                    "shl rdx, {address_bits}",
                    "or rdx, qword ptr [rsp + 56]",
                    "shl r9d, 9",
                    "mov rcx, rax",
                    "shr rcx, {pos_shift}",
                    "xor rcx, rdx",
                    "xor rcx, r9",
                    "and ecx, {size_memo} - 1",
                    "shl ecx, 5",
                    "mov r9, qword ptr fs:[r11 + {memo}]",
                    "test r9, r9",
                    "jz 3f",
                    "add rcx, r9",
                    // r9: the new word, read before the rest is compared.
                    "mov r9, qword ptr [rcx + 24]",
                    "cmp rax, qword ptr [rcx]",
                    "jne 3f",
                    // The function's return address, its caller's context.
                    "mov rax, qword ptr fs:[r11 + {frames}]",
                    "mov r10, qword ptr [rax - 24]",
                    "mov rax, qword ptr [rax - 16]",
                    "push r10",
                    "shr r10, 17",
                    "shl r10, {address_bits} + 3",
                    "or rdx, r10",
                    "pop r10",
                    "shl r10, {address_bits}",
                    "or rax, r10",
                    "cmp rdx, qword ptr [rcx + 8]",
                    "jne 3f",
                    "cmp rax, qword ptr [rcx + 16]",
                    "jne 3f",
                    "cmp r9, qword ptr fs:[r11]",
                    "jb 3f",
                    "mov rdx, r9",
                    "xor rdx, r8",
                    "shr rdx, {slot_shift}",
                    "jnz 5f",
                    "mov qword ptr [rsi], r9",
                    "6: pop r10",
                    "pop r9",
                    "pop r8",
                    "pop rsi",
                    "pop rdx",
                    "pop rcx",
                    "pop rax",
                    "2: ret",
                    // A first touch; any other foreign word is for the engine.
                    "5: test r8, r8",
                    "jnz 3f",
                    "xor eax, eax",
                    "lock cmpxchg qword ptr [rsi], r9",
                    "jz 6b",
                    "7: test r8b, 1",
                    "jnz 3f",
                    "mov ecx, r9d",
                    "mov edx, (1 << {size}) - 1",
                    "shl edx, cl",
                    "shl edx, {mask_shift}",
                    "mov rax, {same_segment}",
                    "or rdx, rax",
                    "mov rcx, r8",
                    "shr rcx, {cell_size_shift}",
                    "and ecx, (1 << {cell_size_bits}) - 1",
                    "mov r9d, 1",
                    "shl r9d, cl",
                    "mov rcx, r8",
                    "shl rcx, {slot_bits}",
                    "shr rcx, {slot_bits} + {cell_index_shift}",
                    "shl rcx, 4",
                    "add rcx, qword ptr [rip + {cells}]",
                    "8: mov rax, qword ptr [rcx]",
                    "sub rax, qword ptr fs:[r11]",
                    "test rax, rdx",
                    "jz 9f",
                    "add rcx, 8",
                    "dec r9d",
                    "jnz 8b",
                    "jmp 3f",
                    "9: cmp r8, qword ptr [rsi]",
                    "je 6b",
                    "3: push rdi",
                    "push rbp",
                    "mov rbp, rsp",
                    "and rsp, -16",
                    "mov rsi, qword ptr [rbp + 72]",
                    "call {body}",
                    "mov rsp, rbp",
                    "pop rbp",
                    "pop rdi",
                    "jmp 6b",
                    body = sym body,
                    size = const $size,
                    mask_shift = const if $write { racert_abi::word::WRITTEN_SHIFT } else { 0 },
                    same_segment = const racert_abi::word::SAME_SEGMENT as i64,
                    cell_slot = const crate::shadow::word::CELL_SLOT,
                    cell_size_shift = const crate::shadow::cell::SIZE_SHIFT,
                    cell_size_bits = const crate::shadow::cell::SIZE_BITS,
                    cell_index_shift = const crate::shadow::cell::INDEX_SHIFT,
                    slot_bits = const racert_abi::word::SLOT_BITS,
                    cells = sym crate::shadow::cell::REGION,
                    wrote = const $wrote,
                    xor_bit = const racert_abi::SHADOW_XOR.trailing_zeros(),
                    offset = const racert_abi::SHADOW_OFFSET,
                    pos_shift = const racert_abi::word::POS_SHIFT,
                    slot_shift = const racert_abi::word::SLOT_SHIFT,
                    older_bit = const racert_abi::word::OLDER.trailing_zeros(),
                    address_bits = const crate::log::memo::ADDRESS_BITS,
                    size_memo = const crate::log::memo::SIZE,
                    memo = const tls::MEMO,
                    frames = const racert_abi::tls::FRAMES,
                )
            }
        };
    };
}

/// As `check`, for accesses that never fit into one granule.
macro_rules! check_wide {
    ($name:ident, $write:literal) => {
        const _: () = {
            #[cfg_attr(test, expect(dead_code, reason = "tests do not export entry points"))]
            extern "C" fn body(addr: usize, pc: usize) {
                access::plain(addr, 16, $write, pc);
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

check!(__racert_read1, 1, false, 0xff);
check!(__racert_read2, 2, false, 0xff);
check!(__racert_read4, 4, false, 0xff);
check!(__racert_read8, 8, false, 0xff);
check_wide!(__racert_read16, false);
check!(__racert_write1, 1, true, 0);
check!(__racert_write2, 2, true, 0);
check!(__racert_write4, 4, true, 0);
check!(__racert_write8, 8, true, 0);
check_wide!(__racert_write16, true);

const _: () = {
    #[cfg_attr(test, expect(dead_code, reason = "tests do not export entry points"))]
    extern "C" fn body() -> *mut Frame {
        init::ensure();
        if let Some(_inside) = tls::enter() {
            thread::attach();
        }
        // SAFETY: this thread's own block.
        let frames = unsafe { (*tls::block()).frames };
        if frames.is_null() {
            // A signal handler that interrupted the thread's beginning.
            return thread::scratch_frames();
        }
        frames
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
