//! Those whose argument is a `long double`: that is on the stack, where Rust
//! does not find it, so libc's function is reached by a jump.

use super::check;
use crate::intercept::caller;
use crate::intercept::foreign::foreign;
use crate::intercept::stub::{code_of, interceptors};
use core::ffi::c_int;

/// A `long double`, as far as it is written.
type Long = [u8; 10];

foreign! { [c"libm.so.6"]
    FREXPL = c"frexpl": fn();
    MODFL = c"modfl": fn();
    SINCOSL = c"sincosl": fn();
    LGAMMAL_R = c"lgammal_r": fn();
}

interceptors! {
    "frexpl" => frexpl,
    "modfl" => modfl,
    "sincosl" => sincosl,
    "lgammal_r" => lgammal_r,
}

/// Defines functions that jump to where their checks say.
macro_rules! jumping {
    ($($id:ident => $check:ident;)+) => {
        $(
            #[unsafe(naked)]
            extern "C" fn $id() {
                core::arch::naked_asm!(
                    "push rdi",
                    "push rsi",
                    "sub rsp, 8",
                    "call {check}",
                    "add rsp, 8",
                    "pop rsi",
                    "pop rdi",
                    "jmp rax",
                    check = sym $check,
                )
            }
        )+
    };
}

jumping! {
    frexpl => check_frexpl;
    modfl => check_modfl;
    sincosl => check_sincosl;
    lgammal_r => check_lgammal_r;
}

extern "C" fn check_frexpl(exponent: *mut c_int) -> *const () {
    check(caller(), code_of!("frexpl"), |touches| {
        touches.writes_one(exponent);
    });
    FREXPL.get() as *const ()
}

extern "C" fn check_modfl(whole: *mut Long) -> *const () {
    check(caller(), code_of!("modfl"), |touches| {
        touches.writes_one(whole);
    });
    MODFL.get() as *const ()
}

extern "C" fn check_sincosl(sine: *mut Long, cosine: *mut Long) -> *const () {
    check(caller(), code_of!("sincosl"), |touches| {
        touches.writes_one(sine);
        touches.writes_one(cosine);
    });
    SINCOSL.get() as *const ()
}

extern "C" fn check_lgammal_r(sign: *mut c_int) -> *const () {
    check(caller(), code_of!("lgammal_r"), |touches| {
        touches.writes_one(sign);
    });
    LGAMMAL_R.get() as *const ()
}
