//! pthread mutexes of every kind.
//!
//! A robust mutex whose owner died is handed over with `EOWNERDEAD`: that is
//! an acquisition too.

use super::next::next;
use super::stub::interceptors;
use super::{Pc, attempt, caller, hook};
use crate::lock::{Kind, Mode, native};
use crate::sync::mutex;
use core::ffi::{c_int, c_void};
use libc::timespec;

type Mutex = *mut c_void;

next! {
    INIT = c"pthread_mutex_init": fn(Mutex, *const c_void) -> c_int;
    DESTROY = c"pthread_mutex_destroy": fn(Mutex) -> c_int;
    LOCK = c"pthread_mutex_lock": fn(Mutex) -> c_int;
    TRYLOCK = c"pthread_mutex_trylock": fn(Mutex) -> c_int;
    TIMEDLOCK = c"pthread_mutex_timedlock": fn(Mutex, *const timespec) -> c_int;
    CLOCKLOCK = c"pthread_mutex_clocklock": fn(Mutex, c_int, *const timespec) -> c_int;
    UNLOCK = c"pthread_mutex_unlock": fn(Mutex) -> c_int;
}

interceptors! {
    "pthread_mutex_init" => init,
    "pthread_mutex_destroy" => destroy,
    "pthread_mutex_lock" => lock,
    "pthread_mutex_trylock" => trylock,
    "pthread_mutex_timedlock" => timedlock,
    "pthread_mutex_clocklock" => clocklock,
    "pthread_mutex_unlock" => unlock,
}

/// Tells the detector how an attempt to lock ended, which may have waited as
/// long as it takes, or not.
#[inline(always)]
fn attempted(lock: Mutex, result: c_int, pc: Pc, waits: bool) -> c_int {
    if result == 0 || result == libc::EOWNERDEAD {
        let manner = mutex::manner(Kind::Mutex, waits);
        hook(move || mutex::acquired(lock as usize, pc, manner));
    } else if result == libc::EINVAL {
        attempt::refused(lock, pc, Kind::Mutex);
    }
    result
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn init(lock: Mutex, attr: *const c_void) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let result = unsafe { INIT.get()(lock, attr) };
    if result == 0 {
        hook(move || mutex::created(lock as usize, pc, Kind::Mutex));
    }
    result
}

extern "C" fn destroy(lock: Mutex) -> c_int {
    let pc = caller();
    hook(move || mutex::destroying(lock as usize, pc, Kind::Mutex));
    // SAFETY: see above.
    let result = unsafe { DESTROY.get()(lock) };
    if result == 0 {
        hook(move || mutex::destroyed(lock as usize, pc));
    }
    result
}

extern "C" fn lock(lock: Mutex) -> c_int {
    let pc = caller();
    let result = attempt::get_by(
        lock,
        pc,
        (Kind::Mutex, Mode::Write),
        libc::EBUSY,
        || try_once(lock),
        // SAFETY: see above.
        || unsafe { LOCK.get()(lock) },
    );
    attempted(lock, result, pc, true)
}

/// Gets a mutex that is free, or returns `EBUSY`.
///
/// To try a robust mutex that nobody can recover leaves it locked by whoever
/// tried (glibc bug); to wait for it in vain does not.
#[inline(always)]
fn try_once(lock: Mutex) -> c_int {
    if native::mutex_is_robust(lock as usize) {
        return try_robust(lock);
    }
    // SAFETY: the program's own lock.
    unsafe { TRYLOCK.get()(lock) }
}

#[cold]
fn try_robust(lock: Mutex) -> c_int {
    const PAST: timespec = timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the program's own lock.
    match unsafe { TIMEDLOCK.get()(lock, &PAST) } {
        libc::ETIMEDOUT => libc::EBUSY,
        result => result,
    }
}

extern "C" fn trylock(lock: Mutex) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(lock, unsafe { TRYLOCK.get()(lock) }, pc, false)
}

extern "C" fn timedlock(lock: Mutex, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(lock, unsafe { TIMEDLOCK.get()(lock, deadline) }, pc, false)
}

extern "C" fn clocklock(lock: Mutex, clock: c_int, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(
        lock,
        unsafe { CLOCKLOCK.get()(lock, clock, deadline) },
        pc,
        false,
    )
}

extern "C" fn unlock(lock: Mutex) -> c_int {
    let pc = caller();
    hook(move || mutex::releasing(lock as usize, pc, Kind::Mutex));
    // SAFETY: see above.
    unsafe { UNLOCK.get()(lock) }
}
