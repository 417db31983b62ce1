//! What loading and unloading a library orders.
//!
//! The dynamic linker runs a library's constructors before any thread's
//! `dlopen` of it returns, and its destructors after every `dlclose`. Who does
//! either first is decided under a lock of the linker's, so what is passed on is
//! left at the library itself, in two synchronisation objects that have addresses
//! in its dynamic section: at one, constructors leave theirs while the linker
//! still has its lock; at the other, destructors find what was left before it
//! took it. Who opens a library is not ordered after who has closed it.

mod needed;

use crate::sync::semaphore;
use crate::{loaded, thread, tls};
use core::ffi::c_void;

/// Where the order of the file is kept that `address` lies in.
fn place_of(address: usize) -> Option<usize> {
    loaded::module_at(address, |info, headers| {
        Some(loaded::dynamic_section(info, headers)?.addr())
    })
}

/// Where it is kept who has closed the file with this place.
fn closed(place: usize) -> usize {
    place + size_of::<usize>()
}

/// Does anything have to be ordered?
fn matters() -> bool {
    !thread::alone() && thread::current().is_some()
}

/// The library behind `handle`, and those that it needs, were opened by a call
/// at `pc`: what their constructors did is done.
pub(crate) fn opened(handle: *mut c_void, pc: usize) {
    if matters() {
        for place in needed::with(handle) {
            semaphore::waited(place, pc);
        }
    }
}

/// The library is about to be closed: what was done with it comes before its
/// destructors, and those of the libraries that it needs.
pub(crate) fn closing(handle: *mut c_void, pc: usize) {
    if matters() {
        for place in needed::with(handle) {
            semaphore::posting(closed(place), pc);
        }
    }
}

/// Destructors of the file that `address` lies in come next.
pub(crate) fn destructing(address: usize, pc: usize) {
    if matters()
        && let Some(place) = place_of(address)
    {
        semaphore::waited(closed(place), pc);
    }
}

crate::stub! { __racert_constructed, | | -> () {
    let pc = tls::caller();
    tls::section(move || {
        if matters()
            && let Some(place) = place_of(pc)
        {
            semaphore::posting(place, pc);
        }
    });
} }

crate::stub! { __racert_destructing, | | -> () {
    let pc = tls::caller();
    tls::section(move || destructing(pc, pc));
} }

crate::stub! { __racert_opened, |handle: *mut c_void| -> () {
    let pc = tls::caller();
    tls::section(move || opened(handle, pc));
} }
