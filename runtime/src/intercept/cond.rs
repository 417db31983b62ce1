//! Waiting on pthread condition variables: the mutex is released and taken
//! again.
//!
//! A cancelled wait takes the mutex again before the program's cleanup
//! handlers run, so the detector hears of it from a handler of its own.

use super::next::next;
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::sync::mutex;
use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;
use libc::timespec;

type Cond = *mut c_void;
type Mutex = *mut c_void;

next! {
    WAIT = c"pthread_cond_wait" @ c"GLIBC_2.3.2": fn(Cond, Mutex) -> c_int;
    TIMEDWAIT = c"pthread_cond_timedwait" @ c"GLIBC_2.3.2":
        fn(Cond, Mutex, *const timespec) -> c_int;
    CLOCKWAIT = c"pthread_cond_clockwait":
        fn(Cond, Mutex, c_int, *const timespec) -> c_int;
}

interceptors! {
    "pthread_cond_wait" => wait,
    "pthread_cond_timedwait" => timedwait,
    "pthread_cond_clockwait" => clockwait,
}

/// libc's record of a cleanup handler (`struct _pthread_cleanup_buffer`).
#[repr(C)]
struct CleanupBuffer([usize; 4]);

unsafe extern "C" {
    fn _pthread_cleanup_push(
        buffer: *mut CleanupBuffer,
        handler: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
    );
    fn _pthread_cleanup_pop(buffer: *mut CleanupBuffer, execute: c_int);
}

struct Waiting {
    lock: Mutex,
    pc: Pc,
}

unsafe extern "C" fn cancelled(waiting: *mut c_void) {
    // SAFETY: lives in the frame that is being unwound.
    let Waiting { lock, pc } = unsafe { waiting.cast::<Waiting>().read() };
    hook(|| mutex::acquired(lock as usize, pc));
}

/// Waits by `real`, with `lock` released meanwhile.
#[inline(always)]
pub(super) fn wait_by(lock: Mutex, pc: Pc, real: impl FnOnce() -> c_int) -> c_int {
    let mut waiting = Waiting { lock, pc };
    let mut buffer = MaybeUninit::<CleanupBuffer>::uninit();
    hook(|| mutex::releasing(lock as usize, pc));
    // SAFETY: buffer and argument live in this frame until popped.
    unsafe {
        _pthread_cleanup_push(buffer.as_mut_ptr(), cancelled, (&raw mut waiting).cast());
    }
    let result = real();
    // SAFETY: pushed above.
    unsafe { _pthread_cleanup_pop(buffer.as_mut_ptr(), 0) };
    // EPERM: the caller did not hold the mutex, and does not now.
    if result != libc::EPERM {
        hook(|| mutex::acquired(lock as usize, pc));
    }
    result
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn wait(cond: Cond, lock: Mutex) -> c_int {
    let pc = caller();
    let real = WAIT.get();
    // SAFETY: see above.
    wait_by(lock, pc, || unsafe { real(cond, lock) })
}

extern "C" fn timedwait(cond: Cond, lock: Mutex, deadline: *const timespec) -> c_int {
    let pc = caller();
    let real = TIMEDWAIT.get();
    // SAFETY: see above.
    wait_by(lock, pc, || unsafe { real(cond, lock, deadline) })
}

extern "C" fn clockwait(cond: Cond, lock: Mutex, clock: c_int, deadline: *const timespec) -> c_int {
    let pc = caller();
    let real = CLOCKWAIT.get();
    // SAFETY: see above.
    wait_by(lock, pc, || unsafe { real(cond, lock, clock, deadline) })
}
