//! Pure happens-before detection.
//!
//! The algorithm is FastTrack's (Flanagan and Freund, PLDI 2009), which reports
//! a race on a location if and only if the execution has one, with three
//! departures:
//!
//! * A location is a byte, though eight share a shadow word: records carry
//!   byte masks.
//! * FastTrack keeps one write and either one read or a clock of reads. Here a
//!   granule keeps a record for every segment whose accesses still count. The
//!   newest record is the granule's shadow word, those ordered before it stand
//!   beside it. They need not be compared with again while its thread goes on.
//!   If some are not ordered (several threads read), all are in a cell.
//! * A record goes when a later, ordered access makes it superfluous (see
//!   [`Touch::dominates`]): whatever would race with the old access races with
//!   the new one too.
//!
//! A granule changes hands by compare-and-swap of its word, or under the lock
//! of its cell, so of two threads that meet there one sees the other;
//! [`publish_own`] says where that ends.

use super::supersede::supersede;
use super::{hybrid, marks, shared};
use crate::internal_error;
use crate::log::site::Site;
use crate::log::{Entry, entry::Chain};
use crate::recorder::Recorder;
use crate::shadow::beside;
use crate::shadow::cell::CellRef;
use crate::shadow::word::{Beside, Touch, Word};
use core::sync::atomic::{AtomicU64, Ordering};
use smallvec::SmallVec;

/// An earlier access that is not ordered before the one being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Whose.
    pub slot: u16,
    /// Which.
    pub entry: Entry,
    /// The order of lock operations put one before the other in this run.
    pub is_possible: bool,
    /// It is ordered, but the memory was given back before.
    pub is_late: bool,
}

/// A few records.
pub(super) type Records = SmallVec<[Word; 8]>;

/// Checks and records `touch` on the granule that `word` shadows.
///
/// With `REMEMBER`, what happens to this thread's own records goes into the
/// memo; the access must then be all that `site` does to its granule.
#[inline]
pub fn touch<const REMEMBER: bool>(
    recorder: &mut Recorder,
    word: &AtomicU64,
    touch: Touch,
    site: &Site,
) -> Option<Conflict> {
    let mut old = Word(word.load(Ordering::Acquire));
    loop {
        let result = if old == Word::EMPTY {
            let new = recorder.first(touch, site);
            remember::<REMEMBER>(recorder, old, touch, site, new);
            publish(word, old, new).map(|()| None)
        } else if old.is_cell() {
            let new = recorder.first(touch, site);
            remember::<REMEMBER>(recorder, Word::EMPTY, touch, site, new);
            shared::touch_cell(recorder, word, old, touch, site, new)
        } else if old.is_mark() {
            let new = recorder.first(touch, site);
            remember::<REMEMBER>(recorder, marks::filed(recorder, old), touch, site, new);
            marks::touch(recorder, word, old, touch, new)
        } else if old.slot() == recorder.slot() {
            touch_own::<REMEMBER>(recorder, word, old, touch, site).map(|()| None)
        } else {
            if old.beside() != Beside::Nothing {
                beside::prefetch(word);
            }
            let new = recorder.first(touch, site);
            remember::<REMEMBER>(recorder, Word::EMPTY, touch, site, new);
            shared::touch_foreign(recorder, word, old, touch, new)
        };
        match result {
            Ok(conflict) => return conflict,
            Err(now) => old = now,
        }
    }
}

#[inline]
fn remember<const REMEMBER: bool>(
    recorder: &mut Recorder,
    old: Word,
    touch: Touch,
    site: &Site,
    new: Word,
) {
    if REMEMBER && site.fresh == Word::EMPTY {
        recorder.remember(old, touch, site, new);
    }
}

/// Puts the record of an atomic `touch` in the place of one of this thread's that
/// it makes superfluous; `false`, with the record left at `site`, if there is
/// more to do.
#[inline]
pub(super) fn renew(
    recorder: &mut Recorder,
    word: &AtomicU64,
    touch: Touch,
    site: &mut Site,
) -> bool {
    let old = Word(word.load(Ordering::Acquire));
    if let Some(cell) = CellRef::from_word(old) {
        if cell.is_of_reads() {
            return false;
        }
        site.fresh = recorder.first(touch, site);
        return shared::replace_own(recorder, word, cell, touch, site.fresh);
    }
    let is_earlier = old.slot() == recorder.slot() && old.pos() < recorder.segment();
    if !is_earlier || old.is_mark() || !touch.dominates(old.touch()) {
        return false;
    }
    site.fresh = recorder.first(touch, site);
    match old.beside() {
        Beside::Cell => false,
        beside => publish_own(word, old, site.fresh.next_to(beside)).is_ok(),
    }
}

/// Replaces a record of the calling thread's own slot.
///
/// A plain store: most slow accesses are a thread's next touch of its own data
/// in a new segment, and a locked instruction would double their cost. Should
/// another thread put its record there between the look and the store, that
/// record is lost; it can only be of an access simultaneous with this one, to
/// within the few nanoseconds a store takes to leave the processor. Not so with
/// a cell beside the record: the other thread may have given it back, and a
/// word that still names it would have it given back twice.
#[inline(always)]
pub fn publish_own(word: &AtomicU64, old: Word, new: Word) -> Result<(), Word> {
    if old.beside() == Beside::Cell {
        return publish(word, old, new);
    }
    let now = word.load(Ordering::Relaxed);
    if now != old.0 {
        return Err(Word(now));
    }
    word.store(new.0, Ordering::Release);
    Ok(())
}

/// Replaces any word.
#[inline]
pub fn publish(word: &AtomicU64, old: Word, new: Word) -> Result<(), Word> {
    word.compare_exchange(old.0, new.0, Ordering::AcqRel, Ordering::Acquire)
        .map(drop)
        .map_err(Word)
}

/// A granule whose newest record is this thread's, and the others are ordered
/// before it.
#[inline]
fn touch_own<const REMEMBER: bool>(
    recorder: &mut Recorder,
    word: &AtomicU64,
    old: Word,
    touch: Touch,
    site: &Site,
) -> Result<(), Word> {
    let is_current = old.pos() >= recorder.segment();
    if is_current {
        if old.covers(touch) {
            return Ok(());
        }
        if old.atomic() == touch.atomic && !touch.dominates(old.touch()) {
            // What is not remembered does not come again byte by byte, either.
            let new = match REMEMBER {
                true => recorder.again(old.alone(), touch, site),
                false => recorder.on_top(old.alone(), touch, site),
            };
            remember::<REMEMBER>(recorder, old, touch, site, new);
            let is_whole = new.written() == 0xff && !new.atomic();
            let new = match old.beside() {
                Beside::Two if is_whole => new,
                beside => new.next_to(beside),
            };
            return publish_own(word, old, new);
        }
        if is_covered_beside(recorder, word, old, touch) {
            return Ok(());
        }
    }
    let fresh = recorder.first(touch, site);
    let filed = if is_current { old } else { Word::EMPTY };
    remember::<REMEMBER>(recorder, filed, touch, site, fresh);
    supersede(recorder, word, old, touch, fresh)
}

/// Records `touch`, of which `fresh` is the record, on a granule that nobody
/// has touched, or this thread last and nothing has to be added to its record;
/// `false` if it is not such a one.
#[inline(always)]
pub(super) fn replace(
    recorder: &mut Recorder,
    word: &AtomicU64,
    old: Word,
    touch: Touch,
    fresh: Word,
) -> bool {
    if old == Word::EMPTY {
        return publish(word, old, fresh).is_ok();
    }
    if old.slot() != recorder.slot() || old.is_mark() {
        return false;
    }
    let is_superfluous = touch.dominates(old.touch());
    if is_superfluous && old.beside() == Beside::Nothing {
        return publish_own(word, old, fresh).is_ok();
    }
    (is_superfluous || old.pos() < recorder.segment())
        && supersede(recorder, word, old, touch, fresh).is_ok()
}

/// Does the record beside this thread's `newest` one say so already?
fn is_covered_beside(recorder: &Recorder, word: &AtomicU64, newest: Word, touch: Touch) -> bool {
    let count = match newest.beside() {
        Beside::Nothing | Beside::Cell => return false,
        Beside::Record => 1,
        Beside::Two => 2,
    };
    let places = beside::places(word).into_iter().flatten();
    let mut records = places.take(count).map(|p| Word(p.load(Ordering::Acquire)));
    records.any(|record| {
        record.slot() == recorder.slot()
            && record.pos() >= recorder.segment()
            && record.covers(touch)
    })
}

/// The records of a granule whose word was `newest` and is busy, the oldest
/// first, and the cell that some of them are in.
pub(super) fn all_records(word: &AtomicU64, newest: Word) -> (Records, Option<CellRef>) {
    let mut records = Records::new();
    let mut cell = None;
    if newest.beside() != Beside::Nothing
        && let Some([first, second]) = beside::places(word)
    {
        let older = Word(first.load(Ordering::Acquire));
        cell = CellRef::from_word(older);
        match cell {
            Some(cell) => records.extend(cell.records().filter(|r| *r != Word::EMPTY)),
            None => records.push(older),
        }
        if newest.beside() == Beside::Two {
            records.push(Word(second.load(Ordering::Acquire)));
        }
    }
    records.push(newest.alone());
    (records, cell)
}

/// Puts `records` beside a busy word.
pub(super) fn put_beside(recorder: &mut Recorder, word: &AtomicU64, records: &[Word]) -> Beside {
    let Some([first, second]) = beside::places(word) else {
        return Beside::Nothing;
    };
    match *records {
        [] => Beside::Nothing,
        [only] => {
            first.store(only.0, Ordering::Release);
            Beside::Record
        }
        [.., older, newer] => {
            if records.len() > 2
                && let Some(cell) = recorder.cells.put(records)
            {
                first.store(cell.word().0, Ordering::Release);
                return Beside::Cell;
            }
            // Without memory for a cell the newest are kept.
            first.store(older.0, Ordering::Release);
            second.store(newer.0, Ordering::Release);
            Beside::Two
        }
    }
}

/// Is `touch` already on record in this segment?
#[inline]
pub fn is_recorded(recorder: &Recorder, word: &AtomicU64, touch: Touch) -> bool {
    let now = Word(word.load(Ordering::Acquire));
    if now.is_cell() {
        return CellRef::from_word(now).is_some_and(|cell| {
            shared::is_covered(recorder, cell, touch) && word.load(Ordering::Acquire) == now.0
        });
    }
    now.slot() == recorder.slot()
        && now.pos() >= recorder.segment()
        && (now.covers(touch) || is_covered_beside(recorder, word, now, touch))
}

/// Other slots' records of writes to `bytes` of the granule that are not
/// ordered before what the thread does now. The granule stays as it is.
pub(super) fn unordered_writes(recorder: &Recorder, word: &AtomicU64, bytes: u8) -> Records {
    let touch = Touch {
        bytes,
        write: false,
        atomic: false,
    };
    loop {
        let now = Word(word.load(Ordering::Acquire));
        let records = match CellRef::from_word(now) {
            Some(cell) => cell.records().collect(),
            None if now == Word::BUSY => {
                internal_error::leave_if_off();
                core::hint::spin_loop();
                continue;
            }
            // Readers only.
            None if now.is_cell() => Records::new(),
            None => all_records(word, now).0,
        };
        if word.load(Ordering::Acquire) == now.0 {
            let counts = |record: &Word| {
                is_record(record) && record.meets(touch) && !is_ordered(recorder, *record)
            };
            return records.into_iter().filter(counts).collect();
        }
    }
}

/// Has anybody's write to `bytes` of the granule left a record?
pub(super) fn is_written(word: &AtomicU64, bytes: u8) -> bool {
    let now = Word(word.load(Ordering::Acquire));
    now == Word::BUSY || !writes(word, bytes).is_empty()
}

/// The records of writes to the bytes, as far as they can be read at once.
pub(super) fn writes(word: &AtomicU64, bytes: u8) -> Records {
    let now = Word(word.load(Ordering::Acquire));
    let mut records: Records = match CellRef::from_word(now) {
        Some(cell) => cell.records().collect(),
        None if now.is_cell() => return Records::new(),
        None => all_records(word, now).0,
    };
    records.retain(|record| is_record(record) && record.written() & bytes != 0);
    records
}

/// Not everything that engines keep in cells is a record.
fn is_record(word: &Word) -> bool {
    *word != Word::EMPTY && !word.is_cell()
}

/// What an earlier record means for `touch`.
pub(super) enum Verdict {
    /// An unordered conflicting access, and what the record says of other bytes.
    Race(Conflict, Word),
    /// It came before, and this of it still counts.
    Ordered(Word),
    /// It may have happened at the same time, without harm, or has to be kept
    /// for another reason.
    Unordered,
}

/// Is `record` ordered before what the thread does now?
#[inline]
pub(super) fn is_ordered(recorder: &Recorder, record: Word) -> bool {
    record.slot() == recorder.slot() || record.pos() < recorder.clock.get(record.slot())
}

/// Compares `touch` with an earlier record.
#[inline]
pub(super) fn judge(recorder: &Recorder, record: Word, touch: Touch) -> Verdict {
    if is_ordered(recorder, record) {
        let left = record.trimmed(touch);
        if left != record && !hybrid::may_go(recorder, record) {
            return Verdict::Unordered;
        }
        return Verdict::Ordered(left);
    }
    let bytes = record.conflicting_bytes(touch);
    if bytes == 0 {
        return Verdict::Unordered;
    }
    let rivals = Touch { bytes, ..touch };
    let rival = Chain::new(record.slot(), record.pos()).find(|e| e.touch.conflicts(rivals));
    match rival {
        Some(entry) if !hybrid::is_kept_apart(recorder, record) => {
            let conflict = Conflict {
                slot: record.slot(),
                entry,
                is_possible: record.pos() < recorder.clock.get_strong(record.slot()),
                is_late: false,
            };
            Verdict::Race(conflict, record.without(bytes))
        }
        _ => Verdict::Unordered,
    }
}
