//! What is known of each lock, by its identity.
//!
//! Identities are numbers. That of a lock which is gone is given to a new one
//! only after [`QUARANTINE`] others have gone too, because sets of locks from
//! its time are still remembered: with fewer than a million locks destroyed no
//! number ever means two locks.

use super::{Description, Kind, LockId};
use crate::os;
use crate::spin::SpinLock;
use alloc::collections::VecDeque;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

struct Record {
    address: AtomicU64,
    /// Stack id of its initialisation or first use.
    created_at: AtomicU32,
    /// Who did that.
    creator: AtomicU32,
    /// Stack id of its destruction; 0 while it lives.
    destroyed_at: AtomicU32,
    kind: AtomicU8,
    /// Was its initialisation seen?
    initialised: AtomicBool,
    /// Does it take part in the order of locks?
    ordered: AtomicBool,
    /// Is it there from the program's start to its end?
    permanent: AtomicBool,
}

/// Identities that rest before one is used again.
const QUARANTINE: usize = 1 << 20;

static RECORDS: AtomicUsize = AtomicUsize::new(0);
static NEXT: AtomicU32 = AtomicU32::new(1);
static RETIRED: SpinLock<VecDeque<u32>> = SpinLock::new(VecDeque::new());
static RESTING: AtomicUsize = AtomicUsize::new(0);

/// Reserves the table.
pub fn reserve() -> Result<(), os::Errno> {
    let records = os::map((LockId::LIMIT as usize + 1) * size_of::<Record>())?;
    RECORDS.store(records as usize, Ordering::Release);
    Ok(())
}

fn record(id: LockId) -> &'static Record {
    let base = RECORDS.load(Ordering::Relaxed) as *const Record;
    // SAFETY: identities are below the limit; any bytes make a record.
    unsafe { &*base.add(id.number() as usize) }
}

/// How a lock came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) address: usize,
    pub(super) kind: Kind,
    pub(super) initialised: bool,
    /// Stack id.
    pub(super) stack: u32,
    pub(super) thread: u32,
}

/// A new identity; `None` when there are too many locks.
pub(super) fn make(origin: Origin) -> Option<LockId> {
    let id = LockId::new(number()?)?;
    let record = record(id);
    record
        .address
        .store(origin.address as u64, Ordering::Relaxed);
    record.created_at.store(origin.stack, Ordering::Relaxed);
    record.creator.store(origin.thread, Ordering::Relaxed);
    record.destroyed_at.store(0, Ordering::Relaxed);
    record.kind.store(origin.kind as u8, Ordering::Relaxed);
    record
        .initialised
        .store(origin.initialised, Ordering::Relaxed);
    record.ordered.store(false, Ordering::Relaxed);
    record.permanent.store(false, Ordering::Relaxed);
    Some(id)
}

fn number() -> Option<u32> {
    if RESTING.load(Ordering::Relaxed) > QUARANTINE {
        let mut retired = RETIRED.lock();
        if let Some(number) = retired.pop_front() {
            RESTING.store(retired.len(), Ordering::Relaxed);
            return Some(number);
        }
    }
    let next = |n: u32| (n < LockId::LIMIT).then(|| n + 1);
    NEXT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
        .ok()
}

/// The lock is gone.
pub fn retire(id: LockId) {
    if record(id).ordered.load(Ordering::Relaxed) {
        super::order::forget(id);
    }
    let mut retired = RETIRED.lock();
    retired.push_back(id.number());
    RESTING.store(retired.len(), Ordering::Relaxed);
}

/// The lock takes part in the order of locks.
pub(super) fn set_ordered(id: LockId) {
    let ordered = &record(id).ordered;
    if !ordered.load(Ordering::Relaxed) {
        ordered.store(true, Ordering::Relaxed);
    }
}

/// The lock is there from the program's start to its end, whatever is said of
/// its creation and destruction.
pub(super) fn set_permanent(id: LockId) {
    record(id).permanent.store(true, Ordering::Relaxed);
}

/// Is it such a lock?
pub(super) fn is_permanent(id: LockId) -> bool {
    record(id).permanent.load(Ordering::Relaxed)
}

/// Notes where the lock was destroyed.
pub(super) fn set_destroyed(id: LockId, stack: u32) {
    record(id).destroyed_at.store(stack, Ordering::Relaxed);
}

/// What is known of lock `id`.
pub fn describe(id: LockId) -> Description {
    let record = record(id);
    Description {
        id,
        address: record.address.load(Ordering::Relaxed) as usize,
        kind: Kind::from_number(record.kind.load(Ordering::Relaxed)),
        initialised: record.initialised.load(Ordering::Relaxed),
        stack: record.created_at.load(Ordering::Relaxed),
        thread: record.creator.load(Ordering::Relaxed),
        destroyed: record.destroyed_at.load(Ordering::Relaxed),
    }
}

/// The lock destroyed last at `address`, if nothing else was initialised there
/// since.
pub(super) fn destroyed_at(address: usize) -> Option<LockId> {
    let id = LockId::new(grave(address).load(Ordering::Relaxed))?;
    let described = describe(id);
    (described.address == address && described.destroyed != 0).then_some(id)
}

/// Remembers that `id` was destroyed at `address`; `None`: forgets such.
pub(super) fn set_grave(address: usize, id: Option<LockId>) {
    grave(address).store(id.map_or(0, LockId::number), Ordering::Relaxed);
}

/// Destroyed locks that are remembered: 64 KiB, a later one takes the place of
/// an earlier one of the same remainder.
const GRAVES: usize = 1 << 14;
static GRAVE: [AtomicU32; GRAVES] = [const { AtomicU32::new(0) }; GRAVES];

fn grave(address: usize) -> &'static AtomicU32 {
    &GRAVE[(address >> 3) % GRAVES]
}

pub(super) fn before_fork() {
    RETIRED.hold();
}

pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { RETIRED.force_unlock() }
}
