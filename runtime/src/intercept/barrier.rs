//! pthread barriers.

use super::lifetime;
use super::next::next;
use super::stub::interceptors;
use super::{caller, hook};
use crate::sync::barrier;
use core::ffi::{c_int, c_uint, c_void};

type Barrier = *mut c_void;

next! {
    INIT = c"pthread_barrier_init": fn(Barrier, *const c_void, c_uint) -> c_int;
    DESTROY = c"pthread_barrier_destroy": fn(Barrier) -> c_int;
    WAIT = c"pthread_barrier_wait": fn(Barrier) -> c_int;
}

interceptors! {
    "pthread_barrier_init" => init,
    "pthread_barrier_destroy" => destroy,
    "pthread_barrier_wait" => wait,
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn init(addr: Barrier, attr: *const c_void, count: c_uint) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let result = unsafe { INIT.get()(addr, attr, count) };
    if result == 0 {
        hook(|| {
            if barrier::created(addr as usize, count, pc) {
                lifetime::begins(addr as usize, pc);
            }
        });
    }
    result
}

extern "C" fn destroy(addr: Barrier) -> c_int {
    let pc = caller();
    hook(|| {
        if barrier::destroying(addr as usize, pc) {
            lifetime::ends(addr as usize, pc);
        }
    });
    // libc waits here for threads that have not left the barrier yet.
    // SAFETY: see above.
    let result = unsafe { DESTROY.get()(addr) };
    if result == 0 {
        hook(|| barrier::destroyed(addr as usize));
    }
    result
}

extern "C" fn wait(addr: Barrier) -> c_int {
    let pc = caller();
    let round = hook(|| {
        lifetime::used(addr as usize, pc);
        barrier::arrive(addr as usize, pc)
    });
    // SAFETY: see above.
    let result = unsafe { WAIT.get()(addr) };
    if let Some(Some(round)) = round {
        hook(move || barrier::leave(addr as usize, round, pc));
    }
    result
}
