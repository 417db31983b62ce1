//! Numbers for the code of rewritten libraries.
//!
//! Entries of the log have no room for a code address beside a context. So that
//! an address can be told from fewer bits, also after its library is gone, every
//! library that is found gets a range of numbers, one for each byte.

#[cfg(not(test))]
use core::cell::UnsafeCell;
#[cfg(not(test))]
use core::sync::atomic::{AtomicUsize, Ordering};

/// Bits of a number: 64 MiB of code.
pub(crate) const BITS: u32 = 26;

/// Ranges that can be given away.
#[cfg(not(test))]
const MOST: usize = 256;

/// A library's range.
#[cfg(not(test))]
#[derive(Clone, Copy)]
struct Range {
    /// Its first number, and the code address that has it.
    first: u64,
    start: u64,
    /// How many there are.
    len: u64,
}

/// Ranges in rising order; only ever extended, so reading takes no lock.
#[cfg(not(test))]
struct Ranges {
    ranges: UnsafeCell<[Range; MOST]>,
    count: AtomicUsize,
    /// The number after the last one given away; 0 is none.
    next: UnsafeCell<u64>,
}

// SAFETY: ranges below `count` never change; the rest is written under the
// loader's lock.
#[cfg(not(test))]
unsafe impl Sync for Ranges {}

#[cfg(not(test))]
static RANGES: Ranges = Ranges {
    ranges: UnsafeCell::new(
        [Range {
            first: 0,
            start: 0,
            len: 0,
        }; MOST],
    ),
    count: AtomicUsize::new(0),
    next: UnsafeCell::new(1),
};

/// Numbers the `len` bytes from `start` on, as before if they had numbers: who
/// loads a library again and again does not use them up. Gives what an address
/// has to be reduced by to become its number; 0, which makes it too large for
/// one, if there are no more. Calls must not overlap.
#[cfg(not(test))]
pub(super) fn assign(start: usize, len: usize) -> u64 {
    let count = RANGES.count.load(Ordering::Relaxed);
    // SAFETY: nobody else changes these; what others read is below the count.
    unsafe {
        let (first, start, len) = (*RANGES.next.get(), start as u64, len as u64 + 1);
        let known = &(&*RANGES.ranges.get())[..count];
        if let Some(known) = known.iter().find(|r| r.start == start && r.len == len) {
            return start - known.first;
        }
        let end = first.saturating_add(len);
        if count == MOST || end > 1 << BITS || start >> BITS == 0 {
            return 0;
        }
        (*RANGES.ranges.get())[count] = Range { first, start, len };
        *RANGES.next.get() = end;
        RANGES.count.store(count + 1, Ordering::Release);
        start - first
    }
}

/// The code address that has `number`.
#[cfg(not(test))]
pub(crate) fn address(number: u64) -> u64 {
    let count = RANGES.count.load(Ordering::Acquire);
    // SAFETY: ranges below the count never change.
    let ranges = unsafe { &(&*RANGES.ranges.get())[..count] };
    let after = ranges.partition_point(|range| range.first <= number);
    match after.checked_sub(1) {
        Some(at) => ranges[at].start + (number - ranges[at].first),
        None => 0,
    }
}

/// Tests have no libraries: every address is its own number.
#[cfg(test)]
pub(crate) fn address(number: u64) -> u64 {
    number
}
