//! `setjmp` and `longjmp`.
//!
//! Objects instrumented for ThreadSanitizer expect the runtime to put the
//! shadow call stack right after a jump; racert's own do it themselves, to the
//! same effect. `setjmp` returns twice, so its stub leaves the stack as it
//! found it and continues in libc's function.

use super::hook;
use super::next::next;
use super::stub::interceptors;
use crate::thread;
use core::ffi::{c_int, c_void};

type Buffer = *mut c_void;

next! {
    SETJMP = c"setjmp": fn(Buffer) -> c_int;
    PLAIN_SETJMP = c"_setjmp": fn(Buffer) -> c_int;
    SIGSETJMP = c"__sigsetjmp": fn(Buffer, c_int) -> c_int;
    LONGJMP = c"longjmp": fn(Buffer, c_int) -> !;
    PLAIN_LONGJMP = c"_longjmp": fn(Buffer, c_int) -> !;
    SIGLONGJMP = c"siglongjmp": fn(Buffer, c_int) -> !;
    CHECKED_LONGJMP = c"__longjmp_chk": fn(Buffer, c_int) -> !;
}

interceptors! {
    "longjmp" => longjmp,
    "_longjmp" => plain_longjmp,
    "siglongjmp" => siglongjmp,
    "__longjmp_chk" => checked_longjmp,
}

/// Exports a stub that calls a function with the buffer and the stack pointer,
/// and jumps where that says.
macro_rules! returning_twice {
    ($($name:literal => $note:path),+ $(,)?) => {
        $(
            #[cfg(not(test))]
            core::arch::global_asm!(
                concat!(".pushsection .text.", $name, ",\"ax\",@progbits"),
                ".p2align 4",
                concat!(".weak ", $name),
                concat!(".type ", $name, ", @function"),
                concat!($name, ":"),
                "push rdi",
                "push rsi",
                "sub rsp, 8",
                "lea rsi, [rsp + 24]",
                "call {note}",
                "add rsp, 8",
                "pop rsi",
                "pop rdi",
                "jmp rax",
                concat!(".size ", $name, ", . - ", $name),
                ".popsection",
                note = sym $note,
            );
        )+
    };
}

returning_twice! {
    "setjmp" => note_setjmp,
    "_setjmp" => note_plain_setjmp,
    "__sigsetjmp" => note_sigsetjmp,
}

fn note(buffer: usize, sp: usize) {
    hook(|| {
        if let Some(me) = thread::current() {
            me.note_place(buffer, sp);
        }
    });
}

#[cfg_attr(test, expect(dead_code, reason = "tests do not export stubs"))]
unsafe extern "C" fn note_setjmp(buffer: usize, sp: usize) -> *const c_void {
    note(buffer, sp);
    SETJMP.get() as *const c_void
}

#[cfg_attr(test, expect(dead_code, reason = "tests do not export stubs"))]
unsafe extern "C" fn note_plain_setjmp(buffer: usize, sp: usize) -> *const c_void {
    note(buffer, sp);
    PLAIN_SETJMP.get() as *const c_void
}

#[cfg_attr(test, expect(dead_code, reason = "tests do not export stubs"))]
unsafe extern "C" fn note_sigsetjmp(buffer: usize, sp: usize) -> *const c_void {
    note(buffer, sp);
    SIGSETJMP.get() as *const c_void
}

fn leaving(buffer: Buffer) {
    hook(|| {
        if let Some(me) = thread::current() {
            me.jump_to(buffer as usize);
        }
    });
}

unsafe extern "C" fn longjmp(buffer: Buffer, value: c_int) -> ! {
    leaving(buffer);
    // SAFETY: the program's own call.
    unsafe { LONGJMP.get()(buffer, value) }
}

unsafe extern "C" fn plain_longjmp(buffer: Buffer, value: c_int) -> ! {
    leaving(buffer);
    // SAFETY: as above.
    unsafe { PLAIN_LONGJMP.get()(buffer, value) }
}

unsafe extern "C" fn siglongjmp(buffer: Buffer, value: c_int) -> ! {
    leaving(buffer);
    // SAFETY: as above.
    unsafe { SIGLONGJMP.get()(buffer, value) }
}

unsafe extern "C" fn checked_longjmp(buffer: Buffer, value: c_int) -> ! {
    leaving(buffer);
    // SAFETY: as above.
    unsafe { CHECKED_LONGJMP.get()(buffer, value) }
}
