//! Walks a machine through a table of moves.

use super::{Last, Location, Machine, Moment, Shared, State};
use crate::lock::{LockId, Mode};
use crate::lockset::{self, LocksetId};

/// From and its locks; whether it is a write, ordered, with which locks; to and
/// its locks. A letter is a lock.
pub(crate) type Case = (
    State,
    &'static str,
    bool,
    bool,
    &'static str,
    State,
    &'static str,
);

/// The set of locks with these letters.
fn locks(letters: &str) -> LocksetId {
    crate::init::for_tests();
    let add = |set, letter| lockset::add(set, LockId::new(letter).unwrap(), Mode::Read);
    letters.bytes().map(u32::from).fold(LocksetId::EMPTY, add)
}

/// Walks through `cases`; the last access was another thread's.
pub(crate) fn walk(machine: &dyn Machine, cases: &[Case]) {
    run(machine, cases, 1);
}

/// The same; the last access was the thread's own.
pub(crate) fn walk_own(machine: &dyn Machine, cases: &[Case]) {
    run(machine, cases, 2);
}

fn run(machine: &dyn Machine, cases: &[Case], last_thread: u32) {
    for case @ (from, had, write, ordered, held, to, has) in cases {
        let last = Last {
            slot: 1,
            pos: 10,
            write: *from == State::ExclusiveWrite,
        };
        let mut location = match from {
            State::New => Location::NEW,
            _ => Location {
                state: *from,
                last,
                shared: Shared::NONE,
            },
        };
        if from.is_shared() {
            location.shared = Shared::new(locks(had), &[1, 2]);
        }
        let now = Last {
            slot: 2,
            pos: 20,
            write: *write,
        };
        let moment = Moment {
            now,
            thread: 2,
            last_thread,
            ordered: *ordered,
            locks: locks(held),
        };
        let reported = machine.step(&mut location, &moment);
        assert_eq!(location.state, *to, "{case:?}");
        assert_eq!(reported, *to == State::Race, "{case:?}");
        if to.is_shared() {
            assert_eq!(location.shared.locks(), locks(has), "{case:?}");
        } else if *to != State::Race {
            assert_eq!(location.last, now, "{case:?}");
        }
    }
}
