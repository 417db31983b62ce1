//! Waiting on pthread condition variables: the mutex is released and taken
//! again.
//!
//! A cancelled wait takes the mutex again before the program's cleanup
//! handlers run, so the detector hears of it from a handler of its own.

use super::lifetime;
use super::next::next;
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::lock::condvar::{self, Guard};
use crate::lock::invalid::{Refused, refused, using_condvar};
use crate::lock::{Kind, misuse, stuck, wait};
use crate::sync::{self, mutex};
use crate::thread;
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
    SIGNAL = c"pthread_cond_signal" @ c"GLIBC_2.3.2": fn(Cond) -> c_int;
    BROADCAST = c"pthread_cond_broadcast" @ c"GLIBC_2.3.2": fn(Cond) -> c_int;
    INIT = c"pthread_cond_init" @ c"GLIBC_2.3.2": fn(Cond, *const c_void) -> c_int;
    DESTROY = c"pthread_cond_destroy" @ c"GLIBC_2.3.2": fn(Cond) -> c_int;
}

interceptors! {
    "pthread_cond_wait" => wait,
    "pthread_cond_timedwait" => timedwait,
    "pthread_cond_clockwait" => clockwait,
    "pthread_cond_signal" => signal,
    "pthread_cond_broadcast" => broadcast,
    "pthread_cond_init" => init,
    "pthread_cond_destroy" => destroy,
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
    cond: Cond,
    lock: Mutex,
    pc: Pc,
    /// Does it end by itself?
    timed: bool,
    /// Was the wait announced?
    listed: bool,
    /// Is it part of another library's wait?
    inner: bool,
}

impl Waiting {
    /// The thread gives the mutex back and waits.
    fn begin(&mut self) {
        let (cond, lock, pc) = (self.cond as usize, self.lock as usize, self.pc);
        hook(move || {
            lifetime::used(cond, pc);
            using_condvar(cond, pc);
            sync::condvar::waiting();
            if let Some(me) = thread::listening() {
                if me.held.find(lock).is_none() {
                    misuse::waiting_unlocked(me, cond, lock, pc);
                    return;
                }
                self.inner = me.loops.waits_by_library;
                if !self.inner {
                    condvar::waiting(me, cond, (lock, Guard::Libc), pc, self.timed);
                }
            }
            mutex::releasing(lock, pc, Kind::Mutex);
            self.listed = thread::listening().is_some_and(|me| wait::waiting(me, lock, pc));
            if !self.timed && !self.inner {
                stuck::look();
            }
        });
    }

    /// The thread does not wait any more, and has the mutex again if `locked`.
    fn end(&self, locked: bool, timed_out: bool) {
        let Waiting { cond, lock, pc, .. } = *self;
        hook(move || {
            let woken = thread::listening().and_then(|me| {
                if self.listed {
                    wait::done(me);
                }
                condvar::waited(me, cond as usize, timed_out)
            });
            if locked {
                let manner = mutex::manner(Kind::Mutex, true);
                mutex::acquired(lock as usize, pc, manner);
            }
            if !self.inner
                && let Some(me) = thread::current()
            {
                me.loops.woken_by = woken;
            }
        });
    }
}

unsafe extern "C" fn cancelled(waiting: *mut c_void) {
    // SAFETY: lives in the frame that is being unwound.
    unsafe { (*waiting.cast::<Waiting>()).end(true, true) };
}

/// Waits on `cond` by `real`, with `lock` released meanwhile.
#[inline(always)]
pub(super) fn wait_by(
    cond: Cond,
    lock: Mutex,
    pc: Pc,
    timed: bool,
    real: impl FnOnce() -> c_int,
) -> c_int {
    let mut waiting = Waiting {
        cond,
        lock,
        pc,
        timed,
        listed: false,
        inner: false,
    };
    let mut buffer = MaybeUninit::<CleanupBuffer>::uninit();
    waiting.begin();
    // SAFETY: buffer and argument live in this frame until popped.
    unsafe {
        _pthread_cleanup_push(buffer.as_mut_ptr(), cancelled, (&raw mut waiting).cast());
    }
    let result = real();
    // SAFETY: pushed above.
    unsafe { _pthread_cleanup_pop(buffer.as_mut_ptr(), 0) };
    // EPERM: the caller did not hold the mutex, and does not now.
    waiting.end(result != libc::EPERM, result != 0);
    if result == 0 {
        hook(move || sync::condvar::woken(cond as usize, pc));
    }
    result
}

/// Is the deadline before 1970 or, as with clocks that begin when the machine
/// does, before that? C++'s library rounds both parts of it towards zero, and
/// takes the failure for a deadline that has passed.
///
/// # Safety
/// It must be readable.
unsafe fn is_long_past(deadline: *const timespec) -> bool {
    // SAFETY: passed on.
    let deadline = unsafe { &*deadline };
    deadline.tv_sec <= 0 && (-999_999_999..0).contains(&deadline.tv_nsec)
}

/// A wait that fails at once turns the loop around it into one that spins.
fn judged(
    function: &'static str,
    cond: Cond,
    deadline: *const timespec,
    pc: Pc,
    result: c_int,
) -> c_int {
    // SAFETY: libc has read it.
    if result == libc::EINVAL && !unsafe { is_long_past(deadline) } {
        hook(move || {
            refused(&Refused {
                function,
                noun: "condition variable",
                address: cond as usize,
                pc,
                why: "the clock or the deadline is not valid, so it does not wait at all",
            });
        });
    }
    result
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn wait(cond: Cond, lock: Mutex) -> c_int {
    let pc = caller();
    let real = WAIT.get();
    // SAFETY: see above.
    wait_by(cond, lock, pc, false, || unsafe { real(cond, lock) })
}

extern "C" fn timedwait(cond: Cond, lock: Mutex, deadline: *const timespec) -> c_int {
    let pc = caller();
    let real = TIMEDWAIT.get();
    // SAFETY: see above.
    let result = wait_by(cond, lock, pc, true, || unsafe {
        real(cond, lock, deadline)
    });
    judged("pthread_cond_timedwait", cond, deadline, pc, result)
}

extern "C" fn clockwait(cond: Cond, lock: Mutex, clock: c_int, deadline: *const timespec) -> c_int {
    let pc = caller();
    let real = CLOCKWAIT.get();
    // SAFETY: see above.
    let result = wait_by(cond, lock, pc, true, || unsafe {
        real(cond, lock, clock, deadline)
    });
    judged("pthread_cond_clockwait", cond, deadline, pc, result)
}

/// Somebody is about to be woken, unless that is part of what another library
/// does.
fn signalling(cond: usize, all: bool, pc: Pc) {
    if !thread::current().is_some_and(|me| me.loops.waits_by_library) {
        condvar::signalling(cond, all, pc);
    }
}

extern "C" fn signal(cond: Cond) -> c_int {
    let pc = caller();
    hook(move || {
        lifetime::used(cond as usize, pc);
        using_condvar(cond as usize, pc);
        signalling(cond as usize, false, pc);
        sync::condvar::signalling(cond as usize, pc);
    });
    // SAFETY: see above.
    unsafe { SIGNAL.get()(cond) }
}

extern "C" fn broadcast(cond: Cond) -> c_int {
    let pc = caller();
    hook(move || {
        lifetime::used(cond as usize, pc);
        using_condvar(cond as usize, pc);
        signalling(cond as usize, true, pc);
        sync::condvar::signalling(cond as usize, pc);
    });
    // SAFETY: see above.
    unsafe { BROADCAST.get()(cond) }
}

extern "C" fn init(cond: Cond, attr: *const c_void) -> c_int {
    let pc = caller();
    hook(move || {
        lifetime::begins(cond as usize, pc);
        condvar::forget(cond as usize);
    });
    // SAFETY: see above.
    unsafe { INIT.get()(cond, attr) }
}

extern "C" fn destroy(cond: Cond) -> c_int {
    let pc = caller();
    hook(move || {
        if let Some(me) = thread::listening() {
            condvar::destroying(me, cond as usize, pc);
        }
        lifetime::ends(cond as usize, pc);
    });
    // SAFETY: see above.
    unsafe { DESTROY.get()(cond) }
}
