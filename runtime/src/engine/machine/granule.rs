//! The locations of a granule.
//!
//! A granule whose accessed bytes are all in one state, and not a shared one,
//! has the record of its last access as its shadow word, like in every mode,
//! and the rest [`beside`] it:
//!
//! ```text
//!  63      52 51   48 47              20 19  16 15       0
//! +----------+-------+------------------+------+----------+
//! |   4095   | state | locks, threads   |  0   |  joins   |
//! +----------+-------+------------------+------+----------+
//! ```
//!
//! Otherwise it has a [cell](crate::shadow::cell) with four words for each
//! byte: such a record, such a rest, and the records of the newest access and
//! of another thread's newest, a write before a read, which a report may have
//! to name and a loop to be ordered after. While a thread is at work the
//! shadow word is busy, so that the others wait.

use super::shared::{self, Owner, Shared};
use super::{Last, Location, Machine, Moment, State, is_ordered};
use crate::internal_error;
use crate::interned::NUMBER_BITS;
use crate::lockset::{self, LocksetId};
use crate::log::site::Site;
use crate::os;
use crate::recorder::Recorder;
use crate::shadow::beside;
use crate::shadow::cell::CellRef;
use crate::shadow::word::{CELL_SLOT, Touch, Word};
use crate::slot;
use core::sync::atomic::{AtomicU64, Ordering};
use racert_abi::word as abi;
use smallvec::SmallVec;

const STATE_SHIFT: u32 = 48;
const SHARED_SHIFT: u32 = 20;
const _: () = assert!(SHARED_SHIFT + NUMBER_BITS == STATE_SHIFT);

/// Words of a cell.
const CELL: usize = 4 * 8;

/// A location and what belongs to it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kept {
    location: Location,
    /// How many threads had been joined when it was last looked at.
    joins: u16,
    /// The newest access, and the newest of another thread, a write before a
    /// read.
    recent: [Last; 2],
}

impl Kept {
    const NEW: Kept = Kept {
        location: Location::NEW,
        joins: 0,
        recent: [Location::NEW.last; 2],
    };

    fn is_used(&self) -> bool {
        self.location.state != State::New
    }

    fn rest(&self) -> Word {
        Word(
            u64::from(CELL_SLOT) << abi::SLOT_SHIFT
                | (self.location.state as u64) << STATE_SHIFT
                | u64::from(self.location.shared.number()) << SHARED_SHIFT
                | u64::from(self.joins),
        )
    }

    fn from_words(last: Word, rest: Word, recent: [Word; 2]) -> Kept {
        if last == Word::EMPTY {
            return Kept::NEW;
        }
        let shared = (rest.0 >> SHARED_SHIFT) as u32 & ((1 << NUMBER_BITS) - 1);
        let location = Location {
            state: State::from_number(rest.0 >> STATE_SHIFT & 0xf),
            last: Last::from_record(last),
            shared: Shared::from_number(shared),
        };
        Kept {
            location,
            joins: rest.0 as u16,
            recent: recent.map(Last::from_record),
        }
    }

    /// See [`is_settled`]. Locks change only between segments, so an access of
    /// this one has left no lock that a later one does not hold.
    fn is_settled(&self, recorder: &Recorder, touch: Touch, locks: LocksetId, joins: u16) -> bool {
        let is_own = |l: &Last| l.slot == recorder.slot() && l.pos >= recorder.segment();
        // A write is the news that others wait for.
        let is_noted = |l: &Last| is_own(l) && (l.write || !touch.write);
        let location = &self.location;
        let candidates = || location.shared.locks();
        match location.state {
            State::New => false,
            State::Race => true,
            State::Exclusive => is_own(&location.last),
            State::ExclusiveRead | State::ExclusiveWrite => {
                is_own(&location.last) && location.last.write == touch.write
            }
            _ if self.joins != joins || !self.recent.iter().any(is_noted) => false,
            State::SharedRead | State::SharedReadWritten => {
                !touch.write && lockset::is_subset(candidates(), locks)
            }
            State::SharedModified | State::SharedModifiedOnce => {
                candidates() != LocksetId::EMPTY && lockset::is_subset(candidates(), locks)
            }
        }
    }

    /// After the access `now`.
    fn note(&mut self, now: Last) {
        let [newest, other] = self.recent;
        if !self.location.state.is_shared() {
            self.recent = [now, Location::NEW.last];
        } else if newest.slot != now.slot {
            // Who reads does not make the others forget who wrote.
            let stays = other.write && !newest.write && other.slot != now.slot;
            self.recent = [now, if stays { other } else { newest }];
        } else if now.write || !newest.write {
            self.recent[0] = now;
        }
    }

    /// The access that `now` broke the discipline with.
    fn rival(&self, now: Last) -> Last {
        let [newest, other] = self.recent;
        let all = [newest, other, self.location.last];
        let theirs = || {
            all.iter()
                .filter(|last| last.slot != 0 && last.slot != now.slot)
        };
        let conflicting = theirs().find(|last| last.write || now.write);
        let rival = conflicting.or_else(|| theirs().next());
        rival.copied().unwrap_or(self.location.last)
    }
}

/// Would `touch` under `locks` leave its locations as they are, but for which
/// of the thread's accesses in this segment is the last? Looked at without
/// taking the word: what it goes by, others do not undo.
fn is_settled(recorder: &Recorder, word: &AtomicU64, touch: Touch, locks: LocksetId) -> bool {
    let now = Word(word.load(Ordering::Acquire));
    if now == Word::EMPTY || now == Word::BUSY {
        return false;
    }
    if !now.is_cell() && touch.bytes & !now.accessed() != 0 {
        return false;
    }
    let all = read(word, now);
    let joins = shared::joins();
    let mut before = None;
    let settled = (0..8).filter(|i| touch.bytes & 1 << i != 0).all(|i| {
        let same = before == Some(all[i]);
        before = Some(all[i]);
        same || all[i].is_settled(recorder, touch, locks, joins)
    });
    settled && word.load(Ordering::Acquire) == now.0
}

/// Takes the word of a granule; others wait until it is put back.
fn take(word: &AtomicU64) -> Word {
    let mut spins = 0u32;
    loop {
        let old = word.load(Ordering::Relaxed);
        if old != Word::BUSY.0
            && word
                .compare_exchange(old, Word::BUSY.0, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
        {
            return Word(old);
        }
        spins += 1;
        if spins < 100 {
            core::hint::spin_loop();
        } else {
            internal_error::leave_if_off();
            os::sched_yield();
        }
    }
}

/// The locations of the eight bytes of a granule whose word was `old`.
fn read(word: &AtomicU64, old: Word) -> [Kept; 8] {
    let mut all = [Kept::NEW; 8];
    if let Some(cell) = CellRef::from_word(old) {
        let mut words = [Word::EMPTY; CELL];
        for (word, kept) in words.iter_mut().zip(cell.records()) {
            *word = kept;
        }
        for (i, kept) in all.iter_mut().enumerate() {
            let recent = [words[16 + i], words[24 + i]];
            *kept = Kept::from_words(words[i], words[8 + i], recent);
        }
    } else if old != Word::EMPTY
        && let Some(place) = beside::place(word)
    {
        let rest = Word(place.load(Ordering::Acquire));
        let kept = Kept::from_words(old, rest, [old, Word::EMPTY]);
        for (i, one) in all.iter_mut().enumerate() {
            if old.accessed() & 1 << i != 0 {
                *one = kept;
            }
        }
    }
    all
}

/// Puts the locations back; the granule's word.
fn write(recorder: &mut Recorder, word: &AtomicU64, old: Word, all: &[Kept; 8]) -> Word {
    let Some(first) = all.iter().find(|kept| kept.is_used()) else {
        return old;
    };
    let cell = CellRef::from_word(old);
    let is_uniform = all.iter().filter(|kept| kept.is_used()).all(|k| k == first);
    if !is_uniform || first.location.state.is_shared() {
        let words = in_cell(all);
        if let Some(cell) = cell
            && cell.refill(&words)
        {
            return old;
        }
        // Without memory the granule is forgotten.
        return recorder
            .cells
            .put(&words)
            .map_or(Word::EMPTY, CellRef::word);
    }
    if let Some(cell) = cell {
        recorder.cells.release(cell);
    }
    let Some(place) = beside::place(word) else {
        return Word::EMPTY;
    };
    place.store(first.rest().0, Ordering::Release);
    let bytes = (0..8).filter(|i| all[*i].is_used()).map(|i| 1u8 << i);
    first.location.last.record(bytes.sum())
}

fn in_cell(all: &[Kept; 8]) -> [Word; CELL] {
    let mut words = [Word::EMPTY; CELL];
    for (i, kept) in all.iter().enumerate().filter(|(_, kept)| kept.is_used()) {
        let [newest, other] = kept.recent;
        words[i] = kept.location.last.record(1 << i);
        words[8 + i] = kept.rest();
        words[16 + i] = newest.record(1 << i);
        words[24 + i] = other.record(1 << i);
    }
    words
}

/// The last accesses to the bytes, each once.
pub(super) fn lasts(word: &AtomicU64, bytes: u8) -> SmallVec<[Last; 8]> {
    let mut lasts = SmallVec::new();
    let old = take(word);
    for (i, kept) in read(word, old).iter().enumerate() {
        let last = kept.location.last;
        if bytes & 1 << i != 0 && kept.is_used() && !lasts.contains(&last) {
            lasts.push(last);
        }
    }
    word.store(old.0, Ordering::Release);
    lasts
}

/// Moves the bytes of `touch` on; the access that the first of them that is to
/// be reported conflicts with.
pub(super) fn touch(
    machine: &dyn Machine,
    recorder: &mut Recorder,
    word: &AtomicU64,
    touch: Touch,
    locks: LocksetId,
    site: &Site,
) -> Option<Last> {
    if is_settled(recorder, word, touch, locks) {
        return None;
    }
    let fresh = recorder.first(touch, site);
    let now = Last {
        slot: fresh.slot(),
        pos: fresh.pos(),
        write: touch.write,
    };
    let old = take(word);
    let mut all = read(word, old);
    let mut raced = None;
    let mut before: Option<(Kept, Kept)> = None;
    for i in (0..8).filter(|i| touch.bytes & 1 << i != 0) {
        let was = all[i];
        all[i] = match before {
            // Neighbours mostly have the same history.
            Some((from, to)) if from == was => to,
            _ => {
                let (to, report) = step(machine, recorder, was, now, locks);
                if report && raced.is_none() {
                    raced = Some(was.rival(now));
                }
                before = Some((was, to));
                to
            }
        };
    }
    let new = write(recorder, word, old, &all);
    word.store(new.0, Ordering::Release);
    raced
}

fn step(
    machine: &dyn Machine,
    recorder: &Recorder,
    mut kept: Kept,
    now: Last,
    locks: LocksetId,
) -> (Kept, bool) {
    let location = &mut kept.location;
    if location.state == State::Race {
        return (kept, false);
    }
    let mut ordered = is_ordered(recorder, location.last);
    let joins = shared::joins();
    if location.state.is_shared()
        && kept.joins != joins
        && let Some(state) = machine.alone_again(location)
        && let Owner::One(thread, then) = shared::owner(location.shared.threads())
    {
        location.state = state;
        location.shared = Shared::NONE;
        let then = then.map(Last::from_record);
        ordered = thread == recorder.thread || then.is_some_and(|then| is_ordered(recorder, then));
    }
    let moment = Moment {
        now,
        thread: recorder.thread,
        last_thread: thread_of(recorder, location.last),
        ordered,
        locks,
    };
    let report = machine.step(location, &moment);
    kept.joins = joins;
    kept.note(now);
    (kept, report)
}

fn thread_of(recorder: &Recorder, last: Last) -> u32 {
    if last.slot == recorder.slot() || last.slot == 0 {
        return recorder.thread;
    }
    slot::thread_at(last.slot, last.pos).unwrap_or(recorder.thread)
}
