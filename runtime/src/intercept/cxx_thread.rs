//! `std::thread` of libstdc++, whose constructor creates the thread in a
//! function of the library.
//!
//! The library is not instrumented, so the call of that function is not on the
//! shadow call stack: without it, the place where a thread was created would
//! be a line in libstdc++.

use super::library::push;
use super::next::next;
use super::stub::interceptors;
use super::{caller, hook};
use crate::tls;
use core::ffi::c_void;

next! {
    START = c"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE":
        fn(*mut c_void, *mut c_void, *const c_void);
}

interceptors! {
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE" => start,
}

/// `std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)())`. When it
/// throws, whoever catches puts the shadow call stack right.
unsafe extern "C" fn start(thread: *mut c_void, state: *mut c_void, depend: *const c_void) {
    let pc = caller();
    let real = START.get();
    let frames = hook(|| push(pc)).flatten();
    // SAFETY: the program's own arguments.
    unsafe { real(thread, state, depend) };
    if let Some(frames) = frames {
        // SAFETY: this thread's own block.
        unsafe { (*tls::block()).frames = frames };
    }
}
