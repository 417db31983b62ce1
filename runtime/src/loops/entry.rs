//! The hooks that instrumented code calls.

use super::condition::{Condition, WaitExit};
use super::elsewhere::{self, Table};
use super::noting::Read;
use super::spin::{self, Load};
use super::wait;
use crate::lock::advice;
use crate::thread::{self, Thread};
use crate::tls::{self, caller};
use racert_abi::sync_loop;

/// Runs `f` on the calling thread unless there is nothing to order.
#[inline]
fn hooked(f: impl FnOnce(&mut Thread)) {
    if thread::alone() {
        return;
    }
    tls::section(move || thread::synchronise(f));
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
        hooked(|me| wait::left(me, &exit));
    }
});
crate::stub!(__racert_spin_loop_exit, |addr: usize,
                                       size: usize,
                                       flags: u32|
 -> () {
    let pc = caller();
    hooked(|me| {
        let load = if flags & sync_loop::RELAXED != 0 {
            Load::Relaxed
        } else {
            Load::Plain
        };
        let read = Read { addr, size, pc };
        if addr != 0 && flags & sync_loop::UNORDERED != 0 {
            spin::left_otherwise(me, read, load);
        } else if addr != 0 {
            spin::left(me, read, load);
        }
        if flags & sync_loop::NOTED != 0 {
            for read in me.loops.noting.take() {
                spin::left(me, read, Load::Plain);
            }
        }
    });
});
crate::stub!(__racert_flag_write, |addr: usize, size: usize| -> () {
    let pc = caller();
    hooked(|me| spin::writing(me, Read { addr, size, pc }));
});
crate::stub! { __racert_flag_written, | | -> () {
    hooked(spin::written);
}}
crate::stub!(__racert_condition_begin, |flags: u32| -> () {
    if thread::alone() {
        return;
    }
    tls::section(move || {
        let Some(me) = thread::current() else { return };
        let fresh = flags & sync_loop::FRESH != 0;
        if flags & sync_loop::SPINS == 0 {
            me.loops.noting.begin_waiting(fresh);
        } else if me.recorder.follows_flags() {
            me.loops.noting.begin(fresh);
        }
        me.publish_transitions();
    });
});
crate::stub! { __racert_condition_end, | | -> () {
    tls::section(move || {
        if let Some(me) = thread::current() && me.loops.noting.end() {
            me.publish_segment();
            me.publish_transitions();
        }
    });
} }
crate::stub!(__racert_wait_not_in_loop, |condvar: usize,
                                         mutex: usize|
 -> () {
    let pc = caller();
    hooked(|me| advice::waits_outside_loop(me, condvar, mutex, pc));
});
crate::stub!(__racert_waits, |table: Option<&'static Table>| -> u32 {
    u32::from(table.is_some_and(elsewhere::waits))
});
