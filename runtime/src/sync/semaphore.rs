//! Semaphores: every post happens before every wait that returns after it.

use super::table;
use crate::thread;

/// A semaphore was initialised at `addr`.
pub fn created(addr: usize) {
    table::remove(addr);
}

/// The calling thread is about to post.
pub fn posting(addr: usize, _pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(addr) {
            me.recorder.release_join(&mut object.lock().released);
        }
    });
}

/// The calling thread has been let through.
pub fn waited(addr: usize, _pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find(addr) {
            me.recorder.acquire(&object.lock().released);
        }
    });
}

/// It is gone.
pub fn destroyed(addr: usize) {
    table::remove(addr);
}
