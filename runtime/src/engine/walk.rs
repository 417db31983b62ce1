//! From an access to the granules it touches.

use super::hb::{self, Conflict};
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::word::{Touch, Word};
use crate::shadow::{is_application, word_of};
use core::sync::atomic::Ordering;
use racert_abi::word::covered_mask;

/// Bytes of a range whose granules are many.
const MANY: usize = 256;

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct How {
    /// A write.
    pub write: bool,
    /// Atomically.
    pub atomic: bool,
}

/// The conflict an access met, and where.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    /// The earlier access.
    pub conflict: Conflict,
    /// First byte of the granule they share.
    pub granule: usize,
}

impl Met {
    /// First byte and size of the earlier access, of which `[addr, addr + len)`
    /// met some bytes.
    pub fn earlier_bytes(&self, addr: usize, len: usize) -> (usize, usize) {
        let entry = self.conflict.entry;
        let mine = (0..8).filter(|i| (addr..addr + len).contains(&(self.granule + i)));
        let mine: u8 = mine.map(|i| 1u8 << i).sum();
        let shared = (entry.touch.bytes & mine).trailing_zeros() as usize % 8;
        let unit = usize::from(entry.unit);
        let first = entry.touch.bytes.trailing_zeros() as usize;
        let start = first + (shared.saturating_sub(first)) / unit * unit;
        (self.granule + start, unit)
    }
}

/// Is an atomic access already on record in this segment?
#[inline]
pub fn is_recorded(recorder: &Recorder, addr: usize, size: usize, write: bool) -> bool {
    let offset = addr & 7;
    if offset + size > 8 || !is_application(addr, size) {
        return false;
    }
    let bytes = (0xffu8 >> (8 - size)) << offset;
    hb::is_recorded(
        recorder,
        word_of(addr),
        Touch {
            bytes,
            write,
            atomic: true,
        },
    )
}

/// Checks and records an access of 1 to 16 bytes at any alignment. The first
/// conflict counts; recording goes on.
#[inline]
pub(super) fn access(
    recorder: &mut Recorder,
    addr: usize,
    size: usize,
    how: How,
    site: &Site,
) -> Option<Met> {
    let offset = addr & 7;
    if offset + size > 8 {
        return range(recorder, addr, size, how, site);
    }
    if !is_application(addr, size) {
        return None;
    }
    let bytes = (0xffu8 >> (8 - size)) << offset;
    let touch = Touch {
        bytes,
        write: how.write,
        atomic: how.atomic,
    };
    let conflict = hb::touch::<true>(recorder, word_of(addr), touch, site)?;
    Some(Met {
        conflict,
        granule: addr & !7,
    })
}

/// Is a plain access to `[addr, addr + len)` already on record in this
/// segment, going by the words alone?
#[inline]
pub fn is_range_recorded(recorder: &Recorder, addr: usize, len: usize, write: bool) -> bool {
    if len == 0 || !is_application(addr, len) {
        return false;
    }
    let (current, end) = (recorder.current(), addr + len);
    let is_covered = |at: usize, size: usize| {
        let covered = covered_mask(size as u32, (at & 7) as u32, write);
        word_of(at).load(Ordering::Acquire).wrapping_sub(current) & covered == 0
    };
    let first = addr.next_multiple_of(8).min(end);
    let last = (end & !7).max(first);
    (first == addr || is_covered(addr, first - addr))
        && (last == end || is_covered(last, end - last))
        && are_covered(
            first,
            (last - first) / 8,
            current,
            covered_mask(8, 0, write),
        )
}

/// Have the words of `count` granules from `addr` on no bit of `covered` in
/// their distance from `current`?
#[inline]
fn are_covered(addr: usize, count: usize, current: u64, covered: u64) -> bool {
    use core::arch::x86_64::{
        __m128i, _mm_add_epi64, _mm_and_si128, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8,
        _mm_or_si128, _mm_set1_epi64x, _mm_setzero_si128, _mm_sub_epi64,
    };
    if count == 0 {
        return true;
    }
    let words = core::ptr::from_ref(word_of(addr)).cast::<u64>();
    // SAFETY: SSE2 is part of the architecture, and all words are mapped. They
    // may change meanwhile, as they may between two loads of a loop.
    unsafe {
        let minus = _mm_sub_epi64(_mm_setzero_si128(), _mm_set1_epi64x(current as i64));
        let mask = _mm_set1_epi64x(covered as i64);
        let bits = |at: usize| {
            let two = _mm_loadu_si128(words.add(at).cast::<__m128i>());
            _mm_and_si128(_mm_add_epi64(two, minus), mask)
        };
        let mut at = 0;
        while at + 8 <= count {
            let low = _mm_or_si128(bits(at), bits(at + 2));
            let high = _mm_or_si128(bits(at + 4), bits(at + 6));
            let zero = _mm_cmpeq_epi32(_mm_or_si128(low, high), _mm_setzero_si128());
            if _mm_movemask_epi8(zero) != 0xffff {
                return false;
            }
            at += 8;
        }
        (at..count).all(|at| words.add(at).read_volatile().wrapping_sub(current) & covered == 0)
    }
}

/// Checks and records an access to `[addr, addr + len)`.
pub(super) fn range(
    recorder: &mut Recorder,
    addr: usize,
    len: usize,
    how: How,
    site: &Site,
) -> Option<Met> {
    if len == 0 || !is_application(addr, len) {
        return None;
    }
    let end = addr + len;
    let whole = Touch {
        bytes: 0xff,
        write: how.write,
        atomic: how.atomic,
    };
    let current = recorder.current();
    let covered = covered_mask(8, 0, how.write);
    let many = site.free || len >= MANY;
    let mut met = None;
    let mut fresh = None;
    let mut at = addr;
    while at < end {
        let granule = at & !7;
        let next = (granule + 8).min(end);
        let bytes = (0xffu8 >> (8 - (next - at))) << (at - granule);
        let word = word_of(granule);
        if bytes == 0xff {
            let old = word.load(Ordering::Acquire);
            if old.wrapping_sub(current) & covered == 0 {
                at = next;
                continue;
            }
            let new = *fresh.get_or_insert_with(|| recorder.first(whole, site));
            let replaced = if many {
                hb::replace::<true>(recorder, word, Word(old), whole, new)
            } else {
                hb::replace::<false>(recorder, word, Word(old), whole, new)
            };
            if replaced {
                at = next;
                continue;
            }
        }
        let conflict = hb::touch::<false>(recorder, word, Touch { bytes, ..whole }, site);
        met = met.or(conflict.map(|conflict| Met { conflict, granule }));
        at = next;
    }
    met
}
