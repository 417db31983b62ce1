//! `std::thread` of libstdc++, which creates and joins threads in functions of
//! the library.
//!
//! The library is not instrumented, so the calls of these functions are not on
//! the shadow call stack: without them, the place where a thread was created or
//! joined would be a line in libstdc++.

use super::library::push;
use super::next::next;
use super::stub::interceptors;
use super::{caller, hook};
use crate::tls;
use core::ffi::c_void;

next! {
    START = c"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE":
        fn(*mut c_void, *mut c_void, *const c_void);
    JOIN = c"_ZNSt6thread4joinEv": fn(*mut c_void);
    DETACH = c"_ZNSt6thread6detachEv": fn(*mut c_void);
}

interceptors! {
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE" => start,
    "_ZNSt6thread4joinEv" => join,
    "_ZNSt6thread6detachEv" => detach,
}

/// `std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)())`.
unsafe extern "C" fn start(thread: *mut c_void, state: *mut c_void, depend: *const c_void) {
    let real = START.get();
    // SAFETY: the program's own arguments.
    called_from(caller(), || unsafe { real(thread, state, depend) });
}

/// `std::thread::join()`
unsafe extern "C" fn join(thread: *mut c_void) {
    let real = JOIN.get();
    // SAFETY: as in `start`.
    called_from(caller(), || unsafe { real(thread) });
}

/// `std::thread::detach()`
unsafe extern "C" fn detach(thread: *mut c_void) {
    let real = DETACH.get();
    // SAFETY: as in `start`.
    called_from(caller(), || unsafe { real(thread) });
}

/// Runs `real` with the call that returns to `pc` on the shadow call stack.
/// When it throws, whoever catches puts that stack right.
#[inline(always)]
fn called_from(pc: usize, real: impl FnOnce()) {
    let frames = hook(|| push(pc)).flatten();
    real();
    if let Some(frames) = frames {
        // SAFETY: this thread's own block.
        unsafe { (*tls::block()).frames = frames };
    }
}
