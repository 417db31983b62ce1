//! Critical sections of others whose end a thread knows.
//!
//! What happened in them is in order for this thread, for ever. Data mostly
//! changes hands in pieces that were made together, so the stretches of other
//! slots' logs asked about last are remembered.

use core::cell::Cell;
use core::ops::Range;

const SIZE: usize = 8;

/// See the module's description.
#[derive(Default)]
pub struct Settled([Cell<(u16, u64, u64)>; SIZE]);

impl Settled {
    /// Is `pos` of `slot` known to be in such a stretch?
    #[inline]
    pub(super) fn has(&self, slot: u16, pos: u64) -> bool {
        let (of, start, end) = self.0[slot as usize % SIZE].get();
        of == slot && (start..end).contains(&pos)
    }

    /// It is. What is known to be in a longer stretch from the beginning stays.
    pub fn put(&self, slot: u16, range: Range<u64>) {
        let place = &self.0[slot as usize % SIZE];
        let (of, start, end) = place.get();
        if of != slot || start != 0 || end < range.end {
            place.set((slot, range.start, range.end));
        }
    }
}
