//! Copying, filling and comparing memory.
//!
//! The compiler calls these functions as it likes, for the runtime's own code
//! as well, from the first instruction on: until libc's are found, instructions
//! of the processor stand in for them. Instrumented code has entry points of
//! its own for the first three (see [`crate::entry`]); the calls that arrive
//! here come from libraries, or are copies of memory that nobody else can see.

use super::library::{Call, is_watched};
use super::next::next;
use super::stub::{code_of, interceptors};
use super::{Pc, caller, callers};
use core::arch::asm;
use core::ffi::{c_int, c_void};

type To = *mut c_void;
type From = *const c_void;

next! {
    MEMCPY = c"memcpy": fn(To, From, usize) -> To;
    MEMMOVE = c"memmove": fn(To, From, usize) -> To;
    MEMSET = c"memset": fn(To, c_int, usize) -> To;
    MEMCMP = c"memcmp": fn(From, From, usize) -> c_int;
}

interceptors! {
    "memcpy" => memcpy,
    "memmove" => memmove,
    "memset" => memset,
    "memcmp" => memcmp,
    "bcmp" => bcmp,
}

/// Copies as `memcpy` does, past the interceptor.
///
/// # Safety
/// As that function.
#[inline(always)]
pub unsafe fn copy(to: To, from: From, len: usize) -> To {
    match MEMCPY.known() {
        // SAFETY: passed on.
        Some(real) => unsafe { real(to, from, len) },
        // SAFETY: passed on.
        None => unsafe { copy_forward(to, from, len) },
    }
}

/// Copies as `memmove` does, past the interceptor.
///
/// # Safety
/// As that function.
#[inline(always)]
pub unsafe fn shift(to: To, from: From, len: usize) -> To {
    match MEMMOVE.known() {
        // SAFETY: passed on.
        Some(real) => unsafe { real(to, from, len) },
        None if to.addr().wrapping_sub(from.addr()) >= len => {
            // SAFETY: the first bytes are read before they are overwritten.
            unsafe { copy_forward(to, from, len) }
        }
        // SAFETY: passed on.
        None => unsafe { copy_backward(to, from, len) },
    }
}

/// Fills as `memset` does, past the interceptor.
///
/// # Safety
/// As that function.
#[inline(always)]
pub unsafe fn fill(to: To, value: c_int, len: usize) -> To {
    match MEMSET.known() {
        // SAFETY: passed on.
        Some(real) => unsafe { real(to, value, len) },
        // SAFETY: passed on.
        None => unsafe {
            asm!("rep stosb", inout("rcx") len => _, inout("rdi") to => _, in("al") value as u8,
                options(nostack, preserves_flags));
            to
        },
    }
}

#[cold]
unsafe fn copy_forward(to: To, from: From, len: usize) -> To {
    // SAFETY: passed on.
    unsafe {
        asm!("rep movsb", inout("rcx") len => _, inout("rdi") to => _, inout("rsi") from => _,
            options(nostack, preserves_flags));
    }
    to
}

#[cold]
unsafe fn copy_backward(to: To, from: From, len: usize) -> To {
    // SAFETY: passed on.
    unsafe {
        asm!("std", "rep movsb", "cld",
            inout("rcx") len => _,
            inout("rdi") to.cast::<u8>().wrapping_add(len).wrapping_sub(1) => _,
            inout("rsi") from.cast::<u8>().wrapping_add(len).wrapping_sub(1) => _,
            options(nostack));
    }
    to
}

/// Compares as `memcmp` does, past the interceptor.
#[inline(always)]
unsafe fn compare(a: From, b: From, len: usize) -> c_int {
    if let Some(real) = MEMCMP.known() {
        // SAFETY: passed on.
        return unsafe { real(a, b, len) };
    }
    // SAFETY: passed on.
    unsafe { compare_bytes(a.cast(), b.cast(), len) }
}

#[cold]
unsafe fn compare_bytes(a: *const u8, b: *const u8, len: usize) -> c_int {
    for i in 0..len {
        // Volatile, or the compiler may take this for a call of itself.
        // SAFETY: passed on.
        let (a, b) = unsafe { (a.add(i).read_volatile(), b.add(i).read_volatile()) };
        if a != b {
            return c_int::from(a) - c_int::from(b);
        }
    }
    0
}

#[inline(never)]
fn check_copy(pc: Pc, function: usize, to: To, from: From, len: usize) {
    Call::new(pc, function).check(|touches| {
        touches.reads(from, len);
        touches.writes(to, len);
    });
}

#[inline(never)]
fn check_fill(pc: Pc, function: usize, to: To, len: usize) {
    Call::new(pc, function).writes(to, len);
}

/// Both are read as far as the answer depends on them.
#[inline(never)]
fn check_compare(pc: Pc, function: usize, a: From, b: From, len: usize) {
    Call::new(pc, function).check(|touches| {
        let (a, b): (*const u8, *const u8) = (a.cast(), b.cast());
        // SAFETY: the program has these compared.
        let same = (0..len).take_while(|i| unsafe { *a.add(*i) == *b.add(*i) });
        let read = (same.count() + 1).min(len);
        touches.reads(a, read);
        touches.reads(b, read);
    });
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn memcpy(to: To, from: From, len: usize) -> To {
    let pc = caller();
    if is_watched() && !callers::is_instrumented(pc) {
        check_copy(pc, code_of!("memcpy"), to, from, len);
    }
    // SAFETY: see above.
    unsafe { copy(to, from, len) }
}

unsafe extern "C" fn memmove(to: To, from: From, len: usize) -> To {
    let pc = caller();
    if is_watched() && !callers::is_instrumented(pc) {
        check_copy(pc, code_of!("memmove"), to, from, len);
    }
    // SAFETY: see above.
    unsafe { shift(to, from, len) }
}

unsafe extern "C" fn memset(to: To, value: c_int, len: usize) -> To {
    let pc = caller();
    if is_watched() && !callers::is_instrumented(pc) {
        check_fill(pc, code_of!("memset"), to, len);
    }
    // SAFETY: see above.
    unsafe { fill(to, value, len) }
}

unsafe extern "C" fn memcmp(a: From, b: From, len: usize) -> c_int {
    let pc = caller();
    if is_watched() {
        check_compare(pc, code_of!("memcmp"), a, b, len);
    }
    // SAFETY: see above.
    unsafe { compare(a, b, len) }
}

unsafe extern "C" fn bcmp(a: From, b: From, len: usize) -> c_int {
    let pc = caller();
    if is_watched() {
        check_compare(pc, code_of!("bcmp"), a, b, len);
    }
    // SAFETY: see above.
    unsafe { compare(a, b, len) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_do_what_libc_does() {
        let mut buffer = *b"0123456789";
        let at = buffer.as_mut_ptr();
        // SAFETY: all within the buffer.
        unsafe {
            copy_backward(at.add(2).cast(), at.cast(), 5);
            assert_eq!(&buffer, b"0101234789");
            copy_forward(at.cast(), at.add(2).cast(), 5);
            assert_eq!(&buffer, b"0123434789");
            assert_eq!(compare_bytes(at, at.add(4), 2), -4);
            assert_eq!(compare_bytes(at.add(3), at.add(5), 1), 0);
            fill(at.cast(), i32::from(b'x'), 3);
        }
        assert_eq!(&buffer, b"xxx3434789");
    }
}
