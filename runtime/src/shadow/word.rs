//! The record: what one slot did to one granule in one segment, in a word.
//!
//! The masks are all of it plain accesses or all of it atomic ones; where they
//! were made from is in the log, along the chain that starts at the record's
//! position. What came before and still counts is in records of its own,
//! [`super::beside`] the newest one.

use racert_abi::word as abi;

/// Slot number that marks a reference to a cell and what else is no record.
pub const CELL_SLOT: u16 = (1 << abi::SLOT_BITS) - 1;
/// Slots that threads may occupy: 1 to this, exclusive. 0 would make an empty
/// word; the one below [`CELL_SLOT`] is left out so that the distance from a
/// thread's own word to a cell reference never looks like the same segment.
pub const SLOT_LIMIT: u16 = CELL_SLOT - 1;
/// Positions are smaller than this.
pub const POS_LIMIT: u64 = 1 << abi::POS_BITS;

/// What a mark of the heap has in these bits: no bytes, and a flag that records
/// have together with some.
const MARK: u64 = abi::OLDER_CELL | 0xffff;
const MARK_BITS: u64 = abi::OLDER_CELL | abi::OLDER | 0xffff;
const _: () = assert!(abi::WRITTEN_SHIFT == 8 && abi::ACCESSED_SHIFT == 0);

/// A record, or the empty word, a mark of the heap, or a reference to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(pub u64);

/// What stands beside a granule's newest record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// An older record.
    Record,
    /// Two.
    Two,
    /// A reference to a cell with several.
    Cell,
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

    /// A thread is rearranging the granule's records.
    pub const BUSY: Word = Word((CELL_SLOT as u64) << abi::SLOT_SHIFT | 1);

    /// What says in a record which bytes were touched, and how.
    pub(crate) const MASKS: u64 =
        0xff << abi::ACCESSED_SHIFT | 0xff << abi::WRITTEN_SHIFT | abi::ATOMIC;

    /// The record of a touch whose newest log entry is at `pos`.
    #[inline]
    pub fn new(slot: u16, pos: u64, touch: Touch) -> Word {
        let bytes = u64::from(touch.bytes);
        let written = if touch.write { bytes } else { 0 };
        Word::from_masks(slot, pos, (bytes, written), touch.atomic)
    }

    #[inline]
    fn from_masks(slot: u16, pos: u64, (accessed, written): (u64, u64), atomic: bool) -> Word {
        Word(
            u64::from(slot) << abi::SLOT_SHIFT
                | pos << abi::POS_SHIFT
                | (!accessed & 0xff) << abi::ACCESSED_SHIFT
                | (!written & 0xff) << abi::WRITTEN_SHIFT
                | if atomic { abi::ATOMIC } else { 0 },
        )
    }

    /// The same slot's record after one more touch of the same kind in the same
    /// segment, whose newest log entry is now at `pos`; nothing beside it.
    #[inline]
    pub fn with(self, pos: u64, touch: Touch) -> Word {
        let written = self.written() | if touch.write { touch.bytes } else { 0 };
        let masks = ((self.accessed() | touch.bytes).into(), written.into());
        Word::from_masks(self.slot(), pos, masks, touch.atomic)
    }

    /// A mark of the heap made by the slot at this record's position, on a
    /// granule that was handed out or, if not, given back. It looks like a
    /// record of no bytes, so that no access is covered by it.
    #[inline]
    pub fn mark(self, handed_out: bool) -> Word {
        let atomic = if handed_out { abi::ATOMIC } else { 0 };
        Word(self.0 & !(MARK_BITS | abi::ATOMIC) | MARK | atomic)
    }

    /// Is it a mark of the heap?
    #[inline]
    pub fn is_mark(self) -> bool {
        self.0 & MARK_BITS == MARK
    }

    /// Does the mark say that the granule was handed out, not given back?
    #[inline]
    pub fn is_handed_out(self) -> bool {
        self.atomic()
    }

    /// The write to all bytes that a mark stands for.
    #[inline]
    pub fn written_by_heap(self) -> Word {
        Word(self.0 & !MARK_BITS)
    }

    /// The same record with `beside` beside it.
    #[inline]
    pub fn next_to(self, beside: Beside) -> Word {
        let flags = match beside {
            Beside::Nothing => 0,
            Beside::Record => abi::OLDER,
            Beside::Two => abi::OLDER_CELL,
            Beside::Cell => abi::OLDER | abi::OLDER_CELL,
        };
        Word(self.alone().0 | flags)
    }

    /// The same record with nothing beside it.
    #[inline]
    pub fn alone(self) -> Word {
        Word(self.0 & !(abi::OLDER | abi::OLDER_CELL))
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

    /// What stands beside this record of a granule? Under a write to all bytes
    /// nothing counts.
    #[inline]
    pub fn beside(self) -> Beside {
        match (self.0 & abi::OLDER, self.0 & abi::OLDER_CELL) {
            (0, 0) => Beside::Nothing,
            (0, _) if self.is_mark() || self.0 & (abi::ATOMIC | 0xffff) == 0 => Beside::Nothing,
            (0, _) => Beside::Two,
            (_, 0) => Beside::Record,
            _ => Beside::Cell,
        }
    }

    /// As [`Touch::dominates`], for records of one slot: may the `older` one go?
    #[inline]
    pub fn dominates(self, older: Word) -> bool {
        self.0 & !older.0 & Word::MASKS == 0
    }

    /// What of this earlier record still counts after an ordered `touch`; as
    /// [`Touch::dominates`], byte by byte.
    #[inline]
    pub fn trimmed(self, touch: Touch) -> Word {
        if touch.atomic && !self.atomic() {
            return self;
        }
        let bytes = u64::from(touch.bytes);
        let written = !(self.0 >> abi::WRITTEN_SHIFT) & 0xff;
        let gone = if touch.write {
            bytes << abi::ACCESSED_SHIFT | bytes << abi::WRITTEN_SHIFT
        } else {
            (bytes & !written) << abi::ACCESSED_SHIFT
        };
        let left = Word(self.0 | gone);
        if left.accessed() == 0 {
            Word::EMPTY
        } else {
            left
        }
    }

    /// What this record says of other bytes than `bytes`.
    pub fn without(self, bytes: u8) -> Word {
        let bytes = u64::from(bytes);
        let left = Word(self.0 | bytes << abi::ACCESSED_SHIFT | bytes << abi::WRITTEN_SHIFT);
        if left.accessed() == 0 {
            Word::EMPTY
        } else {
            left
        }
    }

    /// The bytes at which `touch` conflicts with what the masks say.
    #[inline]
    pub fn conflicting_bytes(self, touch: Touch) -> u8 {
        if touch.atomic && self.atomic() {
            return 0;
        }
        let rival = if touch.write {
            self.accessed()
        } else {
            self.written()
        };
        touch.bytes & rival
    }

    /// Does `touch` read what the masks say was written, or write any of it?
    #[inline]
    pub fn meets(self, touch: Touch) -> bool {
        let rival = if touch.write {
            self.accessed()
        } else {
            self.written()
        };
        touch.bytes & rival != 0
    }

    /// A reference to a cell, readers in [`super::planes`], or [`Word::BUSY`]?
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

    /// What the masks say, as a write and a read.
    #[inline]
    pub fn parts(self) -> [Touch; 2] {
        let part = |bytes, write| Touch {
            bytes,
            write,
            atomic: self.atomic(),
        };
        [part(self.written(), true), part(self.accessed(), false)]
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
}

#[cfg(test)]
mod tests {
    use super::*;

    const BESIDE: [Beside; 4] = [Beside::Nothing, Beside::Record, Beside::Two, Beside::Cell];

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
            for beside in BESIDE {
                let w = Word::new(4000, POS_LIMIT - 1, touch).next_to(beside);
                assert_eq!((w.slot(), w.pos(), w.touch()), (4000, POS_LIMIT - 1, touch));
                let is_whole = touch.bytes == 0xff && touch.write && !touch.atomic;
                let is_lost = beside == Beside::Two && is_whole;
                assert!((w.beside() == beside || is_lost) && !w.is_cell());
            }
        }
    }

    #[test]
    fn marks_of_the_heap_are_like_no_record() {
        for touch in touches() {
            for beside in BESIDE {
                let w = Word::new(4000, POS_LIMIT - 1, touch).next_to(beside);
                assert!(!w.is_mark());
                for handed_out in [true, false] {
                    let mark = w.mark(handed_out);
                    assert!(mark.is_mark() && !mark.is_cell() && !mark.covers(touch));
                    assert_eq!(mark.is_handed_out(), handed_out);
                    assert_eq!((mark.slot(), mark.pos()), (4000, POS_LIMIT - 1));
                    assert_eq!(mark.beside(), Beside::Nothing);
                    if handed_out || !touch.atomic {
                        assert_eq!(mark.trimmed(touch), Word::EMPTY);
                    }
                    let write = mark.written_by_heap();
                    assert_eq!((write.written(), write.atomic()), (0xff, handed_out));
                }
            }
        }
        assert!(!Word::EMPTY.is_mark() && !Word::BUSY.is_mark());
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
    fn records_dominate_as_their_touches_do() {
        for newer in touches() {
            for older in touches() {
                let (n, o) = (Word::new(1, 10, newer), Word::new(1, 5, older));
                assert_eq!(
                    n.dominates(o),
                    newer.dominates(older),
                    "{newer:?} {older:?}"
                );
            }
        }
    }

    #[test]
    fn trimming_leaves_what_no_byte_of_the_touch_dominates() {
        let bytes = |t: Touch, b: u8| Touch { bytes: b, ..t };
        for older in touches() {
            for newer in touches() {
                let left = Word::new(1, 10, older).trimmed(newer);
                for b in (0..8).map(|i| 1u8 << i).filter(|b| b & older.bytes != 0) {
                    let goes = newer.bytes & b != 0 && bytes(newer, b).dominates(bytes(older, b));
                    let is_there = left != Word::EMPTY && left.accessed() & b != 0;
                    assert_eq!(is_there, !goes, "{newer:?} {older:?} {b:x}");
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
        let w = Word::new(1, 10, read).with(11, write);
        assert_eq!((w.accessed(), w.written(), w.pos()), (0xff, 0xf0, 11));
        assert!(w.covers(read) && w.covers(write));
        assert!(!w.covers(Touch {
            bytes: 0x0f,
            write: true,
            atomic: false
        }));
    }
}
