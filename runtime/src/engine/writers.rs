//! Who wrote the bytes that a loop watched.

use super::{goes_by_states, hb, hybrid, machine};
use crate::log::{Entry, entry::Chain};
use crate::recorder::Recorder;
use crate::shadow::word::Touch;
use crate::shadow::{is_application, word_of};
use smallvec::SmallVec;

/// A write by another thread that nothing orders before what this one does.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    /// Whose.
    pub slot: u16,
    /// Which.
    pub entry: Entry,
    /// First byte of the granule.
    pub granule: usize,
}

/// The granules of `[addr, addr + size)` and the bytes of each; none if the
/// memory is not the program's.
fn granules(addr: usize, size: usize) -> impl Iterator<Item = (usize, u8)> {
    let size = if is_application(addr, size) { size } else { 0 };
    let end = addr + size;
    let first = addr & !7;
    (first..end).step_by(8).map(move |granule| {
        let from = addr.max(granule) - granule;
        let to = end.min(granule + 8) - granule;
        (granule, (0xff >> (8 - (to - from))) << from)
    })
}

/// Those who wrote `[addr, addr + size)` last and are not ordered before.
pub fn unordered(recorder: &Recorder, addr: usize, size: usize) -> SmallVec<[Writer; 4]> {
    let mut writers = SmallVec::new();
    for (granule, bytes) in granules(addr, size) {
        let reading = Touch {
            bytes,
            write: false,
            atomic: false,
        };
        for record in hb::unordered_writes(recorder, word_of(granule), bytes) {
            let mut entries = Chain::new(record.slot(), record.pos());
            if let Some(entry) = entries.find(|entry| entry.touch.conflicts(reading)) {
                writers.push(Writer {
                    slot: record.slot(),
                    entry,
                    granule,
                });
            }
        }
    }
    writers
}

/// Those who accessed `[addr, addr + size)` last, slot and position, and are
/// not ordered before: for engines that keep nothing of a write that the same
/// thread, or one ordered after it, has followed by a read.
pub fn followed(recorder: &Recorder, addr: usize, size: usize) -> SmallVec<[(u16, u64); 4]> {
    let mut found = SmallVec::new();
    if goes_by_states(recorder) {
        for (granule, bytes) in granules(addr, size) {
            let lasts = machine::unordered(recorder, word_of(granule), bytes);
            found.extend(lasts.map(|last| (last.slot, last.pos)));
        }
    }
    found
}

/// Those other than the thread itself who wrote `[addr, addr + size)` last,
/// ordered before or not.
pub fn last(recorder: &Recorder, addr: usize, size: usize) -> SmallVec<[Writer; 4]> {
    let mut writers = SmallVec::new();
    for (granule, bytes) in granules(addr, size) {
        for record in hb::writes(word_of(granule), bytes) {
            let writes = |entry: &Entry| entry.touch.write && entry.touch.bytes & bytes != 0;
            let mut entries = Chain::new(record.slot(), record.pos());
            if record.slot() != recorder.slot()
                && let Some(entry) = entries.find(|entry| !entry.free && writes(entry))
            {
                writers.push(Writer {
                    slot: record.slot(),
                    entry,
                    granule,
                });
            }
        }
    }
    writers
}

/// Orders the thread after the critical sections, of locks that it holds too,
/// in which `[addr, addr + size)` was written. Is a write of them known at all?
pub fn order_after_sections(recorder: &mut Recorder, addr: usize, size: usize) -> bool {
    let mut known = false;
    for (granule, bytes) in granules(addr, size) {
        let word = word_of(granule);
        known |= hb::is_written(word, bytes);
        let records = hb::unordered_writes(recorder, word, bytes);
        let reading = Touch {
            bytes,
            write: false,
            atomic: false,
        };
        hybrid::make_edges(recorder, records.into_iter(), reading);
    }
    known
}
