//! What Boost.Thread's `call_once` calls.
//!
//! The library keeps the state of a flag in an atomic variable that only its
//! own code touches, so its functions say who ran the routine and who found it
//! done. A program that links the library statically may have ours in their
//! place: then the protocol is carried out here, with the library's states.
//! Who waits in the one way is not woken in the other, so the first call
//! decides for all.

use super::foreign::foreign;
use super::stub::interceptors;
use super::{caller, hook};
use crate::os;
use crate::sync::once;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

foreign! { []
    ENTER = c"_ZN5boost13thread_detail17enter_once_regionERNS_9once_flagE":
        fn(*mut c_void) -> bool;
    COMMIT = c"_ZN5boost13thread_detail18commit_once_regionERNS_9once_flagE":
        fn(*mut c_void);
    ROLL_BACK = c"_ZN5boost13thread_detail20rollback_once_regionERNS_9once_flagE":
        fn(*mut c_void);
}

interceptors! {
    "_ZN5boost13thread_detail17enter_once_regionERNS_9once_flagE" => enter,
    "_ZN5boost13thread_detail18commit_once_regionERNS_9once_flagE" => commit,
    "_ZN5boost13thread_detail20rollback_once_regionERNS_9once_flagE" => roll_back,
}

/// States of a flag.
const NEW: u32 = 0;
const RUNNING: u32 = 1;
const DONE: u32 = 2;

/// Who carries out the protocol.
static BY: AtomicU32 = AtomicU32::new(UNKNOWN);
const UNKNOWN: u32 = 0;
const LIBRARY: u32 = 1;
const RUNTIME: u32 = 2;

fn is_by_library() -> bool {
    match BY.load(Ordering::Relaxed) {
        UNKNOWN => decide(),
        by => by == LIBRARY,
    }
}

#[cold]
fn decide() -> bool {
    let found = ENTER.find().is_some() && COMMIT.find().is_some() && ROLL_BACK.find().is_some();
    let by = if found { LIBRARY } else { RUNTIME };
    match BY.compare_exchange(UNKNOWN, by, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => found,
        Err(by) => by == LIBRARY,
    }
}

/// True if the caller is to run the routine.
fn begin(flag: &AtomicU32) -> bool {
    loop {
        match flag.compare_exchange(NEW, RUNNING, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => return true,
            Err(DONE) => return false,
            Err(state) => os::futex_wait(flag, state),
        }
    }
}

fn end(flag: &AtomicU32, state: u32) {
    flag.store(state, Ordering::Release);
    os::futex_wake(flag, i32::MAX as u32);
}

/// The state of a flag.
///
/// # Safety
/// `flag` must be one that is in use.
unsafe fn state_of<'a>(flag: *mut c_void) -> &'a AtomicU32 {
    // SAFETY: it holds an atomic `unsigned int`, and nothing else.
    unsafe { AtomicU32::from_ptr(flag.cast()) }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn enter(flag: *mut c_void) -> bool {
    let pc = caller();
    let mine = if is_by_library() {
        // SAFETY: see above.
        unsafe { ENTER.get()(flag) }
    } else {
        // SAFETY: see above.
        begin(unsafe { state_of(flag) })
    };
    hook(|| match mine {
        false => once::passed(flag as usize, pc),
        true => once::began(flag as usize),
    });
    mine
}

unsafe extern "C" fn commit(flag: *mut c_void) {
    let pc = caller();
    hook(|| once::completed(flag as usize, pc));
    if is_by_library() {
        // SAFETY: see above.
        unsafe { COMMIT.get()(flag) }
    } else {
        // SAFETY: see above.
        end(unsafe { state_of(flag) }, DONE);
    }
}

unsafe extern "C" fn roll_back(flag: *mut c_void) {
    hook(|| once::abandoned(flag as usize));
    if is_by_library() {
        // SAFETY: see above.
        unsafe { ROLL_BACK.get()(flag) }
    } else {
        // SAFETY: see above.
        end(unsafe { state_of(flag) }, NEW);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn one_thread_runs_the_routine_and_the_others_see_it_done() {
        for _ in 0..50 {
            let flag = AtomicU32::new(NEW);
            let (begun, value) = (AtomicUsize::new(0), AtomicUsize::new(0));
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        if begin(&flag) {
                            begun.fetch_add(1, Ordering::Relaxed);
                            std::thread::yield_now();
                            value.store(7, Ordering::Relaxed);
                            end(&flag, DONE);
                        }
                        assert_eq!(value.load(Ordering::Relaxed), 7);
                    });
                }
            });
            assert_eq!(begun.into_inner(), 1);
            assert_eq!(flag.into_inner(), DONE);
        }
    }

    #[test]
    fn a_routine_that_throws_is_tried_again() {
        let flag = AtomicU32::new(NEW);
        assert!(begin(&flag));
        end(&flag, NEW);
        assert!(begin(&flag));
        end(&flag, DONE);
        assert!(!begin(&flag));
    }
}
