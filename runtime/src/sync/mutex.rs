//! Mutexes and spin locks: an unlock happens before the next lock.

use super::table;
use crate::thread;

/// A mutex was initialised at `addr`.
pub fn created(addr: usize, _pc: usize) {
    table::remove(addr);
}

/// The calling thread has just locked it.
#[inline]
pub fn acquired(addr: usize, _pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find(addr) {
            me.recorder.acquire(&object.lock().released);
        }
    });
}

/// The calling thread is about to unlock it.
#[inline]
pub fn releasing(addr: usize, _pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(addr) {
            me.recorder.release(&mut object.lock().released);
        }
    });
}

/// It is gone.
pub fn destroyed(addr: usize, _pc: usize) {
    table::remove(addr);
}
