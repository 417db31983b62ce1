//! Log entries and the chains they form.
//!
//! ```text
//!  63            32 31        16 15     8 7   0
//! +----------------+------------+--------+-----+
//! |    stack id    |  distance  | bytes  |flags|
//! +----------------+------------+--------+-----+
//! ```
//!
//! `distance` leads back to the segment's previous entry for the same granule,
//! 0 if there is none. If it is too far back for 16 bits, the flag `FAR` says
//! that its position is in a second word.

use super::{Writer, read};
use crate::shadow::word::Touch;

pub(crate) const WRITE: u64 = 1;
const ATOMIC: u64 = 2;
const FREE: u64 = 4;
const FAR: u64 = 8;
pub(crate) const UNIT_SHIFT: u32 = 5;
pub(crate) const BYTES_SHIFT: u32 = 8;
pub(crate) const STACK_SHIFT: u32 = 32;

pub(crate) const DISTANCE_SHIFT: u32 = 16;

pub(crate) const MAX_DISTANCE: u64 = 0xffff;

/// One access as the log remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When: a position in the slot's log.
    pub pos: u64,
    /// What.
    pub touch: Touch,
    /// Bytes one access had: an entry may stand for several from one place,
    /// to neighbouring bytes.
    pub unit: u8,
    /// The memory was given back to the heap.
    pub free: bool,
    /// Where: an id of [`crate::stack`].
    pub stack: u32,
}

/// Walks from the entry at a position to the older ones of the same granule.
pub struct Chain {
    slot: u16,
    next: Option<u64>,
}

impl Chain {
    /// The chain that starts at `pos` in the log of `slot`.
    pub fn new(slot: u16, pos: u64) -> Chain {
        Chain {
            slot,
            next: Some(pos),
        }
    }

    /// The position of the entry that `next` will give.
    pub fn position(&self) -> Option<u64> {
        self.next
    }
}

impl Iterator for Chain {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let at = self.next.take()?;
        let word = read(self.slot, at)?;
        let (previous, is_far) = previous(self.slot, at, word);
        if is_far && previous.is_none() {
            return None;
        }
        self.next = previous;
        Some(Entry {
            pos: at,
            touch: Touch {
                bytes: (word >> BYTES_SHIFT) as u8,
                write: word & WRITE != 0,
                atomic: word & ATOMIC != 0,
            },
            unit: (word >> UNIT_SHIFT & 7) as u8 + 1,
            free: word & FREE != 0,
            stack: (word >> STACK_SHIFT) as u32,
        })
    }
}

/// The position that the entry `word`, at `at` in the log of `slot`, leads to,
/// and whether that is in a second word, which may not be kept.
#[inline]
pub(super) fn previous(slot: u16, at: u64, word: u64) -> (Option<u64>, bool) {
    let distance = word >> DISTANCE_SHIFT & MAX_DISTANCE;
    if distance != 0 {
        (Some(at - distance), false)
    } else if word & FAR != 0 {
        (read(slot, at + 1), true)
    } else {
        (None, false)
    }
}

/// From which offset on chains through the `words` of a chunk, by their distance
/// from its `start` in rising order, lead to nothing before it? No other words
/// are kept.
pub(super) fn closed_from(start: u64, words: &[(u16, u64)]) -> u16 {
    let (mut closed, mut words) = (0, words.iter());
    while let Some(&(offset, word)) = words.next() {
        let distance = word >> DISTANCE_SHIFT & MAX_DISTANCE;
        let previous = if distance != 0 {
            (start + u64::from(offset)).checked_sub(distance)
        } else if word & FAR != 0 {
            words.next().map(|&(_, previous)| previous)
        } else {
            continue;
        };
        // What leads there leads on.
        let leads_out = |previous| previous < start + u64::from(closed);
        if previous.is_none_or(leads_out) {
            closed = offset + 1;
        }
    }
    closed
}

/// The word of an entry that leads to no other.
pub(crate) fn pack(touch: Touch, unit: u8, free: bool, stack: u32) -> u64 {
    u64::from(stack) << STACK_SHIFT
        | u64::from((unit - 1) & 7) << UNIT_SHIFT
        | u64::from(touch.bytes) << BYTES_SHIFT
        | if touch.write { WRITE } else { 0 }
        | if touch.atomic { ATOMIC } else { 0 }
        | if free { FREE } else { 0 }
}

impl Writer {
    /// Appends an entry for `touch` whose predecessor in the granule is at
    /// `previous`; the new entry's position.
    pub fn append(
        &mut self,
        touch: Touch,
        unit: u8,
        free: bool,
        stack: u32,
        previous: Option<u64>,
    ) -> u64 {
        let word = pack(touch, unit, free, stack);
        let Some(previous) = previous else {
            return self.push(word);
        };
        if self.end() - previous <= MAX_DISTANCE {
            return self.push(word | (self.end() - previous) << DISTANCE_SHIFT);
        }
        self.keep_together(2);
        let pos = self.push(word | FAR);
        self.push(previous);
        pos
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slot;

    fn touch(bytes: u8, write: bool) -> Touch {
        Touch {
            bytes,
            write,
            atomic: false,
        }
    }

    #[test]
    fn chunks_are_left_by_what_leads_before_them() {
        let entry = 7 << STACK_SHIFT | 1 << BYTES_SHIFT;
        let near = |distance: u64| entry | distance << DISTANCE_SHIFT;
        let (far, start) = (entry | FAR, 4096);
        let closed = |words: &[(u16, u64)]| closed_from(start, words);
        assert_eq!(closed(&[(3, entry), (9, near(6)), (20, near(20))]), 0);
        assert_eq!(closed(&[(3, entry), (9, near(10))]), 10);
        assert_eq!(closed(&[(3, near(4)), (9, near(1)), (10, near(7))]), 11);
        assert_eq!(closed(&[(3, near(4)), (9, entry), (10, near(1))]), 4);
        assert_eq!(closed(&[(2000, far), (2001, start), (2002, entry)]), 0);
        assert_eq!(
            closed(&[(2000, far), (2001, start - 1), (2002, entry)]),
            2001
        );
        assert_eq!(closed(&[(2000, far)]), 2001);
    }

    #[test]
    fn chains_lead_back_near_and_far() {
        crate::init::for_tests();
        let lease = slot::fresh_for_tests();
        let slot = lease.slot;
        let mut log = Writer::new(slot, lease.start);
        let a = log.append(touch(0x0f, true), 4, false, 7, None);
        let b = log.append(touch(0xf0, false), 4, false, 8, Some(a));
        for _ in 0..100_000 {
            log.skip();
        }
        let c = log.append(touch(0x01, false), 1, true, 9, Some(b));
        let seen: Vec<Entry> = Chain::new(slot, c).collect();
        assert_eq!(
            seen.iter().map(|e| (e.pos, e.stack)).collect::<Vec<_>>(),
            [(c, 9), (b, 8), (a, 7)]
        );
        assert!(seen[0].free && seen[2].touch.write);
    }
}
