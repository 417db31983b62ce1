//! Which locks ordered two accesses that nothing else orders.
//!
//! The way of the news of an earlier access goes from thread to thread: one
//! gives back a lock, the next takes it. It is followed backwards through
//! [`spans`], from the thread that knows of the access to the one that made it.
//! Steps that count as order anyway (the critical sections conflict, or the
//! news came by a semaphore) are passed over: what remains is what another run
//! may do the other way round. What a thread passes on by other means while it
//! still holds the lock that told it is not followed.

use crate::clock::{Clock, Snapshot};
use crate::lock::LockId;
use crate::lock::held::At;
use crate::spans::{self, Learning, halves};
use alloc::vec::Vec;

/// Threads that news passes through before the search is given up.
const LONGEST: usize = 16;

/// One thread took a lock that another had given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The lock.
    pub lock: LockId,
    /// Who gave it back, and when.
    pub from: (u16, u64),
    /// Who took it.
    pub to: u16,
    /// When it did.
    pub taken: u64,
    /// Where it did.
    pub at: At,
}

/// The lock orders by which the owner of `clock`, in `slot`, knows what `other`
/// did at `pos`, the latest first; none if they are not known any more.
pub fn to(slot: u16, clock: &Clock, other: u16, pos: u64) -> Vec<Handover> {
    let now = |slot| (clock.get(slot), clock.get_strong(slot));
    let mut found = Vec::new();
    let mut step = previous((slot, u64::MAX), &now, (other, pos));
    for _ in 0..LONGEST {
        let Some(Step {
            handover,
            from,
            source,
        }) = step
        else {
            break;
        };
        found.extend(handover);
        let Source::Told(known) = source else {
            return found;
        };
        step = previous(from, &|slot| halves(&known, slot), (other, pos));
    }
    Vec::new()
}

/// From whom a thread had the news.
struct Step {
    handover: Option<Handover>,
    from: (u16, u64),
    source: Source,
}

/// How that one knew.
enum Source {
    /// It made the access itself.
    Own,
    /// From others: all that it knew.
    Told(Snapshot),
}

/// Somebody from whom a thread may have had the news.
struct Teacher {
    slot: u16,
    /// Its position up to which the thread then knew.
    end: u64,
    /// What it knew there.
    known: Snapshot,
    source: Source,
}

/// How `to` (a slot, and the position by which it knew) had learnt of what
/// `target` did; `then` is what it knew by then.
fn previous(to: (u16, u64), then: &dyn Fn(u16) -> (u64, u64), target: (u16, u64)) -> Option<Step> {
    let learning = spans::learning(to.0, to.1, target.0, target.1)?;
    let mut teachers = teachers(to.0, then, &learning, target);
    let gave_back = |teacher: &Teacher| {
        let before = halves(&learning.before, teacher.slot).1;
        let lock = learning.taken.map(|(lock, _)| lock);
        lock.is_some_and(|lock| spans::gave_back(teacher.slot, lock, before, teacher.end))
    };
    let counts = |teacher: &Teacher| then(teacher.slot).0 >= teacher.end;
    let knows_all = |teacher: &Teacher| {
        let mut others = teachers.iter().filter(|other| other.slot != teacher.slot);
        others.all(|other| halves(&teacher.known, other.slot).1 >= other.end)
    };
    let chosen = (teachers.iter().position(gave_back))
        .or_else(|| teachers.iter().position(counts))
        .or_else(|| teachers.iter().position(knows_all))?;
    let counts = counts(&teachers[chosen]);
    let teacher = teachers.swap_remove(chosen);
    let from = (teacher.slot, teacher.end);
    let taken = learning.taken.filter(|_| !counts);
    let handover = taken.map(|(lock, at)| Handover {
        lock,
        from,
        to: to.0,
        taken: learning.start,
        at,
    });
    Some(Step {
        handover,
        from,
        source: teacher.source,
    })
}

/// All of whom `to` learnt something then, and who knew of `target`.
fn teachers(
    to: u16,
    then: &dyn Fn(u16) -> (u64, u64),
    learning: &Learning,
    target: (u16, u64),
) -> Vec<Teacher> {
    let others = (0..spans::SLOTS).filter(|slot| *slot != to);
    others
        .filter_map(|slot| {
            let before = halves(&learning.before, slot).1;
            let end = match &learning.after {
                Some(after) => halves(after, slot).1,
                None => then(slot).1,
            };
            let known = (end > before).then(|| spans::known(slot, end))??;
            let source = source(slot, end, &known, target)?;
            Some(Teacher {
                slot,
                end,
                known,
                source,
            })
        })
        .collect()
}

/// How `slot`, which knew `known` at `end`, knew of `target`, if it did.
fn source(slot: u16, end: u64, known: &Snapshot, target: (u16, u64)) -> Option<Source> {
    if slot == target.0 {
        return (end > target.1).then_some(Source::Own);
    }
    (halves(known, target.0).1 > target.1).then(|| Source::Told(known.clone()))
}
