//! Which locks ordered two accesses that nothing else orders.
//!
//! The way of the news of an earlier access goes from thread to thread: one
//! gives back a lock, the next takes it. It is followed backwards through
//! [`spans`], from the thread that knows of the access to the one that made it.
//! Steps that count as order anyway (the critical sections conflict, or the
//! news came by a semaphore) are passed over: what remains is what another run
//! may do the other way round.
//!
//! What a thread knew is noted when it takes or gives back a lock. A thread
//! that passes the news on by other means while it still holds the lock that
//! told it knew more by then; what exactly is not noted, but not more than who
//! learnt from it. So such a thread is asked only if nobody else can have told,
//! and the way has to go on from there.

use crate::clock::{Clock, Snapshot};
use crate::lock::LockId;
use crate::lock::held::At;
use crate::spans::{self, Learning, halves};
use alloc::vec::Vec;
use core::cell::Cell;

/// Steps that are looked at before the search is given up.
const EFFORT: usize = 64;

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

/// What somebody knew of a slot: what counts as order, and what locks order.
type Knew<'a> = &'a dyn Fn(u16) -> (u64, u64);

/// The lock orders by which the owner of `clock`, in `slot`, knows what `other`
/// did at `pos`, the latest first; none if they are not known any more.
pub fn to(slot: u16, clock: &Clock, other: u16, pos: u64) -> Vec<Handover> {
    let now = |slot| (clock.get(slot), clock.get_strong(slot));
    follow((slot, u64::MAX), &now, (other, pos), &Cell::new(EFFORT)).unwrap_or_default()
}

/// How that one knew.
enum Source {
    /// It made the access itself.
    Own,
    /// From others: all that it knew.
    Told(Snapshot),
    /// It did not know when its span began.
    Within,
}

/// Somebody from whom a thread may have had the news.
struct Teacher {
    slot: u16,
    /// Its position up to which the thread then knew.
    end: u64,
    source: Source,
}

impl Teacher {
    fn is_sure(&self) -> bool {
        !matches!(self.source, Source::Within)
    }
}

/// The lock orders by which `to` (a slot, and the position by which it knew)
/// had learnt of what `target` did; `then` is what it knew by then.
fn follow(
    to: (u16, u64),
    then: Knew<'_>,
    target: (u16, u64),
    effort: &Cell<usize>,
) -> Option<Vec<Handover>> {
    effort.set(effort.get().checked_sub(1)?);
    let learning = spans::learning(to.0, to.1, target.0, target.1)?;
    let after = |slot| match &learning.after {
        Some(after) => halves(after, slot),
        None => then(slot),
    };
    let teachers = teachers(to.0, &after, &learning, target);
    let sure = || teachers.iter().filter(|teacher| teacher.is_sure());
    let gave_back = |teacher: &&Teacher| {
        let before = halves(&learning.before, teacher.slot).1;
        let lock = learning.taken.map(|(lock, _)| lock);
        lock.is_some_and(|lock| spans::gave_back(teacher.slot, lock, before, teacher.end))
    };
    let counting = |teacher: &&Teacher| counts(then, teacher);
    let knows_all = |teacher: &&Teacher| {
        let known = spans::known(teacher.slot, teacher.end);
        let mut others = sure().filter(|other| other.slot != teacher.slot);
        known.is_some_and(|known| others.all(|other| halves(&known, other.slot).1 >= other.end))
    };
    let first = sure().find(gave_back).or_else(|| sure().find(counting));
    // Who passed it on by other means than a lock counts as order.
    let unsure = teachers.iter().filter(|teacher| !teacher.is_sure());
    let next = unsure.filter(counting);
    let last = sure().find(knows_all);
    let mut candidates = first.into_iter().chain(next).chain(last);
    candidates.find_map(|teacher| {
        let from = (teacher.slot, teacher.end);
        let taken = learning.taken.filter(|_| !counts(then, teacher));
        let step = taken.map(|(lock, at)| Handover {
            lock,
            from,
            to: to.0,
            taken: learning.start,
            at,
        });
        let rest = match &teacher.source {
            Source::Own => Vec::new(),
            Source::Told(known) => follow(from, &|slot| halves(known, slot), target, effort)?,
            Source::Within => follow(from, &after, target, effort)?,
        };
        Some(step.into_iter().chain(rest).collect())
    })
}

/// Is who learnt from `teacher` ordered after it anyway?
fn counts(then: Knew<'_>, teacher: &Teacher) -> bool {
    then(teacher.slot).0 >= teacher.end
}

/// All of whom `to` learnt something then; `after` is what it knew afterwards.
fn teachers(to: u16, after: Knew<'_>, learning: &Learning, target: (u16, u64)) -> Vec<Teacher> {
    let others = (0..spans::SLOTS).filter(|slot| *slot != to);
    others
        .filter_map(|slot| {
            let before = halves(&learning.before, slot).1;
            let end = after(slot).1;
            let known = (end > before).then(|| spans::known(slot, end))??;
            let source = source(slot, end, known, target)?;
            Some(Teacher { slot, end, source })
        })
        .collect()
}

/// How `slot`, which knew `known` when the span began that holds `end`, knew of
/// `target`, if it did.
fn source(slot: u16, end: u64, known: Snapshot, target: (u16, u64)) -> Option<Source> {
    if slot == target.0 {
        return (end > target.1).then_some(Source::Own);
    }
    if halves(&known, target.0).1 > target.1 {
        return Some(Source::Told(known));
    }
    Some(Source::Within)
}
