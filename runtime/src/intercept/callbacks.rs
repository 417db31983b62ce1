//! Callbacks that somebody else calls later, in whatever thread.
//!
//! They are of many types, and their data is how programs find their own things
//! again, so neither is replaced: a callback gets a *thunk*, a few instructions
//! that make the order and continue in the callback with every argument
//! untouched.

use super::hook;
use crate::sync::semaphore;
use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering};

type Pointer = *mut c_void;

/// Callbacks that can have a thunk. What comes when all are used is called as
/// it is.
const THUNKS: usize = 1024;
/// Bytes of code of each thunk.
const SIZE: usize = 16;

/// The callbacks by thunk. Its address also stands for the order they make.
static CALLBACKS: [AtomicUsize; THUNKS] = [const { AtomicUsize::new(0) }; THUNKS];

#[cfg(not(test))]
core::arch::global_asm!(
    ".pushsection .text.racert_thunks,\"ax\",@progbits",
    ".p2align 4",
    ".hidden __racert_thunks",
    ".globl __racert_thunks",
    "__racert_thunks:",
    ".set racert_thunk, 0",
    ".rept {thunks}",
    ".p2align 4",
    "mov r11d, racert_thunk",
    "jmp 2f",
    ".set racert_thunk, racert_thunk + 1",
    ".endr",
    ".p2align 4",
    "2:",
    "push rdi",
    "push rsi",
    "push rdx",
    "push rcx",
    "push r8",
    "push r9",
    "push r11",
    "mov edi, r11d",
    "call {called}",
    "pop r11",
    "pop r9",
    "pop r8",
    "pop rcx",
    "pop rdx",
    "pop rsi",
    "pop rdi",
    "jmp rax",
    ".popsection",
    thunks = const THUNKS,
    called = sym called,
);

#[cfg(not(test))]
unsafe extern "C" {
    #[link_name = "__racert_thunks"]
    static FIRST: u8;
}

/// The address of the thunk with number `index`.
fn code(index: usize) -> usize {
    #[cfg(not(test))]
    let first = (&raw const FIRST).addr();
    #[cfg(test)]
    let first = 1 << 20;
    first + index * SIZE
}

/// Thunk number `index` was called; returns where it continues.
#[cfg_attr(test, expect(dead_code, reason = "tests have no thunks"))]
extern "C" fn called(index: usize) -> usize {
    hook(|| semaphore::waited((&raw const CALLBACKS).addr(), 0));
    CALLBACKS[index % THUNKS].load(Ordering::Acquire)
}

/// What comes before now comes before callbacks that are called from now on.
pub(super) fn sends() {
    hook(|| semaphore::posting((&raw const CALLBACKS).addr(), 0));
}

/// The thunk of `callback`, or itself.
pub(super) fn thunk(callback: Pointer) -> Pointer {
    let address = callback.addr();
    let is_thunk = (code(0)..code(THUNKS)).contains(&address);
    if callback.is_null() || is_thunk {
        return callback;
    }
    let first = (address >> 4).wrapping_mul(0x9e37_79b9) >> 7;
    for step in 0..THUNKS {
        let index = first.wrapping_add(step) % THUNKS;
        let entry = &CALLBACKS[index];
        let known = match entry.load(Ordering::Acquire) {
            0 => entry
                .compare_exchange(0, address, Ordering::AcqRel, Ordering::Acquire)
                .unwrap_or_else(|other| other),
            known => known,
        };
        if known == address || known == 0 {
            return core::ptr::with_exposed_provenance_mut(code(index));
        }
    }
    callback
}

/// The thunk of a callback that is about to be given to who calls it later.
pub(super) fn given(callback: Pointer) -> Pointer {
    sends();
    thunk(callback)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr::{null_mut, with_exposed_provenance_mut};

    #[test]
    fn a_callback_has_one_thunk_and_a_thunk_none() {
        let callback = with_exposed_provenance_mut(0x4242_4240);
        let once = thunk(callback);
        assert_ne!(once, callback);
        assert_eq!(thunk(callback), once);
        assert_eq!(thunk(once), once);
        assert!(thunk(null_mut()).is_null());
        let other = with_exposed_provenance_mut(0x4242_4250);
        assert_ne!(thunk(other), once);
    }
}
