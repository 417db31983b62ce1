//! The process as a whole: its end, and its copies.

use crate::{arena, log, os, report, shadow, slot, sync, thread};

/// The process is about to exit with `code`: says what was found, and gives
/// the code to exit with.
pub fn exiting(code: i32) -> i32 {
    report::finish(code)
}

/// About to fork.
pub fn before_fork() {}

/// Forked; this is the parent.
pub fn after_fork_parent() {}

/// Forked; this is the child, with only the calling thread left. Locks that
/// other threads held at that moment will not be opened by anybody else.
pub fn after_fork_child() {
    // SAFETY: no other thread exists here. The tables behind these locks are
    // changed in steps that leave them usable.
    unsafe {
        os::area_after_fork();
        arena::ARENA.after_fork();
        log::reclaim::after_fork();
        shadow::cell::after_fork();
        slot::after_fork();
        sync::table::after_fork();
        sync::barrier::after_fork();
        thread::registry::after_fork();
    }
    thread::after_fork();
}
