//! Reads of one granule by one slot, two records in a word.
//!
//! Programs read words in halves, from different places and in different
//! segments. Two records of a slot differ in position and bytes, and nothing is
//! written, so one word can hold both:
//!
//! ```text
//!  63          52 51                   19 18 17 16 15        8 7         0
//! +--------------+-----------------------+--+--+--+-----------+-----------+
//! |   distance   |       position        |F |S |0 |  !second  |  !newest  |
//! +--------------+-----------------------+--+--+--+-----------+-----------+
//! ```
//!
//! `newest` and `second` are the bytes that each has read, `position` is the
//! newest one's, and the other's lies `distance` before it. `S`: there is a
//! second one. `F`: it is too far away for that, and stands elsewhere. Without
//! `S` the word is the record itself, whose slot is where the distance would
//! be.

use super::word::Word;
use core::sync::atomic::AtomicU64;
use racert_abi::word as abi;

/// The largest distance.
const FARTHEST: u64 = (1 << abi::SLOT_BITS) - 1;
/// There is a second record.
const SECOND: u64 = abi::OLDER;
/// It stands elsewhere.
const FAR: u64 = abi::OLDER_CELL;
const SECOND_SHIFT: u32 = abi::WRITTEN_SHIFT;
const POSITION: u64 = ((1 << abi::POS_BITS) - 1) << abi::POS_SHIFT;

/// A position before all others, for assembly.
#[cfg(not(test))]
pub(crate) static NOWHERE: u64 = 0;

/// One or two records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair(pub u64);

/// The older of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Second {
    /// There is none.
    None,
    /// This.
    Here(Word),
    /// It stands elsewhere.
    Far,
}

impl Pair {
    /// One record, which is one of reads.
    pub fn of(record: Word) -> Pair {
        Pair(record.alone().0)
    }

    /// Two of one slot, and the one that has to stand elsewhere.
    pub fn pack(one: Word, other: Word) -> (Pair, Option<Word>) {
        let (newest, second) = if one.pos() < other.pos() {
            (other, one)
        } else {
            (one, other)
        };
        let distance = newest.pos() - second.pos();
        if distance > FARTHEST {
            return (Pair(newest.alone().0 | SECOND | FAR), Some(second));
        }
        let bytes = u64::from(!newest.accessed()) | u64::from(!second.accessed()) << SECOND_SHIFT;
        let pair = distance << abi::SLOT_SHIFT | newest.0 & POSITION | SECOND | bytes;
        (Pair(pair), None)
    }

    /// The records, which are of `slot`.
    pub fn records(self, slot: u16) -> (Word, Second) {
        let owner = u64::from(slot) << abi::SLOT_SHIFT;
        let record = |position: u64, bytes: u64| {
            Word(owner | position << abi::POS_SHIFT | 0xff << abi::WRITTEN_SHIFT | bytes & 0xff)
        };
        let position = (self.0 & POSITION) >> abi::POS_SHIFT;
        let second = match (self.0 & SECOND, self.0 & FAR) {
            (0, _) => Second::None,
            (_, 0) => {
                let distance = self.0 >> abi::SLOT_SHIFT;
                Second::Here(record(position - distance, self.0 >> SECOND_SHIFT))
            }
            _ => Second::Far,
        };
        (record(position, self.0), second)
    }
}

/// Adds a record to the pair at `r10`, as reads in a new segment mostly do: in
/// the place of what it makes superfluous, or as one of two. Which of two goes
/// and which is newer changes from granule to granule, so no branch depends on
/// it. Called by assembly only: `r9` is the record, `dl` has a bit for each of
/// its bytes, and the upper bits of `rdx` are clear. Afterwards `eax` is 0, or 1
/// if nothing was done: if three count, or one of two is far away. Changes
/// `rax`, `rcx`, `rdx`, `r11` and flags.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn add(_: &AtomicU64) {
    ::core::arch::naked_asm!(
        "mov rax, qword ptr [r10]",
        "imul edx, edx, 0x101",
        "bt eax, {far_bit}",
        "jc 4f",
        // dl: what is left of the newest; dh: of the second, nothing if there
        // is none. r11, rcx: where they are.
        "or edx, eax",
        "mov rcx, rax",
        "shl rax, {slot_bits}",
        "shr rax, {slot_bits} + {pos_shift}",
        "shr rcx, {slot_shift}",
        "mov r11, rax",
        "sub rax, rcx",
        "mov rcx, rax",
        // One of them has to go. rcx, dl: the one that is left.
        "cmp dl, -1",
        "cmovne rcx, r11",
        "sete al",
        "cmp dh, -1",
        "sete ah",
        "or al, ah",
        "jz 8f",
        "and dl, dh",
        "cmp dl, -1",
        "je 2f",
        // rax: where the new one is. edx: the bytes of both, the newer below.
        "mov rax, r9",
        "shl rax, {slot_bits}",
        "shr rax, {slot_bits} + {pos_shift}",
        "mov dh, dl",
        "mov dl, r9b",
        "mov r11d, edx",
        "rol r11w, 8",
        "cmp rax, rcx",
        "cmovb edx, r11d",
        "mov r11, rax",
        "cmovb rax, rcx",
        "cmovb rcx, r11",
        "mov r11, rax",
        "sub r11, rcx",
        "cmp r11, {farthest}",
        "ja 8f",
        "shl r11, {slot_shift}",
        "shl rax, {pos_shift}",
        "movzx edx, dx",
        "or rax, r11",
        "or rax, rdx",
        "bts rax, {second_bit}",
        "mov qword ptr [r10], rax",
        "xor eax, eax",
        "ret",
        "2: mov qword ptr [r10], r9",
        "xor eax, eax",
        "ret",
        // The far one stays where it is; the newest has to go.
        "4: or edx, eax",
        "cmp dl, -1",
        "jne 8f",
        "mov rax, r9",
        "or rax, {both}",
        "mov qword ptr [r10], rax",
        "xor eax, eax",
        "ret",
        "8: mov eax, 1",
        "ret",
        second_bit = const SECOND.trailing_zeros(),
        far_bit = const FAR.trailing_zeros(),
        both = const SECOND | FAR,
        slot_shift = const abi::SLOT_SHIFT,
        slot_bits = const abi::SLOT_BITS,
        pos_shift = const abi::POS_SHIFT,
        farthest = const FARTHEST,
    )
}

const _: () = assert!(SECOND_SHIFT == 8 && abi::ACCESSED_SHIFT == 0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shadow::word::Touch;
    use core::arch::asm;
    use core::sync::atomic::Ordering;
    use proptest::prelude::*;

    const SLOT: u16 = 77;

    fn read(pos: u64, bytes: u8) -> Word {
        let touch = Touch {
            bytes,
            write: false,
            atomic: false,
        };
        Word::new(SLOT, pos, touch)
    }

    fn unpacked(pair: Pair, far: Option<Word>) -> Vec<Word> {
        let (newest, second) = pair.records(SLOT);
        match second {
            Second::None => vec![newest],
            Second::Here(second) => vec![newest, second],
            Second::Far => vec![newest, far.unwrap()],
        }
    }

    /// What [`add`] makes of a pair, unless it does nothing.
    fn added(pair: Pair, record: Word) -> Option<Pair> {
        let place = AtomicU64::new(pair.0);
        let declined: u64;
        // SAFETY: `add` by its own convention.
        unsafe {
            asm!(
                "call {add}",
                add = sym add,
                in("r10") &raw const place,
                in("r9") record.0,
                inout("rdx") u64::from(record.accessed()) => _,
                out("rax") declined,
                out("rcx") _,
                out("r11") _,
            );
        }
        let now = Pair(place.load(Ordering::Relaxed));
        assert!(declined == 0 || now == pair);
        (declined == 0).then_some(now)
    }

    proptest! {
        #[test]
        fn two_records_come_back(
            start in 1u64..1 << 33, distance in 0u64..10_000, a in 1u8.., b in 1u8.., swap: bool,
        ) {
            let one = read(start.saturating_sub(distance), a);
            let other = read(start, b);
            let (pair, far) = if swap { Pair::pack(other, one) } else { Pair::pack(one, other) };
            prop_assert_eq!(far.is_some(), one.pos() + FARTHEST < start);
            let mut all = unpacked(pair, far);
            let mut want = vec![one, other];
            all.sort_by_key(|record| record.0);
            want.sort_by_key(|record| record.0);
            prop_assert_eq!(all, want);
        }

        /// Nothing that counts is lost, and nothing is invented.
        #[test]
        fn assembly_adds_a_record(
            positions in [1u64..9_000, 1u64..9_000, 1u64..9_000],
            bytes in [1u8.., 1u8.., 1u8..],
            is_two: bool,
        ) {
            let base = 1 << 32;
            let [a, b, new] = [0, 1, 2].map(|i| read(base + positions[i], bytes[i]));
            let b = b.trimmed(a.touch());
            let (pair, far) = match b {
                Word::EMPTY => (Pair::of(a), None),
                b if is_two => Pair::pack(a, b),
                _ => (Pair::of(a), None),
            };
            let old = unpacked(pair, far);
            let left = old.iter().map(|record| record.trimmed(new.touch()));
            let mut want: Vec<Word> = left.filter(|left| *left != Word::EMPTY).collect();
            want.push(new);
            match added(pair, new) {
                None => {
                    let all = want.iter().chain(&old).map(|record| record.pos());
                    let spread = all.clone().max().unwrap() - all.min().unwrap();
                    prop_assert!(want.len() > 2 || spread > FARTHEST || far.is_some()
                        || new.pos() < a.pos().max(b.pos()));
                }
                Some(now) => {
                    let mut all = unpacked(now, far);
                    // Far away, more may be left than has to be.
                    if let Some(far) = far {
                        want.retain(|record| record.pos() != far.pos());
                        want.push(far);
                    }
                    all.sort_by_key(|record| record.0);
                    want.sort_by_key(|record| record.0);
                    prop_assert_eq!(all, want);
                }
            }
        }
    }

    #[test]
    fn halves_read_in_turn_stay_in_one_word() {
        let mut pair = Pair::of(read(1000, 0x0f));
        for step in 1..100 {
            let bytes = if step % 2 == 0 { 0x0f } else { 0xf0 };
            pair = added(pair, read(1000 + step * 40, bytes)).unwrap();
            assert_eq!(unpacked(pair, None).len(), 2);
        }
        // One of them again and again: the other one falls behind.
        assert_eq!(added(pair, read(20_000, 0xf0)).map(|_| ()), None);
    }
}
