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
//! that a second word, a record's, has its position.
//!
//! Rewritten code writes entries so often that looking up the number of a stack
//! each time would take longer than all else. Its entries have the flag `PLACE`
//! and the parts of a stack, which becomes one when somebody reads them:
//!
//! ```text
//!  63      42 41             16 15     8 7   0
//! +----------+-----------------+--------+-----+
//! | context  | number of code  | bytes  |flags|
//! +----------+-----------------+--------+-----+
//! ```

use super::{Writer, read};
use crate::rewritten::numbers;
use crate::shadow::word::{POS_LIMIT, Touch};
use crate::stack;
use racert_abi::word::POS_SHIFT;

pub(crate) const WRITE: u64 = 1;
const ATOMIC: u64 = 2;
const FREE: u64 = 4;
pub(crate) const FAR: u64 = 8;
pub(crate) const PLACE: u64 = 1 << 4;
pub(crate) const UNIT_SHIFT: u32 = 5;
pub(crate) const BYTES_SHIFT: u32 = 8;
pub(crate) const STACK_SHIFT: u32 = 32;
const DISTANCE_SHIFT: u32 = 16;
const MAX_DISTANCE: u64 = 0xffff;

/// Where an entry with [`PLACE`] has the number of its code address, and its
/// context.
pub(crate) const NUMBER_SHIFT: u32 = 16;
pub(crate) const CONTEXT_SHIFT: u32 = NUMBER_SHIFT + numbers::BITS;
/// Contexts from this one on do not fit there.
pub(crate) const CONTEXTS: u32 = 1 << (u64::BITS - CONTEXT_SHIFT);

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

    /// Goes on as `next`; the word that it would have read.
    pub(super) fn step(&mut self) -> Option<u64> {
        let at = self.next.take()?;
        let word = read(self.slot, at)?;
        let (previous, is_far) = previous(self.slot, at, word);
        if is_far && previous.is_none() {
            return None;
        }
        self.next = previous;
        Some(word)
    }
}

impl Iterator for Chain {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let pos = self.next?;
        let word = self.step()?;
        Some(Entry {
            pos,
            touch: Touch {
                bytes: (word >> BYTES_SHIFT) as u8,
                write: word & WRITE != 0,
                atomic: word & ATOMIC != 0,
            },
            unit: (word >> UNIT_SHIFT & 7) as u8 + 1,
            free: word & FREE != 0,
            stack: stack_of(word),
        })
    }
}

/// The stack of an entry.
fn stack_of(word: u64) -> u32 {
    if word & PLACE == 0 {
        return (word >> STACK_SHIFT) as u32;
    }
    let number = word >> NUMBER_SHIFT & ((1 << numbers::BITS) - 1);
    let context = (word >> CONTEXT_SHIFT) as u32;
    stack::intern(context, numbers::address(number))
}

/// The stacks of the entries of `slot` from position `start` to `end`, those
/// that are kept.
pub(crate) fn stacks(slot: u16, start: u64, end: u64) -> impl Iterator<Item = u32> {
    let mut at = start;
    core::iter::from_fn(move || {
        while at < end {
            let word = read(slot, at).unwrap_or(0);
            at += if word & FAR != 0 { 2 } else { 1 };
            if (word >> BYTES_SHIFT) as u8 != 0 {
                return Some(stack_of(word));
            }
        }
        None
    })
}

/// How far back the previous entry is, if that is in the entry itself.
fn distance(word: u64) -> u64 {
    match word & PLACE {
        0 => word >> DISTANCE_SHIFT & MAX_DISTANCE,
        _ => 0,
    }
}

/// The position that the second word of an entry has.
fn far(word: u64) -> u64 {
    word >> POS_SHIFT & (POS_LIMIT - 1)
}

/// The position that the entry `word`, at `at` in the log of `slot`, leads to,
/// and whether that is in a second word, which may not be kept.
#[inline]
pub(super) fn previous(slot: u16, at: u64, word: u64) -> (Option<u64>, bool) {
    let distance = distance(word);
    if distance != 0 {
        (Some(at - distance), false)
    } else if word & FAR != 0 {
        (read(slot, at + 1).map(far), true)
    } else {
        (None, false)
    }
}

/// The positions before `start` that the `words` of a chunk which begins there
/// lead to; they have their distances from it, in rising order.
pub(super) fn leads_before(
    start: u64,
    mut words: impl Iterator<Item = (u16, u64)>,
) -> impl Iterator<Item = u64> {
    core::iter::from_fn(move || {
        let (offset, word) = words.next()?;
        let distance = distance(word);
        Some(if distance != 0 {
            (start + u64::from(offset)).checked_sub(distance)
        } else if word & FAR != 0 {
            words.next().map(|(_, previous)| far(previous))
        } else {
            None
        })
    })
    .flatten()
    .filter(move |previous| *previous < start)
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

/// The word of an entry of rewritten code that leads to no other, in `context`
/// and with the [number](numbers) of the code address; `None` if they are too
/// large.
pub(crate) fn pack_place(touch: Touch, unit: u8, context: u32, number: u64) -> Option<u64> {
    let fits = context < CONTEXTS && number >> numbers::BITS == 0;
    let parts = u64::from(context) << CONTEXT_SHIFT | number << NUMBER_SHIFT;
    fits.then(|| pack(touch, unit, false, 0) | parts | PLACE)
}

impl Writer {
    /// Appends the entry `word`, which leads to no other yet, on top of the one
    /// at `previous`, however far back that is; the new entry's position.
    pub(crate) fn append_far(&mut self, word: u64, previous: u64) -> u64 {
        self.keep_together(2);
        let pos = self.push(word | FAR);
        self.push(previous << POS_SHIFT);
        pos
    }

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
        self.append_far(word, previous)
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
        let none: [u64; 0] = [];
        let leads =
            |words: &[(u16, u64)]| leads_before(start, words.iter().copied()).collect::<Vec<u64>>();
        assert_eq!(leads(&[(3, entry), (9, near(6)), (20, near(20))]), none);
        assert_eq!(leads(&[(3, entry), (9, near(10))]), [4095]);
        assert_eq!(
            leads(&[(3, near(4)), (9, near(1)), (10, near(17))]),
            [4095, 4089]
        );
        let second = |pos: u64| (2001, pos << POS_SHIFT | 0x0f00);
        assert_eq!(leads(&[(2000, far), second(start), (2002, entry)]), none);
        assert_eq!(
            leads(&[(2000, far), second(start - 1), (2002, near(2003))]),
            [4095, 4095]
        );
        let number = entry | PLACE | 0x5555 << NUMBER_SHIFT;
        assert_eq!(leads(&[(3, number), (9, number)]), none);
        assert_eq!(leads(&[(2000, far)]), none);
    }

    #[test]
    fn stacks_are_those_of_entries() {
        crate::init::for_tests();
        let lease = slot::fresh_for_tests();
        let mut log = Writer::new(lease.slot, lease.start);
        let before = log.append(touch(0x0f, true), 4, false, 7, None);
        let start = log.end();
        log.skip();
        log.append(touch(0x0f, true), 4, false, 8, None);
        log.mark();
        let word = pack(touch(0x01, false), 1, false, 9);
        log.append_far(word, before);
        log.append(touch(0xf0, false), 4, false, 10, None);
        let seen = |start, end| stacks(lease.slot, start, end).collect::<Vec<u32>>();
        assert_eq!(seen(start, log.end()), [8, 9, 10]);
        assert_eq!(seen(before, start + 1), [7]);
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
        let place = pack_place(touch(0x03, true), 2, stack::ROOT, 0x1234).unwrap();
        let (d, e) = (log.push(place), log.append_far(place, c));
        assert_eq!(Chain::new(slot, d).count(), 1);
        let seen: Vec<Entry> = Chain::new(slot, e).collect();
        assert_eq!(seen.len(), 4);
        assert_eq!(seen[0].stack, stack::intern(stack::ROOT, 0x1234));
        assert_eq!((seen[0].touch, seen[0].unit), (touch(0x03, true), 2));
        assert_eq!(pack_place(touch(1, true), 1, CONTEXTS, 0), None);
        assert_eq!(pack_place(touch(1, true), 1, 0, 1 << numbers::BITS), None);
    }
}
