//! SDL's spinning locks, of its shared library.

use super::foreign::foreign;
use super::stub::interceptors;
use super::{caller, hook};
use crate::lock::Kind;
use crate::sync::rwlock;
use core::ffi::{c_int, c_void};

type Lock = *mut c_void;

foreign! { [c"libSDL2-2.0.so.0"]
    LOCK = c"SDL_AtomicLock": fn(Lock);
    TRY_LOCK = c"SDL_AtomicTryLock": fn(Lock) -> c_int;
    UNLOCK = c"SDL_AtomicUnlock": fn(Lock);
}

interceptors! {
    "SDL_AtomicLock" => lock,
    "SDL_AtomicTryLock" => try_lock,
    "SDL_AtomicUnlock" => unlock,
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn lock(lock: Lock) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { LOCK.get()(lock) };
    hook(|| rwlock::write_acquired(lock.addr(), pc, Kind::Custom, true));
}

unsafe extern "C" fn try_lock(lock: Lock) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let got = unsafe { TRY_LOCK.get()(lock) };
    if got != 0 {
        hook(|| rwlock::write_acquired(lock.addr(), pc, Kind::Custom, false));
    }
    got
}

unsafe extern "C" fn unlock(lock: Lock) {
    let pc = caller();
    hook(|| rwlock::write_releasing(lock.addr(), pc));
    // SAFETY: see above.
    unsafe { UNLOCK.get()(lock) }
}
