//! Events: tasks with one have not ended before somebody fulfils it.

use super::task::Task;
use crate::spin::SpinLock;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;

/// Tasks whose events nobody has fulfilled, by what the program calls them.
static OPEN: SpinLock<BTreeMap<usize, Arc<Task>>> = SpinLock::new(BTreeMap::new());

/// The program may have got the event of `task`. The caller has entered the
/// runtime, as with all that follows.
pub(crate) fn announce(event: usize, task: &Arc<Task>) {
    if !task.is_fulfilled() {
        let before = OPEN.lock().insert(event, Arc::clone(task));
        drop(before);
    }
}

/// The program fulfils an event.
pub(crate) fn fulfilled(event: usize) {
    let task = OPEN.lock().remove(&event);
    if let Some(task) = task {
        task.fulfilled();
    }
}

/// Takes the lock.
pub(super) fn before_fork() {
    OPEN.hold();
}

/// Gives it back, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { OPEN.force_unlock() };
}
