//! Contexts that a program switches between by itself.
//!
//! A thread stays the same whichever context it runs, but each context calls
//! functions of its own: it gets a shadow call stack of its own, and finds it
//! as it left it.

use super::hook;
use super::next::next;
use super::stub::interceptors;
use crate::spin::SpinLock;
use crate::thread::{self, fiber};
use crate::tls::{self, Frame};
use alloc::collections::BTreeMap;
use core::ffi::{c_int, c_void};

type Context = *mut c_void;

next! {
    MAKE = c"makecontext": fn(Context) -> ();
    SWAP = c"swapcontext": fn(Context, Context) -> c_int;
    SET = c"setcontext": fn(Context) -> c_int;
}

interceptors! {
    "swapcontext" => swap,
    "setcontext" => set,
}

// Takes as many arguments as the context's function has: notes the first and
// leaves all as they are.
#[cfg(not(test))]
core::arch::global_asm!(
    ".pushsection .text.makecontext,\"ax\",@progbits",
    ".p2align 4",
    ".weak makecontext",
    ".type makecontext, @function",
    "makecontext:",
    "push rdi",
    "push rsi",
    "push rdx",
    "push rcx",
    "push r8",
    "push r9",
    "push rax",
    "call {note}",
    "mov r11, rax",
    "pop rax",
    "pop r9",
    "pop r8",
    "pop rcx",
    "pop rdx",
    "pop rsi",
    "pop rdi",
    "jmp r11",
    ".size makecontext, . - makecontext",
    ".popsection",
    note = sym note,
);

/// A context that was made.
struct Made {
    /// The bottom of its shadow call stack.
    bottom: usize,
    /// Has it not begun yet?
    fresh: bool,
}

/// By address: a context made anew takes over what the old one had.
static MADE: SpinLock<BTreeMap<usize, Made>> = SpinLock::new(BTreeMap::new());

#[cfg_attr(test, expect(dead_code, reason = "tests do not export stubs"))]
unsafe extern "C" fn note(context: Context) -> *const c_void {
    hook(|| {
        let mut made = MADE.lock();
        if let Some(known) = made.get_mut(&context.addr()) {
            known.fresh = true;
        } else if let Some(bottom) = fiber::own_frames() {
            let bottom = bottom.addr();
            made.insert(
                context.addr(),
                Made {
                    bottom,
                    fresh: true,
                },
            );
        }
    });
    MAKE.get() as *const c_void
}

/// Goes over to the shadow call stack of `context`, if it begins now: one that
/// was left before comes back to its own call.
fn enter(context: Context) {
    let bottom = hook(|| {
        let mut made = MADE.lock();
        let made = made.get_mut(&context.addr())?;
        core::mem::take(&mut made.fresh).then_some(made.bottom)
    });
    if let Some(bottom) = bottom.flatten() {
        // SAFETY: the block belongs to this thread.
        unsafe { (*tls::block()).frames = bottom as *mut Frame };
    }
}

/// The calling thread, and the top of its shadow call stack.
fn place() -> (Option<u32>, *mut Frame) {
    let number = thread::current().map(|me| me.number);
    // SAFETY: the block belongs to this thread.
    (number, unsafe { (*tls::block()).frames })
}

unsafe extern "C" fn swap(from: Context, to: Context) -> c_int {
    let (thread, frames) = place();
    enter(to);
    // SAFETY: the program's own arguments.
    let result = unsafe { SWAP.get()(from, to) };
    // Another thread that goes on here keeps its own.
    if place().0 == thread {
        // SAFETY: the block belongs to this thread.
        unsafe { (*tls::block()).frames = frames };
    }
    result
}

unsafe extern "C" fn set(context: Context) -> c_int {
    enter(context);
    // SAFETY: the program's own argument.
    unsafe { SET.get()(context) }
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    MADE.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { MADE.force_unlock() }
}
