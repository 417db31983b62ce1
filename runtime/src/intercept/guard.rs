//! Guards of C++ static local variables (`__cxa_guard_*`).
//!
//! The C++ library's functions do the work where there are any. A program that
//! links that library statically has ours in their place, and `dlsym` finds no
//! others: then the protocol is carried out here. It is libstdc++'s: byte 0 of
//! the guard says "initialised", byte 1 "somebody is at it", byte 2 "others
//! wait".

use super::next::next;
use super::stub::interceptors;
use super::{caller, hook};
use crate::os;
use crate::sync::once;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

next! {
    ACQUIRE = c"__cxa_guard_acquire": fn(*mut c_void) -> c_int;
    RELEASE = c"__cxa_guard_release": fn(*mut c_void);
    ABORT = c"__cxa_guard_abort": fn(*mut c_void);
}

interceptors! {
    "__cxa_guard_acquire" => acquire,
    "__cxa_guard_release" => release,
    "__cxa_guard_abort" => abort,
}

const DONE: u32 = 1;
const PENDING: u32 = 1 << 8;
const WAITING: u32 = 1 << 16;

/// True if the caller is to initialise the variable.
fn begin(guard: &AtomicU32) -> bool {
    loop {
        let state = match guard.compare_exchange(0, PENDING, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => return true,
            Err(state) => state,
        };
        if state & DONE != 0 {
            return false;
        }
        let waiting = PENDING | WAITING;
        let asleep = state == waiting
            || guard
                .compare_exchange(PENDING, waiting, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if asleep {
            os::futex_wait(guard, waiting);
        }
    }
}

fn end(guard: &AtomicU32, state: u32) {
    if guard.swap(state, Ordering::Release) & WAITING != 0 {
        os::futex_wake(guard, i32::MAX as u32);
    }
}

/// The guard as a word.
///
/// # Safety
/// `guard` must be a guard variable.
unsafe fn word<'a>(guard: *mut c_void) -> &'a AtomicU32 {
    // SAFETY: guards are 8 bytes, aligned, and never go away.
    unsafe { AtomicU32::from_ptr(guard.cast()) }
}

// SAFETY of the calls below: the compiler's own arguments.

unsafe extern "C" fn acquire(guard: *mut c_void) -> c_int {
    let pc = caller();
    let mine = match ACQUIRE.find() {
        // SAFETY: see above.
        Some(real) => unsafe { real(guard) },
        // SAFETY: see above.
        None => c_int::from(begin(unsafe { word(guard) })),
    };
    hook(|| match mine {
        0 => once::passed(guard as usize, pc),
        _ => once::began(guard as usize),
    });
    mine
}

unsafe extern "C" fn release(guard: *mut c_void) {
    let pc = caller();
    hook(|| once::completed(guard as usize, pc));
    match RELEASE.find() {
        // SAFETY: see above.
        Some(real) => unsafe { real(guard) },
        // SAFETY: see above.
        None => end(unsafe { word(guard) }, DONE),
    }
}

unsafe extern "C" fn abort(guard: *mut c_void) {
    hook(|| once::abandoned(guard as usize));
    match ABORT.find() {
        // SAFETY: see above.
        Some(real) => unsafe { real(guard) },
        // SAFETY: see above.
        None => end(unsafe { word(guard) }, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn one_thread_initialises_and_the_others_see_it_done() {
        for _ in 0..50 {
            let guard = AtomicU32::new(0);
            let (begun, value) = (AtomicUsize::new(0), AtomicUsize::new(0));
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        if begin(&guard) {
                            begun.fetch_add(1, Ordering::Relaxed);
                            std::thread::yield_now();
                            value.store(7, Ordering::Relaxed);
                            end(&guard, DONE);
                        }
                        assert_eq!(value.load(Ordering::Relaxed), 7);
                    });
                }
            });
            assert_eq!(begun.into_inner(), 1);
            assert_eq!(guard.into_inner(), DONE);
        }
    }

    #[test]
    fn an_aborted_initialisation_is_tried_again() {
        let guard = AtomicU32::new(0);
        assert!(begin(&guard));
        end(&guard, 0);
        assert!(begin(&guard));
        end(&guard, DONE);
        assert!(!begin(&guard));
    }
}
