//! What programs written to test ThreadSanitizer call.

use crate::intercept::stub::interceptors;
use crate::tls::{self, Frame};
use crate::{init, os, thread};
use core::ffi::c_uint;
use core::sync::atomic::{AtomicU32, Ordering};

interceptors! {
    "__tsan_testonly_barrier_init" => barrier_init,
    "__tsan_testonly_barrier_wait" => barrier_wait,
    "__tsan_testonly_shadow_stack_current_size" => frames,
}

/// A barrier's variable has 32 bits: how many threads meet in the low ones,
/// how often one arrived above.
const ARRIVAL: u32 = 1 << 12;

/// A barrier that orders nothing.
extern "C" fn barrier_init(barrier: *mut AtomicU32, count: c_uint) {
    // SAFETY: the program's own variable.
    unsafe { (*barrier).store(count.min(ARRIVAL - 1), Ordering::Release) };
}

extern "C" fn barrier_wait(barrier: *const AtomicU32) {
    // SAFETY: as above.
    let barrier = unsafe { &*barrier };
    let before = barrier.fetch_add(ARRIVAL, Ordering::AcqRel);
    let round = round(before);
    loop {
        let now = barrier.load(Ordering::Acquire);
        if self::round(now) != round {
            break;
        }
        os::futex_wait(barrier, now);
    }
    os::futex_wake(barrier, u32::MAX >> 1);
}

/// How often all threads have met.
fn round(value: u32) -> u32 {
    value / ARRIVAL / (value % ARRIVAL).max(1)
}

/// How deep the calling thread's shadow call stack is.
extern "C" fn frames() -> usize {
    init::ensure();
    let Some(me) = thread::current() else {
        return 0;
    };
    // SAFETY: this thread's own block.
    let top = unsafe { (*tls::block()).frames };
    (top as usize - me.lowest_frame() as usize) / size_of::<Frame>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_ends_when_the_last_arrives() {
        let barrier = AtomicU32::new(0);
        barrier_init((&raw const barrier).cast_mut(), 2);
        let start = round(barrier.load(Ordering::Relaxed));
        barrier.fetch_add(ARRIVAL, Ordering::Relaxed);
        assert_eq!(round(barrier.load(Ordering::Relaxed)), start);
        barrier.fetch_add(ARRIVAL, Ordering::Relaxed);
        assert_eq!(round(barrier.load(Ordering::Relaxed)), start + 1);
    }
}
