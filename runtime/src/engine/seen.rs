//! How far into others' logs a thread has seen, where assembly finds it.
//!
//! What was found to be ordered stays so: clocks only grow. The slots asked
//! about last are remembered.

use core::cell::Cell;

pub(crate) const SIZE: usize = 8;

/// A slot, and a position: what is before that is ordered.
pub(crate) type Reach = [u64; 2];

/// See the module's description.
#[derive(Default)]
pub struct Seen([Cell<Reach>; SIZE]);

impl Seen {
    /// The thread has seen `slot` up to `end`.
    #[inline]
    pub(super) fn put(&self, slot: u16, end: u64) {
        self.0[slot as usize % SIZE].set([slot.into(), end]);
    }
}
