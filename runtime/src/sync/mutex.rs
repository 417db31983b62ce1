//! Mutexes and spin locks: an unlock happens before the next lock.

use super::table::{self, SyncObject};
use super::{opaque, youth};
use crate::lock::{self, Kind, Manner, Mode, Released, misuse, native};
use crate::thread::{self, Thread};

/// How a mutex or spin lock is taken.
#[inline]
pub fn manner(kind: Kind, waits: bool) -> Manner {
    Manner {
        kind,
        mode: Mode::Write,
        waits,
    }
}

/// A mutex was initialised at `addr`.
pub fn created(addr: usize, pc: usize, kind: Kind) {
    if let Some(me) = thread::current() {
        lock::created(me, addr, pc, kind);
        youth::begins(addr, pc, kind);
    }
}

/// The calling thread has just locked it.
#[inline]
pub fn acquired(addr: usize, pc: usize, manner: Manner) {
    let Some((me, object)) = youth::taking(addr, pc) else {
        return;
    };
    let told = object.has_told(me.number);
    lock::taken(me, object, addr, pc, manner);
    me.note_locks();
    thread::synchronise(|me| {
        if !told {
            let is_opaque = opaque::is_possible(me, pc);
            let state = object.lock();
            me.recorder.acquire_lock(&state.released);
            if is_opaque {
                opaque::begins(me, addr, pc, &state.released, None);
            }
        }
    });
}

/// The calling thread is about to unlock it.
#[inline]
pub fn releasing(addr: usize, pc: usize, kind: Kind) {
    let Some(me) = thread::listening() else {
        return;
    };
    let object = table::find(addr);
    let released = lock::released(me, object, addr);
    match released {
        Released::NotHeld => misuse::unlock_not_held(me, addr, pc, kind),
        // Nobody can learn anything from that.
        Released::Inner if kind == Kind::Mutex && native::mutex_stays_locked(addr) => return,
        Released::Inner | Released::Last(..) => {}
    }
    let since = match released {
        Released::Last(_, since) => Some(since),
        Released::Inner | Released::NotHeld => None,
    };
    publish(me, object, addr, pc, since);
}

/// The calling thread, which holds it, ends: the next owner gets it.
pub fn bequeathing(addr: usize, pc: usize) {
    let Some(me) = thread::listening() else {
        return;
    };
    let object = table::find(addr);
    while lock::released(me, object, addr) == Released::Inner {}
    publish(me, object, addr, pc, None);
}

/// `since`: from where in its log on the thread is known to have had it.
#[inline]
fn publish(
    me: &mut Thread,
    object: Option<&'static SyncObject>,
    addr: usize,
    pc: usize,
    since: Option<u64>,
) {
    thread::synchronise(|me| {
        if let Some(object) = object.or_else(|| table::find_or_make(addr)) {
            me.loops.settle(&mut me.recorder);
            opaque::ends(me, addr);
            let mut state = object.lock();
            match since {
                Some(since) => me.recorder.release_lock(&mut state.released, since),
                None => me.recorder.release(&mut state.released),
            }
            object.set_told(&state, me.number);
        }
    });
    me.note_released(object.and_then(|object| object.lock_id()), pc);
}

/// Whether its unlock is meant to happen before the next lock, even for a
/// detector that does not take the order of critical sections for one.
pub fn set_ordering(addr: usize, orders: bool) {
    if let Some(object) = table::find_or_make(addr) {
        object.lock().released.trust(orders);
    }
}

/// It is about to be destroyed.
pub fn destroying(addr: usize, pc: usize, kind: Kind) {
    if let Some(me) = thread::listening()
        && misuse::destroying(me, addr, pc, kind)
    {
        youth::ends(addr, pc, kind);
    }
}

/// It is gone.
pub fn destroyed(addr: usize, pc: usize) {
    if let Some(me) = thread::current() {
        lock::destroyed(me, addr, pc);
    }
}
