//! Vector clocks.
//!
//! A clock says, for every slot, how far into that slot's log its owner has
//! seen: an entry at position `p` of slot `s` happened before whatever the
//! owner does next exactly if `p < clock[s]`.
//!
//! A thread's clock changes only when it learns something new. Between such
//! moments all releases share one snapshot of it, so an uncontended release
//! stores a pointer it mostly holds already and its own position. As in
//! FastTrack (Flanagan and Freund, 2009), the pair (slot, position) of the
//! last release stands for the whole clock as long as nothing was joined into
//! it: a thread that has seen that position has seen everything the releaser
//! had. This needs the position to change whenever the clock does, which
//! [`crate::recorder::Recorder::acquire`] takes care of.

use crate::spin::SpinLock;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

/// A thread's own clock.
///
/// What decides whether accesses are ordered is `order`. In a pure
/// happens-before detector that is all there is. A hybrid one leaves out of it
/// what only the order of lock operations says, and keeps that in `strong`,
/// which then knows everything that `order` does and more.
#[derive(Default, Clone)]
pub struct Clock {
    order: Vec<u64>,
    strong: Option<Vec<u64>>,
    /// The owner's own slot, whose component is the end of its log and not
    /// kept here.
    owner: u16,
    /// A copy handed out to sync objects; current unless `stale`.
    snapshot: Option<Snapshot>,
    stale: bool,
}

/// What a clock said at one moment: `order`, and behind it `strong` in the same
/// length if the clock has it.
pub type Snapshot = Arc<[u64]>;

/// What a sync object remembers of the releases made on it.
#[derive(Default, Clone, Debug)]
pub struct Released {
    /// The releaser's view of the other slots; `None` before any release.
    times: Option<Snapshot>,
    /// The last releaser.
    slot: u16,
    /// More than one release was joined: the pair alone does not stand for it.
    joined: bool,
    /// Half of the snapshot is what locks order.
    hybrid: bool,
    /// What it says counts as order even where a lock says it: the program
    /// means that lock to order.
    trusted: bool,
    /// The releaser's position then.
    pos: u64,
    /// For how many positions, at least, the releaser had had the lock that it
    /// gave back; 0 if it was none.
    held: u16,
}

/// What a thread knew at some moment, for another one to learn.
#[derive(Clone, Debug, Default)]
pub struct Known {
    order: Vec<u64>,
    strong: Vec<u64>,
    /// The end of its log.
    pub end: u64,
}

impl Known {
    /// How far into `slot`'s log that reaches.
    pub fn get(&self, slot: u16) -> u64 {
        self.order.get(slot as usize).copied().unwrap_or(0)
    }
}

/// Held by whoever reads another thread's clock, and by threads while theirs
/// moves in memory.
static MOVING: SpinLock<()> = SpinLock::new(());

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    MOVING.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { MOVING.force_unlock() }
}

#[cold]
fn nothing() -> Snapshot {
    Arc::from(&[][..])
}

/// Makes room for `length` components. Clocks of threads, which have an owner,
/// may be looked at meanwhile.
fn lengthen(times: &mut Vec<u64>, length: usize, owner: u16) {
    if times.len() < length {
        let _still = (owner != 0).then(|| MOVING.lock());
        times.resize(length, 0);
    }
}

fn raise(times: &mut Vec<u64>, slot: u16, pos: u64, owner: u16) -> bool {
    let i = slot as usize;
    lengthen(times, i + 1, owner);
    let higher = times[i] < pos;
    if higher {
        times[i] = pos;
    }
    higher
}

/// Raises all components but that of `owner`.
fn raise_all(mine: &mut Vec<u64>, times: &[u64], owner: u16) -> bool {
    lengthen(mine, times.len(), owner);
    let own = mine.get(owner as usize).copied();
    let mut changed = false;
    for (i, (mine, &theirs)) in mine.iter_mut().zip(times).enumerate() {
        changed |= *mine < theirs && i != owner as usize;
        *mine = (*mine).max(theirs);
    }
    if let (Some(mine), Some(own)) = (mine.get_mut(owner as usize), own) {
        *mine = own;
    }
    changed
}

impl Clock {
    /// A clock that has seen nothing.
    pub const fn new() -> Clock {
        Clock {
            order: Vec::new(),
            strong: None,
            owner: 0,
            snapshot: None,
            stale: true,
        }
    }

    /// A clock that has seen nothing and keeps apart what locks order.
    pub fn hybrid() -> Clock {
        Clock {
            strong: Some(Vec::new()),
            ..Clock::new()
        }
    }

    /// Does it keep apart what locks order?
    #[inline]
    pub fn is_hybrid(&self) -> bool {
        self.strong.is_some()
    }

    /// Puts the clock's owner into `slot`.
    pub fn set_owner(&mut self, slot: u16) {
        self.owner = slot;
    }

    /// How far into `slot`'s log the owner has seen.
    #[inline]
    pub fn get(&self, slot: u16) -> u64 {
        self.order.get(slot as usize).copied().unwrap_or(0)
    }

    /// The same, counting what locks order.
    #[inline]
    pub fn get_strong(&self, slot: u16) -> u64 {
        let times = self.strong.as_ref().unwrap_or(&self.order);
        times.get(slot as usize).copied().unwrap_or(0)
    }

    /// Raises the component of `slot` to `pos`. Did that change anything?
    pub fn raise(&mut self, slot: u16, pos: u64) -> bool {
        if slot == self.owner {
            return false;
        }
        let mut changed = raise(&mut self.order, slot, pos, self.owner);
        if let Some(strong) = &mut self.strong {
            changed |= raise(strong, slot, pos, self.owner);
        }
        self.stale |= changed;
        changed
    }

    /// Is it certain that joining `released` would change nothing?
    #[inline]
    pub fn knows(&self, released: &Released) -> bool {
        let seen = released.slot == self.owner || self.get(released.slot) >= released.pos;
        seen && !released.joined
    }

    /// Learns what `released` knows. Did that change anything?
    #[inline]
    pub fn join(&mut self, released: &Released) -> bool {
        let Some((order, strong)) = released.halves() else {
            return false;
        };
        if self.knows(released) {
            return false;
        }
        let mut changed = raise_all(&mut self.order, order, self.owner);
        if let Some(mine) = &mut self.strong {
            changed |= raise_all(mine, strong, self.owner);
        }
        self.stale |= changed;
        self.raise(released.slot, released.pos) || changed
    }

    /// Learns what the one who had a lock before knows: all of it, or, where
    /// that is kept apart, as a matter of locks. Did that change anything?
    #[inline]
    pub fn join_lock(&mut self, released: &Released) -> bool {
        if self.strong.is_none() || released.trusted {
            return self.join(released);
        }
        // The strong half first: it is skipped if the end is known.
        let changed = self.join_strong(released);
        self.join_section(released) | changed
    }

    /// Critical sections of one lock exclude each other. If the owner, who has
    /// it now, has learnt of something that the one before did while it had the
    /// lock, that section came first in every run, and its end is order. Did that
    /// change anything?
    #[inline]
    pub fn join_section(&mut self, released: &Released) -> bool {
        if released.slot == self.owner || self.strong.is_none() {
            return false;
        }
        let known = self.get(released.slot);
        let taken = released.pos - u64::from(released.held);
        if known <= taken || known >= released.pos {
            return false;
        }
        let Some((order, _)) = released.halves() else {
            return false;
        };
        let changed = raise_all(&mut self.order, order, self.owner);
        self.stale |= changed;
        self.raise(released.slot, released.pos) || changed
    }

    fn join_strong(&mut self, released: &Released) -> bool {
        let (owner, slot) = (self.owner, released.slot);
        let known = slot == owner || self.get_strong(slot) >= released.pos;
        let (Some(mine), Some((_, strong))) = (&mut self.strong, released.halves()) else {
            return false;
        };
        if known && !released.joined {
            return false;
        }
        let mut changed = raise_all(mine, strong, owner);
        if slot != owner {
            changed |= raise(mine, slot, released.pos, owner);
        }
        self.stale |= changed;
        changed
    }

    /// What `slot` knew at `pos`, which a snapshot tells, counts from now on,
    /// but for what only locks had told it. Did that change anything?
    pub fn join_conflict(&mut self, snapshot: &Snapshot, slot: u16, pos: u64) -> bool {
        let (order, _) = snapshot.split_at(snapshot.len() / 2);
        let changed = raise_all(&mut self.order, order, self.owner);
        self.stale |= changed;
        self.raise(slot, pos) || changed
    }

    /// All that locks order counts from now on.
    pub fn join_own(&mut self) -> bool {
        let Some(strong) = &self.strong else {
            return false;
        };
        let changed = raise_all(&mut self.order, strong, self.owner);
        self.stale |= changed;
        changed
    }

    /// Learns what `known` is, and that `slot` has come to `certain`. Up to
    /// `likely` it may have come as well: so far nothing counts as proven.
    pub fn join_known(&mut self, known: &Known, slot: u16, certain: u64, likely: u64) -> bool {
        let mut changed = raise_all(&mut self.order, &known.order, self.owner);
        if let Some(strong) = &mut self.strong {
            changed |= raise_all(strong, &known.strong, self.owner);
            if slot != self.owner {
                changed |= raise(strong, slot, likely, self.owner);
            }
        }
        self.stale |= changed;
        self.raise(slot, certain) || changed
    }

    /// What the clock of another thread says now, whose log ends at `end`. It
    /// may learn more meanwhile, some of which is in the answer.
    ///
    /// # Safety
    /// The clock stays where it is.
    pub unsafe fn look_at(clock: *const Clock, end: u64) -> Known {
        let _still = MOVING.lock();
        // SAFETY: promised by the caller; the components move only under the
        // lock.
        let (order, strong) = unsafe { (&(*clock).order, (*clock).strong.as_ref()) };
        let copy = |times: &Vec<u64>| {
            let time = |time: &u64| {
                // SAFETY: an aligned number that its owner may raise.
                unsafe { AtomicU64::from_ptr(core::ptr::from_ref(time).cast_mut()) }
                    .load(Ordering::Relaxed)
            };
            times.iter().map(time).collect()
        };
        Known {
            order: copy(order),
            strong: copy(strong.unwrap_or(order)),
            end,
        }
    }

    /// What is known now.
    #[inline]
    pub fn snapshot(&mut self) -> &Snapshot {
        if self.stale || self.snapshot.is_none() {
            self.renew_snapshot();
        }
        self.snapshot.get_or_insert_with(nothing)
    }

    #[inline(never)]
    fn renew_snapshot(&mut self) {
        self.stale = false;
        let length = self
            .order
            .len()
            .max(self.strong.as_ref().map_or(0, Vec::len));
        lengthen(&mut self.order, length, self.owner);
        if let Some(strong) = &mut self.strong {
            lengthen(strong, length, self.owner);
        }
        let strong = self.strong.as_deref().unwrap_or(&[]);
        // Asked first: to make sure takes a locked instruction.
        let only = |snapshot: &&mut Snapshot| Arc::strong_count(snapshot) == 1;
        let reusable = self.snapshot.as_mut().filter(only).and_then(Arc::get_mut);
        match reusable {
            Some(old) if old.len() == length + strong.len() => {
                let (first, second) = old.split_at_mut(length);
                first.copy_from_slice(&self.order);
                second.copy_from_slice(strong);
            }
            _ => {
                let all = self.order.iter().chain(strong).copied();
                self.snapshot = Some(all.collect());
            }
        }
    }

    /// What the owner, in `slot` and at `pos`, knows now.
    pub fn release(&mut self, slot: u16, pos: u64) -> Released {
        let mut released = Released::new();
        self.release_to(&mut released, slot, pos);
        released
    }

    /// Replaces `place` by what the owner knows now.
    #[inline]
    pub fn release_to(&mut self, place: &mut Released, slot: u16, pos: u64) {
        place.hybrid = self.strong.is_some();
        let snapshot = self.snapshot();
        match &place.times {
            Some(times) if Arc::ptr_eq(times, snapshot) => {}
            _ => place.times = Some(snapshot.clone()),
        }
        (place.slot, place.pos, place.joined) = (slot, pos, false);
        place.held = 0;
    }

    /// Adds what the owner knows now to `place`.
    pub fn release_join(&mut self, place: &mut Released, slot: u16, pos: u64) {
        let superseded = place.times.is_none() || (!place.joined && self.seen_by(slot, pos, place));
        if superseded {
            return self.release_to(place, slot, pos);
        }
        let mut sum = Clock::like(self.is_hybrid());
        sum.join(place);
        raise_all(&mut sum.order, &self.order, 0);
        if let (Some(sum), Some(mine)) = (&mut sum.strong, &self.strong) {
            raise_all(sum, mine, 0);
        }
        sum.raise(slot, pos);
        sum.stale = true;
        sum.release_to(place, slot, pos);
        place.joined = true;
    }

    fn like(hybrid: bool) -> Clock {
        if hybrid {
            Clock::hybrid()
        } else {
            Clock::new()
        }
    }

    fn seen_by(&self, slot: u16, pos: u64, released: &Released) -> bool {
        let known = if released.slot == slot {
            pos
        } else {
            self.get(released.slot)
        };
        known >= released.pos
    }
}

impl Released {
    /// Nobody has released yet.
    pub const fn new() -> Released {
        Released {
            times: None,
            slot: 0,
            joined: false,
            hybrid: false,
            trusted: false,
            pos: 0,
            held: 0,
        }
    }

    /// It is a lock that was given back, and held since position `taken` at
    /// least.
    #[inline]
    pub fn held_since(&mut self, taken: u64) {
        self.held = (self.pos - taken).min(u16::MAX.into()) as u16;
    }

    /// What counts as order, and what locks order.
    #[inline]
    fn halves(&self) -> Option<(&[u64], &[u64])> {
        let times = self.times.as_ref()?;
        Some(if self.hybrid {
            times.split_at(times.len() / 2)
        } else {
            (times, times)
        })
    }

    /// From now on, until it is replaced, what it says is meant as order.
    pub fn trust(&mut self, trusted: bool) {
        self.trusted = trusted;
    }

    /// Is what it says meant as order?
    pub fn is_trusted(&self) -> bool {
        self.trusted
    }

    /// What the releaser knew.
    pub fn known(&self) -> Known {
        let (order, strong) = self.halves().unwrap_or((&[], &[]));
        Known {
            order: order.to_vec(),
            strong: strong.to_vec(),
            end: self.pos,
        }
    }

    /// Does it put what `slot` did at `pos` before what comes after?
    pub fn has_seen(&self, slot: u16, pos: u64) -> bool {
        let seen = |order: &[u64]| order.get(slot as usize).is_some_and(|seen| pos < *seen);
        (slot == self.slot && pos < self.pos) || self.halves().is_some_and(|(order, _)| seen(order))
    }

    /// Has anybody released?
    pub fn is_empty(&self) -> bool {
        self.times.is_none()
    }

    /// Who released last; 0 if nobody has.
    pub fn slot(&self) -> u16 {
        if self.times.is_some() { self.slot } else { 0 }
    }

    /// Adds another release to this one.
    pub fn merge(&mut self, other: &Released) {
        if self.times.is_none() {
            *self = other.clone();
        } else if other.times.is_some() {
            let mut sum = Clock::like(self.hybrid);
            sum.join(self);
            sum.join(other);
            let (slot, pos) = (self.slot, self.pos);
            sum.release_to(self, slot, pos);
            self.joined = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_carries_the_whole_clock() {
        let mut a = Clock::new();
        a.raise(5, 50);
        let mut place = Released::new();
        a.release_to(&mut place, 1, 10);
        let mut b = Clock::new();
        assert!(b.join(&place));
        assert_eq!((b.get(5), b.get(1), b.get(2)), (50, 10, 0));
        assert!(!b.join(&place), "nothing new the second time");
    }

    #[test]
    fn joined_releases_keep_both_sides() {
        let mut place = Released::new();
        let (mut a, mut b) = (Clock::new(), Clock::new());
        a.raise(7, 70);
        a.release_join(&mut place, 1, 10);
        b.raise(8, 80);
        b.release_join(&mut place, 2, 20);
        let mut c = Clock::new();
        c.raise(2, 20);
        assert!(
            c.join(&place),
            "having seen the last releaser is not enough"
        );
        assert_eq!((c.get(1), c.get(2), c.get(7), c.get(8)), (10, 20, 70, 80));
    }

    #[test]
    fn a_snapshot_in_use_is_not_changed() {
        let mut a = Clock::new();
        a.raise(3, 30);
        let first = a.release(1, 1);
        a.raise(3, 31);
        let second = a.release(1, 2);
        let mut seen = Clock::new();
        seen.join(&first);
        assert_eq!(seen.get(3), 30);
        seen.join(&second);
        assert_eq!(seen.get(3), 31);
    }

    #[test]
    fn what_locks_order_is_kept_apart() {
        let (mut a, mut b) = (Clock::hybrid(), Clock::hybrid());
        a.raise(5, 50);
        let released = a.release(1, 10);
        assert!(b.join_lock(&released));
        assert_eq!((b.get(1), b.get(5)), (0, 0));
        assert_eq!((b.get_strong(1), b.get_strong(5)), (10, 50));
        assert!(!b.join_lock(&released));
        // A lock that is meant to order makes it count.
        let mut meant = released.clone();
        meant.trust(true);
        let mut c = b.clone();
        assert!(c.join_lock(&meant));
        assert_eq!((c.get(1), c.get(5)), (10, 50));
        // A semaphore that passes the same on does, too.
        assert!(b.join(&released));
        assert_eq!((b.get(1), b.get(5)), (10, 50));
    }
}
