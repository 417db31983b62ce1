//! libc++'s `std::barrier`.
//!
//! Threads meet in a tree of tickets inside the library; the last one to arrive
//! is told so, and lets the others go by an atomic variable of the header's.
//! That the others came before it only the library knows.

use super::foreign::foreign;
use super::stub::interceptors;
use super::{caller, hook};
use crate::sync::semaphore;
use core::ffi::c_void;

foreign! { [c"libc++.so.1"]
    ARRIVE = c"_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh":
        fn(*mut c_void, u8) -> bool;
}

interceptors! {
    "_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh" => arrive,
}

/// `std::__1::__arrive_barrier_algorithm_base(__barrier_algorithm_base*, unsigned char)`:
/// whether the caller is the last of its phase.
unsafe extern "C" fn arrive(barrier: *mut c_void, phase: u8) -> bool {
    let pc = caller();
    let addr = barrier.addr();
    hook(|| semaphore::posting(addr, pc));
    // SAFETY: the program's own arguments.
    let last = unsafe { ARRIVE.get()(barrier, phase) };
    if last {
        hook(|| semaphore::waited(addr, pc));
    }
    last
}
