//! Loops that wait for another thread, as the pass found them.
//!
//! [`entry`] is what instrumented code calls: at the exits of loops that wait
//! on a condition variable ([`wait`]), at the exits of loops that only watch
//! memory and at the writes that may end them ([`spin`]), and round predicates
//! that are functions ([`noting`]); and where a loop waits only if a function of
//! another file does ([`elsewhere`]). [`condition`] reads what the pass wrote
//! down. [`deferred`] is for edges that are made only when they are needed.
//!
//! What an exit means depends on how races are detected. Where happens-before
//! is all that counts, none adds anything: whoever made a condition true had
//! the mutex, which orders the two already, and a loop that watches memory
//! without acquiring is not ordered after anything.

pub mod condition;
mod deferred;
mod elsewhere;
mod entry;
mod noting;
mod spin;
mod wait;

use crate::lock::condvar::Woken;
use crate::recorder::Recorder;
use deferred::Deferred;
pub use deferred::explains;
use noting::Noting;
pub use wait::{waiting, woken};

/// What a thread learns from such loops.
#[derive(Default)]
pub struct Loops {
    deferred: Deferred,
    /// Reads of the predicate that runs.
    pub noting: Noting,
    /// What ended its last wait, until it is known for which condition.
    pub woken_by: Option<Woken>,
    /// It waits or signals by a library whose condition variables are made of
    /// others: those do not count.
    pub waits_by_library: bool,
}

impl Loops {
    /// The thread takes or gives back a lock: nobody will tell more precisely
    /// what it learnt from being woken.
    #[inline]
    pub fn settle(&mut self, recorder: &mut Recorder) {
        self.woken_by = None;
        self.deferred.settle(recorder);
    }
}
