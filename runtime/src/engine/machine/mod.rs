//! The engines that give every location a state.
//!
//! What the lockset detectors of the literature have in common: a location
//! (a byte) has a state, the last access that counts (`TS_d` in the papers),
//! a set of locks that may protect it (`C_d`) and a set of threads that use it
//! (`S_d`); an access moves it to the next state, and one of the moves reports
//! a race. A [`Machine`] is that table of moves. [`granule`] keeps the
//! locations of a granule in its shadow word, [`shared`] the two sets.
//!
//! What these engines report is a breach of a discipline, not a proof. A
//! finding is called proven only if the two accesses conflict and nothing in
//! this run, locks included, puts one before the other.

mod granule;
mod shared;
#[cfg(test)]
pub(super) mod testing;

pub(crate) use shared::forget_all as forget_joins;
pub use shared::{joined, reserve};

use super::hb::Conflict;
use super::walk::{How, Met};
use crate::lock::{LockId, Mode};
use crate::lockset::{self, LocksetId};
use crate::log::entry::Chain;
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::word::{Touch, Word};
use crate::shadow::{clear, is_application, word_of};
use core::sync::atomic::AtomicU64;
pub use shared::Shared;

/// Where a location is in its machine. No machine uses all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// Not accessed yet.
    New,
    /// Used by one thread at a time.
    Exclusive,
    /// As [`State::Exclusive`], last for reading.
    ExclusiveRead,
    /// As [`State::Exclusive`], last for writing.
    ExclusiveWrite,
    /// Read by several threads.
    SharedRead,
    /// Read by several threads, written by one before.
    SharedReadWritten,
    /// Used by several threads, one of which writes.
    SharedModified,
    /// The same, and the discipline was broken once.
    SharedModifiedOnce,
    /// Reported; nothing more is said about it.
    Race,
}

impl State {
    /// Does a set of locks and threads belong to it?
    pub fn is_shared(self) -> bool {
        matches!(
            self,
            State::SharedRead
                | State::SharedReadWritten
                | State::SharedModified
                | State::SharedModifiedOnce
        )
    }

    fn from_number(number: u64) -> State {
        const ALL: [State; 9] = [
            State::New,
            State::Exclusive,
            State::ExclusiveRead,
            State::ExclusiveWrite,
            State::SharedRead,
            State::SharedReadWritten,
            State::SharedModified,
            State::SharedModifiedOnce,
            State::Race,
        ];
        ALL.get(number as usize).copied().unwrap_or(State::New)
    }
}

/// The access that counts: its thread segment is `TS_d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    /// Whose.
    pub slot: u16,
    /// Which.
    pub pos: u64,
    /// A write?
    pub write: bool,
}

impl Last {
    /// The access of a record; none of an empty word.
    fn from_record(record: Word) -> Last {
        Last {
            slot: record.slot(),
            pos: record.pos(),
            write: record != Word::EMPTY && record.written() != 0,
        }
    }

    /// Its record, as every shadow word has it; none has an empty one.
    fn record(self, bytes: u8) -> Word {
        if self.slot == 0 {
            return Word::EMPTY;
        }
        let touch = Touch {
            bytes,
            write: self.write,
            atomic: false,
        };
        Word::new(self.slot, self.pos, touch)
    }
}

/// A location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its state.
    pub state: State,
    /// The access that counts.
    pub last: Last,
    /// Locks and threads, in shared states.
    pub shared: Shared,
}

impl Location {
    /// Memory that nobody has accessed.
    pub const NEW: Location = Location {
        state: State::New,
        last: Last {
            slot: 0,
            pos: 0,
            write: false,
        },
        shared: Shared::NONE,
    };
}

/// The access being made, as a machine sees it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Itself.
    pub now: Last,
    /// Whose thread it is.
    pub thread: u32,
    /// Whose the access that counts was.
    pub last_thread: u32,
    /// Does the access that counts happen before it?
    pub ordered: bool,
    /// The locks that protect it: `L_t`.
    pub locks: LocksetId,
}

impl Moment {
    /// Is any lock held?
    pub fn is_protected(&self) -> bool {
        self.locks != LocksetId::EMPTY
    }

    /// Sets for a location that becomes shared.
    pub fn share(&self) -> Shared {
        Shared::new(self.locks, &[self.last_thread, self.thread])
    }
}

/// A table of moves.
pub trait Machine: Sync {
    /// Moves `location` on; `true` if that is to be reported.
    fn step(&self, location: &mut Location, moment: &Moment) -> bool;

    /// Is an ordinary access protected by the lock that atomic ones take?
    /// Otherwise the lock counts for atomic accesses only.
    fn bus_lock(&self, how: How) -> Option<Mode>;

    /// Does deleting an object make its memory exclusive?
    fn marks_deleted(&self) -> bool {
        false
    }

    /// Must `location` be left as if one thread had it, once all others that
    /// used it were joined?
    fn alone_again(&self, location: &Location) -> Option<State>;
}

/// Stands for the lock that atomic operations take.
fn bus() -> Option<LockId> {
    LockId::new(LockId::LIMIT - 1)
}

/// What [`locks`] found last, for each kind of access: the locks held, and
/// those that protect.
#[derive(Clone, Copy)]
pub struct Protection([Option<(LocksetId, LocksetId)>; 4]);

impl Protection {
    /// Nothing found yet.
    pub const NONE: Protection = Protection([None; 4]);
}

/// The locks that protect an access.
fn locks(recorder: &mut Recorder, machine: &dyn Machine, how: How) -> LocksetId {
    let held = recorder.locks();
    let kind = usize::from(how.write) << 1 | usize::from(how.atomic);
    match recorder.protection.0[kind] {
        Some((of, known)) if of == held => known,
        _ => {
            let found = protecting(held, machine, how);
            recorder.protection.0[kind] = Some((held, found));
            found
        }
    }
}

fn protecting(mut held: LocksetId, machine: &dyn Machine, how: How) -> LocksetId {
    if let (Some(mode), Some(bus)) = (machine.bus_lock(how), bus()) {
        held = lockset::add(held, bus, mode);
    }
    if held == LocksetId::EMPTY {
        return held;
    }
    lockset::protecting(held, how.write)
}

/// Checks and records an access to `[addr, addr + len)`.
pub fn access(
    machine: &dyn Machine,
    recorder: &mut Recorder,
    addr: usize,
    len: usize,
    how: How,
    site: &Site,
) -> Option<Met> {
    if len == 0 || !is_application(addr, len) {
        return None;
    }
    if site.free {
        // For these detectors memory that is given back has no state.
        clear::forget(&mut recorder.cells, addr, len);
        return None;
    }
    let locks = locks(recorder, machine, how);
    let (end, mut at, mut met) = (addr + len, addr, None);
    while at < end {
        let granule = at & !7;
        let next = (granule + 8).min(end);
        let touch = Touch {
            bytes: (0xffu8 >> (8 - (next - at))) << (at - granule),
            write: how.write,
            atomic: how.atomic,
        };
        let word = word_of(granule);
        let raced = granule::touch(machine, recorder, word, touch, locks, site);
        let conflict = raced.and_then(|last| conflict(recorder, last, touch));
        met = met.or(conflict.map(|conflict| Met { conflict, granule }));
        at = next;
    }
    met
}

/// The finding that `touch` broke the discipline after `last`.
fn conflict(recorder: &Recorder, last: Last, touch: Touch) -> Option<Conflict> {
    let entry = Chain::new(last.slot, last.pos).next()?;
    let is_unordered =
        last.slot != recorder.slot() && last.pos >= recorder.clock.get_strong(last.slot);
    Some(Conflict {
        slot: last.slot,
        entry,
        is_possible: !(is_unordered && entry.touch.conflicts(touch)),
        is_late: false,
    })
}

/// Makes `[addr, addr + len)` the calling thread's alone: an object there is
/// about to be deleted.
pub fn deleting(recorder: &mut Recorder, addr: usize, len: usize) {
    if is_application(addr, len) {
        clear::forget(&mut recorder.cells, addr, len);
    }
}

/// The last accesses to `bytes` of a granule that are not ordered before what
/// the thread does now.
pub(super) fn unordered(
    recorder: &Recorder,
    word: &AtomicU64,
    bytes: u8,
) -> impl Iterator<Item = Last> {
    let lasts = granule::lasts(word, bytes).into_iter();
    lasts.filter(|last| !is_ordered(recorder, *last))
}

/// Is the access of `last` before what the thread does now?
fn is_ordered(recorder: &Recorder, last: Last) -> bool {
    last.slot == recorder.slot() || last.pos < recorder.clock.get(last.slot)
}
