//! Memory for shadow call stacks.
//!
//! A call takes at least 16 bytes of real stack (return address and
//! alignment), a frame takes 16 bytes here: a region as large as the real
//! stack can never overflow. It costs only the pages a thread's depth reaches.

use crate::os;
use crate::stack::ROOT;
use crate::tls::Frame;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

/// For the main thread, whose limit may be raised while it runs.
pub(super) const LARGEST: usize = 1 << 30;
/// Room for handlers that run on stacks of their own.
const MARGIN: usize = 1 << 20;

/// A shadow call stack's memory.
#[derive(Clone, Copy)]
pub(super) struct Region {
    base: *mut Frame,
    len: usize,
}

/// The region of threads that have none of their own; null until there is one.
/// Found without a lock: signal handlers come for it, too.
static SCRATCH: AtomicPtr<Frame> = AtomicPtr::new(null_mut());

impl Region {
    /// Memory for a thread whose real stack has `stack` bytes.
    pub(super) fn new(stack: usize) -> Option<Region> {
        let len = stack.min(LARGEST).next_multiple_of(os::PAGE) + MARGIN;
        let base = os::map(len).ok()?;
        let base: *mut Frame = base.cast();
        // The frame below all others spares the question whether there is one.
        // SAFETY: fresh memory.
        unsafe {
            base.write(Frame {
                return_address: 0,
                context: ROOT.into(),
            })
        };
        Some(Region { base, len })
    }

    /// Memory that threads before their beginning and past their end may
    /// scribble on.
    pub(super) fn scratch() -> Option<Region> {
        let len = LARGEST + MARGIN;
        let there = SCRATCH.load(Ordering::Acquire);
        if !there.is_null() {
            return Some(Region { base: there, len });
        }
        let fresh = Region::new(LARGEST)?;
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
            os::unmap(self.base.cast(), self.len);
        }
    }
}

/// Where a signal handler may push that interrupted its thread before that had
/// a shadow call stack.
pub(crate) fn scratch_base() -> *mut Frame {
    Region::scratch().map_or(null_mut(), Region::base)
}
