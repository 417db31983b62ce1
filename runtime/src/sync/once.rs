//! Once-only initialisation, and the guards of C++ static locals.

use super::{events, table};
use crate::finding::Act;
use crate::thread;

/// The calling thread has run the initialiser; others are not let through yet.
pub fn completed(addr: usize, pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(addr) {
            me.recorder.release(&mut object.lock().released);
            events::note(me, Act::OnceRun, addr, pc);
        }
    });
}

/// The calling thread found it done.
pub fn passed(addr: usize, pc: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find(addr) {
            me.recorder.acquire(&object.lock().released);
            events::note(me, Act::OncePassed, addr, pc);
        }
    });
}

/// The calling thread gives up running the initialiser: an exception or its
/// cancellation ends it. Others are not let through yet.
pub fn abandoned(addr: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find_or_make(addr) {
            me.recorder.release(&mut object.lock().released);
        }
    });
}

/// The calling thread is about to run the initialiser, after all who gave up.
pub fn began(addr: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find(addr) {
            me.recorder.acquire(&object.lock().released);
        }
    });
}
