//! The thread-local block that instrumented code reads.
//!
//! Defined in assembly because stable Rust has no `#[thread_local]`, and
//! because the pass addresses it by symbol with the initial-exec model. Its
//! layout is part of [`racert_abi::tls`].

use crate::internal_error;
use core::arch::{asm, global_asm};
use core::mem::offset_of;
use racert_abi::tls as abi;

/// One frame of the shadow call stack.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Frame {
    /// Where the function returns to.
    pub return_address: u64,
    /// The calling context's id once somebody asked for it, else 0.
    pub context: u64,
}

/// The block itself.
#[repr(C)]
pub struct Block {
    /// Slot and first position of the current segment; see [`abi::CURRENT`].
    pub current: u64,
    /// Next free frame of the shadow call stack.
    pub frames: *mut Frame,
    /// This thread's record, null until attached.
    pub thread: *mut crate::thread::Thread,
    /// Return address of the interceptor being entered.
    pub caller: usize,
    /// Greater than 0 while the thread is inside the runtime.
    pub inside: u32,
    /// Greater than 0 while interceptors and accesses of this thread are to be
    /// left alone.
    pub ignore: u32,
    /// Transitions made before in this segment, for the checks' first look.
    pub memo: *const crate::log::memo::Transition,
    /// Signals that wait until the thread leaves the runtime.
    pub put_off: u64,
    /// The innermost function of a rewritten library.
    pub activations: *mut crate::rewritten::Activation,
}

/// Offset of [`Block::memo`], for assembly.
pub(crate) const MEMO: usize = 40;

const _: () = {
    assert!(size_of::<Block>() == abi::SIZE);
    assert!(offset_of!(Block, current) == abi::CURRENT);
    assert!(offset_of!(Block, frames) == abi::FRAMES);
    assert!(offset_of!(Block, thread) == abi::THREAD);
    assert!(offset_of!(Block, caller) == abi::CALLER);
    assert!(offset_of!(Block, memo) == MEMO);
    assert!(offset_of!(Block, activations) == abi::ACTIVATIONS);
    assert!(size_of::<Frame>() == abi::FRAME_SIZE);
};

global_asm!(
    ".section .tbss.__racert_tls,\"awT\",@nobits",
    ".globl __racert_tls",
    ".type __racert_tls, @object",
    ".size __racert_tls, 64",
    ".p2align 6",
    "__racert_tls:",
    ".zero 64",
    ".text",
);

/// This thread's block.
#[inline(always)]
pub fn block() -> *mut Block {
    let p: *mut Block;
    // SAFETY: reads the thread pointer and a link-time constant.
    unsafe {
        asm!(
            "mov {p}, qword ptr fs:0",
            "add {p}, qword ptr [rip + __racert_tls@gottpoff]",
            p = out(reg) p,
            options(pure, readonly, nostack),
        );
    }
    p
}

/// The thread pointer: the end of the thread's static storage.
pub fn thread_pointer() -> usize {
    let p: usize;
    // SAFETY: reads the thread control block's pointer to itself.
    unsafe { asm!("mov {p}, qword ptr fs:0", p = out(reg) p, options(pure, readonly, nostack)) };
    p
}

/// Marks the thread as inside the runtime for as long as it lives.
pub struct Inside(());

/// Runs `f` inside the runtime. `None` if the thread is inside already, as with
/// [`enter`], or if the runtime is off, perhaps because of what `f` found; then
/// `f` may have got anywhere.
#[inline(always)]
pub fn section<R>(f: impl FnOnce() -> R) -> Option<R> {
    let _inside = enter()?;
    internal_error::caught(f)
}

/// Enters the runtime. `None` if the thread is inside already: a signal
/// handler, or a libc function calling another, interrupted it there. For code
/// of others; the runtime's own is for [`section`].
#[inline(always)]
pub fn enter() -> Option<Inside> {
    // SAFETY: the block belongs to this thread.
    unsafe {
        let block = block();
        if (*block).inside != 0 {
            return None;
        }
        (*block).inside = 1;
    }
    Some(Inside(()))
}

/// For who has entered the runtime by other means.
///
/// # Safety
/// `inside` of this thread's block must be greater than 0, and nobody else may
/// be about to leave.
pub unsafe fn entered() -> Inside {
    Inside(())
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        let waiting: u8;
        // One instruction, so that a signal comes either before or after it.
        // SAFETY: the block belongs to this thread.
        unsafe {
            asm!(
                "sub dword ptr [{inside}], 1",
                "setnz {waiting}",
                inside = in(reg) &raw mut (*block()).inside,
                waiting = out(reg_byte) waiting,
                options(nostack),
            );
        }
        if waiting != 0 {
            crate::signal::deliver::left();
        }
    }
}

/// Where the interceptor or entry point just entered was called from. Only
/// valid before anything else intercepted can run.
#[inline(always)]
pub fn caller() -> usize {
    // SAFETY: this thread's own block.
    unsafe { (*block()).caller }
}

/// Exports `name` as a stub that stores its return address in the
/// thread-local block and continues in the closure-like body. Argument
/// registers, `rax` included, reach the body untouched.
#[macro_export]
macro_rules! stub {
    ($name:ident, |$($arg:ident: $ty:ty),*| -> $ret:ty $body:block) => {
        const _: () = {
            #[cfg_attr(test, expect(dead_code, reason = "tests do not export entry points"))]
            unsafe extern "C" fn body($($arg: $ty),*) -> $ret $body

            /// Entry point; see the body beside it.
            #[cfg(not(test))]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name() {
                ::core::arch::naked_asm!(
                    "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
                    "mov r10, qword ptr [rsp]",
                    "mov qword ptr fs:[r11 + {caller}], r10",
                    "jmp {body}",
                    caller = const ::racert_abi::tls::CALLER,
                    body = sym body,
                )
            }
        };
    };
}
