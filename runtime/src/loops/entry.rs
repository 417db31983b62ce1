//! The hooks that instrumented code calls.

use super::condition::{Condition, WaitExit};
use crate::thread::{self, Thread};
use crate::tls;

/// Runs `f` on the calling thread unless there is nothing to order.
#[inline]
fn hooked(f: impl FnOnce(&mut Thread)) {
    if thread::alone() {
        return;
    }
    if let Some(_inside) = tls::enter() {
        thread::synchronise(f);
    }
}

crate::stub!(__racert_wait_loop_exit, |condvar: usize,
                                       mutex: usize,
                                       flags: u32,
                                       count: u32,
                                       conditions: *const Condition|
 -> () {
    // SAFETY: the pass passes as many as it says.
    let exit = unsafe { WaitExit::new(condvar, mutex, flags, count, conditions) };
    if exit.is_ordered() {
        hooked(|me| super::wait_exit(me, &exit));
    }
});
crate::stub!(__racert_spin_loop_exit, |addr: usize,
                                       size: usize,
                                       _flags: u32|
 -> () {
    if addr != 0 {
        hooked(|me| super::spin_exit(me, addr, size));
    }
});
// What predicates read matters only to modes that follow conditions, and
// advice about waits only to a report that gives advice: neither is there yet.
crate::stub!(__racert_condition_begin, |_fresh: u32| -> () {});
crate::stub! { __racert_condition_end, | | -> () {} }
crate::stub!(__racert_wait_not_in_loop, |_condvar: usize,
                                         _mutex: usize|
 -> () {});
