//! From creation to join.
//!
//! Creation and join are the two edges every program relies on: what the
//! creator did before, the child has seen; what the child did, whoever joins
//! it has seen.

use super::{OPEN, Thread, alone, current, frames::Region, registry};
use crate::clock::{Clock, Released};
use crate::recorder::Recorder;
use crate::{intercept, os, shadow, slot, tls};
use alloc::boxed::Box;
use core::sync::atomic::Ordering;

/// Real stack assumed for threads whose size is not known.
const DEFAULT_STACK: usize = 8 << 20;

fn make(creator: Option<&mut Thread>, created_at: u32) -> Option<Box<Thread>> {
    let mut clock = Clock::new();
    let creator_number = creator.as_ref().map_or(0, |c| c.number);
    let number = registry::add(creator_number, created_at);
    let leased = match creator {
        Some(creator) => {
            let recorder = &mut creator.recorder;
            clock.join(&recorder.released());
            let (own, end) = (recorder.slot(), recorder.log.end());
            slot::lease(
                number,
                |s| if s == own { end } else { recorder.clock.get(s) },
            )
        }
        None => slot::lease(number, |_| 0),
    };
    let (lease, _) = leased?;
    Some(Box::new(Thread {
        number,
        recorder: Recorder::new(lease, clock),
        release_fence: None,
        acquire_fence: Released::new(),
        ignoring: super::Ignoring::default(),
        innermost: ((0, 0), 0),
        finished: Released::new(),
        frames: Region::scratch()?,
        detached: false,
    }))
}

/// In the creator, before the thread is created by a call at `pc`. Null when
/// the runtime has no room for another thread, which then runs unchecked.
pub fn create_begin(pc: usize, detached: bool) -> *mut Thread {
    OPEN.fetch_add(1, Ordering::Relaxed);
    let Some(creator) = current() else {
        return core::ptr::null_mut();
    };
    let stack = creator.stack_id(pc);
    let made = make(Some(creator), stack);
    creator.publish_segment();
    match made {
        Some(mut thread) => {
            thread.detached = detached;
            Box::into_raw(thread)
        }
        None => core::ptr::null_mut(),
    }
}

/// In the creator: the thread was not created after all.
pub fn create_failed(thread: *mut Thread) {
    if !thread.is_null() {
        // SAFETY: nobody else has the pointer.
        let thread = unsafe { Box::from_raw(thread) };
        registry::ended(thread.number);
        slot::vacate(thread.recorder.slot(), thread.recorder.log.end());
    }
    OPEN.fetch_sub(1, Ordering::Relaxed);
    if let Some(creator) = current() {
        creator.publish_segment();
    }
}

/// In the creator, when creation succeeded and the new thread has not come to
/// [`child_start`] yet: it can be joined from now on.
pub fn created(thread: *mut Thread, pthread: u64) {
    if !thread.is_null() {
        registry::enlist(pthread, thread);
    }
}

/// In the new thread, first of all.
pub fn child_start(thread: *mut Thread, pthread: u64, stack_low: usize, stack_high: usize) {
    if thread.is_null() {
        return;
    }
    registry::enlist(pthread, thread);
    // SAFETY: the creator gave the record to this thread.
    let me = unsafe { &mut *thread };
    let size = if stack_high > stack_low {
        stack_high - stack_low
    } else {
        DEFAULT_STACK
    };
    start(me, size);
    registry::started(me.number, os::gettid(), (stack_low, stack_high));
    if stack_high > stack_low {
        shadow::clear::forget(&mut me.recorder.cells, stack_low, stack_high - stack_low);
    }
}

fn start(me: &mut Thread, stack: usize) {
    if let Some(region) = Region::new(stack) {
        me.frames = region;
    }
    let block = tls::block();
    // SAFETY: this thread's own block.
    unsafe {
        (*block).thread = me;
        (*block).frames = me.frames.base();
        (*block).memo = me.recorder.memo.table();
    }
    me.publish_segment();
}

/// Attaches the calling thread, which nobody announced: the main thread at
/// start, or one created behind the runtime's back.
pub fn attach(stack_low: usize, stack_high: usize) {
    if current().is_some() {
        return;
    }
    OPEN.fetch_add(1, Ordering::Relaxed);
    let Some(thread) = make(None, 0) else { return };
    let me = Box::leak(thread);
    // It can be named and joined like the others; even the main thread can.
    // SAFETY: takes no arguments.
    registry::enlist(unsafe { libc::pthread_self() }, me);
    intercept::watch_end();
    start(me, stack_high.saturating_sub(stack_low).max(DEFAULT_STACK));
    registry::started(me.number, os::gettid(), (stack_low, stack_high));
}

/// In the thread, last of all.
pub fn finish() {
    let Some(me) = current() else { return };
    let recorder = &mut me.recorder;
    let (slot, end) = (recorder.slot(), recorder.log.end());
    me.finished = recorder.released();
    recorder.cells.surrender();
    registry::ended(me.number);
    let (frames, detached) = (me.frames, me.detached);
    let block = tls::block();
    // Exit handlers of the C library may still run instrumented code here.
    let scratch = Region::scratch();
    // SAFETY: this thread's own block.
    unsafe {
        (*block).current = 0;
        (*block).thread = core::ptr::null_mut();
        (*block).frames = scratch.map_or(core::ptr::null_mut(), Region::base);
    }
    frames.release();
    slot::vacate(slot, end);
    if detached {
        discard(me);
    }
}

fn discard(thread: *mut Thread) {
    registry::delist(thread);
    // SAFETY: the thread has ended and nobody may join it any more.
    drop(unsafe { Box::from_raw(thread) });
}

/// In the joiner, after the join.
pub fn joined(thread: *mut Thread) {
    // SAFETY: an ended thread whose pthread_t is valid once more: here.
    let finished = unsafe { core::mem::take(&mut (*thread).finished) };
    discard(thread);
    OPEN.fetch_sub(1, Ordering::Relaxed);
    if let Some(me) = current() {
        me.recorder.acquire(&finished);
        me.publish_segment();
    }
}

/// Nobody will join `thread`.
pub fn detached(thread: *mut Thread) {
    // SAFETY: the program's pthread_t is valid, so the record is.
    unsafe {
        if (*thread).finished.is_empty() {
            (*thread).detached = true;
        } else {
            discard(thread);
        }
    }
}

/// In a forked child: the other threads do not exist here.
pub(crate) fn after_fork() {
    OPEN.store(1, Ordering::Relaxed);
    if let Some(me) = current() {
        me.publish_segment();
    }
    debug_assert!(alone());
}
