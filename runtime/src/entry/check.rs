//! The checks of plain accesses.
//!
//! They use LLVM's preserve_most convention: they save every general register,
//! so that the code around the inlined test keeps its values where they are.
//! Vector registers are the caller's to save.

use crate::access;
#[cfg(not(test))]
use crate::tls;
#[cfg(not(test))]
use racert_abi::word::{ATOMIC, OLDER, OLDER_CELL, SEGMENT_BITS, WRITTEN_SHIFT};

/// Saves what preserve_most promises to keep, calls `body` with the address
/// and the return address, and restores. Returns at once while nothing needs
/// to be recorded.
///
/// Before that it does what most calls need. A granule whose word is empty or
/// this thread's own: if the [`crate::log::memo`] knows the new record, it is
/// put in place as `hb::supersede` does, with the old one beside it if that
/// still counts. A granule with a cell: if one of its records has the bytes in
/// this segment, there is nothing to do. A granule that is only read: the new
/// record goes into the thread's own plane.
macro_rules! check {
    ($name:ident, $size:literal, $write:literal, $wrote:literal) => {
        const _: () = {
            #[cfg_attr(test, expect(dead_code, reason = "tests do not export entry points"))]
            extern "C" fn body(addr: usize, pc: usize, fresh: u64) {
                access::plain(addr, $size, $write, pc, fresh);
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
                    "ja 14f",
                    // A cell: has one of its records the bytes in this segment?
                    "mov rdx, r8",
                    "shr rdx, {slot_shift}",
                    "cmp edx, {cell_slot}",
                    "je 7f",
                    // rax: filed under. 0 for a first touch in this segment.
                    "xor eax, eax",
                    "test r8, r8",
                    "jz 4f",
                    "mov rdx, r8",
                    "sub rdx, qword ptr fs:[r11]",
                    "shr rdx, {pos_shift} + {segment_bits}",
                    "jz 10f",
                    // rdx: access; rcx: the transition.
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
                    "jz 14f",
                    "add rcx, r9",
                    // r9: the new word, read before the rest is compared.
                    "mov r9, qword ptr [rcx + 24]",
                    "cmp rax, qword ptr [rcx]",
                    "jne 14f",
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
                    "jne 14f",
                    "cmp rax, qword ptr [rcx + 16]",
                    "jne 14f",
                    "cmp r9, qword ptr fs:[r11]",
                    "jb 14f",
                    "cmp qword ptr [rcx], 0",
                    "jne 11f",
                    "test r8, r8",
                    "jz 5f",
                    // Others' records are for the engine.
                    "mov rdx, r8",
                    "xor rdx, qword ptr fs:[r11]",
                    "shr rdx, {slot_shift}",
                    "jnz 15f",
                    // An own record of an earlier segment. dl: the bytes; do
                    // they contain the record's?
                    "bt r8, {cell_bit}",
                    "jc 3f",
                    "mov ecx, edi",
                    "and ecx, 7",
                    "mov edx, (1 << {size}) - 1",
                    "shl edx, cl",
                    "mov ecx, edx",
                    "or ecx, r8d",
                    "cmp cl, -1",
                    "jne 12f",
                    "mov ecx, r8d",
                    "shr ecx, 8",
                    "or ecx, 255 - {wrote}",
                    "cmp cl, -1",
                    "jne 12f",
                    // It goes; what is beside it stays, but under a write to
                    // all bytes.
                    "mov ecx, r8d",
                    "and ecx, {kept_beside}",
                    "or r9, rcx",
                    "mov qword ptr [rsi], r9",
                    "6: pop r10",
                    "pop r9",
                    "pop r8",
                    "pop rsi",
                    "pop rdx",
                    "pop rcx",
                    "pop rax",
                    "2: ret",
                    // This segment's record: what is beside it stays.
                    "10: mov rax, r8",
                    "and rax, {not_beside}",
                    "jmp 4b",
                    // A mark of the heap has nothing beside it.
                    "11: cmp r8w, -1",
                    "je 21f",
                    // A cell there is for the engine.
                    "mov ecx, r8d",
                    "and ecx, {besides}",
                    "cmp ecx, {besides}",
                    "je 14f",
                    "or r9, rcx",
                    "21: mov qword ptr [rsi], r9",
                    "jmp 6b",
                    // A first touch.
                    "5: xor eax, eax",
                    "lock cmpxchg qword ptr [rsi], r9",
                    "jz 6b",
                    "jmp 3f",
                    // The record still counts. rcx: the place beside.
                    "12: mov rcx, rsi",
                    "shr rcx, {region_shift}",
                    "mov rax, qword ptr [rip + {beside}]",
                    "mov rcx, qword ptr [rax + rcx * 8 - {first_region} * 8]",
                    "test rcx, rcx",
                    "jz 3f",
                    "add rcx, rsi",
                    "bt r8, {older_bit}",
                    "jnc 13f",
                    // rax: what is there; does the record make it superfluous?
                    "mov rax, qword ptr [rcx]",
                    "mov r10, rax",
                    "not r10",
                    "and r10, r8",
                    "test r10d, {masks}",
                    "jz 13f",
                    // Does this access?
                    "or edx, eax",
                    "cmp dl, -1",
                    "jne 3f",
                    "shr eax, 8",
                    "or eax, 255 - {wrote}",
                    "cmp al, -1",
                    "jne 3f",
                    "13: cmp r8, qword ptr [rsi]",
                    "jne 3f",
                    "and r8, {not_beside}",
                    "mov qword ptr [rcx], r8",
                    "bts r9, {older_bit}",
                    "mov qword ptr [rsi], r9",
                    "jmp 6b",
                    "7: test r8b, 1",
                    "jnz 22f",
                    "mov ecx, r9d",
                    "mov edx, (1 << {size}) - 1",
                    "shl edx, cl",
                    "shl edx, {mask_shift}",
                    "mov rax, {same_segment}",
                    "or rdx, rax",
                    "mov rcx, r8",
                    "shr rcx, {cell_size_shift}",
                    "and ecx, (1 << {cell_size_bits}) - 1",
                    "mov r10d, 1",
                    "shl r10d, cl",
                    "mov rcx, r8",
                    "shl rcx, {slot_bits}",
                    "shr rcx, {slot_bits} + {cell_index_shift}",
                    "shl rcx, 4",
                    "add rcx, qword ptr [rip + {cells}]",
                    "8: mov rax, qword ptr [rcx + r10 * 8 - 8]",
                    "sub rax, qword ptr fs:[r11]",
                    "test rax, rdx",
                    "jz 9f",
                    "dec r10d",
                    "jnz 8b",
                    "xor eax, eax",
                    "jmp 4b",
                    "9: cmp r8, qword ptr [rsi]",
                    "je 6b",
                    "jmp 14f",
                    // A granule that is only read: has the own plane the bytes
                    // in this segment? r10: the place there.
                    "22: mov edx, {wrote}",
                    "test edx, edx",
                    "jz 14f",
                    "test r8b, 2",
                    "jz 14f",
                    "mov r10, qword ptr fs:[r11 + {memo}]",
                    "test r10, r10",
                    "jz 14f",
                    "mov rcx, rsi",
                    "shr rcx, {plane_region_shift}",
                    "mov edx, ecx",
                    "and edx, {planes} - 1",
                    "shl edx, {plane_shift}",
                    "lea r10, [r10 + rdx + {planes_at}]",
                    "cmp rcx, qword ptr [r10]",
                    "jne 14f",
                    "test r8, qword ptr [r10 + 16]",
                    "jz 14f",
                    "mov r10, qword ptr [r10 + 8]",
                    "lea r10, [r10 + rsi * 2]",
                    "mov ecx, r9d",
                    "mov edx, (1 << {size}) - 1",
                    "shl edx, cl",
                    "mov rax, {same_segment}",
                    "or rdx, rax",
                    "mov rax, qword ptr [r10]",
                    "mov rcx, rax",
                    "sub rcx, qword ptr fs:[r11]",
                    "test rcx, rdx",
                    "jz 9b",
                    "bt rax, {older_bit}",
                    "mov eax, 0",
                    "jnc 4b",
                    "mov rcx, qword ptr [r10 + 8]",
                    "sub rcx, qword ptr fs:[r11]",
                    "test rcx, rdx",
                    "jz 9b",
                    "jmp 4b",
                    // The new record goes into the place of one that it makes
                    // superfluous, or into an empty one.
                    "23: mov r10, qword ptr fs:[r11 + {memo}]",
                    "mov rcx, rsi",
                    "shr rcx, {plane_region_shift}",
                    "and ecx, {planes} - 1",
                    "shl ecx, {plane_shift}",
                    "add r10, rcx",
                    "mov r10, qword ptr [r10 + {planes_at} + 8]",
                    "lea r10, [r10 + rsi * 2]",
                    "mov ecx, edi",
                    "and ecx, 7",
                    "mov edx, (1 << {size}) - 1",
                    "shl edx, cl",
                    "mov rax, qword ptr [r10]",
                    "mov ecx, eax",
                    "or ecx, edx",
                    "cmp cl, -1",
                    "jne 24f",
                    "and eax, {besides}",
                    "or rax, r9",
                    "mov qword ptr [r10], rax",
                    "cmp r8, qword ptr [rsi]",
                    "je 6b",
                    "jmp 3f",
                    "24: bts rax, {older_bit}",
                    "jnc 25f",
                    "mov ecx, dword ptr [r10 + 8]",
                    "or ecx, edx",
                    "cmp cl, -1",
                    "jne 3f",
                    // What is left of the first.
                    "25: or rax, rdx",
                    "mov qword ptr [r10 + 8], r9",
                    "mov qword ptr [r10], rax",
                    "cmp r8, qword ptr [rsi]",
                    "je 6b",
                    "jmp 3f",
                    // A read of a granule with a cell whose other records are
                    // all reads: the own record that it makes superfluous is
                    // replaced in its place. All else is for the engine.
                    "15: mov edx, {wrote}",
                    "test edx, edx",
                    "jz 3f",
                    "mov rdx, r8",
                    "shr rdx, {slot_shift}",
                    "cmp edx, {cell_slot}",
                    "jne 3f",
                    "test r8b, 1",
                    "jnz 23b",
                    "push rbx",
                    "push rbp",
                    // bl: the bytes; r10: records left; rcx: the cell.
                    "mov ecx, edi",
                    "and ecx, 7",
                    "mov ebx, (1 << {size}) - 1",
                    "shl ebx, cl",
                    "mov rcx, r8",
                    "shr rcx, {cell_size_shift}",
                    "and ecx, (1 << {cell_size_bits}) - 1",
                    "mov r10d, 1",
                    "shl r10d, cl",
                    "mov rcx, r8",
                    "shl rcx, {slot_bits}",
                    "shr rcx, {slot_bits} + {cell_index_shift}",
                    "shl rcx, 4",
                    "add rcx, qword ptr [rip + {cells}]",
                    // rdx: the own record's place.
                    "xor edx, edx",
                    "16: mov rax, qword ptr [rcx + r10 * 8 - 8]",
                    "test rax, rax",
                    "jz 18f",
                    "mov rbp, rax",
                    "xor rbp, qword ptr fs:[r11]",
                    "shr rbp, {slot_shift}",
                    "jz 17f",
                    "mov ebp, eax",
                    "shr ebp, 8",
                    "cmp bpl, -1",
                    "jne 19f",
                    "jmp 18f",
                    // Own: bytes in common, of an earlier segment, none but
                    // these, not written?
                    "17: mov ebp, eax",
                    "not ebp",
                    "test bpl, bl",
                    "jz 18f",
                    "mov rbp, rax",
                    "sub rbp, qword ptr fs:[r11]",
                    "shr rbp, {pos_shift} + {segment_bits}",
                    "jz 19f",
                    "mov ebp, eax",
                    "or ebp, ebx",
                    "cmp bpl, -1",
                    "jne 19f",
                    "mov ebp, eax",
                    "shr ebp, 8",
                    "cmp bpl, -1",
                    "jne 19f",
                    "lea rdx, [rcx + r10 * 8 - 8]",
                    "18: dec r10d",
                    "jnz 16b",
                    "test rdx, rdx",
                    "jz 19f",
                    // Still own, and the cell not locked?
                    "mov rax, qword ptr [rdx]",
                    "mov rbp, rax",
                    "xor rbp, qword ptr fs:[r11]",
                    "shr rbp, {slot_shift}",
                    "jnz 19f",
                    "bt eax, {older_bit}",
                    "jc 19f",
                    "mov r10, rax",
                    "lock cmpxchg qword ptr [rdx], r9",
                    "jnz 19f",
                    "pop rbp",
                    "pop rbx",
                    "cmp r8, qword ptr [rsi]",
                    "je 6b",
                    // The cell has become another granule's: take it back.
                    "20: mov rax, r9",
                    "lock cmpxchg qword ptr [rdx], r10",
                    "jz 14f",
                    "btc rax, {older_bit}",
                    "cmp rax, r9",
                    "jne 14f",
                    "pause",
                    "jmp 20b",
                    "19: pop rbp",
                    "pop rbx",
                    "jmp 3f",
                    // r9: the record of this access, if it is known.
                    "14: xor r9d, r9d",
                    "3: push rdi",
                    "push rbp",
                    "mov rbp, rsp",
                    "and rsp, -16",
                    "mov rsi, qword ptr [rbp + 72]",
                    "mov rdx, r9",
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
                    older_bit = const OLDER.trailing_zeros(),
                    cell_bit = const OLDER_CELL.trailing_zeros(),
                    besides = const OLDER | OLDER_CELL,
                    not_beside = const !(OLDER | OLDER_CELL) as i64,
                    kept_beside = const if $write && $size == 8 { 0 } else { OLDER },
                    masks = const 0xff << WRITTEN_SHIFT | 0xff | ATOMIC,
                    segment_bits = const SEGMENT_BITS,
                    beside = sym crate::shadow::beside::TABLE,
                    region_shift = const crate::shadow::beside::REGION_SHIFT,
                    first_region = const crate::shadow::beside::FIRST,
                    address_bits = const crate::log::memo::ADDRESS_BITS,
                    size_memo = const crate::log::memo::SIZE,
                    memo = const tls::MEMO,
                    planes = const crate::log::memo::PLANES,
                    planes_at = const crate::log::memo::PLANES_AT,
                    plane_shift = const crate::shadow::planes::PLANE_SHIFT,
                    plane_region_shift = const crate::shadow::planes::REGION_SHIFT,
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
