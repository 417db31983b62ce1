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

use alloc::sync::Arc;
use alloc::vec::Vec;

/// A thread's own clock.
#[derive(Default, Clone)]
pub struct Clock {
    times: Vec<u64>,
    /// The owner's own slot, whose component is the end of its log and not
    /// kept here.
    owner: u16,
    /// A copy handed out to sync objects; current unless `stale`.
    snapshot: Option<Arc<[u64]>>,
    stale: bool,
}

/// What a sync object remembers of the releases made on it.
#[derive(Default, Clone, Debug)]
pub struct Released {
    /// The releaser's view of the other slots; `None` before any release.
    times: Option<Arc<[u64]>>,
    /// The last releaser.
    slot: u16,
    /// Its position then.
    pos: u64,
    /// More than one release was joined: the pair alone does not stand for it.
    joined: bool,
}

impl Clock {
    /// A clock that has seen nothing.
    pub const fn new() -> Clock {
        Clock {
            times: Vec::new(),
            owner: 0,
            snapshot: None,
            stale: true,
        }
    }

    /// Puts the clock's owner into `slot`.
    pub fn set_owner(&mut self, slot: u16) {
        self.owner = slot;
    }

    /// How far into `slot`'s log the owner has seen.
    #[inline]
    pub fn get(&self, slot: u16) -> u64 {
        self.times.get(slot as usize).copied().unwrap_or(0)
    }

    /// Raises the component of `slot` to `pos`. Did that change anything?
    pub fn raise(&mut self, slot: u16, pos: u64) -> bool {
        if slot == self.owner {
            return false;
        }
        let i = slot as usize;
        if self.times.len() <= i {
            self.times.resize(i + 1, 0);
        }
        let higher = self.times[i] < pos;
        if higher {
            self.times[i] = pos;
            self.stale = true;
        }
        higher
    }

    fn raise_all(&mut self, times: &[u64]) -> bool {
        if self.times.len() < times.len() {
            self.times.resize(times.len(), 0);
        }
        let own = self.get(self.owner);
        let mut changed = false;
        for (i, (mine, &theirs)) in self.times.iter_mut().zip(times).enumerate() {
            changed |= *mine < theirs && i != self.owner as usize;
            *mine = (*mine).max(theirs);
        }
        if let Some(mine) = self.times.get_mut(self.owner as usize) {
            *mine = own;
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
        let Some(times) = &released.times else {
            return false;
        };
        if self.knows(released) {
            return false;
        }
        let changed = self.raise_all(times);
        self.raise(released.slot, released.pos) || changed
    }

    fn snapshot(&mut self) -> &Arc<[u64]> {
        if self.stale || self.snapshot.is_none() {
            self.stale = false;
            let reusable = self.snapshot.as_mut().and_then(Arc::get_mut);
            match reusable {
                Some(old) if old.len() == self.times.len() => old.copy_from_slice(&self.times),
                _ => self.snapshot = Some(Arc::from(&self.times[..])),
            }
        }
        self.snapshot.get_or_insert_with(|| Arc::from(&[][..]))
    }

    /// What the owner, in `slot` and at `pos`, knows now.
    pub fn release(&mut self, slot: u16, pos: u64) -> Released {
        Released {
            times: Some(self.snapshot().clone()),
            slot,
            pos,
            joined: false,
        }
    }

    /// Replaces `place` by what the owner knows now.
    #[inline]
    pub fn release_to(&mut self, place: &mut Released, slot: u16, pos: u64) {
        let snapshot = self.snapshot();
        match &place.times {
            Some(times) if Arc::ptr_eq(times, snapshot) => {}
            _ => place.times = Some(snapshot.clone()),
        }
        (place.slot, place.pos, place.joined) = (slot, pos, false);
    }

    /// Adds what the owner knows now to `place`.
    pub fn release_join(&mut self, place: &mut Released, slot: u16, pos: u64) {
        let superseded = place.times.is_none() || (!place.joined && self.seen_by(slot, pos, place));
        if superseded {
            return self.release_to(place, slot, pos);
        }
        let mut sum = Clock::new();
        sum.join(place);
        sum.raise_all(&self.times);
        sum.raise(slot, pos);
        *place = Released {
            times: Some(sum.snapshot().clone()),
            slot,
            pos,
            joined: true,
        };
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
            pos: 0,
            joined: false,
        }
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
            let mut sum = Clock::new();
            sum.join(self);
            sum.join(other);
            self.times = Some(sum.snapshot().clone());
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
}
