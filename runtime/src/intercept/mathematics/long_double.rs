//! Those whose argument is a `long double`: that is on the stack, where Rust
//! does not find it, so libc's function is reached by a jump.

use super::check;
use crate::intercept::caller;
use crate::intercept::foreign::foreign;
use crate::intercept::stub::{code_of, interceptors};
use core::ffi::c_int;

/// A `long double`, as far as it is written.
type Long = [u8; 10];

/// One on the stack.
#[repr(C)]
struct Argument {
    digits: u64,
    /// The exponent below, the sign above it.
    exponent: u16,
    unused: [u16; 3],
}

impl Argument {
    /// The exponent of what is not finite.
    const LARGEST: u16 = 0x7fff;

    fn is_finite(&self) -> bool {
        self.exponent & Self::LARGEST != Self::LARGEST
    }

    /// Is it a number other than zero? Those that are infinite have one digit.
    fn divides(&self) -> bool {
        if self.is_finite() {
            self.digits != 0
        } else {
            self.digits << 1 == 0
        }
    }
}

foreign! { [c"libm.so.6"]
    FREXPL = c"frexpl": fn();
    MODFL = c"modfl": fn();
    SINCOSL = c"sincosl": fn();
    LGAMMAL_R = c"lgammal_r": fn();
    REMQUOL = c"remquol": fn();
}

interceptors! {
    "frexpl" => frexpl,
    "modfl" => modfl,
    "sincosl" => sincosl,
    "lgammal_r" => lgammal_r,
    "remquol" => remquol,
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
                    // Where the arguments on the stack are.
                    "lea rdx, [rsp + 24]",
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
    remquol => check_remquol;
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

extern "C" fn check_remquol(
    quotient: *mut c_int,
    _: *const (),
    values: *const [Argument; 2],
) -> *const () {
    check(caller(), code_of!("remquol"), |touches| {
        // SAFETY: the arguments of the call.
        let [value, by] = unsafe { &*values };
        if value.is_finite() && by.divides() {
            touches.writes_one(quotient);
        }
    });
    REMQUOL.get() as *const ()
}
