//! The threads of a parallel region.

use crate::clock::Released;
use crate::spin::SpinLock;
use crate::thread;
use alloc::sync::Arc;
use core::cell::UnsafeCell;

/// Points share locks, so that a thread that forks can take all of them: in
/// the child nobody would give one back. A thread holds one at a time.
static LOCKS: [SpinLock<()>; 64] = [const { SpinLock::new(()) }; 64];

/// A point that threads release to and acquire from.
#[derive(Default)]
pub(crate) struct Point(UnsafeCell<Released>);

// SAFETY: looked at and changed under its lock only.
unsafe impl Sync for Point {}
// SAFETY: what it knows is no thread's own.
unsafe impl Send for Point {}

impl Point {
    /// Everything up to now comes before who acquires later. The caller has
    /// entered the runtime, as with all that follows.
    pub(crate) fn release(&self) {
        self.locked(|released| {
            thread::synchronise(|me| me.recorder.release_join(released));
        });
    }

    /// Everything released here comes before what follows.
    pub(crate) fn acquire(&self) {
        self.locked(|released| thread::synchronise(|me| me.recorder.acquire(released)));
    }

    fn locked(&self, use_it: impl FnOnce(&mut Released)) {
        let at = core::ptr::from_ref(self).addr() / size_of::<Self>();
        let _guard = LOCKS[at % LOCKS.len()].lock();
        // SAFETY: the lock is held, and `use_it` comes back to no point.
        use_it(unsafe { &mut *self.0.get() });
    }
}

/// The `teams` construct that the program is in, if any.
static LEAGUE: SpinLock<Option<Arc<Team>>> = SpinLock::new(None);

/// The program enters a `teams` construct, or leaves it.
pub(super) fn set_league(league: Option<Arc<Team>>) {
    let before = core::mem::replace(&mut *LEAGUE.lock(), league);
    drop(before);
}

/// Where its first threads begin and end.
pub(super) fn league() -> Option<Arc<Team>> {
    LEAGUE.lock().clone()
}

/// Takes the locks of all points.
pub(super) fn before_fork() {
    LEAGUE.hold();
    for lock in &LOCKS {
        lock.hold();
    }
}

/// Gives them back, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    for lock in &LOCKS {
        // SAFETY: passed on.
        unsafe { lock.force_unlock() };
    }
    // SAFETY: as above.
    unsafe { LEAGUE.force_unlock() };
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
