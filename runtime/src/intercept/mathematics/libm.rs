//! Those that only the library of mathematics has.

use super::check;
use crate::intercept::caller;
use crate::intercept::foreign::foreign;
use crate::intercept::stub::{code_of, interceptors};
use core::ffi::c_int;

foreign! { [c"libm.so.6"]
    SINCOS = c"sincos": fn(f64, *mut f64, *mut f64);
    SINCOSF = c"sincosf": fn(f32, *mut f32, *mut f32);
    REMQUO = c"remquo": fn(f64, f64, *mut c_int) -> f64;
    REMQUOF = c"remquof": fn(f32, f32, *mut c_int) -> f32;
    LGAMMA_R = c"lgamma_r": fn(f64, *mut c_int) -> f64;
    LGAMMAF_R = c"lgammaf_r": fn(f32, *mut c_int) -> f32;
}

interceptors! {
    "sincos" => sincos,
    "sincosf" => sincosf,
    "remquo" => remquo,
    "remquof" => remquof,
    "lgamma_r" => lgamma_r,
    "lgammaf_r" => lgammaf_r,
}

/// Of what is not a number, or has no quotient, there is none.
fn has_quotient(value: f64, by: f64) -> bool {
    value.is_finite() && !by.is_nan() && by != 0.0
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn sincos(angle: f64, sine: *mut f64, cosine: *mut f64) {
    check(caller(), code_of!("sincos"), |touches| {
        touches.writes_one(sine);
        touches.writes_one(cosine);
    });
    // SAFETY: see above.
    unsafe { SINCOS.get()(angle, sine, cosine) }
}

unsafe extern "C" fn sincosf(angle: f32, sine: *mut f32, cosine: *mut f32) {
    check(caller(), code_of!("sincosf"), |touches| {
        touches.writes_one(sine);
        touches.writes_one(cosine);
    });
    // SAFETY: see above.
    unsafe { SINCOSF.get()(angle, sine, cosine) }
}

unsafe extern "C" fn remquo(value: f64, by: f64, quotient: *mut c_int) -> f64 {
    check(caller(), code_of!("remquo"), |touches| {
        if has_quotient(value, by) {
            touches.writes_one(quotient);
        }
    });
    // SAFETY: see above.
    unsafe { REMQUO.get()(value, by, quotient) }
}

unsafe extern "C" fn remquof(value: f32, by: f32, quotient: *mut c_int) -> f32 {
    check(caller(), code_of!("remquof"), |touches| {
        if has_quotient(value.into(), by.into()) {
            touches.writes_one(quotient);
        }
    });
    // SAFETY: see above.
    unsafe { REMQUOF.get()(value, by, quotient) }
}

unsafe extern "C" fn lgamma_r(value: f64, sign: *mut c_int) -> f64 {
    check(caller(), code_of!("lgamma_r"), |touches| {
        touches.writes_one(sign);
    });
    // SAFETY: see above.
    unsafe { LGAMMA_R.get()(value, sign) }
}

unsafe extern "C" fn lgammaf_r(value: f32, sign: *mut c_int) -> f32 {
    check(caller(), code_of!("lgammaf_r"), |touches| {
        touches.writes_one(sign);
    });
    // SAFETY: see above.
    unsafe { LGAMMAF_R.get()(value, sign) }
}
