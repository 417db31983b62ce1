//! Critical sections of others whose end a thread knows.
//!
//! What happened in them is in order for this thread, for ever. So it is
//! remembered, for the slots asked about last, up to where that goes.

use core::cell::Cell;

pub(crate) const SIZE: usize = 8;

/// A slot and the first position that does not count; assembly in
/// [`crate::entry`] knows the layout.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Stretch {
    slot: u64,
    end: u64,
}

const _: () = assert!(size_of::<Stretch>() == 16);

/// See the module's description.
#[derive(Default)]
pub struct Settled([Cell<Stretch>; SIZE]);

impl Settled {
    /// Is `pos` of `slot` known to be in such a section?
    #[inline]
    pub(super) fn has(&self, slot: u16, pos: u64) -> bool {
        let known = self.0[slot as usize % SIZE].get();
        known.slot == u64::from(slot) && pos < known.end
    }

    /// All positions of `slot` before `end` are.
    pub fn put(&self, slot: u16, end: u64) {
        let place = &self.0[slot as usize % SIZE];
        let (known, slot) = (place.get(), u64::from(slot));
        if known.slot != slot || known.end < end {
            place.set(Stretch { slot, end });
        }
    }
}
