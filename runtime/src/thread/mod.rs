//! Threads as the runtime knows them.
//!
//! [`Thread`] is what a live thread needs to be checked; [`registry`] keeps the
//! little that reports say about threads, alive or not, for ever.

pub(crate) mod activation;
pub(crate) mod fiber;
mod frames;
mod jump;
pub(crate) mod leak;
mod lifecycle;
mod patience;
pub mod registry;

use crate::annotate::Ignoring;
use crate::clock::Released;
use crate::lock::LockId;
use crate::lock::held::{At, HeldLocks};
use crate::lock::wait::Waits;
use crate::lockset::LocksetId;
#[cfg(not(test))]
use crate::log::Writer;
use crate::log::site::Site;
use crate::loops::Loops;
use crate::recorder::Recorder;
use crate::shadow::word::Word;
use crate::spans::Newest;
use crate::sync::atomic::Recent;
use crate::tls::{self, Frame};
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};
pub(crate) use frames::scratch_base as scratch_frames;
pub(crate) use lifecycle::{after_fork, alone_in_child, before_fork};
pub(crate) use lifecycle::{
    attach, child_start, create_begin, create_failed, created, detached, expect_stranger, finish,
    joined, options_known,
};
use patience::Patience;
pub use registry::find;
pub(crate) use registry::set_name;

/// A live thread.
pub struct Thread {
    /// racert's number for it.
    pub number: u32,
    /// Its part in the detection.
    pub recorder: Recorder,
    /// What a relaxed store publishes after a release fence.
    pub release_fence: Option<Released>,
    /// What relaxed loads have seen; an acquire fence makes it known.
    pub acquire_fence: Released,
    /// Checks that annotations have switched off.
    pub ignoring: Ignoring,
    /// The locks it holds.
    pub held: HeldLocks,
    /// What it waits for.
    pub(crate) waits: Waits,
    /// How many threads it has created and joined.
    pub time: u32,
    /// The last site's return address and outer context, and its context.
    innermost: ((u64, u32), u32),
    /// What whoever joins it learns.
    finished: Released,
    /// Bottom of its shadow call stack.
    frames: frames::Region,
    /// Whether it has ended, and whether it is detached: the record goes with
    /// the second of the two.
    farewell: AtomicU8,
    /// Top of a fiber's shadow call stack while it does not run.
    parked: *mut Frame,
    /// Where its non-local jumps land.
    places: jump::Places,
    /// How long it spins on atomic variables.
    patience: Patience,
    /// Its atomic accesses of late.
    pub(crate) recent: Recent,
    /// Its end, if somebody waits for that by other means than a join.
    pub(crate) end: Option<alloc::sync::Arc<crate::intercept::QtEnd>>,
    /// The task of libgomp's that it runs.
    pub(crate) task: Option<alloc::sync::Arc<crate::omp::task::Task>>,
    /// What it does about reductions of libomp's tasks.
    pub(crate) combining: crate::omp::combining::Combining,
    /// What it learns from loops that wait.
    pub loops: Loops,
    /// What it did last to be ordered, other than with locks.
    pub(crate) newest_act: crate::sync::events::Newest,
    /// Sections it is in that may be a library's own.
    pub(crate) opaque: crate::sync::opaque::Sections,
    /// What checks in rewritten libraries keep of it.
    pub(crate) rewritten: crate::rewritten::Local,
    /// Signal handlers that have interrupted it and not returned.
    pub handlers: u32,
    /// The signal that it is sending itself.
    pub raising: i32,
}

/// Threads that are not known to have ended before what the others do now:
/// the live ones, and those that ended without being joined.
static OPEN: AtomicU32 = AtomicU32::new(0);

/// Is there just one thread, with nothing left over from others that it is not
/// ordered after? Then nothing it does can race, now or later: threads to come
/// will be its children.
#[inline]
pub fn alone() -> bool {
    OPEN.load(Ordering::Relaxed) == 1
}

/// The calling thread, if it is attached.
#[inline]
pub fn current() -> Option<&'static mut Thread> {
    // SAFETY: set by the thread itself, cleared before the record goes.
    unsafe { (*tls::block()).thread.as_mut() }
}

impl Thread {
    /// It tried to change an atomic variable, and did if `done`. Who tries in
    /// vain for long spins on a lock of the program's own making.
    #[inline]
    pub fn attempted(&mut self, done: bool) {
        self.patience.attempted(done);
    }

    /// It loaded the atomic variable at `addr`. Who does nothing else for long
    /// waits for another thread.
    #[inline]
    pub fn looked_at(&mut self, addr: usize) {
        self.patience.looked_at(addr);
    }

    /// It changed an atomic variable.
    #[inline]
    pub fn got_on(&mut self) {
        self.patience.got_on();
    }

    /// The bottom of its shadow call stack.
    pub fn lowest_frame(&self) -> *mut Frame {
        self.frames.base()
    }

    /// Tells instrumented code about the current segment.
    #[inline]
    pub fn publish_segment(&mut self) {
        let current = if alone() { 0 } else { self.recorder.current() };
        // SAFETY: `self` is the calling thread, the block is its own.
        unsafe { (*tls::block()).current = current };
    }

    /// Tells instrumented code which transitions it may repeat: none while
    /// every access that is not on record has to come to the runtime.
    pub fn publish_transitions(&mut self) {
        let is_asked = self.loops.noting.is_on();
        let is_ignoring = self.ignoring.reads != 0 || self.ignoring.writes != 0;
        let transitions = if is_asked || is_ignoring {
            core::ptr::null()
        } else {
            self.recorder.transitions()
        };
        // SAFETY: as above.
        unsafe { (*tls::block()).memo = transitions };
    }

    /// Begins a new segment, perhaps in a new slot, if this one is used up.
    #[inline]
    pub fn renew_if_worn(&mut self) {
        if self.recorder.is_worn() {
            self.recorder.renew(self.number);
            self.publish_segment();
            self.publish_transitions();
        }
    }

    /// Where assembly finds the log, its end and the chunk that is in, what is
    /// settled and seen, and what rewritten code needs.
    #[cfg(not(test))]
    pub(crate) const LOG: usize = core::mem::offset_of!(Thread, recorder) + Recorder::LOG;
    #[cfg(not(test))]
    pub(crate) const LOG_END: usize = Self::LOG + Writer::END;
    #[cfg(not(test))]
    pub(crate) const LOG_CHUNK: usize = Self::LOG + Writer::CHUNK;
    #[cfg(not(test))]
    pub(crate) const SETTLED: usize = core::mem::offset_of!(Thread, recorder) + Recorder::SETTLED;
    #[cfg(not(test))]
    pub(crate) const SEEN: usize = core::mem::offset_of!(Thread, recorder) + Recorder::SEEN;
    #[cfg(not(test))]
    pub(crate) const REWRITTEN: usize = core::mem::offset_of!(Thread, rewritten);

    /// Are such accesses switched off?
    #[inline]
    pub fn ignores(&self, how: crate::engine::How) -> bool {
        (if how.write {
            self.ignoring.writes
        } else {
            self.ignoring.reads
        }) != 0
    }

    /// The context of the innermost instrumented function.
    #[inline]
    pub fn context(&self) -> u32 {
        // SAFETY: the thread's own shadow stack.
        unsafe {
            let top: *mut Frame = (*tls::block()).frames;
            crate::stack::context(self.frames.base(), top)
        }
    }

    /// The site of an access or call at code address `pc`.
    #[inline]
    pub fn site(&mut self, pc: usize) -> Site {
        // SAFETY: the thread's own shadow stack, which begins with two frames
        // that nobody pops.
        let (top, below) = unsafe {
            let top: *mut Frame = (*tls::block()).frames;
            (*top.sub(1), *top.sub(2))
        };
        let key = (top.return_address, below.context as u32);
        let context = match (top.context, below.context) {
            (0, 0) => self.context(),
            // A function without calls of its own pushes a new frame for every
            // check; its context is found again here.
            (0, _) if self.innermost.0 == key => self.innermost.1,
            (0, _) => self.context(),
            (known, _) => known as u32,
        };
        self.innermost = (key, context);
        Site {
            pc: pc as u64,
            context,
            return_address: key.0,
            outer: key.1,
            free: false,
            fresh: Word::EMPTY,
        }
    }

    /// Tells the detector which locks it holds, if that matters to it.
    #[inline]
    pub fn note_locks(&mut self) {
        if self.recorder.clock.is_hybrid() {
            self.loops.settle(&mut self.recorder);
            let locks = self.held.lockset();
            let newest = self.held.all().last();
            let newest = newest.map_or(Newest::UNKNOWN, |held| Newest::new(held.lock, held.at));
            self.recorder.hold(locks, newest);
        }
    }

    /// As [`Thread::note_locks`], after `lock` was given back at `pc`.
    #[inline]
    pub fn note_released(&mut self, lock: Option<LockId>, pc: usize) {
        if self.recorder.clock.is_hybrid() {
            let locks = self.held.lockset();
            if locks != self.recorder.locks() {
                let context = self.site(pc).context;
                let at = At { pc, context };
                let event = lock.map_or(Newest::UNKNOWN, |lock| Newest::new(lock, at));
                self.recorder.hold(locks, event);
            }
        }
    }

    /// The set of locks it holds.
    #[inline]
    pub fn lockset(&mut self) -> LocksetId {
        self.held.lockset()
    }

    /// The id of the stack with `pc` on top.
    pub fn stack_id(&self, pc: usize) -> u32 {
        crate::stack::intern(self.context(), pc as u64)
    }
}

/// The calling thread, if it is attached and its synchronisation counts. If it
/// does not, locks are taken that nobody knows of.
#[inline]
pub fn listening() -> Option<&'static mut Thread> {
    let me = current()?;
    if me.ignoring.sync != 0 {
        me.held.set_ignored();
        return None;
    }
    Some(me)
}

/// Runs `f` on the calling thread unless there is nothing to order, and tells
/// instrumented code where the thread is afterwards.
#[inline]
pub fn synchronise(f: impl FnOnce(&mut Thread)) {
    if alone() {
        return;
    }
    if let Some(thread) = current() {
        if thread.ignoring.sync != 0 {
            return;
        }
        f(thread);
        thread.renew_if_worn();
        crate::ceiling::passed(thread);
        thread.publish_segment();
    }
}
