//! Those that libc has itself.

use crate::intercept::library::library;
use core::ffi::c_int;

library! {
    fn frexp(value: f64, exponent: *mut c_int) -> f64 |call, real| {
        call.check(|touches| touches.writes_one(exponent));
        real(value, exponent)
    }
    fn frexpf(value: f32, exponent: *mut c_int) -> f32 |call, real| {
        call.check(|touches| touches.writes_one(exponent));
        real(value, exponent)
    }
    fn modf(value: f64, whole: *mut f64) -> f64 |call, real| {
        call.check(|touches| touches.writes_one(whole));
        real(value, whole)
    }
    fn modff(value: f32, whole: *mut f32) -> f32 |call, real| {
        call.check(|touches| touches.writes_one(whole));
        real(value, whole)
    }
}
