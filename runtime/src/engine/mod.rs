//! The detector proper.
//!
//! [`hb`] decides what an access means for one granule, [`shared`] for one that
//! several threads use, [`readers`] for one that they only read, [`supersede`] for one that the thread used last, [`marks`] for one that the heap has handed out or taken
//! back, [`hybrid`] what locks mean for it; [`walk`] goes over the granules of an
//! access, [`runs`] over many that are alike. [`reach`] remembers answers. [`writers`] answers who wrote something last.
//! [`fast`] puts a filter in front of that. [`eraser`], [`msm_short`] and
//! [`msm_long`] are detectors of another kind, which share the [`machine`]ry of
//! states. Which one runs is chosen once, at start.

pub mod eraser;
pub mod fast;
pub mod hb;
mod hybrid;
#[cfg(test)]
mod hybrid_tests;
pub mod machine;
#[cfg(test)]
mod machine_tests;
mod marks;
pub mod msm_long;
pub mod msm_short;
pub(crate) mod reach;
pub(crate) mod readers;
mod runs;
mod shared;
mod supersede;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod traces;
mod walk;
pub mod writers;

pub use hb::Conflict;
pub(crate) use machine::forget_joins;
pub use reach::Reach;
pub(crate) use supersede::supersede;
pub use walk::{How, Met, is_range_recorded, is_recorded};

use crate::log::site::Site;
use crate::options::Mode;
use crate::recorder::Recorder;
use machine::Machine;

/// A way to detect races.
#[derive(Clone, Copy)]
pub enum Engine {
    /// By clocks: `hb` and `hybrid`.
    Clocks,
    /// By clocks, but for what one thread uses alone.
    Fast,
    /// By the states of locations.
    States(&'static dyn Machine),
}

impl Engine {
    /// That of a mode.
    pub fn of(mode: Mode) -> Engine {
        match mode {
            Mode::Hb | Mode::Hybrid => Engine::Clocks,
            Mode::Fast => Engine::Fast,
            Mode::Eraser => Engine::States(&eraser::Eraser),
            Mode::MsmShort => Engine::States(&msm_short::MsmShort),
            Mode::MsmLong => Engine::States(&msm_long::MsmLong),
        }
    }
}

/// Checks and records an access of 1 to 16 bytes at any alignment. The first
/// conflict counts; recording goes on.
#[inline]
pub fn access(
    recorder: &mut Recorder,
    addr: usize,
    size: usize,
    how: How,
    site: &Site,
) -> Option<Met> {
    match recorder.engine() {
        Engine::Clocks => walk::access(recorder, addr, size, how, site),
        engine => other(engine, recorder, addr, size, how, site),
    }
}

/// Records an atomic access where that is easy; see [`walk::renew`].
#[inline]
pub fn renew(
    recorder: &mut Recorder,
    addr: usize,
    size: usize,
    write: bool,
    site: &mut Site,
) -> bool {
    match recorder.engine() {
        Engine::Clocks => walk::renew(recorder, addr, size, write, site),
        Engine::Fast | Engine::States(_) => false,
    }
}

/// Checks and records an access to `[addr, addr + len)`.
#[inline]
pub fn range(
    recorder: &mut Recorder,
    addr: usize,
    len: usize,
    how: How,
    site: &Site,
) -> Option<Met> {
    match recorder.engine() {
        Engine::Clocks => walk::range(recorder, addr, len, how, site),
        engine => other(engine, recorder, addr, len, how, site),
    }
}

/// `[addr, addr + len)`, about which nothing is recorded, was handed out by the
/// heap at `site`.
pub fn handed_out(recorder: &mut Recorder, addr: usize, len: usize, site: &Site) {
    if let Engine::Clocks = recorder.engine() {
        marks::handed_out(recorder, addr, len, site);
    }
}

/// Checks and records that `[addr, addr + len)` is given back to the heap.
pub fn given_back(recorder: &mut Recorder, addr: usize, len: usize, site: &Site) -> Option<Met> {
    let how = How {
        write: true,
        atomic: false,
    };
    match recorder.engine() {
        Engine::Clocks => marks::given_back(recorder, addr, len, site),
        engine => other(engine, recorder, addr, len, how, site),
    }
}

#[cold]
fn other(
    engine: Engine,
    recorder: &mut Recorder,
    addr: usize,
    len: usize,
    how: How,
    site: &Site,
) -> Option<Met> {
    match engine {
        Engine::Clocks => None,
        Engine::Fast => fast::access(recorder, addr, len, how, site),
        Engine::States(machine) => machine::access(machine, recorder, addr, len, how, site),
    }
}

/// `thread` has ended and was joined by the owner of `recorder`.
pub fn joined(recorder: &Recorder, thread: u32) {
    if let Engine::States(_) = recorder.engine() {
        machine::joined(thread);
    }
}

/// Does the engine keep a state for every location?
pub fn goes_by_states(recorder: &Recorder) -> bool {
    matches!(recorder.engine(), Engine::States(_))
}

/// Must the engine be told of the deletion of objects?
pub fn marks_deleted(recorder: &Recorder) -> bool {
    matches!(recorder.engine(), Engine::States(machine) if machine.marks_deleted())
}

/// An object in `[addr, addr + len)` is about to be deleted by the owner of
/// `recorder`.
pub fn deleting(recorder: &mut Recorder, addr: usize, len: usize) {
    machine::deleting(recorder, addr, len);
}
