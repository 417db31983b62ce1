//! Slots: what live threads occupy in vector clocks.
//!
//! A slot outlives its thread, because shadow words still refer to its log. A
//! later thread may continue it only if it cannot tell the difference: when
//! its creator has already seen everything the former thread did, so that the
//! two are ordered anyway. A thread that was joined leaves such a slot behind;
//! programs that create and join threads for ever get by with as many slots as
//! threads live at once.
//!
//! Or when nothing refers to the former thread any more: who walks over the
//! shadow ([`crate::log::reclaim`]) says which slots it has not met
//! ([`walked`]), and is asked to when many have become vacant. So programs do as
//! well that never join their threads.

use crate::clock::{Known, Released};
use crate::os;
use crate::shadow::word::SLOT_LIMIT;
use crate::spin::SpinLock;
use alloc::format;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};

/// A slot as its new thread receives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The slot.
    pub slot: u16,
    /// Where its log goes on.
    pub start: u64,
}

struct Tenancy {
    start: u64,
    thread: u32,
    /// What the thread knew when it ended, until the slot is continued.
    known: Option<Released>,
}

struct Slots {
    /// One list of tenancies a slot; the index is the slot.
    tenancies: Vec<Vec<Tenancy>>,
    /// Slots whose thread ended.
    vacant: Vec<Vacancy>,
    /// With so many of them that nobody can have, a walk is worth it.
    many: usize,
    /// Leases since the last walk.
    leases: usize,
}

/// A slot whose thread ended.
struct Vacancy {
    /// From the end of its log on.
    lease: Lease,
    left: Left,
}

/// What refers to a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// Records of reads.
    Reads,
    /// Anything, for all one knows.
    #[default]
    Anything,
}

/// Vacant slots that are worth a walk over a small shadow. Each costs about 13
/// KB, and its place in clocks.
const MANY: usize = 64;
/// Bytes of shadow that are walked over for one more: some ten microseconds,
/// about what it takes to create a thread.
const WALK: usize = 64 << 10;
/// With all slots taken, leases between two walks.
const PAUSE: usize = 1024;

static SLOTS: SpinLock<Slots> = SpinLock::new(Slots {
    tenancies: Vec::new(),
    vacant: Vec::new(),
    many: MANY,
    leases: PAUSE,
});

impl Slots {
    fn is_full(&self) -> bool {
        self.tenancies.len() >= SLOT_LIMIT as usize
    }
}

/// Are there so many vacant slots that nobody can have, that it is time for a
/// walk over the shadow?
pub fn is_walk_due() -> bool {
    let slots = SLOTS.lock();
    let many = slots.vacant.len() >= slots.many;
    (many || slots.is_full() && slots.leases >= PAUSE)
        && !slots.vacant.iter().any(|v| v.left == Left::Nothing)
}

/// A walk over `bytes` of shadow has met this of each slot. What [`vacant_ends`]
/// said before it began is `ends`.
pub fn walked(met: &[Left], ends: &[u64], bytes: usize) {
    let mut slots = SLOTS.lock();
    for vacancy in &mut slots.vacant {
        let slot = vacancy.lease.slot as usize;
        // Not if it was vacated since.
        if ends.get(slot) == Some(&vacancy.lease.start) {
            vacancy.left = met[slot];
        }
    }
    let kept = slots.vacant.iter().filter(|v| v.left != Left::Nothing);
    slots.many = 2 * kept.count() + MANY + bytes / WALK;
    slots.leases = 0;
}

/// Finds a slot for `thread`, whose creator has seen slot `s` up to `seen(s)`.
///
/// With all slots taken, the one whose thread ended first is continued although
/// its thread is not known to be ordered: the second value says so. But rather
/// one of whose thread only reads are left: others mostly have read the same.
pub fn lease(thread: u32, seen: impl Fn(u16) -> u64) -> Option<(Lease, bool)> {
    let leased = find(thread, seen);
    if leased.is_none_or(|(_, forced)| forced) {
        say_once_that_slots_are_short();
    }
    leased
}

/// A race that goes unreported for want of slots must not do so in silence.
fn say_once_that_slots_are_short() {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        let line = format!(
            "racert: more than {} threads live at once or ended without being joined: races of \
             some of them may go unreported\n",
            SLOT_LIMIT - 1
        );
        os::write_all(os::STDERR, line.as_bytes());
    }
}

fn find(thread: u32, seen: impl Fn(u16) -> u64) -> Option<(Lease, bool)> {
    let mut slots = SLOTS.lock();
    slots.leases += 1;
    let is_seen = |lease: &Lease| lease.start <= seen(lease.slot);
    let vacant = slots.vacant.iter();
    let exact = vacant.clone().rposition(|v| is_seen(&v.lease));
    let (lease, forced) =
        if let Some(i) = exact.or(vacant.clone().rposition(|v| v.left == Left::Nothing)) {
            (slots.vacant.swap_remove(i).lease, false)
        } else if !slots.is_full() {
            if slots.tenancies.is_empty() {
                slots.tenancies.push(Vec::new());
            }
            slots.tenancies.push(Vec::new());
            (
                Lease {
                    slot: slots.tenancies.len() as u16 - 1,
                    start: 1,
                },
                false,
            )
        } else if slots.vacant.is_empty() {
            return None;
        } else {
            let reads = slots.vacant.iter().position(|v| v.left == Left::Reads);
            (slots.vacant.remove(reads.unwrap_or(0)).lease, true)
        };
    let tenancies = &mut slots.tenancies[lease.slot as usize];
    if let Some(former) = tenancies.last_mut() {
        former.known = None;
    }
    tenancies.push(Tenancy {
        start: lease.start,
        thread,
        known: None,
    });
    Some((lease, forced))
}

/// Gives back a slot whose log ends at `end`. Slots that are nearly used up are
/// retired instead.
pub fn vacate(slot: u16, end: u64) {
    if end < crate::shadow::word::POS_LIMIT / 2 {
        SLOTS.lock().vacant.push(Vacancy {
            lease: Lease { slot, start: end },
            left: Left::Anything,
        });
    }
}

/// The thread in `slot` ends and knows this.
pub fn leave_behind(slot: u16, known: &Released) {
    let mut slots = SLOTS.lock();
    if let Some(last) = slots.tenancies[slot as usize].last_mut() {
        last.known = Some(known.clone());
    }
}

/// What the thread that was in `slot` at `pos` knew when it ended, if it has and
/// nobody has the slot now.
pub fn left_behind(slot: u16, pos: u64) -> Option<Known> {
    let slots = SLOTS.lock();
    let last = slots.tenancies.get(slot as usize)?.last()?;
    let known = last.known.as_ref().filter(|_| last.start <= pos)?;
    Some(known.known())
}

/// For every slot: the end of its log if no thread occupies it, else 0.
pub fn vacant_ends() -> Vec<u64> {
    let slots = SLOTS.lock();
    let mut ends = alloc::vec![0; slots.tenancies.len()];
    for Vacancy { lease, .. } in &slots.vacant {
        ends[lease.slot as usize] = lease.start;
    }
    ends
}

/// Who occupied `slot` at `pos`.
pub fn thread_at(slot: u16, pos: u64) -> Option<u32> {
    let slots = SLOTS.lock();
    let tenancies = slots.tenancies.get(slot as usize)?;
    let after = tenancies.partition_point(|t| t.start <= pos);
    Some(tenancies.get(after.checked_sub(1)?)?.thread)
}

/// Keeps everybody else out until the process has forked.
pub fn before_fork() {
    SLOTS.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { SLOTS.force_unlock() }
}

/// A slot of the test's own. Vacant ones that nothing refers to any more are
/// used again: tests throw their shadow away.
#[cfg(test)]
pub fn fresh_for_tests() -> Lease {
    lease(0, |_| u64::MAX).unwrap().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_continued_only_by_who_has_seen_its_end() {
        let (a, _) = lease(100_001, |_| 0).unwrap();
        vacate(a.slot, 50);
        let (b, forced) = lease(100_002, |s| if s == a.slot { 49 } else { 0 }).unwrap();
        assert_ne!(b.slot, a.slot);
        let (c, _) = lease(100_003, |s| if s == a.slot { 50 } else { 0 }).unwrap();
        assert_eq!(
            c,
            Lease {
                slot: a.slot,
                start: 50
            }
        );
        assert!(!forced);
        assert_eq!(thread_at(a.slot, 49), Some(100_001));
        assert_eq!(thread_at(a.slot, 50), Some(100_003));
    }
    #[test]
    fn a_slot_that_nothing_refers_to_is_anybodys() {
        let (a, _) = lease(100_011, |_| 0).unwrap();
        let (b, _) = lease(100_012, |_| 0).unwrap();
        vacate(a.slot, a.start + 50);
        let ends = vacant_ends();
        vacate(b.slot, b.start + 50);
        let mut met = [Left::Anything; SLOT_LIMIT as usize];
        met[a.slot as usize] = Left::Nothing;
        met[b.slot as usize] = Left::Nothing;
        let left = |slot| {
            let slots = SLOTS.lock();
            let vacancy = slots.vacant.iter().find(|v| v.lease.slot == slot);
            vacancy.map(|v| v.left)
        };
        walked(&met, &ends, 0);
        assert_ne!(left(a.slot), Some(Left::Anything));
        assert_ne!(left(b.slot), Some(Left::Nothing), "it was vacated too late");
        let (c, forced) = lease(100_013, |_| 0).unwrap();
        assert!(!forced && c.slot != b.slot);
    }
}
