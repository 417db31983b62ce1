//! Where sets live.
//!
//! The items of all sets lie one after another in one large reservation, each
//! set behind a header: its number is the position of the header. Chains of a
//! hash table find equal sets again.

use super::{Item, LocksetId};
use crate::os;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Words of 4 bytes for all sets: 1 GiB. A set of one lock takes 4 of them.
const WORDS: usize = 1 << 28;
/// Heads of the hash chains: 256 KiB if all are touched.
const BUCKETS: usize = 1 << 16;

/// In front of a set's items.
const HASH: usize = 0;
const NEXT: usize = 1;
const LENGTH: usize = 2;
const HEADER: usize = 3;

static SETS: AtomicUsize = AtomicUsize::new(0);
static HEADS: AtomicUsize = AtomicUsize::new(0);
/// The first free word. The empty set is at 0.
static END: AtomicUsize = AtomicUsize::new(HEADER + 1);

/// Reserves the table.
pub fn reserve() -> Result<(), os::Errno> {
    let sets = os::map(WORDS * size_of::<u32>())?;
    let heads = os::map(BUCKETS * size_of::<u32>())?;
    SETS.store(sets as usize, Ordering::Relaxed);
    HEADS.store(heads as usize, Ordering::Release);
    Ok(())
}

fn word(at: usize) -> &'static AtomicU32 {
    let base = SETS.load(Ordering::Relaxed) as *const AtomicU32;
    // SAFETY: positions of sets and their words are within the table.
    unsafe { &*base.add(at) }
}

fn head(hash: u32) -> &'static AtomicU32 {
    let base = HEADS.load(Ordering::Relaxed) as *const AtomicU32;
    // SAFETY: the index is within the table.
    unsafe { &*base.add(hash as usize % BUCKETS) }
}

/// The locks of a set.
pub(super) fn items(set: LocksetId) -> &'static [Item] {
    if set == LocksetId::EMPTY || set == LocksetId::UNKNOWN {
        return &[];
    }
    let at = set.0 as usize;
    let length = word(at + LENGTH).load(Ordering::Relaxed) as usize;
    // SAFETY: written before the set was published, never changed since; an
    // item is a u32.
    unsafe { core::slice::from_raw_parts(word(at + HEADER).as_ptr().cast(), length) }
}

fn hash(items: &[Item]) -> u32 {
    let sum = items.iter().fold(0u64, |sum, item| {
        (sum ^ u64::from(item.0))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(27)
    });
    (sum >> 32 ^ sum) as u32
}

/// The set of `items`, which are in order.
pub(super) fn intern(items: &[Item]) -> LocksetId {
    if items.is_empty() {
        return LocksetId::EMPTY;
    }
    let hash = hash(items);
    let head = head(hash);
    let mut fresh = None;
    let mut first = head.load(Ordering::Acquire);
    loop {
        if let Some(known) = find(first, hash, items) {
            return known;
        }
        let new = match fresh {
            Some(new) => new,
            None => match write(hash, items) {
                Some(new) => *fresh.insert(new),
                None => return LocksetId::UNKNOWN,
            },
        };
        word(new as usize + NEXT).store(first, Ordering::Relaxed);
        match head.compare_exchange_weak(first, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return LocksetId(new),
            Err(now) => first = now,
        }
    }
}

fn find(first: u32, hash: u32, wanted: &[Item]) -> Option<LocksetId> {
    let mut at = first;
    while at != 0 {
        let known = word(at as usize + HASH).load(Ordering::Relaxed);
        if known == hash && items(LocksetId(at)) == wanted {
            return Some(LocksetId(at));
        }
        at = word(at as usize + NEXT).load(Ordering::Relaxed);
    }
    None
}

/// Writes a set that nobody can find yet; `None` when there is no room.
fn write(hash: u32, items: &[Item]) -> Option<u32> {
    let size = HEADER + items.len();
    let room = |end: usize| (end + size <= WORDS).then(|| end + size);
    let at = END
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, room)
        .ok()?;
    word(at + HASH).store(hash, Ordering::Relaxed);
    word(at + LENGTH).store(items.len() as u32, Ordering::Relaxed);
    for (i, item) in items.iter().enumerate() {
        word(at + HEADER + i).store(item.0, Ordering::Relaxed);
    }
    Some(at as u32)
}
