//! What a thread remembers of its places and transitions, left for whoever
//! continues its slot.
//!
//! A thread that begins would map these tables and fault them in, one that ends
//! give them back, and programs begin and end threads by the thousand. Tables
//! are found again by slot: whatever they say of the log is older than the
//! segments of the slot's next thread and does not count there.

use super::memo::Memo;
use super::site::SiteCache;
use crate::spin::SpinLock;
use alloc::vec::Vec;

/// Tables kept at most.
const KEPT: usize = 64;

static STASH: SpinLock<Vec<(u16, SiteCache, Memo)>> = SpinLock::new(Vec::new());

/// The tables of `slot`, if its former thread left them.
pub fn take(slot: u16) -> Option<(SiteCache, Memo)> {
    let mut stash = STASH.lock();
    let found = stash.iter().rposition(|(of, ..)| *of == slot)?;
    let (_, sites, memo) = stash.swap_remove(found);
    Some((sites, memo))
}

/// Leaves the tables of `slot`.
pub fn leave(slot: u16, sites: SiteCache, memo: Memo) {
    let mut stash = STASH.lock();
    if stash.len() < KEPT {
        stash.push((slot, sites, memo));
    }
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    STASH.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { STASH.force_unlock() }
}
