//! Barriers: what anybody did before a round happens before what anybody does
//! after it.
//!
//! Each round has a clock of its own, which those who leave it bring with them:
//! one who has been let through may destroy the barrier, and initialise it anew,
//! before the others have come out.

use super::events;
use crate::clock::Released;
use crate::finding::Act;
use crate::lock::finding::Trouble;
use crate::lock::misuse;
use crate::spin::SpinLock;
use crate::thread;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

struct Barrier {
    count: u32,
    arrived: u32,
    /// Who has arrived, and where: thread and stack id.
    waiters: Vec<(u32, u32)>,
    round: Round,
}

/// What those who arrive for a round have done.
pub type Round = Arc<SpinLock<Released>>;

fn fresh() -> Round {
    Arc::new(SpinLock::new(Released::new()))
}

static BARRIERS: SpinLock<BTreeMap<usize, Barrier>> = SpinLock::new(BTreeMap::new());

/// A barrier for `count` threads was initialised at `addr`.
///
/// `false` if threads wait at what was there before, which is reported.
pub fn created(addr: usize, count: u32, pc: usize) -> bool {
    let before = BARRIERS.lock().insert(
        addr,
        Barrier {
            count,
            arrived: 0,
            waiters: Vec::new(),
            round: fresh(),
        },
    );
    before.is_none_or(|before| {
        let is_free = before.waiters.is_empty();
        complain(Trouble::BarrierReinitialised, addr, pc, before.waiters);
        is_free
    })
}

/// Says who waits at a barrier that is taken away.
fn complain(trouble: Trouble, addr: usize, pc: usize, waiters: Vec<(u32, u32)>) {
    if let (Some(me), false) = (thread::listening(), waiters.is_empty()) {
        misuse::in_use(me, trouble, addr, "barrier", pc, &waiters);
    }
}

/// The calling thread is about to wait; what [`leave`] wants to know, if the
/// barrier is known.
pub fn arrive(addr: usize, pc: usize) -> Option<Round> {
    let me = thread::current().map(|me| (me.number, me.stack_id(pc)));
    let mut barriers = BARRIERS.lock();
    let barrier = barriers.get_mut(&addr)?;
    if barrier.arrived == 0 {
        match Arc::get_mut(&mut barrier.round) {
            Some(round) => *round = SpinLock::new(Released::new()),
            None => barrier.round = fresh(),
        }
    }
    let round = barrier.round.clone();
    thread::synchronise(|me| me.recorder.release_join(&mut round.lock()));
    barrier.arrived += 1;
    barrier.waiters.extend(me);
    if barrier.arrived >= barrier.count {
        barrier.complete();
    }
    Some(round)
}

impl Barrier {
    /// All have arrived.
    fn complete(&mut self) {
        self.arrived = 0;
        self.waiters.clear();
    }
}

/// The calling thread has been let through `round`: if others are missing, they
/// are in another process.
pub fn leave(addr: usize, round: Round, pc: usize) {
    if let Some(barrier) = BARRIERS.lock().get_mut(&addr)
        && Arc::ptr_eq(&barrier.round, &round)
    {
        barrier.complete();
    }
    thread::synchronise(|me| {
        me.recorder.acquire(&round.lock());
        events::note(me, Act::BarrierWait, addr, pc);
    });
    drop(round);
}

/// It is about to be destroyed.
///
/// `false` if threads wait there, which is reported.
pub fn destroying(addr: usize, pc: usize) -> bool {
    let barriers = BARRIERS.lock();
    let waiters = barriers.get(&addr).map(|barrier| barrier.waiters.clone());
    drop(barriers);
    let waiters = waiters.unwrap_or_default();
    let is_free = waiters.is_empty();
    complain(Trouble::BarrierDestroyed, addr, pc, waiters);
    is_free
}

/// It is gone.
pub fn destroyed(addr: usize) {
    BARRIERS.lock().remove(&addr);
}

/// Keeps everybody else out until the process has forked.
pub fn before_fork() {
    BARRIERS.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { BARRIERS.force_unlock() }
}
