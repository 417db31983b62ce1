//! `pthread_once`, C11's `call_once` and what libc++'s `std::call_once` calls.
//!
//! Most real functions call a routine without arguments, so what ours needs to
//! know travels on a thread-local list of pending calls. A call leaves the
//! list before the program's routine runs: the routine may call `pthread_once`
//! for something else, throw, or be cancelled.
//!
//! A routine that throws or is cancelled has not run: the next thread tries
//! again, ordered after it. So the frame that calls the routine has a
//! personality, which is what the unwinder calls for each frame that it leaves.

use super::foreign::foreign;
use super::next::next;
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::sync::once;
use core::arch::{asm, global_asm};
use core::ffi::{c_int, c_void};

type Routine = unsafe extern "C" fn();
type RoutineOf = unsafe extern "C" fn(*mut c_void);

next! {
    ONCE = c"pthread_once": fn(*mut c_void, Routine) -> c_int;
    CALL_ONCE = c"call_once": fn(*mut c_void, Routine);
}

foreign! { [c"libgcc_s.so.1", c"libunwind.so.1"]
    GET_REGISTER = c"_Unwind_GetGR": fn(*mut c_void, c_int) -> usize;
}

foreign! { [c"libc++.so.1"]
    LIBCXX = c"_ZNSt3__111__call_onceERVmPvPFvS2_E": fn(*mut c_void, *mut c_void, Routine);
}

interceptors! {
    "pthread_once" => pthread_once,
    "call_once" => call_once,
    "_ZNSt3__111__call_onceERVmPvPFvS2_E" => libcxx_call_once,
}

struct Pending {
    earlier: *mut Pending,
    addr: usize,
    /// One without arguments does not look at the one it is given.
    routine: RoutineOf,
    argument: *mut c_void,
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

// Calls the routine of the newest pending call, which stays in `rbx` meanwhile.
global_asm!(
    ".pushsection .text.__racert_once_run,\"ax\",@progbits",
    ".p2align 4",
    ".globl __racert_once_run",
    ".hidden __racert_once_run",
    ".type __racert_once_run, @function",
    "__racert_once_run:",
    ".cfi_startproc",
    // The address is relative and of 4 bytes.
    ".cfi_personality 0x1b, {unwound}",
    "push rbx",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset 3, -16",
    "call {begin}",
    "mov rbx, rax",
    "mov rdi, qword ptr [rax + {argument}]",
    "call qword ptr [rax + {routine}]",
    "mov rdi, rbx",
    "call {complete}",
    "pop rbx",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_endproc",
    ".size __racert_once_run, . - __racert_once_run",
    ".popsection",
    unwound = sym unwound,
    begin = sym begin,
    complete = sym complete,
    routine = const core::mem::offset_of!(Pending, routine),
    argument = const core::mem::offset_of!(Pending, argument),
);

unsafe extern "C" {
    #[link_name = "__racert_once_run"]
    fn run();
}

/// Takes the newest call off the list: its routine is about to run.
unsafe extern "C" fn begin() -> *const Pending {
    // SAFETY: the real function calls `run` from within `once_by`, whose call
    // is the newest.
    let (pending, addr) = unsafe {
        let pending = *newest();
        (*pending).ran = true;
        *newest() = (*pending).earlier;
        (pending, (*pending).addr)
    };
    hook(|| once::began(addr));
    pending
}

unsafe extern "C" fn complete(pending: *const Pending) {
    // SAFETY: the frame of `once_by` waits for the routine.
    let (addr, pc) = unsafe { ((*pending).addr, (*pending).pc) };
    hook(|| once::completed(addr, pc));
}

/// What the unwinder does at the moment: it leaves the frames for good.
const CLEANUP_PHASE: c_int = 2;
/// The answer that there is nothing to stop for.
const CONTINUE_UNWIND: c_int = 8;
const RBX: c_int = 3;

/// The personality of `run`: an exception or a cancellation leaves it.
unsafe extern "C" fn unwound(
    _version: c_int,
    actions: c_int,
    _class: u64,
    _exception: *mut c_void,
    context: *mut c_void,
) -> c_int {
    if actions & CLEANUP_PHASE != 0
        && let Some(get_register) = GET_REGISTER.find()
    {
        // SAFETY: the unwinder's own argument, in the frame of `run`, which
        // has there what `begin` returned; `once_by` is still to be left.
        let addr = unsafe { (*(get_register(context, RBX) as *const Pending)).addr };
        hook(|| once::abandoned(addr));
    }
    CONTINUE_UNWIND
}

#[inline(always)]
fn once_by<R>(
    addr: *mut c_void,
    (routine, argument): (RoutineOf, *mut c_void),
    pc: Pc,
    real: impl FnOnce() -> R,
) -> R {
    let addr = addr as usize;
    let mut pending = Pending {
        earlier: core::ptr::null_mut(),
        addr,
        routine,
        argument,
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

/// A routine without arguments.
fn plain(routine: Routine) -> (RoutineOf, *mut c_void) {
    // SAFETY: an argument in a register that the routine does not look at.
    let routine = unsafe { core::mem::transmute::<Routine, RoutineOf>(routine) };
    (routine, core::ptr::null_mut())
}

extern "C" fn pthread_once(addr: *mut c_void, routine: Routine) -> c_int {
    let pc = caller();
    let real = ONCE.get();
    // SAFETY: the program's own control variable.
    once_by(addr, plain(routine), pc, || unsafe { real(addr, run) })
}

extern "C" fn call_once(addr: *mut c_void, routine: Routine) {
    let pc = caller();
    let real = CALL_ONCE.get();
    // SAFETY: the program's own control variable.
    once_by(addr, plain(routine), pc, || unsafe { real(addr, run) });
}

/// `std::__1::__call_once(volatile unsigned long &, void *, void (*)(void *))`.
/// Who finds in the header that it is done does not come here: the variable is
/// an atomic that such code reads.
extern "C" fn libcxx_call_once(addr: *mut c_void, argument: *mut c_void, routine: RoutineOf) {
    let pc = caller();
    let real = LIBCXX.get();
    once_by(addr, (routine, argument), pc, || {
        // SAFETY: the program's own control variable; `run` knows the argument.
        unsafe { real(addr, argument, run) }
    });
}
