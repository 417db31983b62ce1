//! From an access to the granules it touches.

use super::hb::{self, Conflict};
use super::{readers, runs};
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::planes::Readers;
use crate::shadow::word::{Touch, Word};
use crate::shadow::{is_application, word_of};
use core::ops::Range;
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
    atomic_touch(addr, size, write)
        .is_some_and(|touch| hb::is_recorded(recorder, word_of(addr), touch))
}

/// Records an atomic access where it takes the place of the thread's own earlier
/// one, if that is all there is to do. Most atomic accesses are such, and have a
/// segment to themselves. `false` if there is more; then the access's record may
/// be with `site`.
#[inline]
pub(super) fn renew(
    recorder: &mut Recorder,
    addr: usize,
    size: usize,
    write: bool,
    site: &mut Site,
) -> bool {
    atomic_touch(addr, size, write)
        .is_some_and(|touch| hb::renew(recorder, word_of(addr), touch, site))
}

/// What an atomic access does to its granule, if it is one.
#[inline]
fn atomic_touch(addr: usize, size: usize, write: bool) -> Option<Touch> {
    let offset = addr & 7;
    (offset + size <= 8 && is_application(addr, size)).then(|| Touch {
        bytes: (0xffu8 >> (8 - size)) << offset,
        write,
        atomic: true,
    })
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
    // Only plain accesses ask the memo.
    let conflict = if touch.atomic {
        hb::touch::<false>(recorder, word_of(addr), touch, site)?
    } else {
        hb::touch::<true>(recorder, word_of(addr), touch, site)?
    };
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
    let (first, last) = whole_granules(addr, end);
    let count = (last - first) / 8;
    (first == addr || is_covered(addr, first - addr))
        && (last == end || is_covered(last, end - last))
        && (count == 0 || {
            let covered = covered_mask(8, 0, write);
            runs::count_covered(word_of(first), count, current, covered) == count
        })
}

/// Where the granules begin and end that lie in `[addr, end)` as a whole.
fn whole_granules(addr: usize, end: usize) -> (usize, usize) {
    let first = addr.next_multiple_of(8).min(end);
    (first, (end & !7).max(first))
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
    let (first, last) = whole_granules(addr, end);
    let head = part(recorder, addr..first, how, site);
    let met = head.or(whole(recorder, first..last, how, site));
    met.or(part(recorder, last..end, how, site))
}

/// Checks and records an access to a part of a granule, or to nothing.
fn part(recorder: &mut Recorder, bytes: Range<usize>, how: How, site: &Site) -> Option<Met> {
    if bytes.is_empty() {
        return None;
    }
    let touch = Touch {
        bytes: (0xffu8 >> (8 - bytes.len())) << (bytes.start & 7),
        write: how.write,
        atomic: how.atomic,
    };
    touch_at(recorder, bytes.start & !7, touch, site)
}

fn touch_at(recorder: &mut Recorder, granule: usize, touch: Touch, site: &Site) -> Option<Met> {
    let conflict = hb::touch::<false>(recorder, word_of(granule), touch, site)?;
    Some(Met { conflict, granule })
}

/// Checks and records an access to all bytes of the `granules`.
fn whole(recorder: &mut Recorder, granules: Range<usize>, how: How, site: &Site) -> Option<Met> {
    let touch = Touch {
        bytes: 0xff,
        write: how.write,
        atomic: how.atomic,
    };
    let current = recorder.current();
    let covered = covered_mask(8, 0, how.write);
    let is_many = granules.len() >= MANY;
    let mut met = None;
    let mut fresh = None;
    let mut at = granules.start;
    while at < granules.end {
        let word = word_of(at);
        let left = (granules.end - at) / 8;
        let old = Word(word.load(Ordering::Acquire));
        if old.0.wrapping_sub(current) & covered == 0 {
            at += 8 * runs::count_covered(word, left, current, covered).max(1);
            continue;
        }
        let new = *fresh.get_or_insert_with(|| recorder.first(touch, site));
        if !how.atomic
            && (is_many || old != Word::EMPTY)
            && let Some(step) = runs::step(recorder, old, touch, new)
        {
            at += 8 * runs::replace(word, left, old, step);
            continue;
        }
        if !how.write
            && !how.atomic
            && let Some(readers) = Readers::from_word(old)
        {
            let done = readers::read_all(recorder, word, left, readers, new);
            if done > 0 {
                at += 8 * done;
                continue;
            }
        }
        if !hb::replace(recorder, word, old, touch, new) {
            met = met.or(touch_at(recorder, at, touch, site));
        }
        at += 8;
    }
    met
}
