//! Records of readers, each reader's in a plane of its own.
//!
//! A granule that several threads only read has records of all of them, and
//! each is replaced whenever its thread reads the granule in a new segment. If
//! they stood side by side, the threads would take the line from each other
//! every time. So the granule's word says only who has read it, and stays as it
//! is; the records are in planes of shadow memory that one slot writes alone,
//! without locked instructions:
//!
//! ```text
//!  63      52 51        16 15       8 7      2 1 0
//! +----------+------------+----------+--------+---+
//! |   4095   |     0      |  readers |   0    | 3 |
//! +----------+------------+----------+--------+---+
//! ```
//!
//! `readers` has a bit for each plane in which the granule has a record; what
//! else stands in planes is left over and means nothing. All these records are
//! of plain reads. A slot has a place for a [`Pair`] of them: programs read words
//! in halves. The second of a pair that is too far away from the first has a
//! place of its own, further back in the plane.
//!
//! A thread looks at the word again after it has put its record there. What it
//! may miss, and be missed by, is a write in the same nanoseconds, which the
//! store takes to leave the processor.
//!
//! For every 2 MiB there are up to [`MOST`] planes, given to the first slots
//! that need one. Where they do not suffice there are cells.

use super::pair::{Pair, Second};
use super::word::{CELL_SLOT, Word};
use super::{LEN, START};
use crate::os;
use crate::spin::SpinLock;
use alloc::boxed::Box;
use core::sync::atomic::{AtomicPtr, AtomicU16, AtomicU64, AtomicUsize, Ordering};
use racert_abi::word as abi;

/// Planes of a region.
const MOST: usize = 8;
/// Planes in all: at most 1 GiB, of which those pages exist that were used.
const LIMIT: usize = 256;

pub(crate) const REGION_SHIFT: u32 = 21;
const REGION: usize = 1 << REGION_SHIFT;
/// A place for each word, and one for what is far away.
const SIZE: usize = 2 * REGION + os::PAGE;
const FIRST: usize = START / REGION;
const ENTRIES: usize = LEN / REGION + 2;

const TAG: u64 = (CELL_SLOT as u64) << abi::SLOT_SHIFT | 3;
const READERS_SHIFT: u32 = 8;
/// All that differs between such words.
pub(crate) const ANY_READER: u64 = 0xff << READERS_SHIFT;
/// Such a word with all of [`ANY_READER`], rotated so that an instruction can
/// hold it.
pub(crate) const ONLY_READ: u64 = (TAG | ANY_READER).rotate_left(abi::SLOT_BITS);
const _: () = assert!(ONLY_READ <= i32::MAX as u64);

/// Who has read a granule, as its word says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Readers(u64);

impl Readers {
    /// Nobody yet.
    pub const NONE: Readers = Readers(TAG);

    /// What `word` says, if it is such a word.
    #[inline]
    pub fn from_word(word: Word) -> Option<Readers> {
        (word.is_cell() && word.0 & 3 == 3).then_some(Readers(word.0))
    }

    /// As stored in shadow memory.
    #[inline]
    pub fn word(self) -> Word {
        Word(self.0)
    }

    /// Has the plane's slot a record of the granule?
    #[inline]
    pub fn has(self, plane: Plane) -> bool {
        self.0 & plane.bit != 0
    }

    /// The same and the plane's slot.
    pub fn with(self, plane: Plane) -> Readers {
        Readers(self.0 | plane.bit)
    }

    /// The records of the granule at `word`.
    pub fn records(self, word: &AtomicU64) -> impl Iterator<Item = Word> {
        let all = (0..MOST).filter(move |i| self.0 & bit(*i) != 0);
        let planes = all.filter_map(|i| Some(region(word)?.plane(i)));
        planes.flat_map(|plane| plane.records(word))
    }
}

fn bit(index: usize) -> u64 {
    1 << (READERS_SHIFT + index as u32)
}

/// The plane of one slot for one region; assembly in [`crate::entry`] knows the
/// layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Plane {
    /// The region's number, 0 for none.
    region: usize,
    /// What a word's address is short of that of its place.
    distance: usize,
    /// What says in a word that there is a record.
    bit: u64,
    /// Whose it is.
    slot: u64,
}

const _: () = assert!(size_of::<Plane>() == 1 << PLANE_SHIFT);
/// Logarithm of the size of a [`Plane`].
pub(crate) const PLANE_SHIFT: u32 = 5;

impl Plane {
    /// Is it for the region of `word`?
    #[inline]
    pub fn is_for(&self, word: &AtomicU64) -> bool {
        self.region == number(word)
    }

    /// The place of the granule at `word`, and the one for what is far away.
    fn places(&self, word: &AtomicU64) -> [&'static AtomicU64; 2] {
        let word = core::ptr::from_ref(word) as usize;
        let place = word.wrapping_add(self.distance);
        // SAFETY: the plane's mapping has places for all words of the region,
        // and is never unmapped.
        unsafe {
            [
                &*(place as *const AtomicU64),
                &*((place + REGION) as *const AtomicU64),
            ]
        }
    }

    /// The records of the granule at `word`.
    pub fn records(&self, word: &AtomicU64) -> impl Iterator<Item = Word> + use<> {
        let [place, far] = self.places(word);
        let pair = Pair(place.load(Ordering::Acquire));
        let (newest, second) = pair.records(self.slot as u16);
        let second = match second {
            Second::None => None,
            Second::Here(second) => Some(second),
            Second::Far => Some(Word(far.load(Ordering::Acquire))),
        };
        core::iter::once(newest).chain(second)
    }

    /// Makes `records`, one or two, those of the granule at `word`.
    pub fn put(&self, word: &AtomicU64, records: &[Word]) {
        let [place, far] = self.places(word);
        let pair = match *records {
            [one, other, ..] => {
                let (pair, elsewhere) = Pair::pack(one, other);
                if let Some(second) = elsewhere {
                    far.store(second.0, Ordering::Release);
                }
                pair
            }
            [one] => Pair::of(one),
            [] => Pair::of(Word::EMPTY),
        };
        place.store(pair.0, Ordering::Release);
    }
}

impl Plane {
    /// Makes `record` the only one of the granules at `word` and behind it, as
    /// long as their words say `readers`; how many, `limit` at most.
    pub fn put_all(&self, word: &AtomicU64, limit: usize, readers: Readers, record: Word) -> usize {
        let left = (REGION - core::ptr::from_ref(word) as usize % REGION) / 8;
        let words = core::ptr::from_ref(word);
        let places = core::ptr::from_ref(self.places(word)[0]);
        let mut done = 0;
        while done < limit.min(left) {
            // SAFETY: words and places of one region lie one behind the other.
            let (word, place) = unsafe { (&*words.add(done), &*places.add(done)) };
            if word.load(Ordering::Relaxed) != readers.0 {
                break;
            }
            place.store(Pair::of(record).0, Ordering::Release);
            done += 1;
        }
        done
    }
}

struct Region {
    owners: [AtomicU16; MOST],
    planes: [AtomicUsize; MOST],
    number: usize,
}

impl Region {
    fn plane(&self, index: usize) -> Plane {
        Plane {
            region: self.number,
            distance: self.planes[index].load(Ordering::Acquire),
            bit: bit(index),
            slot: self.owners[index].load(Ordering::Acquire).into(),
        }
    }
}

/// A pointer to the [`Region`] for every region of shadow memory.
static TABLE: AtomicUsize = AtomicUsize::new(0);
/// How many planes there are; whoever makes one holds it.
static COUNT: SpinLock<usize> = SpinLock::new(0);

/// Reserves the table.
pub fn reserve() -> Result<(), os::Errno> {
    let table = os::map(ENTRIES * size_of::<AtomicPtr<Region>>())?;
    TABLE.store(table as usize, Ordering::Release);
    Ok(())
}

/// The number of the region of `word`.
pub fn number(word: &AtomicU64) -> usize {
    core::ptr::from_ref(word) as usize / REGION
}

fn entry(number: usize) -> &'static AtomicPtr<Region> {
    let table = TABLE.load(Ordering::Relaxed) as *const AtomicPtr<Region>;
    // SAFETY: the table has an entry for every address of shadow memory.
    unsafe { &*table.add(number - FIRST) }
}

fn region(word: &AtomicU64) -> Option<&'static Region> {
    // SAFETY: null, or made to stay.
    unsafe { entry(number(word)).load(Ordering::Acquire).as_ref() }
}

/// The plane of `slot` for the granule at `word`, made if need be; `None` if
/// there is none to be had.
pub fn plane_of(word: &AtomicU64, slot: u16) -> Option<Plane> {
    if let Some(region) = region(word)
        && let Some(index) = index_of(region, slot)
    {
        return Some(region.plane(index));
    }
    make(word, slot)
}

fn index_of(region: &Region, slot: u16) -> Option<usize> {
    let mut owners = region.owners.iter();
    owners.position(|owner| owner.load(Ordering::Acquire) == slot)
}

#[cold]
fn make(word: &AtomicU64, slot: u16) -> Option<Plane> {
    let mut count = COUNT.lock();
    let region = match region(word) {
        Some(region) => region,
        None => {
            let fresh = Box::into_raw(Box::new(Region {
                owners: [const { AtomicU16::new(0) }; MOST],
                planes: [const { AtomicUsize::new(0) }; MOST],
                number: number(word),
            }));
            entry(number(word)).store(fresh, Ordering::Release);
            // SAFETY: just made, and made to stay.
            unsafe { &*fresh }
        }
    };
    if let Some(index) = index_of(region, slot) {
        return Some(region.plane(index));
    }
    let index = index_of(region, 0)?;
    if *count == LIMIT {
        return None;
    }
    let mapping = os::map(SIZE).ok()? as usize;
    *count += 1;
    let base = number(word) * REGION;
    let distance = (mapping + skew(index)).wrapping_sub(base);
    region.planes[index].store(distance, Ordering::Release);
    region.owners[index].store(slot, Ordering::Release);
    Some(region.plane(index))
}

/// Places lie at another offset within their page than the words they belong
/// to, for the same reason as [`racert_abi::SHADOW_OFFSET`], and those of
/// different planes at different ones.
const fn skew(index: usize) -> usize {
    2048 + 128 + index * 192
}

const _: () = assert!(skew(MOST - 1) < os::PAGE);

/// Gives the memory of the places for the words in `[start, end)`, shadow
/// addresses, back to the kernel. No word there may have readers.
pub fn discard(start: usize, end: usize) {
    let mut from = start;
    while from < end {
        let to = end.min((from & !(REGION - 1)) + REGION);
        // SAFETY: null, or made to stay.
        let region = unsafe { entry(from / REGION).load(Ordering::Acquire).as_ref() };
        let planes = region.into_iter().flat_map(|region| &region.planes);
        let planes = planes.map(|distance| distance.load(Ordering::Acquire));
        for distance in planes.filter(|distance| *distance != 0) {
            for start in [distance, distance.wrapping_add(REGION)] {
                let first = from.wrapping_add(start).next_multiple_of(os::PAGE);
                let last = to.wrapping_add(start) & !(os::PAGE - 1);
                if first < last {
                    os::advise_dont_need(first, last - first);
                }
            }
        }
        from = to;
    }
}

/// Keeps everybody else out until the process has forked.
pub fn before_fork() {
    COUNT.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { COUNT.force_unlock() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shadow::word::Touch;
    use crate::shadow::word_of;

    fn record(slot: u16, bytes: u8) -> Word {
        let touch = Touch {
            bytes,
            write: false,
            atomic: false,
        };
        Word::new(slot, 7, touch)
    }

    #[test]
    fn each_reader_has_places_of_its_own() {
        crate::init::for_tests();
        let block = vec![0u64; REGION];
        // Nobody else's region.
        let word = word_of(block.as_ptr() as usize + REGION);
        let planes = [3001, 3002].map(|slot| plane_of(word, slot).unwrap());
        assert_eq!(plane_of(word, 3001), Some(planes[0]));
        assert!(planes[0].is_for(word) && planes[0] != planes[1]);
        let both = Readers::NONE.with(planes[0]).with(planes[1]);
        assert!(both.has(planes[0]) && !Readers::NONE.with(planes[1]).has(planes[0]));
        assert_eq!(Readers::from_word(both.word()), Some(both));
        assert_eq!(Readers::from_word(Word::BUSY), None);
        planes[0].put(word, &[record(3001, 0x0f), record(3001, 0xf0)]);
        planes[1].put(word, &[record(3002, 0xff)]);
        let mut all: Vec<Word> = both.records(word).collect();
        all.sort_unstable_by_key(|record| record.0);
        let mut want = [record(3001, 0x0f), record(3001, 0xf0), record(3002, 0xff)];
        want.sort_unstable_by_key(|record| record.0);
        assert_eq!(all, want);
        planes[0].put(word, &[record(3001, 0xff)]);
        assert_eq!(both.records(word).count(), 2);
    }

    #[test]
    fn a_region_has_planes_for_some_slots_only() {
        crate::init::for_tests();
        let block = vec![0u64; REGION];
        // Nobody else's region.
        let word = word_of(block.as_ptr() as usize + REGION);
        let got: Vec<_> = (2000..2000 + 2 * MOST as u16)
            .map(|s| plane_of(word, s))
            .collect();
        assert_eq!(got.iter().flatten().count(), MOST);
        assert_eq!(plane_of(word, 2000), got[0]);
    }
}
