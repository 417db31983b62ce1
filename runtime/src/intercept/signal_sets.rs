//! Sets of signals, in variables of the program.

use super::library::{Call, library};
use core::ffi::c_int;

/// The part of a `sigset_t` that has signals in it.
pub(super) type Set = u64;

/// Checks the change of a set, if the signal that it is about exists.
fn changed(call: &Call, result: c_int, set: *const Set) -> c_int {
    if result == 0 {
        call.check(|touches| touches.writes_one(set));
    }
    result
}

library! {
    fn sigemptyset(set: *mut Set) -> c_int |call, real| {
        changed(&call, real(set), set)
    }
    fn sigfillset(set: *mut Set) -> c_int |call, real| {
        changed(&call, real(set), set)
    }
    fn sigaddset(set: *mut Set, number: c_int) -> c_int |call, real| {
        changed(&call, real(set, number), set)
    }
    fn sigdelset(set: *mut Set, number: c_int) -> c_int |call, real| {
        changed(&call, real(set, number), set)
    }
    fn sigismember(set: *const Set, number: c_int) -> c_int |call, real| {
        let result = real(set, number);
        if result >= 0 {
            call.check(|touches| touches.reads_one(set));
        }
        result
    }
    fn sigisemptyset(set: *const Set) -> c_int |call, real| {
        call.check(|touches| touches.reads_one(set));
        real(set)
    }
    fn sigandset(set: *mut Set, one: *const Set, other: *const Set) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_one(one);
            touches.reads_one(other);
        });
        changed(&call, real(set, one, other), set)
    }
    fn sigorset(set: *mut Set, one: *const Set, other: *const Set) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads_one(one);
            touches.reads_one(other);
        });
        changed(&call, real(set, one, other), set)
    }
    fn sigpending(set: *mut Set) -> c_int |call, real| {
        changed(&call, real(set), set)
    }
}
