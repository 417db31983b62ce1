//! Granules that more than one slot has touched.

use super::hb::{self, Conflict, Records, Verdict, all_records, judge, publish, put_beside};
use super::{hybrid, readers, supersede};
use crate::internal_error;
use crate::lockset::LocksetId;
use crate::log::site::Site;
use crate::os;
use crate::recorder::Recorder;
use crate::shadow::beside;
use crate::shadow::cell::CellRef;
use crate::shadow::planes::Readers;
use crate::shadow::word::{Beside, Touch, Word};
use core::sync::atomic::{AtomicU64, Ordering};
use smallvec::SmallVec;

/// A granule whose newest record is another slot's, and all others are ordered
/// before that. `Err` gives the word to start over with.
pub(super) fn touch_foreign(
    recorder: &mut Recorder,
    word: &AtomicU64,
    old: Word,
    touch: Touch,
    new: Word,
) -> Result<Option<Conflict>, Word> {
    if !hybrid::is_settled(recorder, old) {
        hybrid::order_after_conflicts(recorder, [old.alone()].into_iter(), touch);
    }
    if let Some((beside, conflict)) = take_over(recorder, word, old, touch) {
        return publish(word, old, new.next_to(beside)).map(|()| conflict);
    }
    publish(word, old, Word::BUSY)?;
    let (mut records, cell) = all_records(word, old);
    if records.len() > FEW {
        thin(recorder, &mut records);
    }
    settle(recorder, word, records, cell, touch, new)
}

/// So many records have places without a cell.
const FEW: usize = 2;

/// Drops what later records make superfluous, of those of a granule whose last
/// one is ordered after all others. Nobody had a look at them when it became so:
/// threads that read in turn what they then write would leave ever more behind.
#[cold]
fn thin(recorder: &Recorder, records: &mut Records) {
    let Some((newest, older)) = records.split_last() else {
        return;
    };
    let mut kept = Records::new();
    for (i, record) in older.iter().enumerate() {
        // Those of others may be unordered among each other: two that read.
        let own = older[i + 1..].iter().filter(|r| r.slot() == record.slot());
        let left = supersede::left_of(*record, own.copied());
        let less = supersede::left_of(left, [*newest]);
        let left = match less != left && hybrid::may_go_for(recorder, left, *newest) {
            true => less,
            false => left,
        };
        if left != Word::EMPTY {
            kept.push(left);
        }
    }
    kept.push(*newest);
    *records = kept;
}

/// If `touch` makes the newest record superfluous, and those beside it all or
/// none, nothing needs to be moved: what then stands beside the new record, and
/// the conflict.
#[inline]
fn take_over(
    recorder: &mut Recorder,
    word: &AtomicU64,
    old: Word,
    touch: Touch,
) -> Option<(Beside, Option<Conflict>)> {
    let beside = old.beside();
    let count = match beside {
        Beside::Nothing => 0,
        Beside::Record => 1,
        Beside::Two => 2,
        Beside::Cell => return None,
    };
    let places = beside::places(word).filter(|_| count > 0);
    let older = places.iter().flatten().take(count);
    let mut stay = 0;
    for place in older {
        let record = Word(place.load(Ordering::Acquire));
        let verdict = if is_past(recorder, record) {
            Verdict::Ordered(record.trimmed(touch))
        } else {
            hybrid::order_after_conflicts(recorder, [record].into_iter(), touch);
            judge(recorder, record, touch)
        };
        match verdict {
            Verdict::Ordered(Word::EMPTY) => {}
            Verdict::Ordered(left) if left == record => stay += 1,
            _ => return None,
        }
    }
    let beside = match stay {
        0 => Beside::Nothing,
        _ if stay == count => beside,
        _ => return None,
    };
    if is_past(recorder, old) && touch.dominates(old.touch()) {
        return Some((beside, None));
    }
    match judge(recorder, old.alone(), touch) {
        Verdict::Ordered(Word::EMPTY) => Some((beside, None)),
        Verdict::Race(conflict, Word::EMPTY) => Some((beside, Some(conflict))),
        _ => None,
    }
}

/// Is `record` the thread's own, or one of another's whose critical sections
/// are all known to have ended before? Then it is ordered, no edge follows from
/// it, and it may go.
#[inline]
fn is_past(recorder: &Recorder, record: Word) -> bool {
    record.slot() == recorder.slot() || recorder.settled.has(record.slot(), record.pos())
}

/// What `touch`, whose record is `new`, makes of a busy granule with `records`,
/// of which some are in `cell`. `Err` gives the word to start over with.
pub(super) fn settle(
    recorder: &mut Recorder,
    word: &AtomicU64,
    records: Records,
    cell: Option<CellRef>,
    touch: Touch,
    new: Word,
) -> Result<Option<Conflict>, Word> {
    hybrid::order_after_conflicts(recorder, records.iter().copied(), touch);
    let sifted = sift(recorder, &records, touch);
    let result = if sifted.is_ordered {
        new.next_to(put_beside(recorder, word, &sifted.kept))
    } else {
        share(recorder, word, sifted.kept, new)
    };
    // The owner of the old record may have put its next one there.
    let published = publish(word, Word::BUSY, result);
    let unused = if published.is_ok() {
        cell
    } else {
        CellRef::from_word(result)
    };
    if let Some(cell) = unused {
        recorder.cells.release(cell);
    }
    published.map(|()| sifted.conflict)
}

/// What an access leaves of earlier records.
struct Sifted {
    /// Those that still count.
    kept: Records,
    /// They are all ordered before the access.
    is_ordered: bool,
    conflict: Option<Conflict>,
}

fn sift(recorder: &Recorder, records: &[Word], touch: Touch) -> Sifted {
    let mut sifted = Sifted {
        kept: Records::new(),
        is_ordered: true,
        conflict: None,
    };
    for record in records {
        match judge(recorder, *record, touch) {
            Verdict::Race(found, left) => {
                sifted.conflict = Some(found);
                if left != Word::EMPTY {
                    sifted.kept.push(left);
                    sifted.is_ordered = false;
                }
            }
            Verdict::Ordered(Word::EMPTY) => {}
            Verdict::Ordered(left) => sifted.kept.push(left),
            Verdict::Unordered => {
                sifted.kept.push(*record);
                sifted.is_ordered = false;
            }
        }
    }
    sifted
}

/// The word for a busy granule with the records `kept` and `new`.
fn share(recorder: &mut Recorder, word: &AtomicU64, mut kept: Records, new: Word) -> Word {
    kept.push(new);
    readers::gather(word, &kept).unwrap_or_else(|| {
        // Out of cells, the newer record alone is kept.
        recorder.cells.spread(&kept).map_or(new, CellRef::word)
    })
}

/// A granule with readers in planes, one that refers to a cell, or a busy one.
/// `Err` gives the word to start over with.
#[inline(never)]
pub(super) fn touch_cell(
    recorder: &mut Recorder,
    word: &AtomicU64,
    seen: Word,
    touch: Touch,
    site: &Site,
    new: Word,
) -> Result<Option<Conflict>, Word> {
    let Some(cell) = CellRef::from_word(seen) else {
        return match Readers::from_word(seen) {
            Some(readers) => readers::touch(recorder, word, readers, touch, site, new),
            None => Err(wait_for(word)),
        };
    };
    if cell.is_of_reads() && (touch.write || touch.atomic) {
        let of_all = cell.of_all().word();
        publish(word, seen, of_all)?;
        return Err(of_all);
    }
    if replace_own(recorder, word, cell, touch, new) {
        return Ok(None);
    }
    let guard = cell.lock();
    let now = Word(word.load(Ordering::Acquire));
    if now != seen {
        return Err(now);
    }
    let (conflict, result) = update_locked(recorder, cell, touch, site, new);
    if result != seen {
        word.store(result.0, Ordering::Release);
        drop(guard);
        recorder.cells.release(cell);
    }
    Ok(conflict)
}

/// Puts `new`, the record of `touch` alone, in the place of this thread's own
/// record that it or another one makes superfluous, if that is all there is to
/// do: nobody's access conflicts, and none has to go. Records that could go stay
/// until somebody writes; for atomic variables, which many use, that is best.
pub(super) fn replace_own(
    recorder: &Recorder,
    word: &AtomicU64,
    cell: CellRef,
    touch: Touch,
    new: Word,
) -> bool {
    if touch.write && !touch.atomic {
        return false;
    }
    let is_there = || word.load(Ordering::Acquire) == cell.word().0;
    if cell.is_of_reads() {
        let home = cell.home(recorder.slot());
        let record = cell.record(home);
        if record.slot() == recorder.slot() && touch.dominates(record.touch()) {
            return cell.replace_own(home, record, new, is_there);
        }
    }
    let (mut spare, mut kept) = (None, SmallVec::<[_; 4]>::new());
    for (i, record) in cell.records().enumerate() {
        if record == Word::EMPTY {
            continue;
        }
        if record.slot() != recorder.slot() {
            if !record.meets(touch) {
                continue;
            }
            if hb::is_ordered(recorder, record) {
                let slot = record.slot();
                recorder.seen.put(slot, recorder.clock.get(slot));
            } else if !(touch.atomic && record.atomic() && recorder.locks() == LocksetId::EMPTY) {
                return false;
            }
        } else if touch.dominates(record.touch()) {
            spare = Some((i, record));
        } else if record.pos() >= recorder.segment() && record.atomic() == touch.atomic {
            return false;
        } else {
            kept.push((i, record));
        }
    }
    let is_superfluous = |&&(_, record): &&(usize, Word)| {
        let mut others = kept.iter();
        others.any(|(_, other)| other.pos() > record.pos() && other.dominates(record))
    };
    let spare = spare.or_else(|| kept.iter().find(is_superfluous).copied());
    spare.is_some_and(|(i, record)| cell.replace_own(i, record, new, is_there))
}

/// Has the calling thread made such an access in this segment? Looked up
/// without the lock: the answer counts if the granule still refers to `cell`
/// afterwards.
#[inline]
pub(super) fn is_covered(recorder: &Recorder, cell: CellRef, touch: Touch) -> bool {
    let covers = |record: Word| {
        record.slot() == recorder.slot()
            && record.pos() >= recorder.segment()
            && record.covers(touch)
    };
    covers(cell.record(cell.home(recorder.slot()))) || cell.records().any(covers)
}

#[cold]
fn wait_for(word: &AtomicU64) -> Word {
    let mut spins = 0u32;
    loop {
        let now = Word(word.load(Ordering::Acquire));
        if now != Word::BUSY {
            return now;
        }
        spins += 1;
        if spins < 100 {
            core::hint::spin_loop()
        } else {
            internal_error::leave_if_off();
            os::sched_yield()
        }
    }
}

/// Works on a cell whose lock is held; the conflict and the granule's word.
fn update_locked(
    recorder: &mut Recorder,
    cell: CellRef,
    touch: Touch,
    site: &Site,
    fresh: Word,
) -> (Option<Conflict>, Word) {
    if is_covered(recorder, cell, touch) {
        return (None, cell.word());
    }
    hybrid::order_after_conflicts(recorder, cell.records(), touch);
    let home = cell.home(recorder.slot());
    let (mut vacant, mut others, mut conflict, mut new) = (None, 0, None, fresh);
    for (i, record) in cell.records().enumerate() {
        let left = if record == Word::EMPTY {
            Word::EMPTY
        } else if record.slot() != recorder.slot() {
            let (left, found) = judge_in(recorder, cell, (i, record), touch);
            conflict = conflict.or(found);
            left
        } else if record.pos() < recorder.segment()
            || record.atomic() != touch.atomic
            || new != fresh
        {
            // Not to be added to, or another one already was.
            let left = record.trimmed(touch);
            cell.set(i, left);
            left
        } else {
            if !touch.dominates(record.touch()) {
                new = recorder.again(record, touch, site);
            }
            cell.set(i, Word::EMPTY);
            Word::EMPTY
        };
        if left != Word::EMPTY {
            others += 1;
        } else if vacant != Some(home) {
            vacant = Some(i);
        }
    }
    if others == 0 {
        return (conflict, new);
    }
    match vacant {
        Some(i) => cell.set(i, new),
        None => return (conflict, grow(recorder, cell, new)),
    }
    (conflict, cell.word())
}

/// Compares `touch` with another slot's record in a cell, and leaves there what
/// still counts of it.
#[inline]
fn judge_in(
    recorder: &Recorder,
    cell: CellRef,
    (i, mut record): (usize, Word),
    touch: Touch,
) -> (Word, Option<Conflict>) {
    loop {
        let (left, conflict) = match judge(recorder, record, touch) {
            Verdict::Ordered(left) => (left, None),
            Verdict::Unordered => (record, None),
            Verdict::Race(found, left) => (left, Some(found)),
        };
        if left == record || cell.replace(i, record, left) {
            return (left, conflict);
        }
        record = cell.records().nth(i).unwrap_or(record);
    }
}

/// Moves a full cell's records into a larger one, and adds `new`.
#[cold]
fn grow(recorder: &mut Recorder, cell: CellRef, new: Word) -> Word {
    let mut records: Records = (0..cell.records().len()).map(|i| cell.take(i)).collect();
    records.push(new);
    match recorder.cells.spread(&records) {
        Some(larger) => larger.word(),
        None => {
            for (i, record) in records[1..].iter().enumerate() {
                cell.set(i, *record);
            }
            cell.word()
        }
    }
}
