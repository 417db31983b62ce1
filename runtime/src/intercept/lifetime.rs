//! From when to when a synchronisation object may be used.
//!
//! Initialising and destroying it counts as a write to its first byte, using
//! it as a read: what is not ordered with the beginning or the end of its life
//! is a race. Of a lock that was initialised, only the first use by another
//! thread counts, so that taking locks stays cheap. Libraries that synchronise
//! by themselves order their objects in ways that are not seen.

use super::callers;
use crate::access;

/// The object at `addr` is initialised.
pub(crate) fn begins(addr: usize, pc: usize) {
    if callers::count(pc) {
        access::write_range(addr, 1, pc);
    }
}

/// It is used.
pub(crate) fn used(addr: usize, pc: usize) {
    if callers::count(pc) {
        access::read_range(addr, 1, pc);
    }
}

/// It is destroyed.
pub(crate) fn ends(addr: usize, pc: usize) {
    if callers::count(pc) {
        access::write_range(addr, 1, pc);
    }
}
