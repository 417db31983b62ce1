//! `pthread_once` and C11's `call_once`.
//!
//! The real function calls a routine without arguments, so what ours needs to
//! know travels on a thread-local list of pending calls. A call leaves the
//! list before the program's routine runs: the routine may call `pthread_once`
//! for something else, throw, or be cancelled.

use super::next::next;
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::sync::once;
use core::arch::{asm, global_asm};
use core::ffi::{c_int, c_void};

type Routine = unsafe extern "C" fn();

next! {
    ONCE = c"pthread_once": fn(*mut c_void, Routine) -> c_int;
    CALL_ONCE = c"call_once": fn(*mut c_void, Routine);
}

interceptors! {
    "pthread_once" => pthread_once,
    "call_once" => call_once,
}

struct Pending {
    earlier: *mut Pending,
    addr: usize,
    routine: Routine,
    pc: Pc,
    ran: bool,
}

global_asm!(
    ".section .tbss.__racert_once,\"awT\",@nobits",
    ".globl __racert_once",
    ".hidden __racert_once",
    ".type __racert_once, @object",
    ".size __racert_once, 8",
    ".p2align 3",
    "__racert_once:",
    ".zero 8",
    ".text",
);

/// The newest pending call of this thread.
#[inline(always)]
fn newest() -> *mut *mut Pending {
    let p;
    // SAFETY: reads the thread pointer and a link-time constant.
    unsafe {
        asm!(
            "mov {p}, qword ptr fs:0",
            "add {p}, qword ptr [rip + __racert_once@gottpoff]",
            p = out(reg) p,
            options(pure, readonly, nostack),
        );
    }
    p
}

unsafe extern "C" fn run() {
    // SAFETY: the real function calls this from within `once_by`, whose call
    // is the newest.
    let Pending {
        addr, routine, pc, ..
    } = unsafe {
        let pending = *newest();
        (*pending).ran = true;
        *newest() = (*pending).earlier;
        pending.read()
    };
    // SAFETY: the program's own routine.
    unsafe { routine() };
    hook(|| once::completed(addr, pc));
}

#[inline(always)]
fn once_by<R>(addr: *mut c_void, routine: Routine, pc: Pc, real: impl FnOnce() -> R) -> R {
    let addr = addr as usize;
    let mut pending = Pending {
        earlier: core::ptr::null_mut(),
        addr,
        routine,
        pc,
        ran: false,
    };
    let call = &raw mut pending;
    // SAFETY: this thread's own list; the call is off it before the frame ends.
    unsafe {
        (*call).earlier = *newest();
        *newest() = call;
    }
    let result = real();
    // SAFETY: as above.
    unsafe {
        if !(*call).ran {
            *newest() = (*call).earlier;
            hook(|| once::passed(addr, pc));
        }
    }
    result
}

extern "C" fn pthread_once(addr: *mut c_void, routine: Routine) -> c_int {
    let pc = caller();
    let real = ONCE.get();
    // SAFETY: the program's own control variable.
    once_by(addr, routine, pc, || unsafe { real(addr, run) })
}

extern "C" fn call_once(addr: *mut c_void, routine: Routine) {
    let pc = caller();
    let real = CALL_ONCE.get();
    // SAFETY: the program's own control variable.
    once_by(addr, routine, pc, || unsafe { real(addr, run) });
}
