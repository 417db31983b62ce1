//! Lockset detection with states and thread segments.
//!
//! The algorithm is Eraser's (Savage et al., 1997) as Helgrind had it when
//! Muehlenfeld and Wotawa improved it ("Fault detection in multi-threaded C++
//! server applications", 2007):
//!
//! * A location is exclusive to a thread segment; segments are what creating
//!   and joining threads separate, and nothing else. If the owner's segment
//!   happens before the accessing one, the latter becomes the owner.
//! * Then it is shared, and from the first write on shared and modified. The
//!   candidate locks are those held at the first access by a second thread;
//!   each read takes the locks that are not held from them, each write those
//!   that are not held for writing. None left in the modified state: a report.
//! * Atomic instructions hold a lock of the bus for writing, and every read
//!   holds it for reading. With `bus_lock=mutex` it is an ordinary mutex that
//!   reads do not take, as it was before the correction.
//! * Deleting an object makes its memory exclusive again (`delete_marks`).
//!
//! An atomic store counts as holding the bus lock even where the processor
//! needs no lock prefix for it: the program says that it is atomic.

use super::machine::{Location, Machine, Moment, Shared, State};
use super::walk::How;
use crate::lock::Mode;
use crate::lockset::LocksetId;
use crate::options::{self, BusLock};

/// The machine.
pub struct Eraser;

impl Machine for Eraser {
    fn step(&self, location: &mut Location, moment: &Moment) -> bool {
        let write = moment.now.write;
        match location.state {
            State::New => location.state = State::Exclusive,
            State::Exclusive if moment.ordered => {}
            State::Exclusive => {
                location.shared = Shared::new(moment.locks, &[]);
                location.state = if write {
                    State::SharedModified
                } else {
                    State::SharedRead
                };
            }
            _ => {
                let locks = crate::lockset::intersect(location.shared.locks(), moment.locks);
                location.shared = Shared::new(locks, &[]);
                if write {
                    location.state = State::SharedModified;
                }
            }
        }
        let is_bare = location.shared.locks() == LocksetId::EMPTY;
        let report = location.state == State::SharedModified && is_bare;
        location.last = moment.now;
        if report {
            location.state = State::Race;
        }
        report
    }

    fn bus_lock(&self, how: How) -> Option<Mode> {
        match (how.write, options::get().bus_lock) {
            (true, _) => how.atomic.then_some(Mode::Write),
            (false, BusLock::Rw) => Some(Mode::Read),
            (false, BusLock::Mutex) => None,
        }
    }

    fn marks_deleted(&self) -> bool {
        options::get().delete_marks
    }

    fn alone_again(&self, _: &Location) -> Option<State> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::machine::testing::{Case, walk};
    use State::{Exclusive, New, Race, SharedModified, SharedRead};

    #[test]
    fn every_transition() {
        // From, locks it had; write, ordered, locks held; to, locks it has.
        let cases: &[Case] = &[
            (New, "", false, true, "", Exclusive, ""),
            (New, "", true, true, "", Exclusive, ""),
            (Exclusive, "", false, true, "", Exclusive, ""),
            (Exclusive, "", true, true, "", Exclusive, ""),
            (Exclusive, "", false, false, "a", SharedRead, "a"),
            (Exclusive, "", false, false, "", SharedRead, ""),
            (Exclusive, "", true, false, "a", SharedModified, "a"),
            (Exclusive, "", true, false, "", Race, ""),
            (SharedRead, "ab", false, false, "b", SharedRead, "b"),
            (SharedRead, "ab", false, true, "", SharedRead, ""),
            (SharedRead, "ab", true, false, "a", SharedModified, "a"),
            (SharedRead, "ab", true, false, "", Race, ""),
            (SharedRead, "", true, true, "a", Race, ""),
            (SharedModified, "ab", false, false, "a", SharedModified, "a"),
            (SharedModified, "ab", true, false, "b", SharedModified, "b"),
            (SharedModified, "a", false, true, "b", Race, ""),
            (SharedModified, "a", true, true, "", Race, ""),
        ];
        walk(&Eraser, cases);
    }
}
