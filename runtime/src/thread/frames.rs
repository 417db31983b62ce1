//! Memory for shadow call stacks.
//!
//! A call takes at least 16 bytes of real stack (return address and
//! alignment), a frame takes 16 bytes here: a region as large as the real
//! stack can never overflow. It costs only the pages a thread's depth reaches.

use crate::os;
use crate::spin::SpinLock;
use crate::stack::ROOT;
use crate::tls::Frame;

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

// SAFETY: just an address range.
unsafe impl Send for Region {}

static UNUSED: SpinLock<Option<Region>> = SpinLock::new(None);

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

    /// Memory that threads past their end may scribble on.
    pub(super) fn scratch() -> Option<Region> {
        let mut unused = UNUSED.lock();
        if unused.is_none() {
            *unused = Region::new(LARGEST);
        }
        *unused
    }

    /// The lowest frame a thread may push.
    pub(super) fn base(self) -> *mut Frame {
        self.base.wrapping_add(2)
    }

    /// Gives the memory back, unless it is everybody's.
    pub(super) fn release(self) {
        if UNUSED.lock().is_none_or(|shared| shared.base != self.base) {
            os::unmap(self.base.cast(), self.len);
        }
    }
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    UNUSED.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { UNUSED.force_unlock() }
}
