//! Callbacks that somebody else calls later, in whatever thread.
//!
//! They are of many types, and their data is how programs find their own things
//! again, so neither is replaced: a callback gets a thunk, which makes the order
//! and continues in the callback with every argument untouched.

use super::hook;
use super::thunks::{SIZE, Thunks};
use crate::sync::semaphore;
use core::ffi::c_void;

type Pointer = *mut c_void;

/// Callbacks that can have a thunk.
const THUNKS: usize = 1024;

/// The callbacks by thunk. Its address also stands for the order they make.
static CALLBACKS: Thunks<THUNKS> = Thunks::new();

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
const _: () = assert!(SIZE == 16);

#[cfg(not(test))]
unsafe extern "C" {
    #[link_name = "__racert_thunks"]
    static FIRST: u8;
}

/// Thunk number `index` was called; returns where it continues.
#[cfg_attr(test, expect(dead_code, reason = "tests have no thunks"))]
extern "C" fn called(index: usize) -> usize {
    hook(|| semaphore::waited((&raw const CALLBACKS).addr(), 0));
    CALLBACKS.get(index)
}

/// What comes before now comes before callbacks that are called from now on.
pub(super) fn sends() {
    hook(|| semaphore::posting((&raw const CALLBACKS).addr(), 0));
}

/// The thunk of `callback`, or itself.
pub(super) fn thunk(callback: Pointer) -> Pointer {
    #[cfg(not(test))]
    let first = (&raw const FIRST).addr();
    #[cfg(test)]
    let first = 1 << 20;
    core::ptr::with_exposed_provenance_mut(CALLBACKS.of(callback.addr(), first))
}

/// The thunk of a callback that is about to be given to who calls it later.
pub(super) fn given(callback: Pointer) -> Pointer {
    sends();
    thunk(callback)
}
