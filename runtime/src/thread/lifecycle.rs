//! From creation to join.
//!
//! Creation and join are the two edges every program relies on: what the
//! creator did before, the child has seen; what the child did, whoever joins
//! it has seen.

use super::{OPEN, Thread, alone, current, frames, frames::Region, registry};
use crate::annotate::{self, Ignoring};
use crate::clock::{Clock, Released};
use crate::finding::Act;
use crate::live::status;
use crate::lock::held::HeldLocks;
use crate::lock::wait::Waits;
use crate::log::reclaim;
use crate::loops::Loops;
use crate::options::{self, Mode};
use crate::recorder::Recorder;
use crate::shadow::cell::CellCache;
use crate::sync::atomic::Recent;
use crate::sync::events;
use crate::{ceiling, engine, intercept, lock, os, shadow, slot, sync, tls};
use alloc::boxed::Box;
use core::sync::atomic::{AtomicU8, Ordering};

/// Real stack assumed for threads whose size is not known.
pub(super) const DEFAULT_STACK: usize = 8 << 20;

/// How far a thread is from being nobody's business; see [`Thread::farewell`].
const ENDED: u8 = 1;
pub(super) const DETACHED: u8 = 2;

/// A clock as the mode needs it.
fn new_clock() -> Clock {
    match options::get().mode {
        Mode::Hb => Clock::new(),
        _ => Clock::hybrid(),
    }
}

/// The options are known: the calling thread, which was attached before and is
/// alone, begins anew in their mode.
pub(crate) fn options_known() {
    if let Some(me) = current() {
        me.recorder.restart(new_clock());
        me.recorder.choose(options::get().mode, me.number);
        me.publish_transitions();
        ceiling::set();
    }
}

fn make(creator: Option<&mut Thread>, created_at: u32) -> Option<Box<Thread>> {
    if slot::is_walk_due() {
        reclaim::look_for_slots();
    }
    let mut clock = new_clock();
    let creator_number = creator.as_ref().map_or(0, |c| c.number);
    let time = creator.as_ref().map_or(0, |c| c.time);
    let number = registry::add(creator_number, created_at, time);
    let leased = match creator {
        Some(creator) => {
            creator.time += 1;
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
    let mut recorder = Recorder::new(lease, clock)?;
    recorder.choose(options::get().mode, number);
    Some(Box::new(Thread {
        number,
        recorder,
        release_fence: None,
        acquire_fence: Released::new(),
        ignoring: Ignoring::default(),
        held: HeldLocks::new(),
        waits: Waits::new(),
        time: 0,
        innermost: ((0, 0), 0),
        rewritten: crate::rewritten::Local::default(),
        finished: Released::new(),
        frames: Region::scratch()?,
        farewell: AtomicU8::new(0),
        parked: core::ptr::null_mut(),
        patience: super::patience::Patience::default(),
        recent: Recent::new(),
        places: super::jump::Places::default(),
        end: None,
        task: None,
        loops: Loops::default(),
        combining: Default::default(),
        newest_act: Default::default(),
        opaque: Default::default(),
        handlers: 0,
        raising: 0,
    }))
}

/// In the creator, before the thread is created by a call at `pc`. Null when
/// the runtime has no room for another thread, which then runs unchecked.
pub(crate) fn create_begin(pc: usize, detached: bool) -> *mut Thread {
    OPEN.fetch_add(1, Ordering::Relaxed);
    let Some(creator) = current() else {
        return core::ptr::null_mut();
    };
    let stack = creator.stack_id(pc);
    let made = make(Some(creator), stack);
    if let Some(thread) = &made {
        events::note(creator, Act::ThreadCreate, thread.number as usize, pc);
    }
    creator.publish_segment();
    match made {
        Some(thread) => {
            if detached {
                thread.farewell.store(DETACHED, Ordering::Relaxed);
            }
            Box::into_raw(thread)
        }
        None => core::ptr::null_mut(),
    }
}

/// In the creator: the thread was not created after all.
pub(crate) fn create_failed(thread: *mut Thread) {
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
pub(crate) fn created(thread: *mut Thread, pthread: u64) {
    if !thread.is_null() {
        registry::enlist(pthread, thread);
    }
}

/// In the new thread, first of all.
pub(crate) fn child_start(thread: *mut Thread, pthread: u64, stack_low: usize, stack_high: usize) {
    if thread.is_null() {
        return run_unchecked();
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
    status::thread_started(&me.recorder.log);
    take_over(me, stack_low, stack_high);
}

/// The thread's stack may have been that of one that has ended.
fn take_over(me: &mut Thread, stack_low: usize, stack_high: usize) {
    if stack_high > stack_low {
        shadow::clear::forget(&mut me.recorder.cells, stack_low, stack_high - stack_low);
        sync::table::remove_range(stack_low, stack_high - stack_low);
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
    }
    me.publish_segment();
    me.publish_transitions();
}

/// Lets the calling thread run without a record, for which there was no room:
/// its calls are pushed where nobody looks.
fn run_unchecked() {
    let scratch = Region::scratch();
    // SAFETY: this thread's own block.
    unsafe { (*tls::block()).frames = scratch.map_or(core::ptr::null_mut(), Region::base) };
}

/// Attaches the calling thread, which nobody announced: the main thread at
/// start, or one created behind the runtime's back.
pub(crate) fn attach() {
    if current().is_some() {
        return;
    }
    let Some(thread) = make(None, 0) else {
        return run_unchecked();
    };
    OPEN.fetch_add(1, Ordering::Relaxed);
    let me = Box::leak(thread);
    // Nobody saw which locks it took until now.
    me.held.set_unwatched();
    let main = os::gettid() == os::getpid();
    let (stack_low, stack_high) = if main {
        os::main_stack()
    } else {
        intercept::own_stack()
    };
    let size = if main {
        frames::LARGEST
    } else {
        (stack_high - stack_low).max(DEFAULT_STACK)
    };
    // It can be named and joined like the others; even the main thread can.
    // SAFETY: takes no arguments.
    registry::enlist(unsafe { libc::pthread_self() }, me);
    intercept::watch_end();
    start(me, size);
    registry::started(me.number, os::gettid(), (stack_low, stack_high));
    status::thread_started(&me.recorder.log);
    if !main {
        take_over(me, stack_low, stack_high);
        sync::channel::receive(sync::channel::Channel::STRANGERS);
    }
}

/// From now on there may be a thread whose creation nobody sees: what the
/// others do has to be recorded.
pub(crate) fn expect_stranger() {
    OPEN.fetch_add(1, Ordering::Relaxed);
    if let Some(me) = current() {
        me.publish_segment();
    }
}

/// In the thread, last of all.
pub(crate) fn finish() {
    let Some(me) = current() else { return };
    annotate::thread_ending(me);
    for (mutex, pc) in lock::bequeathed(me) {
        sync::mutex::bequeathing(mutex, pc);
    }
    lock::misuse::thread_ending(me);
    lock::wait::done(me);
    status::thread_ended(&me.recorder.log);
    let recorder = &mut me.recorder;
    let (slot, end) = (recorder.slot(), recorder.log.end());
    me.finished = recorder.released();
    recorder.cells.surrender();
    registry::ended(me.number);
    let frames = me.frames;
    let block = tls::block();
    // Exit handlers of the C library may still run instrumented code here.
    let scratch = Region::scratch();
    me.rewritten.activations.park();
    // SAFETY: this thread's own block.
    unsafe {
        (*block).current = 0;
        (*block).thread = core::ptr::null_mut();
        (*block).frames = scratch.map_or(core::ptr::null_mut(), Region::base);
    }
    frames.release();
    slot::leave_behind(slot, &me.finished);
    slot::vacate(slot, end);
    if me.farewell.fetch_or(ENDED, Ordering::AcqRel) == DETACHED {
        discard(me);
    }
    lock::stuck::look();
}

fn discard(thread: *mut Thread) {
    registry::delist(thread);
    // SAFETY: the thread has ended and nobody may join it any more.
    drop(unsafe { Box::from_raw(thread) });
}

/// In the joiner, after the join by a call at `pc`.
pub(crate) fn joined(thread: *mut Thread, pc: usize) {
    // SAFETY: an ended thread whose pthread_t is valid once more: here.
    let (finished, number) =
        unsafe { (core::mem::take(&mut (*thread).finished), (*thread).number) };
    discard(thread);
    OPEN.fetch_sub(1, Ordering::Relaxed);
    if let Some(me) = current() {
        me.time += 1;
        registry::note_join(me.number, me.time, number);
        me.recorder.acquire_thread(&finished);
        engine::joined(&me.recorder, number);
        events::note(me, Act::ThreadJoin, number as usize, pc);
        me.publish_segment();
    }
}

/// Nobody will join `thread`.
pub(crate) fn detached(thread: *mut Thread) {
    // SAFETY: the program's pthread_t is valid, so the record is.
    let before = unsafe { (*thread).farewell.fetch_or(DETACHED, Ordering::AcqRel) };
    if before == ENDED {
        discard(thread);
    }
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    registry::before_fork();
    super::frames::before_fork();
}

/// Opens the locks after a fork, in parent and child.
///
/// # Safety
/// As [`crate::spin::SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        super::frames::after_fork();
        registry::after_fork();
    }
}

/// In a forked child, whose shadow is empty: the other threads do not exist
/// here, and what they did comes before whatever happens from now on.
pub(crate) fn alone_in_child() {
    OPEN.store(1, Ordering::Relaxed);
    let Some(me) = current() else { return };
    for other in registry::only_me(me) {
        // SAFETY: a record that nobody uses any more.
        let (slot, end) = unsafe { ((*other).recorder.slot(), (*other).recorder.log.end()) };
        me.recorder.clock.raise(slot, end);
        slot::vacate(slot, end);
    }
    me.recorder.cells = CellCache::new();
    me.publish_segment();
    debug_assert!(alone());
}
