//! C11 threads, mutexes and condition variables.
//!
//! libc builds them from its internal pthread functions, past our
//! interceptors; so they have their own.

use super::next::next;
use super::pthread_thread::{call_start, create_watched, detach_by, join_by, launched};
use super::stub::interceptors;
use super::{Pc, attempt, caller, cond, hook};
use crate::init;
use crate::lock::{Kind, Mode};
use crate::sync::mutex;
use core::ffi::{c_int, c_void};
use libc::{pthread_t, timespec};

/// `thrd_success`; every other result is a failure.
const SUCCESS: c_int = 0;
/// `thrd_busy`
const BUSY: c_int = 1;
/// `thrd_error`
const ERROR: c_int = 2;

type Start = unsafe extern "C" fn(*mut c_void) -> c_int;
type Mutex = *mut c_void;
type Cond = *mut c_void;

next! {
    CREATE = c"thrd_create": fn(*mut pthread_t, Start, *mut c_void) -> c_int;
    JOIN = c"thrd_join": fn(pthread_t, *mut c_int) -> c_int;
    DETACH = c"thrd_detach": fn(pthread_t) -> c_int;
    MTX_INIT = c"mtx_init": fn(Mutex, c_int) -> c_int;
    MTX_DESTROY = c"mtx_destroy": fn(Mutex);
    MTX_LOCK = c"mtx_lock": fn(Mutex) -> c_int;
    MTX_TRYLOCK = c"mtx_trylock": fn(Mutex) -> c_int;
    MTX_TIMEDLOCK = c"mtx_timedlock": fn(Mutex, *const timespec) -> c_int;
    MTX_UNLOCK = c"mtx_unlock": fn(Mutex) -> c_int;
    CND_WAIT = c"cnd_wait": fn(Cond, Mutex) -> c_int;
    CND_TIMEDWAIT = c"cnd_timedwait": fn(Cond, Mutex, *const timespec) -> c_int;
}

interceptors! {
    "thrd_create" => create,
    "thrd_join" => join,
    "thrd_detach" => detach,
    "mtx_init" => mtx_init,
    "mtx_destroy" => mtx_destroy,
    "mtx_lock" => mtx_lock,
    "mtx_trylock" => mtx_trylock,
    "mtx_timedlock" => mtx_timedlock,
    "mtx_unlock" => mtx_unlock,
    "cnd_wait" => cnd_wait,
    "cnd_timedwait" => cnd_timedwait,
}

unsafe extern "C" fn run(launch: *mut c_void) -> c_int {
    // SAFETY: `create` passed it on.
    let (start, argument) = unsafe { launched::<Start>(launch) };
    // SAFETY: as the program asked for; the result is in the low half.
    unsafe { call_start(start as *const c_void, argument) as c_int }
}

#[inline(always)]
fn attempted(lock: Mutex, result: c_int, pc: Pc, waits: bool) -> c_int {
    if result == SUCCESS {
        let manner = mutex::manner(Kind::Mutex, waits);
        hook(move || mutex::acquired(lock as usize, pc, manner));
    } else if result == ERROR {
        attempt::refused(lock, pc, Kind::Mutex);
    }
    result
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn create(out: *mut pthread_t, start: Start, argument: *mut c_void) -> c_int {
    let pc = caller();
    let real = CREATE.get();
    init::ensure();
    create_watched(
        pc,
        false,
        start,
        argument,
        // SAFETY: see above, but for start and argument.
        |launch| unsafe { real(out, run, launch) },
        // SAFETY: libc has filled it.
        || unsafe { *out },
    )
    // SAFETY: see above.
    .unwrap_or_else(|| unsafe { real(out, start, argument) })
}

extern "C" fn join(id: pthread_t, value: *mut c_int) -> c_int {
    let pc = caller();
    let real = JOIN.get();
    // SAFETY: see above.
    join_by(id, pc, true, || unsafe { real(id, value) })
}

extern "C" fn detach(id: pthread_t) -> c_int {
    let real = DETACH.get();
    // SAFETY: see above.
    detach_by(id, || unsafe { real(id) })
}

extern "C" fn mtx_init(lock: Mutex, kind: c_int) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let result = unsafe { MTX_INIT.get()(lock, kind) };
    if result == SUCCESS {
        hook(move || mutex::created(lock as usize, pc, Kind::Mutex));
    }
    result
}

extern "C" fn mtx_destroy(lock: Mutex) {
    let pc = caller();
    hook(move || {
        mutex::destroying(lock as usize, pc, Kind::Mutex);
        mutex::destroyed(lock as usize, pc);
    });
    // SAFETY: see above.
    unsafe { MTX_DESTROY.get()(lock) }
}

extern "C" fn mtx_lock(lock: Mutex) -> c_int {
    let pc = caller();
    let result = attempt::get_by(
        lock,
        pc,
        (Kind::Mutex, Mode::Write),
        BUSY,
        // SAFETY: see above.
        || unsafe { MTX_TRYLOCK.get()(lock) },
        // SAFETY: see above.
        || unsafe { MTX_LOCK.get()(lock) },
    );
    attempted(lock, result, pc, true)
}

extern "C" fn mtx_trylock(lock: Mutex) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(lock, unsafe { MTX_TRYLOCK.get()(lock) }, pc, false)
}

extern "C" fn mtx_timedlock(lock: Mutex, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(
        lock,
        unsafe { MTX_TIMEDLOCK.get()(lock, deadline) },
        pc,
        false,
    )
}

extern "C" fn mtx_unlock(lock: Mutex) -> c_int {
    let pc = caller();
    hook(move || mutex::releasing(lock as usize, pc, Kind::Mutex));
    // SAFETY: see above.
    unsafe { MTX_UNLOCK.get()(lock) }
}

extern "C" fn cnd_wait(cond: Cond, lock: Mutex) -> c_int {
    let pc = caller();
    let real = CND_WAIT.get();
    // SAFETY: see above.
    cond::wait_by(cond, lock, pc, false, || unsafe { real(cond, lock) })
}

extern "C" fn cnd_timedwait(cond: Cond, lock: Mutex, deadline: *const timespec) -> c_int {
    let pc = caller();
    let real = CND_TIMEDWAIT.get();
    // SAFETY: see above.
    cond::wait_by(cond, lock, pc, true, || unsafe {
        real(cond, lock, deadline)
    })
}
