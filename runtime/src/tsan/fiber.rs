//! User-level threads: the program says when it switches.

use crate::intercept::stub::interceptors;
use crate::thread::{self, Thread, fiber};
use crate::{init, tls};
use core::ffi::{CStr, c_char, c_uint};
use core::ptr::null_mut;

interceptors! {
    "__tsan_get_current_fiber" => current,
    "__tsan_create_fiber" => create,
    "__tsan_destroy_fiber" => destroy,
    "__tsan_switch_to_fiber" => switch,
    "__tsan_set_fiber_name" => set_name,
}

/// The switch orders nothing.
const NO_SYNC: c_uint = 1;

extern "C" fn current() -> *mut Thread {
    init::ensure();
    thread::current().map_or(null_mut(), |me| me)
}

extern "C" fn create(_flags: c_uint) -> *mut Thread {
    let pc = tls::caller();
    init::ensure();
    tls::section(|| fiber::create(pc)).unwrap_or(null_mut())
}

extern "C" fn destroy(fiber: *mut Thread) {
    tls::section(|| fiber::destroy(fiber));
}

extern "C" fn switch(fiber: *mut Thread, flags: c_uint) {
    tls::section(|| fiber::switch(fiber, flags & NO_SYNC == 0));
}

extern "C" fn set_name(fiber: *mut Thread, name: *const c_char) {
    if fiber.is_null() || name.is_null() {
        return;
    }
    tls::section(|| {
        // SAFETY: a string of the program's, valid during the call.
        thread::set_name(fiber, unsafe { CStr::from_ptr(name) }.to_bytes());
    });
}
