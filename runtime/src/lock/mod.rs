//! Locks as objects, and what threads do with them.
//!
//! A lock is more than its address: memory is given back and becomes another
//! lock. Each gets an identity ([`record`]) when it is initialised or first
//! used, and loses it when it is destroyed or its memory goes. A thread knows
//! which locks it holds ([`held`]); from that follow the orders in which locks
//! are taken ([`order`]), who waits for whom ([`wait`]) and what is done wrong
//! with a lock ([`misuse`], [`invalid`], [`advice`]). Threads that wait on
//! condition variables are in [`condvar`]; when nobody goes on, [`stuck`] says
//! so.
//!
//! What a libc lock itself says about its state ([`native`]) has the last word
//! before anything is reported: code that the runtime does not see may use the
//! same lock.

pub mod advice;
pub mod condvar;
mod description;
pub mod finding;
mod gather;
pub mod held;
pub mod invalid;
pub mod misuse;
pub mod native;
pub mod order;
mod record;
pub mod stuck;
mod taking;
pub mod wait;

pub use description::{Description, Kind, LockId};
pub use record::{describe, reserve, retire};
pub use taking::{
    Manner, Released, bequeathed, created, destroyed, handed_over, permanent, released, taken,
};

/// How a lock is held. A lock held for reading may be held so by several
/// threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Mode {
    /// Shared with other readers.
    Read,
    /// By one thread alone.
    Write,
}

impl Mode {
    /// Does one thread that holds a lock so keep out another that wants it so?
    #[inline]
    pub fn excludes(self, other: Mode) -> bool {
        self == Mode::Write || other == Mode::Write
    }
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    wait::before_fork();
    condvar::before_fork();
    order::before_fork();
    record::before_fork();
}

/// Opens the locks after a fork, in parent and child.
///
/// # Safety
/// As [`crate::spin::SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        record::after_fork();
        order::after_fork();
        condvar::after_fork();
        wait::after_fork();
    }
}

/// In a forked child: nobody waits for anything here.
pub(crate) fn alone_in_child() {
    wait::forget_all();
    condvar::forget_all();
}
