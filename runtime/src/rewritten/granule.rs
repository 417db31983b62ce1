//! What an access from a known place does to its granule, in assembly.
//!
//! It is what [`super::repeat`] does, as far as the place is known and the
//! granule nobody's, the thread's own, or only read.

use super::places::{BITS, GOES_ON, HASH, Place};
use crate::log::Writer;
use crate::log::entry;
use crate::shadow::beside;
use crate::shadow::word::Word;
use core::arch::naked_asm;
use core::mem::offset_of;
use racert_abi::word::{ATOMIC, OLDER, OLDER_CELL, POS_SHIFT, SEGMENT_BITS, SLOT_BITS, SLOT_SHIFT};

/// Does to a granule what [`super::repeat::touch_own`] does; `eax` is 0 if that
/// has to, else 1.
///
/// In: `rsi` the granule's word; `r12d` the bytes of the touch, and once more
/// from bit 8 on if it writes; `edx` its [`racert_abi::rewritten::kind`];
/// `r13d` the context; `r14` which check, and the offset in the granule, as in
/// [`Place`]; `rbx` the places; `r10` the [`Writer`] of the log; `r11` the
/// first word of the current segment. Keeps `rdx`, `rsi`, `r10` to `r12`,
/// `r15`, `rbp`.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn touch() {
    naked_asm!(
        "mov r8, qword ptr [rsi]",
        "test r8, r8",
        "jz 20f",
        // Only the thread's own records; no mark of the heap.
        "mov rax, r8",
        "xor rax, r11",
        "shr rax, {slot_shift}",
        "jnz 9f",
        "cmp r8w, -1",
        "je 9f",
        // Does the touch make the record superfluous?
        "mov eax, r8d",
        "or eax, r12d",
        "cmp ax, -1",
        "je 10f",
        "mov rax, r8",
        "sub rax, r11",
        "shr rax, {pos_shift} + {segment_bits}",
        "jnz 10f",
        // This segment's record goes on.
        "bt r8d, {atomic_bit}",
        "jc 9f",
        "test r8d, r12d",
        "jz 8f",
        "bts r14, {goes_on}",
        "jmp 20f",
        // A cell beside it is for the engine.
        "10: mov eax, r8d",
        "not eax",
        "test eax, {besides}",
        "jz 9f",
        // rbx: the place; r9: its record.
        "20: mov rax, r13",
        "shl rax, 24",
        "xor rax, r14",
        "mov rcx, {hash}",
        "imul rax, rcx",
        "shr rax, 64 - {bits}",
        "shl eax, {place_shift}",
        "add rbx, rax",
        "cmp r14, qword ptr [rbx + {access}]",
        "jne 9f",
        "cmp r13d, dword ptr [rbx + {context}]",
        "jne 9f",
        "mov r9, qword ptr [rbx + {new}]",
        "bt r14, {goes_on}",
        "jc 40f",
        "mov rax, r9",
        "sub rax, r11",
        "shr rax, {pos_shift} + {segment_bits}",
        "jz 30f",
        "mov r9d, r12d",
        "xor r9d, 0xffff",
        "xor edi, edi",
        // Appends to the log. r9: the new record's bytes; rdi: the distance
        // of the entry.
        "21: mov rax, qword ptr [r10 + {log_end}]",
        "lea ecx, [rax + 1]",
        "test ecx, {chunk} - 1",
        "jz 9f",
        "mov rcx, qword ptr [r10 + {log_chunk}]",
        "test rcx, rcx",
        "jz 9f",
        "mov r13, r11",
        "shr r13, {slot_shift}",
        "shl r13, {slot_shift} - {pos_shift}",
        "or r13, rax",
        "shl r13, {pos_shift}",
        "or r9, r13",
        "sub r13, r11",
        "shr r13, {pos_shift}",
        "cmp r13, {segment_limit}",
        "ja 9f",
        "and eax, {chunk} - 1",
        "mov r13d, dword ptr [rbx + {stack}]",
        "shl r13, {stack_shift}",
        "or r13, rdi",
        "movzx edi, r12b",
        "shl edi, {bytes_shift}",
        "or r13, rdi",
        "movzx edi, dx",
        "dec edi",
        "shl edi, {unit_shift}",
        "or r13, rdi",
        "mov edi, edx",
        "shr edi, 16",
        "or r13, rdi",
        "mov qword ptr [rcx + rax * 8], r13",
        "inc qword ptr [r10 + {log_end}]",
        "mov qword ptr [rbx + {new}], r9",
        "bt r14, {goes_on}",
        "jc 41f",
        // r9: the record of the touch alone.
        "30: test r8, r8",
        "jz 32f",
        "mov eax, r8d",
        "or eax, r12d",
        "cmp ax, -1",
        "jne 50f",
        // What is beside the old one stays, but under a write to all bytes.
        "mov ecx, r8d",
        "and ecx, {besides}",
        "xor eax, eax",
        "cmp r12w, -1",
        "cmove ecx, eax",
        "or r9, rcx",
        "31: cmp r8, qword ptr [rsi]",
        "jne 9f",
        "mov qword ptr [rsi], r9",
        "8: mov eax, 1",
        "ret",
        "9: xor eax, eax",
        "ret",
        "32: xor eax, eax",
        "lock cmpxchg qword ptr [rsi], r9",
        "jne 9b",
        "jmp 8b",
        // On top of this segment's record, which is rcx.
        "40: mov rcx, {not_beside}",
        "and rcx, r8",
        "cmp rcx, qword ptr [rbx + {old}]",
        "jne 42f",
        "mov rax, r9",
        "sub rax, r11",
        "shr rax, {pos_shift} + {segment_bits}",
        "jz 43f",
        "42: shl rcx, {slot_bits}",
        "shr rcx, {slot_bits} + {pos_shift}",
        "mov rdi, qword ptr [r10 + {log_end}]",
        "sub rdi, rcx",
        "cmp rdi, {furthest}",
        "ja 9b",
        "shl edi, {distance_shift}",
        "mov r9d, r12d",
        "not r9d",
        "and r9d, r8d",
        "movzx r9d, r9w",
        "jmp 21b",
        "41: mov rcx, {not_beside}",
        "and rcx, r8",
        "mov qword ptr [rbx + {old}], rcx",
        "43: mov ecx, r8d",
        "and ecx, {besides}",
        "or r9, rcx",
        "cmp ecx, {besides}",
        "jne 31b",
        "mov rax, r8",
        "lock cmpxchg qword ptr [rsi], r9",
        "jne 9b",
        "jmp 8b",
        // The record still counts. rcx: the place beside.
        "50: mov rcx, rsi",
        "shr rcx, {region_shift}",
        "mov rax, qword ptr [rip + {beside}]",
        "mov rcx, qword ptr [rax + rcx * 8 - {first_region} * 8]",
        "test rcx, rcx",
        "jz 9b",
        "add rcx, rsi",
        "test r8d, {besides}",
        "jz 53f",
        // Under a write to all bytes nothing counts.
        "test r8d, {masks}",
        "jz 53f",
        "mov rax, qword ptr [rcx]",
        "bt r8d, {cell_bit}",
        "jc 51f",
        // rax: what is there; does the record, or the touch, make it
        // superfluous?
        "mov rdi, rax",
        "not rdi",
        "and rdi, r8",
        "test edi, {masks}",
        "jz 53f",
        "or eax, r12d",
        "cmp ax, -1",
        "je 53f",
        // Both count: the record goes into the second place.
        "52: cmp r8, qword ptr [rsi]",
        "jne 9b",
        "mov rdi, {not_beside}",
        "and r8, rdi",
        "mov qword ptr [rcx + {next_place}], r8",
        "bts r9, {cell_bit}",
        "mov qword ptr [rsi], r9",
        "jmp 8b",
        // Two are there, rax and r13: is one of them superfluous?
        "51: mov r13, qword ptr [rcx + {next_place}]",
        "mov rdi, r13",
        "not rdi",
        "and rdi, r8",
        "test edi, {masks}",
        "jz 52b",
        "mov edi, r13d",
        "or edi, r12d",
        "cmp di, -1",
        "je 52b",
        "mov rdi, rax",
        "not rdi",
        "and rdi, r8",
        "test edi, {masks}",
        "jz 54f",
        "or eax, r12d",
        "cmp ax, -1",
        "jne 9b",
        "54: cmp r8, qword ptr [rsi]",
        "jne 9b",
        "mov qword ptr [rcx], r13",
        "jmp 52b",
        "53: cmp r8, qword ptr [rsi]",
        "jne 9b",
        "mov rdi, {not_beside}",
        "and r8, rdi",
        "mov qword ptr [rcx], r8",
        "bts r9, {older_bit}",
        "mov qword ptr [rsi], r9",
        "jmp 8b",
        slot_shift = const SLOT_SHIFT,
        slot_bits = const SLOT_BITS,
        pos_shift = const POS_SHIFT,
        segment_bits = const SEGMENT_BITS,
        segment_limit = const crate::recorder::SEGMENT_LIMIT,
        atomic_bit = const ATOMIC.trailing_zeros(),
        older_bit = const OLDER.trailing_zeros(),
        cell_bit = const OLDER_CELL.trailing_zeros(),
        besides = const OLDER | OLDER_CELL,
        not_beside = const !(OLDER | OLDER_CELL) as i64,
        masks = const Word::MASKS,
        hash = const HASH as i64,
        bits = const BITS,
        goes_on = const GOES_ON,
        place_shift = const size_of::<Place>().trailing_zeros(),
        access = const offset_of!(Place, access),
        context = const offset_of!(Place, context),
        stack = const offset_of!(Place, stack),
        old = const offset_of!(Place, old),
        new = const offset_of!(Place, new),
        log_end = const Writer::END,
        log_chunk = const Writer::CHUNK,
        chunk = const crate::log::CHUNK,
        stack_shift = const entry::STACK_SHIFT,
        distance_shift = const entry::DISTANCE_SHIFT,
        furthest = const entry::MAX_DISTANCE,
        bytes_shift = const entry::BYTES_SHIFT,
        unit_shift = const entry::UNIT_SHIFT,
        beside = sym beside::TABLE,
        next_place = const beside::NEXT,
        region_shift = const beside::REGION_SHIFT,
        first_region = const beside::FIRST,
    )
}

/// Calls [`touch`] as [`super::known`] does.
#[cfg(test)]
pub(crate) fn touch_known(
    places: &super::places::Places,
    recorder: &mut crate::recorder::Recorder,
    word: &core::sync::atomic::AtomicU64,
    touched: crate::shadow::word::Touch,
    check: usize,
    context: u32,
) -> bool {
    use racert_abi::rewritten::kind;
    let bytes = u32::from(touched.bytes);
    let offset = u64::from(touched.bytes.trailing_zeros());
    let operation = if touched.write {
        kind::WRITE
    } else {
        kind::READ
    };
    let done: u32;
    // SAFETY: what the function asks for; `rbx` is not ours to name.
    unsafe {
        core::arch::asm!(
            "xchg rbx, r15",
            "call {touch}",
            "xchg rbx, r15",
            touch = sym touch,
            in("rsi") word,
            inout("r12") (if touched.write { bytes << 8 | bytes } else { bytes }) => _,
            in("edx") kind::code(operation, bytes.count_ones()),
            inout("r13") u64::from(context) => _,
            inout("r14") check as u64 | offset << crate::log::memo::ADDRESS_BITS => _,
            inout("r15") places.table() => _,
            in("r10") &raw mut recorder.log,
            in("r11") recorder.current(),
            out("eax") done,
            out("rcx") _,
            out("rdi") _,
            out("r8") _,
            out("r9") _,
        );
    }
    done != 0
}
