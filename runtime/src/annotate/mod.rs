//! Annotations: what a program tells the detector about itself.
//!
//! The functions are the established ones of the dynamic annotations
//! (Serebryany and Iskhodzhanov, "ThreadSanitizer: data race detection in
//! practice", 2009, section 5), under their names and with their signatures, so
//! that code annotated for other detectors works unchanged. [`entry`] is the
//! list of them, [`valgrind`] takes those written for Helgrind and DRD; the
//! modules beside it keep what has to be remembered:
//! [`ignore`] what a thread's checks leave out, [`ranges`] the memory whose
//! races are meant or expected, [`queue`] what went through message queues.

mod entry;
mod ignore;
mod queue;
mod ranges;
mod streams;
mod unseen;
mod valgrind;

#[cfg(test)]
pub(crate) use entry::NAMES;
pub use ignore::Ignoring;
pub(crate) use ignore::{What, begin_lock, begin_unplaced, end_lock, end_unplaced};
pub(crate) use ranges::is_meant;
#[cfg(test)]
pub(crate) use valgrind::NAMES as VALGRIND_NAMES;

use crate::thread::Thread;

/// `me` ends; the caller has entered the runtime.
pub(crate) fn thread_ending(me: &mut Thread) {
    ignore::report_left_open(me);
}

/// The process exits; the caller has entered the runtime.
pub(crate) fn process_ending() {
    if let Some(me) = crate::thread::current() {
        ignore::report_left_open(me);
    }
    ranges::report_unmet();
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    queue::before_fork();
    ranges::before_fork();
}

/// Opens the locks after a fork, in parent and child.
///
/// # Safety
/// As [`crate::spin::SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        queue::after_fork();
        ranges::after_fork();
    }
}

/// The process was forked; this is the child. What its parent has annotated
/// still holds, but is for the parent to end and to meet.
pub(crate) fn alone_in_child() {
    if let Some(me) = crate::thread::current() {
        ignore::alone_in_child(me);
    }
    ranges::alone_in_child();
}
