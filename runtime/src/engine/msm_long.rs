//! Helgrind+'s memory state machine for long runs.
//!
//! It assumes that what happens once in a long run happens again, and says
//! nothing the first time ("Helgrind+", 4.2.1 and 4.2.4): eight states, two of
//! them Shared-Modified, and the question of order put off until the locks have
//! proven insufficient. The paper leaves the table of moves to an earlier one;
//! this is what its description comes to:
//!
//! * Exclusive states as in [`super::msm_short`], but an access that is not
//!   ordered never reports at once, whether locks are held or not.
//! * Reading what another thread wrote, not ordered, makes a location
//!   Shared-Read-Written: written once, read by many.
//! * Shared-Modified looks at locks alone. When none is left it asks for the
//!   order: if there is one the location is exclusive again, if not the
//!   violation is remembered in the second Shared-Modified state, which reports
//!   the next one.
//! * In both, a thread that goes on using what it used last changes nothing:
//!   that is not a repetition.

use super::machine::{Location, Machine, Moment, State};
use super::msm_short::{alone_again, atomics_lock, exclusive};
use super::walk::How;
use crate::lock::Mode;
use crate::lockset::LocksetId;

/// The machine.
pub struct MsmLong;

impl Machine for MsmLong {
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
                location.shared = moment.share();
                location.state = State::SharedRead;
            }
            State::ExclusiveWrite if !write => {
                location.shared = moment.share();
                location.state = State::SharedReadWritten;
            }
            State::ExclusiveRead | State::ExclusiveWrite => {
                location.shared = moment.share();
                location.last = moment.now;
                location.state = State::SharedModified;
            }
            State::SharedRead | State::SharedReadWritten => {
                location.shared = location.shared.refined(moment.locks, moment.thread);
                if write {
                    location.last = moment.now;
                    location.state = State::SharedModified;
                }
            }
            State::SharedModified | State::SharedModifiedOnce => modified(location, moment),
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

/// An access to what several threads use and modify.
fn modified(location: &mut Location, moment: &Moment) {
    location.shared = location.shared.refined(moment.locks, moment.thread);
    if location.shared.locks() != LocksetId::EMPTY {
        return;
    }
    if moment.last_thread == moment.thread {
        location.last = moment.now;
    } else if moment.ordered {
        location.last = moment.now;
        location.state = exclusive(moment);
    } else if location.state == State::SharedModified {
        location.last = moment.now;
        location.state = State::SharedModifiedOnce;
    } else {
        location.state = State::Race;
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
            (EW, "", true, false, "", SM1, ""),
            (ER, "", false, true, "", ER, ""),
            (ER, "", true, true, "", EW, ""),
            (ER, "", false, false, "a", SR, "a"),
            (ER, "", true, false, "", SM1, ""),
            (SR, "ab", false, false, "b", SR, "b"),
            (SR, "ab", true, false, "", SM1, ""),
            (SRW, "ab", false, false, "", SRW, ""),
            (SRW, "ab", true, true, "b", SM1, "b"),
            (SM1, "ab", false, false, "b", SM1, "b"),
            (SM1, "ab", true, false, "a", SM1, "a"),
            (SM1, "a", false, true, "", ER, ""),
            (SM1, "a", true, true, "", EW, ""),
            (SM1, "a", false, false, "", SM2, ""),
            (SM1, "a", true, false, "b", SM2, ""),
            (SM2, "ab", true, false, "a", SM2, "a"),
            (SM2, "", false, true, "", ER, ""),
            (SM2, "", true, true, "", EW, ""),
            (SM2, "", false, false, "", Race, ""),
            (SM2, "", true, false, "a", Race, ""),
        ];
        walk(&MsmLong, cases);
        let own: &[Case] = &[
            (SM1, "a", true, true, "", SM1, ""),
            (SM2, "", false, true, "", SM2, ""),
        ];
        walk_own(&MsmLong, own);
    }
}
