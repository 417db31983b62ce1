//! A thread's next record on a granule whose newest record is its own.
//!
//! What the older ones say and the new one does not make superfluous is kept
//! beside it: one or two records in the places for that, more in a cell.

use super::hb::{Records, all_records, publish, publish_own, put_beside};
use crate::recorder::Recorder;
use crate::shadow::beside;
use crate::shadow::cell::CellRef;
use crate::shadow::word::{Beside, Touch, Word};
use core::sync::atomic::{AtomicU64, Ordering};

/// Puts `fresh`, the record of `touch` alone, in the place of this thread's own
/// record `old`, and keeps beside it what still counts.
pub(crate) fn supersede(
    recorder: &mut Recorder,
    word: &AtomicU64,
    old: Word,
    touch: Touch,
    fresh: Word,
) -> Result<(), Word> {
    let is_superfluous = touch.dominates(old.touch());
    let is_whole = touch.write && !touch.atomic && touch.bytes == 0xff;
    match old.beside() {
        Beside::Cell if is_superfluous && !is_whole => {
            return publish(word, old, fresh.next_to(Beside::Cell));
        }
        Beside::Cell => return rearrange(recorder, word, old, touch, fresh),
        Beside::Nothing if is_superfluous => return publish_own(word, old, fresh),
        Beside::Record | Beside::Two if is_whole => return publish_own(word, old, fresh),
        // Whatever it is: to look there would cost more than it could bring.
        beside if is_superfluous => return publish_own(word, old, fresh.next_to(beside)),
        Beside::Nothing | Beside::Record | Beside::Two => {}
    }
    let Some([first, second]) = beside::places(word) else {
        // Without memory the newest record alone is kept.
        return publish_own(word, old, fresh);
    };
    let record = old.alone().trimmed(touch);
    let left = |place: &AtomicU64| {
        let record = Word(place.load(Ordering::Relaxed));
        trimmed(left_of(record, [old]), touch)
    };
    let older = match old.beside() {
        Beside::Nothing => [Word::EMPTY, Word::EMPTY],
        Beside::Record => [left(first), Word::EMPTY],
        _ => [left(first), left(second)],
    };
    let (kept, beside) = match (older, record) {
        ([Word::EMPTY, Word::EMPTY], Word::EMPTY) => return publish_own(word, old, fresh),
        ([Word::EMPTY, Word::EMPTY], one)
        | ([one, Word::EMPTY] | [Word::EMPTY, one], Word::EMPTY) => {
            ([one, Word::EMPTY], Beside::Record)
        }
        ([one, Word::EMPTY] | [Word::EMPTY, one], two) | ([one, two], Word::EMPTY) => {
            ([one, two], Beside::Two)
        }
        _ => return rearrange(recorder, word, old, touch, fresh),
    };
    let now = word.load(Ordering::Relaxed);
    if now != old.0 {
        return Err(Word(now));
    }
    first.store(kept[0].0, Ordering::Release);
    if beside == Beside::Two {
        second.store(kept[1].0, Ordering::Release);
    }
    publish_own(word, old, fresh.next_to(beside))
}

/// What of a record still counts after `later` ones, which are ordered after it.
pub(super) fn left_of(record: Word, later: impl IntoIterator<Item = Word>) -> Word {
    let later = later.into_iter().filter(|later| *later != Word::EMPTY);
    later.flat_map(Word::parts).fold(record, trimmed)
}

fn trimmed(record: Word, touch: Touch) -> Word {
    match record {
        Word::EMPTY => record,
        _ => record.trimmed(touch),
    }
}

/// As [`supersede`], where several older records may count.
#[cold]
fn rearrange(
    recorder: &mut Recorder,
    word: &AtomicU64,
    old: Word,
    touch: Touch,
    fresh: Word,
) -> Result<(), Word> {
    publish(word, old, Word::BUSY)?;
    let record = old.alone().trimmed(touch);
    if old.beside() == Beside::Cell
        && record != Word::EMPTY
        && let Some(first) = beside::place(word)
        && let Some(cell) = CellRef::from_word(Word(first.load(Ordering::Relaxed)))
        && cell.renew(record, |older| trimmed(left_of(older, [old]), touch))
    {
        word.store(fresh.next_to(Beside::Cell).0, Ordering::Release);
        return Ok(());
    }
    let (records, cell) = all_records(word, old);
    let mut kept = Records::new();
    for (i, record) in records.iter().enumerate() {
        // Those of others may be unordered among each other: two that read.
        let later = records[i + 1..].iter().copied();
        let own = later.filter(|later| later.slot() == record.slot() || *later == old.alone());
        let left = trimmed(left_of(*record, own), touch);
        if left != Word::EMPTY {
            kept.push(left);
        }
    }
    let beside = match cell {
        Some(cell) if kept.len() > 2 && cell.refill(&kept) => Beside::Cell,
        _ => {
            if let Some(cell) = cell {
                recorder.cells.release(cell);
            }
            put_beside(recorder, word, &kept)
        }
    };
    word.store(fresh.next_to(beside).0, Ordering::Release);
    Ok(())
}
