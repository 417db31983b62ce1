//! What Qt calls for a program: lambdas and the like, in objects that count
//! their users.
//!
//! The counts are changed by the library. Whoever uses an object last destroys
//! it, which comes after all its calls. Programs compare the objects' functions
//! through themselves only, so these get thunks.

use super::Pointer;
use crate::intercept::hook;
use crate::intercept::thunks::{SIZE, Thunks};
use crate::sync::semaphore;
use core::ffi::c_int;

/// Kinds of such objects that can have a thunk.
const KINDS: usize = 4096;

static FUNCTIONS: Thunks<KINDS> = Thunks::new();

type Function = unsafe extern "C" fn(c_int, *mut Slot, Pointer, Pointer, Pointer);

/// A `QSlotObjectBase`.
#[repr(C)]
pub(super) struct Slot {
    users: c_int,
    function: usize,
}

/// What an object can be asked for.
const DESTROY: c_int = 0;
const CALL: c_int = 1;

// The number of the thunk is one more argument.
#[cfg(not(test))]
core::arch::global_asm!(
    ".pushsection .text.racert_qt_thunks,\"ax\",@progbits",
    ".p2align 4",
    ".hidden __racert_qt_thunks",
    ".globl __racert_qt_thunks",
    "__racert_qt_thunks:",
    ".set racert_qt_thunk, 0",
    ".rept {kinds}",
    ".p2align 4",
    "mov r9d, racert_qt_thunk",
    "jmp {called}",
    ".set racert_qt_thunk, racert_qt_thunk + 1",
    ".endr",
    ".popsection",
    kinds = const KINDS,
    called = sym called,
);
const _: () = assert!(SIZE == 16);

#[cfg(not(test))]
unsafe extern "C" {
    #[link_name = "__racert_qt_thunks"]
    static FIRST: u8;
}

/// An object of kind number `index` is asked for something.
#[cfg_attr(test, expect(dead_code, reason = "tests have no thunks"))]
unsafe extern "C" fn called(
    what: c_int,
    slot: *mut Slot,
    receiver: Pointer,
    arguments: Pointer,
    result: Pointer,
    index: usize,
) {
    let function = core::ptr::with_exposed_provenance::<()>(FUNCTIONS.get(index & (KINDS - 1)));
    if what == DESTROY {
        hook(|| semaphore::waited(slot.addr(), 0));
    }
    // SAFETY: the library's own arguments for the function of that kind.
    unsafe {
        let function = core::mem::transmute::<*const (), Function>(function);
        function(what, slot, receiver, arguments, result);
    }
    if what == CALL {
        hook(|| semaphore::posting(slot.addr(), 0));
    }
}

/// The library gets an object.
///
/// # Safety
/// It must be one that nobody else uses, or null.
pub(super) unsafe fn given(slot: *mut Slot) {
    #[cfg(not(test))]
    let first = (&raw const FIRST).addr();
    #[cfg(test)]
    let first = 1 << 20;
    if !slot.is_null() {
        // SAFETY: passed on.
        unsafe { (*slot).function = FUNCTIONS.of((*slot).function, first) };
    }
}
