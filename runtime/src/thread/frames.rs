//! Memory for shadow call stacks.
//!
//! A call takes at least 16 bytes of real stack (return address and
//! alignment), a frame takes 16 bytes here: a region as large as the real
//! stack can never overflow. It costs only the pages a thread's depth reaches.
//! Regions of threads that did not call deep are kept for others as they are.

use crate::os;
use crate::spin::SpinLock;
use crate::stack::ROOT;
use crate::tls::Frame;
use alloc::vec::Vec;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

/// For the main thread, whose limit may be raised while it runs.
pub(super) const LARGEST: usize = 1 << 30;
/// Room for handlers that run on stacks of their own.
const MARGIN: usize = 1 << 20;

/// Frames that a thread may have used whose region is kept: 64 KiB.
const SHALLOW: usize = 4096;
/// Regions kept at most.
const KEPT: usize = 64;

/// Regions for new threads, the deepest frames of which are zero.
static SPARE: SpinLock<Vec<Region>> = SpinLock::new(Vec::new());

/// A shadow call stack's memory.
#[derive(Clone, Copy)]
pub(super) struct Region {
    base: *mut Frame,
    len: usize,
}

// SAFETY: memory that belongs to whoever has the region.
unsafe impl Send for Region {}

/// The region of threads that have none of their own; null until there is one.
/// Found without a lock: signal handlers come for it, too.
static SCRATCH: AtomicPtr<Frame> = AtomicPtr::new(null_mut());

impl Region {
    /// Memory for a thread whose real stack has `stack` bytes.
    pub(super) fn new(stack: usize) -> Option<Region> {
        let len = stack.min(LARGEST).next_multiple_of(os::PAGE) + MARGIN;
        spare(len).or_else(|| Region::fresh(len))
    }

    /// Memory that nobody had.
    fn fresh(len: usize) -> Option<Region> {
        let base: *mut Frame = os::map(len).ok()?.cast();
        Some(Region { base, len }.begun())
    }

    /// As it is before anything was called.
    fn begun(self) -> Region {
        // The frame below all others spares the question whether there is one.
        let frame = |context| Frame {
            return_address: 0,
            context,
        };
        // SAFETY: memory that is nobody else's.
        unsafe {
            self.base.write(frame(ROOT.into()));
            self.base.add(1).write(frame(0));
        };
        self
    }

    /// Memory that threads before their beginning and past their end may
    /// scribble on.
    pub(super) fn scratch() -> Option<Region> {
        let len = LARGEST + MARGIN;
        let there = SCRATCH.load(Ordering::Acquire);
        if !there.is_null() {
            return Some(Region { base: there, len });
        }
        let fresh = Region::fresh(len)?;
        match SCRATCH.compare_exchange(null_mut(), fresh.base, Ordering::AcqRel, Ordering::Acquire)
        {
            Ok(_) => Some(fresh),
            Err(there) => {
                os::unmap(fresh.base.cast(), fresh.len);
                Some(Region { base: there, len })
            }
        }
    }

    /// The lowest frame a thread may push.
    pub(super) fn base(self) -> *mut Frame {
        self.base.wrapping_add(2)
    }

    /// Gives the memory back, unless it is everybody's.
    pub(super) fn release(self) {
        if SCRATCH.load(Ordering::Acquire) != self.base {
            if self.is_shallow() {
                let mut spare = SPARE.lock();
                if spare.len() < KEPT {
                    return spare.push(self);
                }
            }
            os::unmap(self.base.cast(), self.len);
        }
    }

    /// Has nobody called deeper than is worth keeping? Frames are pushed one
    /// above the other, and none is zero.
    fn is_shallow(self) -> bool {
        // SAFETY: regions are longer than that.
        unsafe { (*self.base.add(SHALLOW)).return_address == 0 }
    }
}

const _: () = assert!(SHALLOW * size_of::<Frame>() < MARGIN);

/// A region of `len` bytes that somebody has left.
fn spare(len: usize) -> Option<Region> {
    let mut spare = SPARE.lock();
    let found = spare.iter().rposition(|region| region.len == len)?;
    Some(spare.swap_remove(found).begun())
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    SPARE.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { SPARE.force_unlock() }
}

/// Where a signal handler may push that interrupted its thread before that had
/// a shadow call stack.
pub(crate) fn scratch_base() -> *mut Frame {
    Region::scratch().map_or(null_mut(), Region::base)
}
