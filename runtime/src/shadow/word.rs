//! The record: what one slot did to one granule, in a word.
//!
//! The masks tell what the slot did in its newest segment there, all of it
//! plain or all of it atomic. What it did before and still counts (a read does
//! not make a write superfluous, nor one half of a word the other) is found in
//! the log, along the chain that starts at the record's position; `O` and `H`
//! say whether there is any, and whether it was a write.

use racert_abi::word as abi;

/// Slot number that marks a reference to a cell.
pub const CELL_SLOT: u16 = (1 << abi::SLOT_BITS) - 1;
/// Slots that threads may occupy: 1 to this, exclusive. 0 would make an empty
/// word; the one below [`CELL_SLOT`] is left out so that the distance from a
/// thread's own word to a cell reference never looks like the same segment.
pub const SLOT_LIMIT: u16 = CELL_SLOT - 1;
/// Positions are smaller than this.
pub const POS_LIMIT: u64 = 1 << abi::POS_BITS;

/// A record, or the empty word, or a reference to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(pub u64);

/// What a record's chain holds beside what the masks tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Older {
    /// Nothing.
    None,
    /// Reads only.
    Reads,
    /// Writes, too.
    Writes,
}

/// Which bytes of a granule, and what happened to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// One bit a byte.
    pub bytes: u8,
    /// Written, or only read.
    pub write: bool,
    /// By an atomic operation.
    pub atomic: bool,
}

impl Touch {
    /// May the two happen at the same time only by mistake?
    #[inline]
    pub fn conflicts(self, other: Touch) -> bool {
        self.bytes & other.bytes != 0
            && (self.write || other.write)
            && !(self.atomic && other.atomic)
    }

    /// The same kind of access, whatever the bytes?
    #[inline]
    pub fn is_like(self, other: Touch) -> bool {
        self.write == other.write && self.atomic == other.atomic
    }

    /// Whatever conflicts with `older` also conflicts with `self`, so that a
    /// detector that knows `self` may forget `older` if it came before.
    #[inline]
    pub fn dominates(self, older: Touch) -> bool {
        older.bytes & !self.bytes == 0
            && (self.write || !older.write)
            && (!self.atomic || older.atomic)
    }
}

impl Word {
    /// Nothing recorded.
    pub const EMPTY: Word = Word(0);

    /// The record of a touch whose newest log entry is at `pos`.
    #[inline]
    pub fn new(slot: u16, pos: u64, touch: Touch, older: Older) -> Word {
        let bytes = u64::from(touch.bytes);
        let written = if touch.write { bytes } else { 0 };
        Word::from_masks(slot, pos, (bytes, written), touch.atomic, older)
    }

    #[inline]
    fn from_masks(
        slot: u16,
        pos: u64,
        (accessed, written): (u64, u64),
        atomic: bool,
        older: Older,
    ) -> Word {
        let older = match older {
            Older::None => 0,
            Older::Reads => abi::OLDER,
            Older::Writes => abi::OLDER | abi::OLDER_WRITE,
        };
        Word(
            u64::from(slot) << abi::SLOT_SHIFT
                | pos << abi::POS_SHIFT
                | (!accessed & 0xff) << abi::ACCESSED_SHIFT
                | (!written & 0xff) << abi::WRITTEN_SHIFT
                | if atomic { abi::ATOMIC } else { 0 }
                | older,
        )
    }

    /// The same slot's record after one more touch of the same kind in the same
    /// segment, whose newest log entry is now at `pos`.
    #[inline]
    pub fn with(self, pos: u64, touch: Touch, older: Older) -> Word {
        let written = self.written() | if touch.write { touch.bytes } else { 0 };
        let masks = ((self.accessed() | touch.bytes).into(), written.into());
        Word::from_masks(self.slot(), pos, masks, touch.atomic, older)
    }

    /// Slot.
    #[inline]
    pub fn slot(self) -> u16 {
        (self.0 >> abi::SLOT_SHIFT) as u16
    }

    /// Position of the newest log entry.
    #[inline]
    pub fn pos(self) -> u64 {
        self.0 >> abi::POS_SHIFT & (POS_LIMIT - 1)
    }

    /// Bytes accessed in the newest segment.
    #[inline]
    pub fn accessed(self) -> u8 {
        !(self.0 >> abi::ACCESSED_SHIFT) as u8
    }

    /// Bytes written in the newest segment.
    #[inline]
    pub fn written(self) -> u8 {
        !(self.0 >> abi::WRITTEN_SHIFT) as u8
    }

    /// Were the accesses of the masks atomic?
    #[inline]
    pub fn atomic(self) -> bool {
        self.0 & abi::ATOMIC != 0
    }

    /// Which older accesses count beside the masks?
    #[inline]
    pub fn older(self) -> Older {
        match (self.0 & abi::OLDER, self.0 & abi::OLDER_WRITE) {
            (0, _) => Older::None,
            (_, 0) => Older::Reads,
            _ => Older::Writes,
        }
    }

    /// A reference to a cell?
    #[inline]
    pub fn is_cell(self) -> bool {
        self.slot() == CELL_SLOT
    }

    /// All the masks say, as one touch: it conflicts with whatever one of the
    /// accesses conflicts with.
    #[inline]
    pub fn touch(self) -> Touch {
        Touch {
            bytes: self.accessed(),
            write: self.written() != 0,
            atomic: self.atomic(),
        }
    }

    /// Is `touch` already contained in the masks?
    #[inline]
    pub fn covers(self, touch: Touch) -> bool {
        let have = if touch.write {
            self.written()
        } else {
            self.accessed()
        };
        touch.bytes & !have == 0 && self.atomic() == touch.atomic
    }

    /// Does `touch` conflict with what the masks say?
    #[inline]
    pub fn conflicts(self, touch: Touch) -> bool {
        let rival = if touch.write {
            self.accessed()
        } else {
            self.written()
        };
        touch.bytes & rival != 0 && !(touch.atomic && self.atomic())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touches() -> impl Iterator<Item = Touch> {
        [0x01u8, 0x0f, 0xf0, 0xff].into_iter().flat_map(|bytes| {
            [(false, false), (true, false), (false, true), (true, true)].map(|(write, atomic)| {
                Touch {
                    bytes,
                    write,
                    atomic,
                }
            })
        })
    }

    #[test]
    fn fields_survive_the_packing() {
        for touch in touches() {
            for older in [Older::None, Older::Reads, Older::Writes] {
                let w = Word::new(4000, POS_LIMIT - 1, touch, older);
                assert_eq!((w.slot(), w.pos(), w.touch()), (4000, POS_LIMIT - 1, touch));
                assert!(w.older() == older && !w.is_cell());
            }
        }
    }

    #[test]
    fn a_dominating_touch_conflicts_with_everything_the_older_one_does() {
        for newer in touches() {
            for older in touches().filter(|&t| newer.dominates(t)) {
                for other in touches().filter(|t| t.conflicts(older)) {
                    assert!(other.conflicts(newer), "{newer:?} {older:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn union_in_a_segment_keeps_both_masks() {
        let read = Touch {
            bytes: 0x0f,
            write: false,
            atomic: false,
        };
        let write = Touch {
            bytes: 0xf0,
            write: true,
            atomic: false,
        };
        let w = Word::new(1, 10, read, Older::None).with(11, write, Older::None);
        assert_eq!((w.accessed(), w.written(), w.pos()), (0xff, 0xf0, 11));
        assert!(w.covers(read) && w.covers(write));
        assert!(!w.covers(Touch {
            bytes: 0x0f,
            write: true,
            atomic: false
        }));
    }
}
