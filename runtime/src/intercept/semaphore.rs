//! POSIX semaphores.
//!
//! `sem_open` and `sem_close` are left alone: a named semaphore has one
//! address however often it is opened, and becomes known when it is used.

use super::next::next;
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::lock::invalid::{Refused, refused};
use crate::sync::semaphore;
use core::ffi::{c_int, c_uint, c_void};
use libc::timespec;

type Semaphore = *mut c_void;

next! {
    INIT = c"sem_init": fn(Semaphore, c_int, c_uint) -> c_int;
    DESTROY = c"sem_destroy": fn(Semaphore) -> c_int;
    POST = c"sem_post": fn(Semaphore) -> c_int;
    WAIT = c"sem_wait": fn(Semaphore) -> c_int;
    TRYWAIT = c"sem_trywait": fn(Semaphore) -> c_int;
    TIMEDWAIT = c"sem_timedwait": fn(Semaphore, *const timespec) -> c_int;
    CLOCKWAIT = c"sem_clockwait": fn(Semaphore, c_int, *const timespec) -> c_int;
}

interceptors! {
    "sem_init" => init,
    "sem_destroy" => destroy,
    "sem_post" => post,
    "sem_wait" => wait,
    "sem_trywait" => trywait,
    "sem_timedwait" => timedwait,
    "sem_clockwait" => clockwait,
}

#[inline(always)]
fn attempted(addr: Semaphore, result: c_int, pc: Pc) -> c_int {
    if result == 0 {
        hook(move || semaphore::waited_for_semaphore(addr as usize, pc));
    }
    result
}

/// Reports that `function` has failed.
#[cold]
fn failed(function: &'static str, addr: Semaphore, pc: Pc, why: &'static str) {
    hook(move || {
        refused(&Refused {
            function,
            noun: "semaphore",
            address: addr as usize,
            pc,
            why,
        });
    });
}

fn errno() -> c_int {
    // SAFETY: this thread's own.
    unsafe { *libc::__errno_location() }
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn init(addr: Semaphore, shared: c_int, value: c_uint) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let result = unsafe { INIT.get()(addr, shared, value) };
    if result == 0 {
        hook(move || semaphore::created(addr as usize));
    } else if errno() == libc::EINVAL {
        failed("sem_init", addr, pc, "it cannot count that far");
    }
    result
}

extern "C" fn destroy(addr: Semaphore) -> c_int {
    hook(move || semaphore::destroyed(addr as usize));
    // SAFETY: see above.
    unsafe { DESTROY.get()(addr) }
}

extern "C" fn post(addr: Semaphore) -> c_int {
    let pc = caller();
    hook(move || semaphore::posting_semaphore(addr as usize, pc));
    // SAFETY: see above.
    let result = unsafe { POST.get()(addr) };
    if result != 0 && errno() == libc::EOVERFLOW {
        failed("sem_post", addr, pc, "it cannot count any further");
    }
    result
}

extern "C" fn wait(addr: Semaphore) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(addr, unsafe { WAIT.get()(addr) }, pc)
}

extern "C" fn trywait(addr: Semaphore) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(addr, unsafe { TRYWAIT.get()(addr) }, pc)
}

extern "C" fn timedwait(addr: Semaphore, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(addr, unsafe { TIMEDWAIT.get()(addr, deadline) }, pc)
}

extern "C" fn clockwait(addr: Semaphore, clock: c_int, deadline: *const timespec) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    attempted(addr, unsafe { CLOCKWAIT.get()(addr, clock, deadline) }, pc)
}
