//! Threads without a thread: contexts of execution that the program switches
//! between itself.
//!
//! A fiber has a record of its own, like a thread; switching makes that record
//! the calling thread's.

use super::frames::Region;
use super::lifecycle::{DEFAULT_STACK, create_begin};
use super::{OPEN, Thread, current, registry};
use crate::slot;
use crate::stack::ROOT;
use crate::tls::{self, Frame};
use alloc::boxed::Box;
use core::sync::atomic::Ordering;

/// Makes a fiber, by a call at `pc`; what the caller did so far happens before
/// all it will do. Null when there is no room for another.
pub(crate) fn create(pc: usize) -> *mut Thread {
    let fiber = create_begin(pc, false);
    // SAFETY: fresh, and nobody else's yet.
    if let Some(new) = unsafe { fiber.as_mut() } {
        if let Some(region) = Region::new(DEFAULT_STACK) {
            new.frames = region;
        }
        new.parked = new.frames.base();
    }
    fiber
}

/// A shadow call stack of its own, for a context that stays part of its
/// thread. It is there for good.
pub(crate) fn own_frames() -> Option<*mut Frame> {
    let base = Region::new(DEFAULT_STACK)?.base();
    // Nobody has called what begins a context.
    // SAFETY: below the base there is room for two frames.
    unsafe {
        base.sub(1).write(Frame {
            return_address: 0,
            context: ROOT.into(),
        });
    }
    Some(base)
}

/// The calling thread goes on as `fiber`. With `ordered`, what it did until now
/// happens before what it does as the other.
pub(crate) fn switch(fiber: *mut Thread, ordered: bool) {
    let (Some(me), false) = (current(), fiber.is_null()) else {
        return;
    };
    if core::ptr::eq(me, fiber) {
        return;
    }
    let block = tls::block();
    // SAFETY: the program switches to fibers that exist and do not run; the
    // block is this thread's.
    unsafe {
        me.parked = (*block).frames;
        me.rewritten.activations.park();
        (*fiber).rewritten.activations.resume();
        if ordered {
            let released = me.recorder.released();
            (*fiber).recorder.acquire(&released);
        }
        (*block).thread = fiber;
        (*block).frames = (*fiber).parked;
        (*fiber).publish_segment();
        (*fiber).publish_transitions();
    }
}

/// `fiber` will not run again.
pub(crate) fn destroy(fiber: *mut Thread) {
    let (Some(me), false) = (current(), fiber.is_null()) else {
        return;
    };
    if core::ptr::eq(me, fiber) {
        return;
    }
    // SAFETY: the program gives up a fiber that does not run.
    let mut fiber = unsafe { Box::from_raw(fiber) };
    let recorder = &mut fiber.recorder;
    let (slot, end) = (recorder.slot(), recorder.log.end());
    recorder.cells.surrender();
    registry::ended(fiber.number);
    fiber.frames.release();
    if me.recorder.clock.get(slot) >= end {
        OPEN.fetch_sub(1, Ordering::Relaxed);
        me.publish_segment();
    }
    slot::vacate(slot, end);
}
