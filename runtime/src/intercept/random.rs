//! Random numbers whose state is the program's.

use super::library::{Call, library};
use core::ffi::{c_char, c_int, c_long, c_uint};

/// `struct random_data`, as far as it is known.
#[repr(C)]
struct Feedback {
    /// Where in the numbers the next is made: it moves with each.
    front: *mut i32,
    rear: *mut i32,
    rest: [u64; 4],
}

/// Sizes of the numbers that a generator is made with: the largest for which
/// there is room.
const SIZES: [usize; 5] = [256, 128, 64, 32, 8];

/// `struct drand48_data`.
#[repr(C)]
struct Congruence {
    now: [u16; 3],
    before: [u16; 3],
    addend: u16,
    is_set: u16,
    factor: u64,
}

const _: () = assert!(size_of::<Feedback>() == 48 && size_of::<Congruence>() == 24);

/// Goes over the making of a number: `now` becomes it, by the factor and the
/// addend of `state`, which are set before the first.
///
/// # Safety
/// The state must be readable.
unsafe fn next<T>(call: &Call, now: *const u16, state: *const Congruence, to: *const T) {
    call.check(|touches| {
        // SAFETY: passed on.
        let (is_set, addend) = unsafe { ((*state).is_set != 0, &raw const (*state).addend) };
        if is_set {
            touches.reads_one(addend);
        } else {
            touches.writes_one(addend);
        }
        touches.writes(now, size_of::<[u16; 3]>());
        touches.writes_one(to);
    });
}

library! {
    fn random_r(state: *mut Feedback, to: *mut i32) -> c_int |call, real| {
        let result = real(state, to);
        if result == 0 {
            call.check(|touches| {
                touches.writes_one(&raw const (*state).front);
                touches.writes_one(&raw const (*state).rear);
                touches.writes_one(to);
            });
        }
        result
    }
    fn srandom_r(seed: c_uint, state: *mut Feedback) -> c_int |call, real| {
        let result = real(seed, state);
        if result == 0 {
            call.check(|touches| {
                touches.writes_one(&raw const (*state).front);
                touches.writes_one(&raw const (*state).rear);
            });
        }
        result
    }
    fn initstate_r(seed: c_uint, numbers: *mut c_char, room: usize, state: *mut Feedback) -> c_int |call, real| {
        let result = real(seed, numbers, room, state);
        if result == 0 {
            call.check(|touches| {
                touches.writes_one(state);
                let size = SIZES.into_iter().find(|size| *size <= room);
                touches.writes(numbers, size.unwrap_or(0));
            });
        }
        result
    }
    fn setstate_r(numbers: *mut c_char, state: *mut Feedback) -> c_int |call, real| {
        let result = real(numbers, state);
        if result == 0 {
            call.check(|touches| {
                touches.writes_one(state);
                touches.reads(numbers, size_of::<i32>());
            });
        }
        result
    }
    fn drand48_r(state: *mut Congruence, to: *mut f64) -> c_int |call, real| {
        next(&call, (&raw const (*state).now).cast(), state, to);
        real(state, to)
    }
    fn lrand48_r(state: *mut Congruence, to: *mut c_long) -> c_int |call, real| {
        next(&call, (&raw const (*state).now).cast(), state, to);
        real(state, to)
    }
    fn mrand48_r(state: *mut Congruence, to: *mut c_long) -> c_int |call, real| {
        next(&call, (&raw const (*state).now).cast(), state, to);
        real(state, to)
    }
    fn erand48_r(now: *mut u16, state: *mut Congruence, to: *mut f64) -> c_int |call, real| {
        next(&call, now, state, to);
        real(now, state, to)
    }
    fn nrand48_r(now: *mut u16, state: *mut Congruence, to: *mut c_long) -> c_int |call, real| {
        next(&call, now, state, to);
        real(now, state, to)
    }
    fn jrand48_r(now: *mut u16, state: *mut Congruence, to: *mut c_long) -> c_int |call, real| {
        next(&call, now, state, to);
        real(now, state, to)
    }
    fn srand48_r(seed: c_long, state: *mut Congruence) -> c_int |call, real| {
        call.check(|touches| {
            touches.writes_one(&raw const (*state).now);
            touches.writes_one(&raw const (*state).addend);
        });
        real(seed, state)
    }
    fn seed48_r(seed: *mut u16, state: *mut Congruence) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads(seed, size_of::<[u16; 3]>());
            touches.writes_one(state);
        });
        real(seed, state)
    }
    fn lcong48_r(parameters: *mut u16, state: *mut Congruence) -> c_int |call, real| {
        call.check(|touches| {
            touches.reads(parameters, size_of::<[u16; 7]>());
            touches.writes_one(&raw const (*state).now);
            touches.writes_one(&raw const (*state).addend);
        });
        real(parameters, state)
    }
    fn erand48(now: *mut u16) -> f64 |call, real| {
        call.writes(now, size_of::<[u16; 3]>());
        real(now)
    }
    fn nrand48(now: *mut u16) -> c_long |call, real| {
        call.writes(now, size_of::<[u16; 3]>());
        real(now)
    }
    fn jrand48(now: *mut u16) -> c_long |call, real| {
        call.writes(now, size_of::<[u16; 3]>());
        real(now)
    }
}
