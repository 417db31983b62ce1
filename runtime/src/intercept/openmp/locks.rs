//! OpenMP's locks, of libgomp; libomp tells of its own.

use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;
use crate::intercept::{Pc, caller, hook};
use crate::lock::Kind;
use crate::omp;
use crate::sync::rwlock;
use core::ffi::{c_int, c_void};

type Lock = *mut c_void;

foreign! { [c"libgomp.so.1", c"libomp.so.5", c"libomp.so", c"libomp5.so", c"libiomp5.so"]
    SET = c"omp_set_lock": fn(Lock);
    UNSET = c"omp_unset_lock": fn(Lock);
    TEST = c"omp_test_lock": fn(Lock) -> c_int;
    DESTROY = c"omp_destroy_lock": fn(Lock);
    SET_NEST = c"omp_set_nest_lock": fn(Lock);
    UNSET_NEST = c"omp_unset_nest_lock": fn(Lock);
    TEST_NEST = c"omp_test_nest_lock": fn(Lock) -> c_int;
    DESTROY_NEST = c"omp_destroy_nest_lock": fn(Lock);
}

interceptors! {
    "omp_set_lock" => set,
    "omp_unset_lock" => unset,
    "omp_test_lock" => test,
    "omp_destroy_lock" => destroy,
    "omp_set_nest_lock" => set_nest,
    "omp_unset_nest_lock" => unset_nest,
    "omp_test_nest_lock" => test_nest,
    "omp_destroy_nest_lock" => destroy_nest,
}

fn taken(lock: Lock, pc: Pc, waits: bool) {
    if !omp::speaks_for_itself() {
        hook(|| rwlock::write_acquired(lock.addr(), pc, Kind::Custom, waits));
    }
}

fn giving_back(lock: Lock, pc: Pc) {
    if !omp::speaks_for_itself() {
        hook(|| rwlock::write_releasing(lock.addr(), pc));
    }
}

fn gone(lock: Lock) {
    if !omp::speaks_for_itself() {
        hook(|| rwlock::forgotten(lock.addr()));
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn set(lock: Lock) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { SET.get()(lock) };
    taken(lock, pc, true);
}

unsafe extern "C" fn unset(lock: Lock) {
    giving_back(lock, caller());
    // SAFETY: see above.
    unsafe { UNSET.get()(lock) }
}

unsafe extern "C" fn test(lock: Lock) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let got = unsafe { TEST.get()(lock) };
    if got != 0 {
        taken(lock, pc, false);
    }
    got
}

unsafe extern "C" fn destroy(lock: Lock) {
    gone(lock);
    // SAFETY: see above.
    unsafe { DESTROY.get()(lock) }
}

// A nested lock is taken with the first of several calls, and given back with
// the last: the calls in between order what is ordered already.

unsafe extern "C" fn set_nest(lock: Lock) {
    // SAFETY: see above.
    unsafe { SET_NEST.get()(lock) };
    nested(lock);
}

unsafe extern "C" fn unset_nest(lock: Lock) {
    let pc = caller();
    if !omp::speaks_for_itself() {
        hook(|| crate::sync::semaphore::posting(lock.addr(), pc));
    }
    // SAFETY: see above.
    unsafe { UNSET_NEST.get()(lock) }
}

unsafe extern "C" fn test_nest(lock: Lock) -> c_int {
    // SAFETY: see above.
    let got = unsafe { TEST_NEST.get()(lock) };
    if got != 0 {
        nested(lock);
    }
    got
}

fn nested(lock: Lock) {
    if !omp::speaks_for_itself() {
        hook(|| crate::sync::semaphore::waited(lock.addr(), 0));
    }
}

unsafe extern "C" fn destroy_nest(lock: Lock) {
    gone(lock);
    // SAFETY: see above.
    unsafe { DESTROY_NEST.get()(lock) }
}
