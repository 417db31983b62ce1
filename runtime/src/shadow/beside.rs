//! A second and third record for granules that need them.
//!
//! What was done to a granule before often still counts when it is touched
//! again: a read does not make a write superfluous, nor one half of a word the
//! other. The older record, if it is ordered before the newer one, then stands
//! beside it, in a second plane of shadow memory, and one more in a third. The
//! places are found through a table with one entry for every 2 MiB, and exist
//! only where they are used.

use super::{LEN, START};
use crate::os;
use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Bytes of shadow memory that one entry of the table is for.
const REGION: usize = 1 << REGION_SHIFT;
pub(crate) const REGION_SHIFT: u32 = 21;
/// Places lie at another offset within their page than the words they stand
/// beside, for the same reason as [`racert_abi::SHADOW_OFFSET`].
const SKEW: usize = 1024 + 64;
/// From the first place to the second.
pub(crate) const NEXT: usize = REGION + os::PAGE;
const SIZE: usize = 2 * NEXT;
const ENTRIES: usize = LEN / REGION + 2;
/// Index of the first entry.
pub(crate) const FIRST: usize = START / REGION;

/// The table: for each region the distance from a word to the place beside it,
/// 0 while there is none. Assembly in [`crate::entry`] reads it.
pub(crate) static TABLE: AtomicUsize = AtomicUsize::new(0);

/// Reserves the table.
pub fn reserve() -> Result<(), os::Errno> {
    let table = os::map(ENTRIES * size_of::<AtomicUsize>())?;
    TABLE.store(table as usize, Ordering::Release);
    Ok(())
}

fn entry(word: usize) -> &'static AtomicUsize {
    let table = TABLE.load(Ordering::Relaxed) as *const AtomicUsize;
    // SAFETY: the table has an entry for every address of shadow memory.
    unsafe { &*table.add(word / REGION - FIRST) }
}

fn at(word: usize, distance: usize) -> &'static AtomicU64 {
    // SAFETY: the entry's mapping covers its region and is never unmapped.
    unsafe { &*(word.wrapping_add(distance) as *const AtomicU64) }
}

/// The place beside `word`; `None` without memory for it.
#[inline]
pub fn place(word: &AtomicU64) -> Option<&'static AtomicU64> {
    places(word).map(|[first, _]| first)
}

/// Both places beside `word`.
#[inline]
pub fn places(word: &AtomicU64) -> Option<[&'static AtomicU64; 2]> {
    let word = core::ptr::from_ref(word) as usize;
    let distance = match entry(word).load(Ordering::Acquire) {
        0 => open(word)?,
        distance => distance,
    };
    Some([at(word, distance), at(word, distance.wrapping_add(NEXT))])
}

/// Has the place beside `word` fetched, if there is one.
#[inline]
pub fn prefetch(word: &AtomicU64) {
    let word = core::ptr::from_ref(word) as usize;
    let distance = entry(word).load(Ordering::Relaxed);
    // SAFETY: a prefetch may be of any address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(word.wrapping_add(distance) as *const i8) }
}

/// How many words from `word` on have their places one behind the other.
#[inline]
pub fn left_in_region(word: &AtomicU64) -> usize {
    let word = core::ptr::from_ref(word) as usize;
    (REGION - word % REGION) / size_of::<AtomicU64>()
}

/// Maps the places of a region.
#[cold]
fn open(word: usize) -> Option<usize> {
    let mapping = os::map(SIZE).ok()?;
    let base = word & !(REGION - 1);
    let distance = (mapping as usize + SKEW).wrapping_sub(base);
    let entry = entry(word);
    match entry.compare_exchange(0, distance, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(distance),
        Err(theirs) => {
            os::unmap(mapping, SIZE);
            Some(theirs)
        }
    }
}

/// Gives the memory of the places beside the words in `[start, end)`, shadow
/// addresses, back to the kernel. No word there may have a record beside it.
pub fn discard(start: usize, end: usize) {
    let mut from = start;
    while from < end {
        let to = end.min((from & !(REGION - 1)) + REGION);
        let distance = entry(from).load(Ordering::Acquire);
        let planes = [distance, distance.wrapping_add(NEXT)];
        for distance in planes.into_iter().filter(|_| distance != 0) {
            let first = from.wrapping_add(distance).next_multiple_of(os::PAGE);
            let last = to.wrapping_add(distance) & !(os::PAGE - 1);
            if first < last {
                os::advise_dont_need(first, last - first);
            }
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shadow::word_of;

    #[test]
    fn neighbours_have_places_of_their_own_that_can_be_discarded() {
        crate::init::for_tests();
        let block = vec![0u64; 8192];
        let addr = block.as_ptr() as usize;
        let places: Vec<_> = (0..block.len())
            .map(|i| place(word_of(addr + i * 8)).unwrap())
            .collect();
        for (i, place) in places.iter().enumerate() {
            place.store(i as u64 + 1, Ordering::Relaxed);
        }
        for (i, place) in places.iter().enumerate() {
            assert_eq!(place.load(Ordering::Relaxed), i as u64 + 1);
        }
        let shadow = core::ptr::from_ref(word_of(addr)) as usize;
        discard(shadow, shadow + block.len() * 8);
        assert_eq!(places[4096].load(Ordering::Relaxed), 0);
        for place in places {
            place.store(0, Ordering::Relaxed);
        }
    }
}
