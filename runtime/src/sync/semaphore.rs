//! Semaphores: every post happens before every wait that returns after it.
//!
//! Whatever else orders like that, such as annotations, uses the same.

use super::{events, table};
use crate::finding::Act;
use crate::thread;

/// A semaphore was initialised at `addr`.
pub fn created(addr: usize) {
    table::remove(addr);
}

/// The calling thread is about to post, at `pc`.
pub fn posting(addr: usize, pc: usize) {
    release(addr, pc, Act::Release);
}

/// The calling thread has been let through, at `pc`.
pub fn waited(addr: usize, pc: usize) {
    acquire(addr, pc, Act::Acquire);
}

/// As [`posting`], of a semaphore that the program calls so.
pub fn posting_semaphore(addr: usize, pc: usize) {
    release(addr, pc, Act::SemaphorePost);
}

/// As [`waited`], of a semaphore that the program calls so.
pub fn waited_for_semaphore(addr: usize, pc: usize) {
    acquire(addr, pc, Act::SemaphoreWait);
}

fn release(addr: usize, pc: usize, act: Act) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(addr) {
            me.recorder.release_join(&mut object.lock().released);
            events::note(me, act, addr, pc);
        }
    });
}

fn acquire(addr: usize, pc: usize, act: Act) {
    thread::synchronise(|me| {
        if let Some(object) = table::find(addr) {
            me.recorder.acquire(&object.lock().released);
            events::note(me, act, addr, pc);
        }
    });
}

/// It is gone.
pub fn destroyed(addr: usize) {
    table::remove(addr);
}
