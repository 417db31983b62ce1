//! pthread read-write locks.

use super::next::next;
use super::stub::interceptors;
use super::{Pc, attempt, caller, hook};
use crate::lock::{Kind, Mode};
use crate::sync::rwlock;
use core::ffi::{c_int, c_void};
use libc::timespec;

type Lock = *mut c_void;

next! {
    INIT = c"pthread_rwlock_init": fn(Lock, *const c_void) -> c_int;
    DESTROY = c"pthread_rwlock_destroy": fn(Lock) -> c_int;
    RDLOCK = c"pthread_rwlock_rdlock": fn(Lock) -> c_int;
    TRYRDLOCK = c"pthread_rwlock_tryrdlock": fn(Lock) -> c_int;
    TIMEDRDLOCK = c"pthread_rwlock_timedrdlock": fn(Lock, *const timespec) -> c_int;
    CLOCKRDLOCK = c"pthread_rwlock_clockrdlock": fn(Lock, c_int, *const timespec) -> c_int;
    WRLOCK = c"pthread_rwlock_wrlock": fn(Lock) -> c_int;
    TRYWRLOCK = c"pthread_rwlock_trywrlock": fn(Lock) -> c_int;
    TIMEDWRLOCK = c"pthread_rwlock_timedwrlock": fn(Lock, *const timespec) -> c_int;
    CLOCKWRLOCK = c"pthread_rwlock_clockwrlock": fn(Lock, c_int, *const timespec) -> c_int;
    UNLOCK = c"pthread_rwlock_unlock": fn(Lock) -> c_int;
}

interceptors! {
    "pthread_rwlock_init" => init,
    "pthread_rwlock_destroy" => destroy,
    "pthread_rwlock_rdlock" => rdlock,
    "pthread_rwlock_tryrdlock" => tryrdlock,
    "pthread_rwlock_timedrdlock" => timedrdlock,
    "pthread_rwlock_clockrdlock" => clockrdlock,
    "pthread_rwlock_wrlock" => wrlock,
    "pthread_rwlock_trywrlock" => trywrlock,
    "pthread_rwlock_timedwrlock" => timedwrlock,
    "pthread_rwlock_clockwrlock" => clockwrlock,
    "pthread_rwlock_unlock" => unlock,
}

#[inline(always)]
fn read_attempted(lock: Lock, result: c_int, pc: Pc, waits: bool) -> c_int {
    if result == 0 {
        hook(move || rwlock::read_acquired(lock as usize, pc, Kind::RwLock, waits));
    }
    result
}

#[inline(always)]
fn write_attempted(lock: Lock, result: c_int, pc: Pc, waits: bool) -> c_int {
    if result == 0 {
        hook(move || rwlock::write_acquired(lock as usize, pc, Kind::RwLock, waits));
    }
    result
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn init(lock: Lock, attr: *const c_void) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let result = unsafe { INIT.get()(lock, attr) };
    if result == 0 {
        hook(move || rwlock::created(lock as usize, pc, Kind::RwLock));
    }
    result
}

extern "C" fn destroy(lock: Lock) -> c_int {
    let pc = caller();
    hook(move || {
        rwlock::destroying(lock as usize, pc, Kind::RwLock);
        rwlock::destroyed(lock as usize, pc);
    });
    // SAFETY: see above.
    unsafe { DESTROY.get()(lock) }
}

extern "C" fn rdlock(lock: Lock) -> c_int {
    let pc = caller();
    let result = attempt::get_by(
        lock,
        pc,
        (Kind::RwLock, Mode::Read),
        libc::EBUSY,
        // SAFETY: see above.
        || unsafe { TRYRDLOCK.get()(lock) },
        // SAFETY: see above.
        || unsafe { RDLOCK.get()(lock) },
    );
    read_attempted(lock, result, pc, true)
}

extern "C" fn tryrdlock(lock: Lock) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    read_attempted(lock, unsafe { TRYRDLOCK.get()(lock) }, pc, false)
}

extern "C" fn timedrdlock(lock: Lock, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    read_attempted(
        lock,
        unsafe { TIMEDRDLOCK.get()(lock, deadline) },
        pc,
        false,
    )
}

extern "C" fn clockrdlock(lock: Lock, clock: c_int, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    read_attempted(
        lock,
        unsafe { CLOCKRDLOCK.get()(lock, clock, deadline) },
        pc,
        false,
    )
}

extern "C" fn wrlock(lock: Lock) -> c_int {
    let pc = caller();
    let result = attempt::get_by(
        lock,
        pc,
        (Kind::RwLock, Mode::Write),
        libc::EBUSY,
        // SAFETY: see above.
        || unsafe { TRYWRLOCK.get()(lock) },
        // SAFETY: see above.
        || unsafe { WRLOCK.get()(lock) },
    );
    write_attempted(lock, result, pc, true)
}

extern "C" fn trywrlock(lock: Lock) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    write_attempted(lock, unsafe { TRYWRLOCK.get()(lock) }, pc, false)
}

extern "C" fn timedwrlock(lock: Lock, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    write_attempted(
        lock,
        unsafe { TIMEDWRLOCK.get()(lock, deadline) },
        pc,
        false,
    )
}

extern "C" fn clockwrlock(lock: Lock, clock: c_int, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    write_attempted(
        lock,
        unsafe { CLOCKWRLOCK.get()(lock, clock, deadline) },
        pc,
        false,
    )
}

extern "C" fn unlock(lock: Lock) -> c_int {
    let pc = caller();
    hook(move || rwlock::releasing(lock as usize, pc));
    // SAFETY: see above.
    unsafe { UNLOCK.get()(lock) }
}
