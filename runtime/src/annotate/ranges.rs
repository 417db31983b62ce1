//! Memory whose races are meant to be, or expected by a test.
//!
//! Looked at only when a race is about to be reported. A range inside a heap
//! block is bound to that block: once the memory belongs to another
//! allocation, the annotation no longer counts.

use super::streams;
use crate::intercept::{self, Block};
use crate::report::{self, Notice};
use crate::spin::SpinLock;
use crate::stack;
use crate::suppress::Class;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

/// A range of benign races; the key in the table is its start.
struct Benign {
    end: usize,
    /// Annotated without a size: all of an access that touches it is meant.
    open: bool,
    /// The heap block it lay in when it was annotated.
    block: Option<Block>,
}

/// A race that has to happen.
struct Expected {
    range: Range<usize>,
    why: String,
    /// Where the annotation stands.
    stack: u32,
    /// It did, or it is for the process this one was forked from to meet.
    met: bool,
}

#[derive(Default)]
struct Ranges {
    benign: BTreeMap<usize, Benign>,
    /// Length of the longest benign range.
    longest: usize,
    expected: Vec<Expected>,
}

static RANGES: SpinLock<Ranges> = SpinLock::new(Ranges {
    benign: BTreeMap::new(),
    longest: 0,
    expected: Vec::new(),
});
/// Is there anything in [`RANGES`], or the detection switched off?
static ANY: AtomicBool = AtomicBool::new(false);
/// Races are not reported for now.
static OFF: AtomicBool = AtomicBool::new(false);

/// Races on `range` are meant to be; if `open`, also those on what is accessed
/// together with it.
pub(super) fn add_benign(range: Range<usize>, open: bool) {
    if range.is_empty() {
        return;
    }
    let block = intercept::find_block(range.start);
    let mut ranges = RANGES.lock();
    ranges.longest = ranges.longest.max(range.len());
    let end = range.end;
    ranges
        .benign
        .insert(range.start, Benign { end, open, block });
    ANY.store(true, Ordering::Relaxed);
}

/// Races on what was annotated within `range` are no longer meant.
pub(super) fn remove_benign(range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    let mut ranges = RANGES.lock();
    ranges
        .benign
        .retain(|start, benign| !(range.contains(start) && benign.end <= range.end));
}

/// A race on `range` has to happen before the process ends, or before
/// [`report_unmet`] is called.
pub(super) fn add_expected(range: Range<usize>, why: &str, stack: u32) {
    let mut ranges = RANGES.lock();
    if ranges.expected.iter().any(|e| e.range == range && !e.met) {
        return;
    }
    ranges.expected.push(Expected {
        range,
        why: why.into(),
        stack,
        met: false,
    });
    ANY.store(true, Ordering::Relaxed);
}

/// Switches the reporting of races on or off.
pub(super) fn enable(on: bool) {
    OFF.store(!on, Ordering::Relaxed);
    ANY.store(true, Ordering::Relaxed);
}

/// Is a race on the bytes of `race` not to be reported?
#[inline]
pub(crate) fn is_meant(race: Range<usize>) -> bool {
    ANY.load(Ordering::Relaxed) && look_up(&race) || streams::has(&race)
}

#[cold]
fn look_up(race: &Range<usize>) -> bool {
    let off = OFF.load(Ordering::Relaxed);
    let mut ranges = RANGES.lock();
    let mut expected = false;
    for e in ranges.expected.iter_mut() {
        if e.range.start < race.end && race.start < e.range.end {
            (e.met, expected) = (true, true);
        }
    }
    expected || off || ranges.is_benign(race)
}

impl Ranges {
    /// Is every byte of `race` meant? Drops annotations that have lost their
    /// block on the way.
    fn is_benign(&mut self, race: &Range<usize>) -> bool {
        let from = race.start.saturating_sub(self.longest);
        let candidates: Vec<(usize, usize, bool, Option<Block>)> = self
            .benign
            .range(from..race.end)
            .filter(|(_, benign)| benign.end > race.start)
            .map(|(start, benign)| (*start, benign.end, benign.open, benign.block))
            .collect();
        let mut covered = race.start;
        for (start, end, open, block) in candidates {
            if block.is_some() && intercept::find_block(start) != block {
                self.benign.remove(&start);
            } else if open {
                return true;
            } else if start <= covered {
                covered = covered.max(end);
            }
        }
        covered >= race.end
    }
}

/// Complains about expected races that did not happen, and forgets them all.
pub(super) fn report_unmet() {
    let expected = core::mem::take(&mut RANGES.lock().expected);
    for missing in expected.into_iter().filter(|e| !e.met) {
        let said = format!(
            "Expected on {} bytes at {:#x} ({}), annotated at:",
            missing.range.len(),
            missing.range.start,
            missing.why
        );
        report::notice(&Notice {
            id: "expected-race-missing",
            title: "expected race did not happen",
            said: &said,
            thread: crate::thread::current().map_or(0, |me| me.number),
            suggestion: None,
            stack: stack::resolve(missing.stack),
            class: Class::Race,
            once: false,
        });
    }
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    RANGES.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { RANGES.force_unlock() }
}

/// The process was forked; this is the child.
pub(super) fn alone_in_child() {
    for expected in &mut RANGES.lock().expected {
        expected.met = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn benign(end: usize, open: bool) -> Benign {
        Benign {
            end,
            open,
            block: None,
        }
    }

    #[test]
    fn every_byte_has_to_be_meant() {
        let mut ranges = Ranges::default();
        ranges.benign.insert(100, benign(200, false));
        ranges.benign.insert(150, benign(151, false));
        ranges.benign.insert(200, benign(204, false));
        ranges.longest = 100;
        assert!(ranges.is_benign(&(100..108)));
        assert!(ranges.is_benign(&(196..204)));
        assert!(!ranges.is_benign(&(200..208)));
        assert!(!ranges.is_benign(&(96..104)));
        assert!(!ranges.is_benign(&(92..100)));
    }

    #[test]
    fn without_a_size_the_access_says_how_much() {
        let mut ranges = Ranges::default();
        ranges.benign.insert(100, benign(101, true));
        ranges.longest = 1;
        assert!(ranges.is_benign(&(96..104)));
        assert!(!ranges.is_benign(&(101..104)));
    }

    #[test]
    fn an_annotation_ends_with_its_block() {
        let mut ranges = Ranges::default();
        let block = Block {
            start: 96,
            size: 64,
            stack: 1,
            thread: 0,
        };
        let lost = Benign {
            end: 108,
            open: false,
            block: Some(block),
        };
        ranges.benign.insert(100, lost);
        ranges.longest = 8;
        assert!(!ranges.is_benign(&(100..104)));
        assert!(ranges.benign.is_empty());
    }
}
