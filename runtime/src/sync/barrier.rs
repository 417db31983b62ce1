//! Barriers: what anybody did before a round happens before what anybody does
//! after it.
//!
//! Each round has a clock of its own. Two are enough: a thread leaves a round
//! before it arrives at the next, so when somebody arrives at round `n + 2`,
//! all have left round `n`.

use super::events;
use crate::clock::Released;
use crate::finding::Act;
use crate::lock::finding::Trouble;
use crate::lock::misuse;
use crate::spin::SpinLock;
use crate::thread;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

struct Barrier {
    count: u32,
    arrived: u32,
    /// Who has arrived, and where: thread and stack id.
    waiters: Vec<(u32, u32)>,
    round: u64,
    clocks: [Released; 2],
}

static BARRIERS: SpinLock<BTreeMap<usize, Barrier>> = SpinLock::new(BTreeMap::new());

/// A barrier for `count` threads was initialised at `addr`.
///
/// `false` if threads wait at what was there before, which is reported.
pub fn created(addr: usize, count: u32, pc: usize) -> bool {
    let clocks = [Released::new(), Released::new()];
    let before = BARRIERS.lock().insert(
        addr,
        Barrier {
            count,
            arrived: 0,
            waiters: Vec::new(),
            round: 0,
            clocks,
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

/// The calling thread is about to wait; what [`leave`] wants to know.
pub fn arrive(addr: usize, pc: usize) -> u64 {
    let me = thread::current().map(|me| (me.number, me.stack_id(pc)));
    let mut barriers = BARRIERS.lock();
    let Some(barrier) = barriers.get_mut(&addr) else {
        return 0;
    };
    let round = barrier.round;
    if barrier.arrived == 0 {
        barrier.clocks[round as usize % 2] = Released::new();
    }
    let clock = &mut barrier.clocks[round as usize % 2];
    thread::synchronise(|me| me.recorder.release_join(clock));
    barrier.arrived += 1;
    barrier.waiters.extend(me);
    if barrier.arrived >= barrier.count {
        barrier.arrived = 0;
        barrier.waiters.clear();
        barrier.round += 1;
    }
    round
}

/// The calling thread has been let through round `round`.
pub fn leave(addr: usize, round: u64, pc: usize) {
    let barriers = BARRIERS.lock();
    let Some(barrier) = barriers.get(&addr) else {
        return;
    };
    let clock = &barrier.clocks[round as usize % 2];
    thread::synchronise(|me| {
        me.recorder.acquire(clock);
        events::note(me, Act::BarrierWait, addr, pc);
    });
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
