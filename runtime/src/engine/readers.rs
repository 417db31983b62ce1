//! Granules that several threads read and nobody writes: each has its records
//! in a plane of its own (see [`crate::shadow::planes`]).

use super::hb::{Conflict, Records, publish};
use super::shared;
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::planes::{self, Readers};
use crate::shadow::word::{Touch, Word};
use core::cmp::Reverse;
use core::sync::atomic::{AtomicU64, Ordering};
use smallvec::SmallVec;

/// Reads of one slot.
type Own = SmallVec<[Word; 4]>;

/// Leaves of each read what no later one makes superfluous, the newest first.
fn reduce(own: &mut Own) {
    own.sort_unstable_by_key(|record| Reverse(record.pos()));
    for i in 1..own.len() {
        let (later, older) = own.split_at_mut(i);
        let later = later.iter().filter(|later| **later != Word::EMPTY);
        older[0] = later.fold(older[0], |left, later| match left {
            Word::EMPTY => left,
            _ => left.trimmed(later.touch()),
        });
    }
    own.retain(|record| *record != Word::EMPTY);
}

/// Puts `records` of a busy granule into the planes of their slots, if all are
/// plain reads and there is room; the granule's word.
pub(super) fn gather(word: &AtomicU64, records: &[Word]) -> Option<Word> {
    if records.iter().any(|r| r.written() != 0 || r.atomic()) {
        return None;
    }
    let mut readers = Readers::NONE;
    for (i, first) in records.iter().enumerate() {
        let of_slot = |record: &&Word| record.slot() == first.slot();
        if records[..i].iter().any(|record| of_slot(&record)) {
            continue;
        }
        let mut own: Own = records[i..].iter().filter(of_slot).copied().collect();
        reduce(&mut own);
        if own.len() > 2 {
            return None;
        }
        let plane = planes::plane_of(word, first.slot())?;
        plane.put(word, &own);
        readers = readers.with(plane);
    }
    Some(readers.word())
}

/// `touch`, whose record is `new`, of a granule that so far was only read.
/// `Err` gives the word to start over with.
pub(super) fn touch(
    recorder: &mut Recorder,
    word: &AtomicU64,
    readers: Readers,
    touch: Touch,
    site: &Site,
    new: Word,
) -> Result<Option<Conflict>, Word> {
    let slot = recorder.slot();
    let is_read = !touch.write && !touch.atomic;
    let plane = is_read.then(|| recorder.memo.plane(word, slot)).flatten();
    let Some(plane) = plane else {
        return leave(recorder, word, readers, touch, new);
    };
    if !readers.has(plane) {
        plane.put(word, &[new]);
        return publish(word, readers.word(), readers.with(plane).word()).map(|()| None);
    }
    let mut own: Own = plane.records(word).collect();
    let is_current = |record: &Word| record.pos() >= recorder.segment();
    if !own.iter().any(|r| is_current(r) && r.covers(touch)) {
        let mut all = own.clone();
        all.push(new);
        reduce(&mut all);
        if all.len() > 2 {
            let Some(i) = own.iter().position(is_current) else {
                return leave(recorder, word, readers, touch, new);
            };
            // Not to be told from their order: the log entry of `new` may have
            // been made for another granule, before those of the others.
            own[i] = recorder.again(own[i], touch, site);
            reduce(&mut own);
            all = own;
        }
        plane.put(word, &all);
    }
    match Word(word.load(Ordering::Acquire)) {
        now if now == readers.word() => Ok(None),
        now => Err(now),
    }
}

/// Is the read `touch` on record in this segment already?
#[inline]
pub(crate) fn is_recorded(
    recorder: &mut Recorder,
    word: &AtomicU64,
    readers: Readers,
    touch: Touch,
) -> bool {
    let slot = recorder.slot();
    let Some(plane) = recorder.memo.plane(word, slot) else {
        return false;
    };
    let is_current = |record: &Word| record.pos() >= recorder.segment();
    readers.has(plane)
        && plane
            .records(word)
            .any(|record| is_current(&record) && record.covers(touch))
        && word.load(Ordering::Acquire) == readers.word().0
}

/// Puts `new`, the record of the read `touch`, in the place of one that it
/// makes superfluous, or into an empty one; `false` if there is none, or the
/// granule is not only read any more.
#[inline]
pub(crate) fn replace(
    recorder: &mut Recorder,
    word: &AtomicU64,
    readers: Readers,
    touch: Touch,
    new: Word,
) -> bool {
    let slot = recorder.slot();
    let Some(plane) = recorder.memo.plane(word, slot) else {
        return false;
    };
    if !readers.has(plane) {
        return false;
    }
    let mut left = plane.records(word).map(|record| record.trimmed(touch));
    let (first, second) = (left.next(), left.next());
    match (first, second.unwrap_or(Word::EMPTY)) {
        (None | Some(Word::EMPTY), Word::EMPTY) => plane.put(word, &[new]),
        (None | Some(Word::EMPTY), other) | (Some(other), Word::EMPTY) => {
            plane.put(word, &[new, other]);
        }
        _ => return false,
    }
    word.load(Ordering::Acquire) == readers.word().0
}

/// A read of all bytes of granules like the one at `word`, `limit` at most; of
/// how many.
pub(super) fn read_all(
    recorder: &mut Recorder,
    word: &AtomicU64,
    limit: usize,
    readers: Readers,
    new: Word,
) -> usize {
    let slot = recorder.slot();
    match recorder.memo.plane(word, slot) {
        Some(plane) if readers.has(plane) => plane.put_all(word, limit, readers, new),
        _ => 0,
    }
}

/// As [`touch`], for what planes cannot hold.
#[cold]
fn leave(
    recorder: &mut Recorder,
    word: &AtomicU64,
    readers: Readers,
    touch: Touch,
    new: Word,
) -> Result<Option<Conflict>, Word> {
    publish(word, readers.word(), Word::BUSY)?;
    let records: Records = readers.records(word).collect();
    shared::settle(recorder, word, records, None, touch, new)
}
