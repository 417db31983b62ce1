//! OpenMP: what libomp's and libgomp's regions, barriers, tasks and locks order.
//!
//! Neither library is instrumented, and both synchronise by atomics and futexes
//! of their own. libomp tells what it does through OpenMP's tool interface
//! ([`tool`]); libgomp has none, so the functions that compiled code calls are
//! intercepted ([`crate::intercept`]). Both come down to the same few things
//! ([`team`]).
//!
//! A thread runs tasks one after the other, and what it does in one counts as
//! before what it does in the next: two tasks race for sure only if two threads
//! run them.

pub(crate) mod combining;
pub(crate) mod event;
pub(crate) mod task;
pub(crate) mod team;
mod tool;
mod turns;

#[cfg(test)]
pub(crate) use tool::NAMES;
pub(crate) use tool::speaks_for_itself;

/// Waits until no thread is about to order anything here.
pub(crate) fn before_fork() {
    event::before_fork();
    team::before_fork();
    turns::before_fork();
}

/// Lets them go on, in parent and child.
///
/// # Safety
/// As [`crate::spin::SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        turns::after_fork();
        team::after_fork();
        event::after_fork();
    }
}

/// In a forked child: what the other threads had is nobody's.
pub(crate) fn alone_in_child() {
    turns::alone_in_child();
}
