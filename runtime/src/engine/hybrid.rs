//! What locks order, when that is not taken for order.
//!
//! Two critical sections of one lock are ordered only if they conflict: if a
//! thread in one of them touches what the other has touched before, and one of
//! the two wrote, atomically or not. Then data has flowed, and the later section
//! comes after all that the earlier one's thread had done when it gave the lock
//! back. Any other order between them is chance: another run may have them the
//! other way round.
//!
//! This is rule (a) of weak-causal precedence (Kini, Mathur and Viswanathan,
//! PLDI 2017) with one difference: what the earlier section's thread knew only
//! because of the order of locks stays chance for the later one, too. Two
//! conditions signalled on one condition variable show why: who waits for one
//! of them would else come after whoever made the other true, just because that
//! one had the mutex before. Rule (b) is there for the section just before, by
//! the same lock: who takes the lock, or gives it back, and knows of something
//! done in it comes after its end ([`crate::clock::Clock::join_section`]). (The
//! weak doesn't-commute order of SmartTrack, by Roemer, Genç and Bond, PLDI
//! 2020, leaves out the same.)

use crate::lockset::{self, LocksetId};
use crate::recorder::Recorder;
use crate::shadow::word::{Touch, Word};
use crate::{options, spans};
use smallvec::SmallVec;

/// Orders the thread after the critical sections in which `records` were made
/// and that conflict with its own because of `touch`.
#[inline]
pub(super) fn order_after_conflicts(
    recorder: &mut Recorder,
    records: impl Iterator<Item = Word>,
    touch: Touch,
) {
    if recorder.clock.is_hybrid() && options::get().conflict_edges {
        make_edges(recorder, records, touch);
    }
}

pub(super) fn make_edges(
    recorder: &mut Recorder,
    records: impl Iterator<Item = Word>,
    touch: Touch,
) {
    if recorder.locks() == LocksetId::EMPTY {
        return;
    }
    let mut sections: SmallVec<[_; 4]> = SmallVec::new();
    for record in records.filter(|record| *record != Word::EMPTY) {
        let is_foreign = record.slot() != recorder.slot();
        if is_foreign && record.meets(touch) && !is_settled(recorder, record) {
            sections.push(record);
        }
    }
    for record in sections {
        let Some(theirs) = spans::sections_at(record.slot(), record.pos()) else {
            recorder.trust_locks();
            continue;
        };
        for lock in lockset::all_common(theirs.locks, recorder.locks()) {
            recorder.order_after_section(record.slot(), theirs.end_of(lock));
        }
    }
}

/// Has the thread come after the end of all critical sections in which another
/// one made `record`?
pub(super) fn is_settled(recorder: &Recorder, record: Word) -> bool {
    let (slot, pos) = (record.slot(), record.pos());
    if recorder.settled.has(slot, pos) {
        return true;
    }
    let known = recorder.clock.get(slot);
    if known <= pos {
        return false;
    }
    let end = if recorder.clock.is_hybrid() {
        spans::settled(slot, known).filter(|end| pos < *end)
    } else {
        Some(known)
    };
    if let Some(end) = end {
        recorder.settled.put(slot, end);
    }
    end.is_some()
}

/// May `record`, which is ordered before what the thread does now and is made
/// superfluous by that, be forgotten? Not while it tells of a critical section
/// whose end the thread does not know: another section of that lock may touch
/// the same and comes after that end, and the new record does not say so.
#[inline]
pub(super) fn may_go(recorder: &Recorder, record: Word) -> bool {
    record.slot() == recorder.slot()
        || !recorder.clock.is_hybrid()
        || recorder.settled.has(record.slot(), record.pos())
        || !is_wanted(recorder, record)
}

/// May `record` be forgotten because of `later`, which came after it and makes it
/// superfluous? As [`may_go`]; but what `later`'s thread knew then is not known.
pub(super) fn may_go_for(recorder: &Recorder, record: Word, later: Word) -> bool {
    if record.slot() == later.slot()
        || !recorder.clock.is_hybrid()
        || !options::get().conflict_edges
    {
        return true;
    }
    let locks = |record: Word| spans::locks_at(record.slot(), record.pos());
    locks(record).is_none_or(|theirs| {
        let known = locks(later).unwrap_or(LocksetId::EMPTY);
        lockset::is_subset(theirs, known)
    })
}

#[inline(never)]
fn is_wanted(recorder: &Recorder, record: Word) -> bool {
    let is_another = |locks| !lockset::is_subset(locks, recorder.locks());
    options::get().conflict_edges
        && !is_settled(recorder, record)
        && spans::locks_at(record.slot(), record.pos()).is_some_and(is_another)
}

/// Do locks keep the access of `record` and those of now apart, so that their
/// not being ordered does no harm?
#[inline]
pub(super) fn is_kept_apart(recorder: &Recorder, record: Word) -> bool {
    // Sections of one lock are ordered, whatever else is known of them.
    let is_ordered_by_locks = || record.pos() < recorder.clock.get_strong(record.slot());
    recorder.clock.is_hybrid()
        && is_ordered_by_locks()
        && spans::locks_at(record.slot(), record.pos())
            .is_none_or(|locks| lockset::common(locks, recorder.locks()).is_some())
}
