//! Read-write locks: readers are ordered with writers, not with each other.

use super::{opaque, table, youth};
use crate::clock::Released;
use crate::lock::{self, Kind, Manner, Mode, misuse};
use crate::thread::{self, Thread};

/// A lock was initialised at `addr`.
pub fn created(addr: usize, pc: usize, kind: Kind) {
    if let Some(me) = thread::current() {
        lock::created(me, addr, pc, kind);
        youth::begins(addr, pc, kind);
    }
}

/// A lock at `addr` needs no initialisation, and may be in use already.
pub fn permanent(addr: usize, pc: usize) {
    if let Some(me) = thread::current() {
        lock::permanent(me, addr, pc, Kind::Custom);
    }
}

/// The calling thread holds it for reading.
#[inline]
pub fn read_acquired(addr: usize, pc: usize, kind: Kind, waits: bool) {
    let Some((me, object)) = youth::taking(addr, pc) else {
        return;
    };
    let mode = Mode::Read;
    lock::taken(me, object, addr, pc, Manner { kind, mode, waits });
    me.note_locks();
    thread::synchronise(|me| {
        let is_opaque = opaque::is_possible(me, pc);
        let state = object.lock();
        me.recorder.acquire_lock(&state.released);
        if is_opaque {
            opaque::begins(me, addr, pc, &state.released, None);
        }
    });
}

/// The calling thread holds it for writing.
#[inline]
pub fn write_acquired(addr: usize, pc: usize, kind: Kind, waits: bool) {
    let Some((me, object)) = youth::taking(addr, pc) else {
        return;
    };
    let mode = Mode::Write;
    lock::taken(me, object, addr, pc, Manner { kind, mode, waits });
    me.note_locks();
    let is_opaque = opaque::is_possible(me, pc);
    // Who holds it is noted even by a thread that is alone: it may no longer
    // be when it unlocks.
    let mut state = object.lock();
    state.writer = me.recorder.slot();
    let mut readers = core::mem::replace(&mut state.readers, Released::new());
    readers.trust(state.released.is_trusted());
    thread::synchronise(|me| {
        me.recorder.acquire_lock(&state.released);
        me.recorder.acquire_lock(&readers);
        if is_opaque {
            opaque::begins(me, addr, pc, &state.released, Some(&readers));
        }
    });
}

/// The calling thread has taken it in the code of another lock. What it does
/// there is not recorded, and orders nobody after it: otherwise a lock that all
/// others use inside would order all that they are meant to tell apart. But it
/// may take away what somebody has left under this lock outside of such code.
pub fn acquired_within(addr: usize) {
    thread::synchronise(|me| {
        if let Some(object) = table::find(addr) {
            me.recorder.acquire(&object.lock().released);
        }
    });
}

/// The calling thread is about to unlock it, whichever way it holds it.
#[inline]
pub fn releasing(addr: usize, pc: usize) {
    let Some(me) = thread::listening() else {
        return;
    };
    let object = table::find(addr);
    let released = lock::released(me, object, addr);
    if released == lock::Released::NotHeld {
        misuse::unlock_not_held(me, addr, pc, Kind::RwLock);
    }
    thread::synchronise(|me| {
        opaque::ends(me, addr);
        if let Some(object) = object.or_else(|| table::find_or_make(addr)) {
            let mut state = object.lock();
            if state.writer == me.recorder.slot() {
                state.writer = 0;
                match released {
                    lock::Released::Last(Mode::Write, since) => {
                        me.recorder.release_lock(&mut state.released, since);
                    }
                    _ => me.recorder.release(&mut state.released),
                }
            } else {
                me.recorder.release_join(&mut state.readers);
            }
        }
    });
    me.note_released(object.and_then(|object| object.lock_id()), pc);
}

/// The calling thread is about to unlock what it, or another on its behalf,
/// holds for writing.
pub fn write_releasing(addr: usize, pc: usize) {
    if let Some(me) = thread::listening() {
        custom_released(me, addr, pc, Mode::Write);
    }
    thread::synchronise(|me| {
        opaque::ends(me, addr);
        if let Some(object) = table::find_or_make(addr) {
            let mut state = object.lock();
            state.writer = 0;
            me.recorder.release(&mut state.released);
        }
    });
    if let Some(me) = thread::listening() {
        let lock = table::find(addr).and_then(|object| object.lock_id());
        me.note_released(lock, pc);
    }
}

/// As [`write_releasing`], for reading.
pub fn read_releasing(addr: usize, pc: usize) {
    if let Some(me) = thread::listening() {
        custom_released(me, addr, pc, Mode::Read);
    }
    thread::synchronise(|me| {
        opaque::ends(me, addr);
        if let Some(object) = table::find_or_make(addr) {
            me.recorder.release_join(&mut object.lock().readers);
        }
    });
    if let Some(me) = thread::listening() {
        let lock = table::find(addr).and_then(|object| object.lock_id());
        me.note_released(lock, pc);
    }
}

/// As [`write_releasing`] or [`read_releasing`], whichever way the calling
/// thread holds it.
pub fn custom_releasing(addr: usize, pc: usize) {
    let held = thread::current().and_then(|me| me.held.find(addr).map(|held| held.mode));
    match held {
        Some(Mode::Read) => read_releasing(addr, pc),
        _ => write_releasing(addr, pc),
    }
}

/// Unlocks a lock that annotations describe.
fn custom_released(me: &mut Thread, addr: usize, pc: usize, mode: Mode) {
    let object = table::find(addr);
    match me.held.find(addr).map(|held| held.mode) {
        Some(held) if held != mode => misuse::unlock_in_wrong_mode(me, addr, pc, held),
        None if mode == Mode::Write => match object.and_then(|object| object.owner()) {
            Some(_) => lock::handed_over(addr),
            None => misuse::custom_unlocked(me, addr, pc),
        },
        _ => {}
    }
    lock::released(me, object, addr);
}

/// It is about to be destroyed.
pub fn destroying(addr: usize, pc: usize, kind: Kind) {
    if let Some(me) = thread::listening()
        && misuse::destroying(me, addr, pc, kind)
    {
        youth::ends(addr, pc, kind);
    }
}

/// One of the program's own making is gone. It may be a shell around another at
/// the same address, which still has to be destroyed.
pub fn forgotten(addr: usize) {
    table::remove(addr);
}

/// It is gone.
pub fn destroyed(addr: usize, pc: usize) {
    if let Some(me) = thread::current() {
        lock::destroyed(me, addr, pc);
    }
}
