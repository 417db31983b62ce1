//! How far something is true of other slots' logs, where assembly finds it.
//!
//! A thread has seen what is before some position, or knows that all critical
//! sections before it have ended. Either stays true: clocks only grow. So it is
//! remembered, for the slots asked about last.

use core::cell::Cell;

pub(crate) const SIZE: usize = 8;

/// A slot and the first position of which it is not known; assembly in
/// [`crate::entry`] and [`crate::rewritten`] knows the layout.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Stretch {
    slot: u64,
    end: u64,
}

// Assembly shifts by this much.
const _: () = assert!(size_of::<Stretch>() == 1 << 4);

/// See the module's description.
#[derive(Default)]
pub struct Reach([Cell<Stretch>; SIZE]);

impl Reach {
    /// Is it known of `pos` of `slot`?
    #[inline]
    pub(super) fn has(&self, slot: u16, pos: u64) -> bool {
        let known = self.0[slot as usize % SIZE].get();
        known.slot == u64::from(slot) && pos < known.end
    }

    /// It is true of all positions of `slot` before `end`.
    #[inline]
    pub fn put(&self, slot: u16, end: u64) {
        let place = &self.0[slot as usize % SIZE];
        let (known, slot) = (place.get(), u64::from(slot));
        if known.slot != slot || known.end < end {
            place.set(Stretch { slot, end });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Reach, SIZE};

    #[test]
    fn the_farthest_of_the_slot_asked_about_last() {
        let (reach, other) = (Reach::default(), 3 + SIZE as u16);
        assert!(!reach.has(0, 0) && !reach.has(3, 0));
        reach.put(3, 10);
        reach.put(3, 7);
        assert!(reach.has(3, 9) && !reach.has(3, 10) && !reach.has(other, 9));
        reach.put(other, 5);
        assert!(reach.has(other, 4) && !reach.has(3, 4));
    }
}
