//! Pure happens-before detection.
//!
//! The algorithm is FastTrack's (Flanagan and Freund, PLDI 2009), which reports
//! a race on a location if and only if the execution has one, with three
//! departures:
//!
//! * A location is a byte, though eight share a shadow word: records carry
//!   byte masks.
//! * FastTrack keeps one write and either one read or a clock of reads. Here
//!   the granule of one thread keeps one record, in which a read does not
//!   displace the write before it: the older entry stays reachable through the
//!   record's chain in the slot's log. So data that one thread uses needs one
//!   word however it mixes reads, writes and locks. Once it is shared, a cell
//!   holds the accesses that count as records of their own.
//! * A record goes when a later, ordered access makes it superfluous (see
//!   [`Touch::dominates`]): whatever would race with the old access races with
//!   the new one too.
//!
//! A granule changes hands by compare-and-swap of its word, or under the lock
//! in a cell reference, so of two threads that meet there one sees the other;
//! [`publish_own`] says where that ends.

use crate::log::site::Site;
use crate::log::{Entry, entry::Chain};
use crate::recorder::Recorder;
use crate::shadow::cell::CellRef;
use crate::shadow::word::{Older, Touch, Word};
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

/// An earlier access that is not ordered before the one being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Whose.
    pub slot: u16,
    /// Which.
    pub entry: Entry,
}

/// Checks and records `touch` on the granule that `word` shadows.
///
/// With `REMEMBER`, a transition between two plain words goes into the memo;
/// the access must then be all that `site` does to its granule.
#[inline]
pub fn touch<const REMEMBER: bool>(
    recorder: &mut Recorder,
    word: &AtomicU64,
    touch: Touch,
    site: Site,
) -> Option<Conflict> {
    let mut old = Word(word.load(Ordering::Acquire));
    loop {
        if old.is_cell() {
            match touch_cell(recorder, word, old, touch, site) {
                Ok(conflict) => return conflict,
                Err(now) => old = now,
            }
            continue;
        }
        let (new, published) = if old == Word::EMPTY {
            let new = recorder.first(touch, site);
            (new, publish(word, old, new))
        } else if old.slot() == recorder.slot() {
            let new = recorder.again(old, touch, site)?;
            (new, publish_own(word, old, new))
        } else {
            match touch_foreign(recorder, word, old, touch, site) {
                Ok(conflict) => return conflict,
                Err(now) => {
                    old = now;
                    continue;
                }
            }
        };
        match published {
            Ok(()) => {
                if REMEMBER {
                    recorder.memo.remember(old, touch, site, new);
                }
                return None;
            }
            Err(now) => old = now,
        }
    }
}

/// Replaces a record of the calling thread's own slot.
///
/// A plain store: most slow accesses are a thread's next touch of its own data
/// in a new segment, and a locked instruction would double their cost. Should
/// another thread put its record there between the look and the store, that
/// record is lost; it can only be of an access simultaneous with this one, to
/// within the few nanoseconds a store takes to leave the processor.
#[inline(always)]
pub fn publish_own(word: &AtomicU64, old: Word, new: Word) -> Result<(), Word> {
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

/// What an earlier record of another slot means for `touch`.
enum Verdict {
    /// An unordered conflicting access.
    Race(Conflict),
    /// Nothing to report, and the record is superfluous from now on.
    Superfluous,
    /// Nothing to report.
    Keep,
}

/// Does whatever conflicts with the earlier, ordered `record` conflict with
/// `touch` too?
#[inline]
fn makes_superfluous(touch: Touch, record: Word) -> bool {
    match record.older() {
        Older::None => touch.dominates(record.touch()),
        // Which bytes is in the log; a write to all of them is enough.
        _ => touch.write && !touch.atomic && touch.bytes == 0xff,
    }
}

#[inline]
fn judge(recorder: &Recorder, record: Word, touch: Touch) -> Verdict {
    let seen = recorder.clock.get(record.slot());
    if record.pos() < seen {
        return if makes_superfluous(touch, record) {
            Verdict::Superfluous
        } else {
            Verdict::Keep
        };
    }
    let by_masks = record.conflicts(touch);
    let by_older = match record.older() {
        Older::None => false,
        Older::Reads => touch.write,
        Older::Writes => true,
    };
    if !by_masks && !by_older {
        return Verdict::Keep;
    }
    let rival = Chain::new(record.slot(), record.pos())
        .take_while(|e| e.pos >= seen)
        .find(|e| e.touch.conflicts(touch));
    match rival {
        Some(entry) => Verdict::Race(Conflict {
            slot: record.slot(),
            entry,
        }),
        None => Verdict::Keep,
    }
}

/// A granule that so far only one other slot has touched.
fn touch_foreign(
    recorder: &mut Recorder,
    word: &AtomicU64,
    old: Word,
    touch: Touch,
    site: Site,
) -> Result<Option<Conflict>, Word> {
    let new = recorder.first(touch, site);
    let conflict = match judge(recorder, old, touch) {
        Verdict::Race(conflict) => Some(conflict),
        Verdict::Superfluous => None,
        Verdict::Keep => match share(recorder, old, new) {
            Some(cell) => {
                return publish(word, old, cell.word())
                    .map(|()| None)
                    .inspect_err(|_| {
                        recorder.cells.release(cell);
                    });
            }
            // Out of cells: the newer record alone is kept.
            None => None,
        },
    };
    publish(word, old, new).map(|()| conflict)
}

/// A cell with all that counts of `old`, and `new`.
fn share(recorder: &mut Recorder, old: Word, new: Word) -> Option<CellRef> {
    let mut entries: Vec<Entry> = Vec::new();
    // An alias is not kept where its position says, so it cannot stand alone.
    let splits =
        old.older() != Older::None && !Chain::new(old.slot(), old.pos()).any(|entry| entry.alias);
    if !splits {
        let cell = recorder.cells.allocate(2)?;
        cell.records()[0].store(old.0, Ordering::Relaxed);
        cell.records()[1].store(new.0, Ordering::Relaxed);
        return Some(cell);
    }
    for entry in Chain::new(old.slot(), old.pos()) {
        if !entries
            .iter()
            .any(|newer| newer.touch.dominates(entry.touch))
        {
            entries.push(entry);
        }
    }
    let cell = recorder.cells.allocate(entries.len() + 1)?;
    let record = |e: &Entry| Word::new(old.slot(), e.pos, e.touch, Older::None);
    let records = entries.iter().map(record).chain([new]);
    for (place, record) in cell.records().iter().zip(records) {
        place.store(record.0, Ordering::Relaxed);
    }
    Some(cell)
}

/// A granule that refers to a cell. `Err` gives the word to start over with.
#[inline(never)]
fn touch_cell(
    recorder: &mut Recorder,
    word: &AtomicU64,
    seen: Word,
    touch: Touch,
    site: Site,
) -> Result<Option<Conflict>, Word> {
    let Some(cell) = CellRef::from_word(seen) else {
        return Err(seen);
    };
    if cell.is_locked() {
        return Err(wait_unlocked(word));
    }
    if is_covered(recorder, cell, touch) {
        let now = Word(word.load(Ordering::Acquire));
        return if now == seen { Ok(None) } else { Err(now) };
    }
    publish(word, seen, cell.locked().word())?;
    let (conflict, result) = update_locked(recorder, cell, touch, site);
    word.store(result.0, Ordering::Release);
    Ok(conflict)
}

/// Has the calling thread made such an access in this segment? Looked up
/// without the lock: the answer counts if the granule still refers to `cell`
/// afterwards.
#[inline]
fn is_covered(recorder: &Recorder, cell: CellRef, touch: Touch) -> bool {
    cell.records().iter().any(|r| {
        let record = Word(r.load(Ordering::Acquire));
        record.slot() == recorder.slot()
            && record.pos() >= recorder.segment()
            && record.covers(touch)
    })
}

/// Is `touch` already on record in this segment?
#[inline]
pub fn is_recorded(recorder: &Recorder, word: &AtomicU64, touch: Touch) -> bool {
    let now = Word(word.load(Ordering::Acquire));
    match CellRef::from_word(now) {
        Some(cell) => {
            !cell.is_locked()
                && is_covered(recorder, cell, touch)
                && word.load(Ordering::Acquire) == now.0
        }
        None => {
            now.slot() == recorder.slot() && now.pos() >= recorder.segment() && now.covers(touch)
        }
    }
}

#[cold]
fn wait_unlocked(word: &AtomicU64) -> Word {
    let mut spins = 0u32;
    loop {
        let now = Word(word.load(Ordering::Acquire));
        match CellRef::from_word(now) {
            Some(cell) if cell.is_locked() => {
                spins += 1;
                if spins < 100 {
                    core::hint::spin_loop()
                } else {
                    crate::os::sched_yield()
                }
            }
            _ => return now,
        }
    }
}

/// Works on a cell whose lock is held; the conflict and the word that unlocks.
fn update_locked(
    recorder: &mut Recorder,
    cell: CellRef,
    touch: Touch,
    site: Site,
) -> (Option<Conflict>, Word) {
    let new = recorder.first(touch, site);
    let records = cell.records();
    let (mut vacant, mut others, mut conflict) = (None, 0, None);
    for (i, place) in records.iter().enumerate() {
        let record = Word(place.load(Ordering::Relaxed));
        if record == Word::EMPTY {
            vacant = Some(i);
            continue;
        }
        let verdict = if record.slot() != recorder.slot() {
            judge(recorder, record, touch)
        } else if makes_superfluous(touch, record) {
            Verdict::Superfluous
        } else {
            Verdict::Keep
        };
        match verdict {
            Verdict::Keep => {
                others += 1;
                continue;
            }
            Verdict::Race(found) => conflict = conflict.or(Some(found)),
            Verdict::Superfluous => {}
        }
        place.store(0, Ordering::Release);
        vacant = Some(i);
    }
    if others == 0 {
        recorder.cells.release(cell);
        return (conflict, new);
    }
    match vacant {
        Some(i) => records[i].store(new.0, Ordering::Release),
        None => return (conflict, grow(recorder, cell, new)),
    }
    (conflict, cell.unlocked().word())
}

/// Moves a full cell's records into one twice as large, and adds `new`.
fn grow(recorder: &mut Recorder, cell: CellRef, new: Word) -> Word {
    let records = cell.records();
    let Some(larger) = recorder.cells.allocate(records.len() * 2) else {
        records[0].store(new.0, Ordering::Release);
        return cell.unlocked().word();
    };
    for (from, to) in records.iter().zip(larger.records()) {
        to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
    }
    larger.records()[records.len()].store(new.0, Ordering::Relaxed);
    recorder.cells.release(cell);
    larger.word()
}
