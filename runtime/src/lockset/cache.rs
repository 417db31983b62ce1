//! A thread's own way from a set and a lock to the larger set.

use super::{Item, LocksetId, add};
use crate::lock::{LockId, Mode};
use alloc::vec::Vec;

/// Steps remembered: 1.5 KiB, made when first used.
const SIZE: usize = 128;

#[derive(Clone, Copy)]
struct Step {
    from: LocksetId,
    item: Item,
    to: LocksetId,
}

/// Steps made before.
#[derive(Default)]
pub struct Cache(Vec<Step>);

impl Cache {
    /// Nothing yet.
    pub const fn new() -> Cache {
        Cache(Vec::new())
    }

    /// As [`add`].
    #[inline]
    pub fn add(&mut self, set: LocksetId, lock: LockId, mode: Mode) -> LocksetId {
        let item = Item::new(lock, mode);
        if self.0.is_empty() {
            // Nobody asks for the empty set and this item together.
            let none = Step {
                from: LocksetId::UNKNOWN,
                item,
                to: LocksetId::UNKNOWN,
            };
            self.0.resize(SIZE, none);
        }
        let mixed = (set.number() ^ item.0.rotate_left(16)).wrapping_mul(0x9e37_79b9);
        let step = &mut self.0[mixed as usize >> 16 & (SIZE - 1)];
        if (step.from, step.item) != (set, item) {
            let to = add(set, lock, mode);
            *step = Step {
                from: set,
                item,
                to,
            };
        }
        step.to
    }
}
