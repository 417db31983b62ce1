//! libgomp's loops whose iterations wait for each other (`ordered(n)`).

use super::gomp::passed;
use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;
use core::ffi::{c_long, c_ulong};

/// The arguments of a wait that are on the stack. It has as many as the loop has
/// dimensions; those that are not there are words of the callers' frames, which
/// are passed on unused.
#[derive(Clone, Copy)]
#[repr(C)]
struct Rest([c_long; 64]);

macro_rules! waits {
    ($($id:ident($type:ty) = $real:ident;)+) => {
        $(
            unsafe extern "C" fn $id(
                a: $type, b: $type, c: $type, d: $type, e: $type, f: $type, rest: Rest,
            ) {
                // SAFETY: the program's own arguments.
                unsafe { $real.get()(a, b, c, d, e, f, rest) };
                passed(|team| team.iterations.acquire());
            }
        )+
    };
}

foreign! { [c"libgomp.so.1"]
    POST = c"GOMP_doacross_post": fn(*mut c_long);
    POST_UNSIGNED = c"GOMP_doacross_ull_post": fn(*mut c_ulong);
    WAIT = c"GOMP_doacross_wait": fn(c_long, c_long, c_long, c_long, c_long, c_long, Rest);
    WAIT_UNSIGNED = c"GOMP_doacross_ull_wait":
        fn(c_ulong, c_ulong, c_ulong, c_ulong, c_ulong, c_ulong, Rest);
}

interceptors! {
    "GOMP_doacross_post" => post,
    "GOMP_doacross_ull_post" => post_unsigned,
    "GOMP_doacross_wait" => wait,
    "GOMP_doacross_ull_wait" => wait_unsigned,
}

waits! {
    wait(c_long) = WAIT;
    wait_unsigned(c_ulong) = WAIT_UNSIGNED;
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn post(iteration: *mut c_long) {
    passed(|team| team.iterations.release());
    // SAFETY: see above.
    unsafe { POST.get()(iteration) }
}

unsafe extern "C" fn post_unsigned(iteration: *mut c_ulong) {
    passed(|team| team.iterations.release());
    // SAFETY: see above.
    unsafe { POST_UNSIGNED.get()(iteration) }
}
