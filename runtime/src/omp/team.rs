//! The threads of a parallel region.

use crate::clock::Released;
use crate::spin::SpinLock;
use crate::thread;

/// A point that threads release to and acquire from.
#[derive(Default)]
pub(crate) struct Point(SpinLock<Released>);

impl Point {
    /// Everything up to now comes before who acquires later. The caller has
    /// entered the runtime, as with all that follows.
    pub(crate) fn release(&self) {
        let mut released = self.0.lock();
        thread::synchronise(|me| me.recorder.release_join(&mut released));
    }

    /// Everything released here comes before what follows.
    pub(crate) fn acquire(&self) {
        let released = self.0.lock();
        thread::synchronise(|me| me.recorder.acquire(&released));
    }
}

/// A team.
///
/// Two points are enough for its barriers: a thread that arrives at one has
/// left the one before, so who arrives at the next but one comes after all of
/// them anyway.
#[derive(Default)]
pub(crate) struct Team {
    /// Where the region begins.
    pub(crate) fork: Point,
    /// Where it ends.
    pub(crate) join: Point,
    barriers: [Point; 2],
    /// Where tasks end: they are done when a barrier lets its threads through.
    pub(crate) tasks: Point,
    /// What iterations of a loop post for each other.
    pub(crate) iterations: Point,
}

impl Team {
    /// A thread arrives at its barrier number `round`.
    pub(crate) fn arrive(&self, round: u32) {
        self.barriers[round as usize % 2].release();
    }

    /// It was let through.
    pub(crate) fn leave(&self, round: u32) {
        self.barriers[round as usize % 2].acquire();
        self.tasks.acquire();
    }
}
