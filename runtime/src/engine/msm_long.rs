//! Helgrind+'s memory state machine for long runs.
//!
//! It assumes that what happens once in a long run happens again, and says
//! nothing the first time ("Helgrind+", 4.2.1 and 4.2.4): eight states, two of
//! them Shared-Modified, and the question of order put off until the locks have
//! proven insufficient. The paper leaves the table of moves to an earlier one;
//! this is what its description comes to:
//!
//! * Exclusive states as in [`super::msm_short`], but an access that is not
//!   ordered never reports at once.
//! * Reading what another thread wrote, not ordered, makes a location
//!   Shared-Read-Written: written by one, read by others. That much is left
//!   alone; a write without a lock that follows a read without one is the
//!   second violation and reports.
//! * Shared-Modified looks at locks alone. When none is left it asks for the
//!   order: if there is one the location is exclusive again, if not the
//!   violation is remembered in the second Shared-Modified state. The next
//!   access of another thread that is not ordered with it reports.
//! * Writing without a lock and without an order is a violation from the start.
//! * A thread that goes on with what it used last repeats nothing.

use super::machine::{Location, Machine, Moment, State};
use super::msm_short::{alone_again, atomics_lock, exclusive};
use super::walk::How;
use crate::lock::Mode;
use crate::lockset::LocksetId;

/// The machine.
pub struct MsmLong;

impl Machine for MsmLong {
    fn step(&self, location: &mut Location, moment: &Moment) -> bool {
        match location.state {
            State::New => enter(location, moment, exclusive(moment)),
            State::ExclusiveRead | State::ExclusiveWrite => exclusively(location, moment),
            State::SharedRead | State::SharedReadWritten => reading(location, moment),
            State::SharedModified | State::SharedModifiedOnce => {
                location.shared = location.shared.refined(moment.locks, moment.thread);
                if location.shared.locks() == LocksetId::EMPTY {
                    violated(location, moment);
                }
            }
            State::Exclusive | State::Race => location.state = State::Race,
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

/// Goes to `state`, where the new access is the one that counts.
fn enter(location: &mut Location, moment: &Moment, state: State) {
    location.last = moment.now;
    location.state = state;
}

/// An access to what one thread had at a time.
fn exclusively(location: &mut Location, moment: &Moment) {
    if moment.ordered {
        return enter(location, moment, exclusive(moment));
    }
    location.shared = moment.share();
    location.state = match (moment.now.write, location.state) {
        (false, State::ExclusiveRead) => State::SharedRead,
        (false, _) => State::SharedReadWritten,
        (true, _) if moment.is_protected() => {
            return enter(location, moment, State::SharedModified);
        }
        (true, _) => return enter(location, moment, State::SharedModifiedOnce),
    };
}

/// An access to what several threads read.
fn reading(location: &mut Location, moment: &Moment) {
    let was_bare = location.shared.locks() == LocksetId::EMPTY;
    location.shared = location.shared.refined(moment.locks, moment.thread);
    if !moment.now.write {
        return;
    }
    if location.shared.locks() != LocksetId::EMPTY {
        return enter(location, moment, State::SharedModified);
    }
    // Who read without a lock what another wrote has broken the rule already.
    location.state = if was_bare && location.state == State::SharedReadWritten {
        State::SharedModifiedOnce
    } else {
        State::SharedModified
    };
    violated(location, moment);
}

/// No lock protects the access.
fn violated(location: &mut Location, moment: &Moment) {
    if moment.last_thread == moment.thread {
        enter(location, moment, location.state);
    } else if moment.ordered {
        enter(location, moment, exclusive(moment));
    } else if location.state == State::SharedModifiedOnce {
        location.state = State::Race;
    } else {
        enter(location, moment, State::SharedModifiedOnce);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::machine::testing::{Case, walk, walk_own};
    use State::{
        ExclusiveRead as ER, ExclusiveWrite as EW, New, Race, SharedModified as SM1,
        SharedModifiedOnce as SM2, SharedRead as SR, SharedReadWritten as SRW,
    };

    #[test]
    fn every_transition() {
        // From, locks it had; write, ordered, locks held; to, locks it has.
        let cases: &[Case] = &[
            (New, "", false, true, "", ER, ""),
            (New, "", true, true, "", EW, ""),
            (EW, "", false, true, "", ER, ""),
            (EW, "", true, true, "", EW, ""),
            (EW, "", false, false, "a", SRW, "a"),
            (EW, "", false, false, "", SRW, ""),
            (EW, "", true, false, "a", SM1, "a"),
            (EW, "", true, false, "", SM2, ""),
            (ER, "", false, true, "", ER, ""),
            (ER, "", true, true, "", EW, ""),
            (ER, "", false, false, "a", SR, "a"),
            (ER, "", false, false, "", SR, ""),
            (ER, "", true, false, "a", SM1, "a"),
            (ER, "", true, false, "", SM2, ""),
            (SR, "ab", false, false, "b", SR, "b"),
            (SR, "ab", false, true, "", SR, ""),
            (SR, "ab", true, false, "a", SM1, "a"),
            (SR, "ab", true, true, "", EW, ""),
            (SR, "ab", true, false, "", SM2, ""),
            (SR, "", true, false, "", SM2, ""),
            (SRW, "ab", false, false, "", SRW, ""),
            (SRW, "ab", true, true, "b", SM1, "b"),
            (SRW, "ab", true, false, "", SM2, ""),
            (SRW, "", true, true, "", EW, ""),
            (SRW, "", true, false, "", Race, ""),
            (SM1, "ab", false, false, "b", SM1, "b"),
            (SM1, "ab", true, false, "a", SM1, "a"),
            (SM1, "a", false, true, "", ER, ""),
            (SM1, "a", true, true, "", EW, ""),
            (SM1, "a", false, false, "", SM2, ""),
            (SM1, "a", true, false, "b", SM2, ""),
            (SM2, "", false, true, "", ER, ""),
            (SM2, "", true, true, "", EW, ""),
            (SM2, "", false, false, "", Race, ""),
            (SM2, "", true, false, "a", Race, ""),
        ];
        walk(&MsmLong, cases);
        // The last access was the thread's own.
        let own: &[Case] = &[
            (EW, "", true, true, "", EW, ""),
            (SR, "", true, true, "", SM1, ""),
            (SRW, "", true, true, "", SM2, ""),
            (SM1, "a", true, true, "", SM1, ""),
            (SM2, "", false, true, "", SM2, ""),
        ];
        walk_own(&MsmLong, own);
    }
}
