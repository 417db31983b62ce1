//! Read-write locks: readers are ordered with writers, not with each other.

use super::table;
use crate::clock::Released;
use crate::thread;

/// A lock was initialised at `addr`.
pub fn created(addr: usize, _pc: usize) {
    table::remove(addr);
}

/// The calling thread holds it for reading.
#[inline]
pub fn read_acquired(addr: usize, _pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find(addr) {
            me.recorder.acquire(&object.lock().released);
        }
    });
}

/// The calling thread holds it for writing.
#[inline]
pub fn write_acquired(addr: usize, _pc: usize) {
    // Who holds it is noted even by a thread that is alone: it may no longer
    // be when it unlocks.
    let Some(object) = table::find_or_make(addr) else {
        return;
    };
    let mut state = object.lock();
    state.writer = thread::current().map_or(0, |me| me.recorder.slot());
    let readers = core::mem::replace(&mut state.readers, Released::new());
    thread::synchronise(|me| {
        me.recorder.acquire(&state.released);
        me.recorder.acquire(&readers);
    });
}

/// The calling thread is about to unlock it, whichever way it holds it.
#[inline]
pub fn releasing(addr: usize, _pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(addr) {
            let mut state = object.lock();
            if state.writer == me.recorder.slot() {
                state.writer = 0;
                me.recorder.release(&mut state.released);
            } else {
                me.recorder.release_join(&mut state.readers);
            }
        }
    });
}

/// The calling thread is about to unlock what it, or another on its behalf,
/// holds for writing.
pub fn write_releasing(addr: usize, _pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(addr) {
            let mut state = object.lock();
            state.writer = 0;
            me.recorder.release(&mut state.released);
        }
    });
}

/// As [`write_releasing`], for reading.
pub fn read_releasing(addr: usize, _pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(addr) {
            me.recorder.release_join(&mut object.lock().readers);
        }
    });
}

/// It is gone.
pub fn destroyed(addr: usize, _pc: usize) {
    table::remove(addr);
}
