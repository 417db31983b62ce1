//! Sources of GLib's main loop whose kind is another library's.
//!
//! What such a library has its sources call it may tell by its address, as
//! glibmm does. So that stays as it is, and what gets a thunk is the library's own
//! function that GLib calls when there is something to do: in a copy of the table
//! that it is in, which takes the table's place.

use super::callbacks::thunk;
use super::{callers, section};
use crate::spin::SpinLock;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::c_void;

type Pointer = *mut c_void;

/// `GSourceFuncs`: prepare, check, dispatch, finalize and two more.
type Table = [usize; 6];
const DISPATCH: usize = 2;

/// The beginning of a `GSource`.
#[repr(C)]
pub(super) struct Source {
    callback: [usize; 2],
    table: *const Table,
}

/// Tables and what takes their place. They stay, as sources may at any time be
/// made with the former, and used with the latter.
static TABLES: SpinLock<Vec<(usize, &'static Table)>> = SpinLock::new(Vec::new());

/// Keeps others out until the process has forked.
pub(super) fn before_fork() {
    TABLES.hold();
}

/// Lets them in, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { TABLES.force_unlock() };
}

/// May what `source` calls have a thunk? If not, the function that calls it gets
/// one.
///
/// # Safety
/// It must be a source, whose table is readable.
pub(super) unsafe fn calls_anything(source: *mut Source) -> bool {
    // SAFETY: passed on.
    let Some(source) = (unsafe { source.as_mut() }) else {
        return true;
    };
    // SAFETY: passed on.
    let Some(table) = (unsafe { source.table.as_ref() }) else {
        return true;
    };
    let dispatch = table[DISPATCH];
    if !callers::count(dispatch) || callers::has_checks(dispatch) {
        return true;
    }
    if let Some(copy) = section(|| copy_of(table)) {
        source.table = copy;
    }
    false
}

fn copy_of(table: &Table) -> &'static Table {
    let key = core::ptr::from_ref(table).addr();
    let mut tables = TABLES.lock();
    if let Some((_, copy)) = tables.iter().find(|(original, _)| *original == key) {
        return copy;
    }
    let mut copy = *table;
    let dispatch: Pointer = core::ptr::with_exposed_provenance_mut(table[DISPATCH]);
    copy[DISPATCH] = thunk(dispatch).addr();
    let copy = Box::leak(Box::new(copy));
    tables.push((key, copy));
    copy
}
