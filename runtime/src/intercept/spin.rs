//! pthread spin locks: mutexes as far as the detector is concerned.

use super::next::next;
use super::stub::interceptors;
use super::{attempt, caller, hook};
use crate::lock::{Kind, Mode};
use crate::sync::mutex;
use core::ffi::{c_int, c_void};

type Lock = *mut c_void;

next! {
    INIT = c"pthread_spin_init": fn(Lock, c_int) -> c_int;
    DESTROY = c"pthread_spin_destroy": fn(Lock) -> c_int;
    LOCK = c"pthread_spin_lock": fn(Lock) -> c_int;
    TRYLOCK = c"pthread_spin_trylock": fn(Lock) -> c_int;
    UNLOCK = c"pthread_spin_unlock": fn(Lock) -> c_int;
}

interceptors! {
    "pthread_spin_init" => init,
    "pthread_spin_destroy" => destroy,
    "pthread_spin_lock" => lock,
    "pthread_spin_trylock" => trylock,
    "pthread_spin_unlock" => unlock,
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn init(lock: Lock, shared: c_int) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let result = unsafe { INIT.get()(lock, shared) };
    if result == 0 {
        hook(move || mutex::created(lock as usize, pc, Kind::Spin));
    }
    result
}

extern "C" fn destroy(lock: Lock) -> c_int {
    let pc = caller();
    hook(move || {
        mutex::destroying(lock as usize, pc, Kind::Spin);
        mutex::destroyed(lock as usize, pc);
    });
    // SAFETY: see above.
    unsafe { DESTROY.get()(lock) }
}

extern "C" fn lock(lock: Lock) -> c_int {
    let pc = caller();
    let result = attempt::get_by(
        lock,
        pc,
        (Kind::Spin, Mode::Write),
        libc::EBUSY,
        // SAFETY: see above.
        || unsafe { TRYLOCK.get()(lock) },
        // SAFETY: see above.
        || unsafe { LOCK.get()(lock) },
    );
    if result == 0 {
        let manner = mutex::manner(Kind::Spin, true);
        hook(move || mutex::acquired(lock as usize, pc, manner));
    }
    result
}

extern "C" fn trylock(lock: Lock) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let result = unsafe { TRYLOCK.get()(lock) };
    if result == 0 {
        let manner = mutex::manner(Kind::Spin, false);
        hook(move || mutex::acquired(lock as usize, pc, manner));
    }
    result
}

extern "C" fn unlock(lock: Lock) -> c_int {
    let pc = caller();
    hook(move || mutex::releasing(lock as usize, pc, Kind::Spin));
    // SAFETY: see above.
    unsafe { UNLOCK.get()(lock) }
}
