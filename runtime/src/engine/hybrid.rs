//! What locks order, when that is not taken for order.
//!
//! Two critical sections of one lock are ordered only if they conflict: if a
//! thread in one of them touches what the other has touched before, and one of
//! the two wrote, atomically or not. Then data has flowed, and the later section comes after all
//! that the earlier one's thread had done and known when it gave the lock back
//! (rule (a) of weak-causal precedence: Kini, Mathur and Viswanathan, PLDI
//! 2017). Any other order between them is chance: another run may have them
//! the other way round.

use super::hb::is_ordered;
use crate::lockset;
use crate::recorder::Recorder;
use crate::shadow::word::{Touch, Word};
use crate::{options, spans};

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
    let mut sections: smallvec::SmallVec<[_; 4]> = smallvec::SmallVec::new();
    for record in records.filter(|record| *record != Word::EMPTY) {
        if is_ordered(recorder, record) || !record.meets(touch) {
            continue;
        }
        let Some(locks) = spans::locks_at(record.slot(), record.pos()) else {
            recorder.trust_locks();
            continue;
        };
        if let Some(lock) = lockset::common(locks, recorder.locks()) {
            sections.push((record, lock));
        }
    }
    for (record, lock) in sections {
        recorder.order_after_section(record.slot(), record.pos(), lock);
    }
}

/// Do locks keep the access of `record` and those of now apart, so that their
/// not being ordered does no harm?
#[inline]
pub(super) fn is_kept_apart(recorder: &Recorder, record: Word) -> bool {
    recorder.clock.is_hybrid()
        && spans::locks_at(record.slot(), record.pos())
            .is_none_or(|locks| lockset::common(locks, recorder.locks()).is_some())
}
