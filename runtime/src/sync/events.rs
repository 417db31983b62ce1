//! What a thread did last, other than with locks, to be ordered with others.
//!
//! Reports say so of both accesses, of which the earlier one may be long ago:
//! a slot keeps its last few [`Act`]s, each with the position in its log from
//! which on it counts. The same act from the same place again, as in a loop,
//! takes no room of its own. Which lock was used last is found in
//! [`crate::spans`].
//!
//! Only the thread in a slot writes there; whoever makes a report may read at
//! the same time, and passes over what is being changed.

use crate::finding::Act;
use crate::lock::held::At;
use crate::spans::SLOTS;
use crate::thread::Thread;
use alloc::boxed::Box;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};

/// Acts kept of a slot: 2.5 KiB.
const KEPT: usize = 64;

/// An act as it is kept; `first` is 0 while it is written.
struct Kept {
    /// From which position on it counts, and the same of its latest repetition.
    first: AtomicU64,
    latest: AtomicU64,
    object: AtomicU64,
    pc: AtomicU64,
    /// Context, above it the act and the slot: a thread that goes on in another
    /// slot repeats nothing.
    rest: AtomicU64,
}

struct Ring {
    /// How many there were so far.
    count: AtomicU32,
    kept: [Kept; KEPT],
}

static RINGS: [AtomicPtr<Ring>; SLOTS as usize] =
    [const { AtomicPtr::new(core::ptr::null_mut()) }; SLOTS as usize];

/// The newest act of a thread, to see whether the next is a repetition.
pub struct Newest {
    object: usize,
    pc: usize,
    /// As [`Kept::rest`]; 0 is no act.
    rest: u64,
    latest: &'static AtomicU64,
}

/// What [`Newest::latest`] is before there is one.
static NOWHERE: AtomicU64 = AtomicU64::new(0);

impl Default for Newest {
    fn default() -> Newest {
        Newest {
            object: 0,
            pc: 0,
            rest: 0,
            latest: &NOWHERE,
        }
    }
}

/// An act of a thread's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it did.
    pub act: Act,
    /// To what: an address, or the number of a thread.
    pub object: u64,
    /// Where.
    pub at: At,
    /// Position from which on it counts.
    pub first: u64,
    /// The same of its latest repetition.
    pub latest: u64,
}

impl Kept {
    const fn new() -> Kept {
        Kept {
            first: AtomicU64::new(0),
            latest: AtomicU64::new(0),
            object: AtomicU64::new(0),
            pc: AtomicU64::new(0),
            rest: AtomicU64::new(0),
        }
    }

    fn set(&self, position: u64, object: u64, pc: u64, rest: u64) {
        self.first.store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        self.latest.store(position, Ordering::Relaxed);
        self.object.store(object, Ordering::Relaxed);
        self.pc.store(pc, Ordering::Relaxed);
        self.rest.store(rest, Ordering::Relaxed);
        self.first.store(position, Ordering::Release);
    }

    /// What is kept, unless it is just changing.
    fn get(&self) -> Option<Event> {
        let first = self.first.load(Ordering::Acquire);
        let rest = self.rest.load(Ordering::Relaxed);
        let event = Event {
            act: Act::numbered((rest >> 32) as u8)?,
            object: self.object.load(Ordering::Relaxed),
            at: At {
                pc: self.pc.load(Ordering::Relaxed) as usize,
                context: rest as u32,
            },
            first,
            latest: self.latest.load(Ordering::Relaxed),
        };
        fence(Ordering::Acquire);
        (first != 0 && self.first.load(Ordering::Relaxed) == first).then_some(event)
    }
}

impl Ring {
    fn new() -> Ring {
        Ring {
            count: AtomicU32::new(0),
            kept: [const { Kept::new() }; KEPT],
        }
    }

    /// Where its latest repetition is noted.
    fn note(&self, position: u64, object: u64, pc: u64, rest: u64) -> &AtomicU64 {
        let count = self.count.load(Ordering::Relaxed);
        let kept = &self.kept[count as usize % KEPT];
        kept.set(position, object, pc, rest);
        self.count.store(count.wrapping_add(1), Ordering::Relaxed);
        &kept.latest
    }

    fn last_before(&self, position: u64) -> Option<Event> {
        let known = self.kept.iter().filter_map(Kept::get);
        known
            .filter(|event| event.first <= position)
            .max_by_key(|event| event.first)
    }
}

fn ring(slot: u16) -> Option<&'static Ring> {
    let ring = RINGS[slot as usize].load(Ordering::Acquire);
    // SAFETY: made by `make`, never freed.
    unsafe { ring.as_ref() }
}

/// The first act of a slot's.
#[cold]
fn make(slot: u16) -> &'static Ring {
    let ring: &'static Ring = Box::leak(Box::new(Ring::new()));
    RINGS[slot as usize].store(core::ptr::from_ref(ring).cast_mut(), Ordering::Release);
    ring
}

/// `me`, which has just been ordered, did this to `object` at `pc`; 0 if the
/// call is on the shadow call stack.
#[inline]
pub fn note(me: &mut Thread, act: Act, object: usize, pc: usize) {
    if !me.recorder.clock.is_hybrid() {
        // What it did with locks, maybe later, is not known either.
        return;
    }
    let context = me.site(pc).context;
    let slot = u64::from(me.recorder.slot());
    let rest = slot << 40 | (act as u64) << 32 | u64::from(context);
    let newest = &me.newest_act;
    let position = me.recorder.log.end();
    if (newest.object, newest.pc, newest.rest) == (object, pc, rest) {
        return newest.latest.store(position, Ordering::Relaxed);
    }
    note_other(me, object, pc, rest);
}

/// As [`note`], of an act that does not repeat the last one.
#[inline(never)]
fn note_other(me: &mut Thread, object: usize, pc: usize, rest: u64) {
    let slot = me.recorder.slot();
    let ring = ring(slot).unwrap_or_else(|| make(slot));
    me.newest_act = Newest {
        object,
        pc,
        rest,
        latest: ring.note(me.recorder.log.end(), object as u64, pc as u64, rest),
    };
}

/// The last act of `slot` before it came to `position`; `None` if there was
/// none, or it is not known any more.
pub fn last(slot: u16, position: u64) -> Option<Event> {
    ring(slot)?.last_before(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(act: Act) -> u64 {
        (act as u64) << 32 | 7
    }

    #[test]
    fn the_last_before_a_position() {
        let ring = Ring::new();
        ring.note(10, 0x100, 1, rest(Act::SemaphorePost));
        ring.note(20, 0x200, 2, rest(Act::SemaphoreWait));
        assert_eq!(ring.last_before(9), None);
        assert_eq!(ring.last_before(19).unwrap().act, Act::SemaphorePost);
        let last = ring.last_before(u64::MAX).unwrap();
        assert_eq!(
            (last.act, last.object, last.first),
            (Act::SemaphoreWait, 0x200, 20)
        );
        assert_eq!((last.at.pc, last.at.context), (2, 7));
    }

    #[test]
    fn repetitions_take_no_room() {
        let ring = Ring::new();
        ring.note(1, 0x100, 1, rest(Act::ThreadCreate));
        let latest = ring.note(2, 0x200, 2, rest(Act::AtomicAcquire));
        latest.store(999, Ordering::Relaxed);
        let last = ring.last_before(500).unwrap();
        assert_eq!(
            (last.act, last.first, last.latest),
            (Act::AtomicAcquire, 2, 999)
        );
        assert_eq!(ring.last_before(1).unwrap().act, Act::ThreadCreate);
    }

    #[test]
    fn the_oldest_go() {
        let ring = Ring::new();
        for position in 1..1000u64 {
            ring.note(position, position, 2, rest(Act::AtomicAcquire));
        }
        assert_eq!(ring.last_before(100), None);
        assert_eq!(ring.last_before(999).unwrap().object, 999);
        assert_eq!(ring.last_before(998).unwrap().object, 998);
    }
}
