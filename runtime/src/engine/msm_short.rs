//! Helgrind+'s memory state machine for short runs.
//!
//! "Helgrind+: An Efficient Dynamic Race Detector" (Jannesari, Bao, Pankratius
//! and Tichy, 2009), 4.2.3. A location stays exclusive as long as accesses to it
//! happen before one another, whichever threads make them; locks order nothing
//! here. Only then are locks looked at, and order again once no lock is left.
//! Six states: New, Exclusive-Read, Exclusive-Write, Shared-Read,
//! Shared-Modified, Race.
//!
//! Where the paper's text and its tables differ:
//!
//! * Shared-Read, write: the text reports if the write is not ordered *and* no
//!   lock is left; the table omits the second half, without which every
//!   variable that is read under its lock first would be reported.
//! * Exclusive-Read, ordered read: the segment of the new read counts, since
//!   `TS_d` is by definition that of the prior access.
//!
//! Locks held for reading protect reads only. Atomic accesses hold a lock of
//! their own.

use super::machine::{Location, Machine, Moment, State};
use super::walk::How;
use crate::lock::Mode;
use crate::lockset::LocksetId;

/// The machine.
pub struct MsmShort;

/// The exclusive state after an access.
pub(super) fn exclusive(moment: &Moment) -> State {
    if moment.now.write {
        State::ExclusiveWrite
    } else {
        State::ExclusiveRead
    }
}

/// The lock that atomic accesses have in common.
pub(super) fn atomics_lock(how: How) -> Option<Mode> {
    let mode = if how.write { Mode::Write } else { Mode::Read };
    how.atomic.then_some(mode)
}

/// The state of a shared location that one thread has for itself again.
pub(super) fn alone_again(location: &Location) -> Option<State> {
    let is_read = matches!(location.state, State::SharedRead | State::SharedReadWritten);
    Some(if is_read {
        State::ExclusiveRead
    } else {
        State::ExclusiveWrite
    })
}

impl Machine for MsmShort {
    fn step(&self, location: &mut Location, moment: &Moment) -> bool {
        let write = moment.now.write;
        match location.state {
            State::New => {
                location.last = moment.now;
                location.state = exclusive(moment);
            }
            State::ExclusiveRead | State::ExclusiveWrite if moment.ordered => {
                location.last = moment.now;
                location.state = exclusive(moment);
            }
            State::ExclusiveRead if !write => {
                // Its segment stays, for the write that may follow.
                location.shared = moment.share();
                location.state = State::SharedRead;
            }
            State::ExclusiveRead | State::ExclusiveWrite if moment.is_protected() => {
                location.shared = moment.share();
                location.last = moment.now;
                location.state = State::SharedModified;
            }
            State::SharedRead => {
                location.shared = location.shared.refined(moment.locks, moment.thread);
                let is_bare = location.shared.locks() == LocksetId::EMPTY;
                if write && !moment.ordered && is_bare {
                    location.state = State::Race;
                } else if write {
                    location.state = State::SharedModified;
                }
            }
            State::SharedModified => {
                location.shared = location.shared.refined(moment.locks, moment.thread);
                if location.shared.locks() == LocksetId::EMPTY {
                    if moment.ordered {
                        location.last = moment.now;
                        location.state = exclusive(moment);
                    } else {
                        location.state = State::Race;
                    }
                }
            }
            _ => location.state = State::Race,
        }
        location.state == State::Race
    }

    fn bus_lock(&self, how: How) -> Option<Mode> {
        atomics_lock(how)
    }

    fn alone_again(&self, location: &Location) -> Option<State> {
        alone_again(location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::machine::testing::{Case, walk};
    use State::{
        ExclusiveRead as ER, ExclusiveWrite as EW, New, Race, SharedModified as SM,
        SharedRead as SR,
    };

    #[test]
    fn every_transition() {
        // From, locks it had; write, ordered, locks held; to, locks it has.
        let cases: &[Case] = &[
            (New, "", false, true, "", ER, ""),
            (New, "", true, true, "", EW, ""),
            (EW, "", false, true, "", ER, ""),
            (EW, "", true, true, "", EW, ""),
            (EW, "", false, false, "a", SM, "a"),
            (EW, "", true, false, "a", SM, "a"),
            (EW, "", false, false, "", Race, ""),
            (EW, "", true, false, "", Race, ""),
            (ER, "", false, true, "", ER, ""),
            (ER, "", true, true, "", EW, ""),
            (ER, "", false, false, "", SR, ""),
            (ER, "", false, false, "a", SR, "a"),
            (ER, "", true, false, "a", SM, "a"),
            (ER, "", true, false, "", Race, ""),
            (SR, "ab", false, true, "b", SR, "b"),
            (SR, "ab", false, false, "", SR, ""),
            (SR, "ab", true, true, "b", SM, "b"),
            (SR, "ab", true, true, "", SM, ""),
            (SR, "ab", true, false, "a", SM, "a"),
            (SR, "ab", true, false, "", Race, ""),
            (SM, "ab", false, false, "b", SM, "b"),
            (SM, "ab", true, false, "a", SM, "a"),
            (SM, "a", false, true, "", ER, ""),
            (SM, "a", true, true, "b", EW, ""),
            (SM, "a", false, false, "", Race, ""),
            (SM, "a", true, false, "b", Race, ""),
        ];
        walk(&MsmShort, cases);
    }
}
