//! Private variables of reductions, which libomp initialises and combines.
//!
//! It calls functions of the program for that, in an order that it sees to:
//! what they touch does not count.

use crate::annotate::{What, begin_unplaced, end_unplaced};
use crate::thread::Thread;

/// What a thread does about the private variables that tasks reduced in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Combining {
    /// Nothing.
    #[default]
    No,
    /// It waits for the tasks, and may run some of them.
    Waits,
    /// It combines them.
    Now,
}

/// Accesses do not count from now on.
pub(crate) fn begins(me: &mut Thread) {
    for what in [What::Reads, What::Writes] {
        begin_unplaced(me, what);
    }
}

/// They do again.
pub(crate) fn ends(me: &mut Thread) {
    for what in [What::Reads, What::Writes] {
        end_unplaced(me, what);
    }
}

impl Thread {
    /// It enters the end of a region in which tasks reduce.
    pub(crate) fn waits_to_combine(&mut self) {
        self.combining = Combining::Waits;
    }

    /// The tasks of a group have ended.
    pub(super) fn may_combine(&mut self) {
        if self.combining == Combining::Waits {
            self.combining = Combining::Now;
            begins(self);
        }
    }

    /// It has left the end of the region.
    pub(crate) fn has_combined(&mut self) {
        if core::mem::take(&mut self.combining) == Combining::Now {
            ends(self);
        }
    }
}
