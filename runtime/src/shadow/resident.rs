//! Which parts of the shadow are in memory.
//!
//! Most of a large block's shadow was never written. The kernel's page tables
//! say which part was, so work on large ranges costs what the program has used
//! of them.

use super::{OFFSET, word_of};
use crate::os;
use core::ops::Range;

/// Pages asked about at a time: 4 MiB, in 1 KiB of stack.
const BATCH: usize = 1024;
/// The same for ranges where that would take too many questions.
const LARGE_BATCH: usize = 1 << 16;

/// Pages with the same answer.
pub struct Run {
    /// Application addresses, whole shadow pages.
    pub range: Range<usize>,
    /// Their shadow is in memory. If not, it was never written, or swapped
    /// out.
    pub resident: bool,
}

/// The part of a range of application addresses whose shadow fills whole
/// pages.
pub fn pages_within(range: Range<usize>) -> Range<usize> {
    let start = (range.start + OFFSET).next_multiple_of(os::PAGE) - OFFSET;
    let end = ((range.end + OFFSET) & !(os::PAGE - 1)) - OFFSET;
    start..end
}

/// The application addresses of all shadow pages that hold words of a range,
/// which begins well above 0.
pub fn pages_around(range: Range<usize>) -> Range<usize> {
    let start = ((range.start + OFFSET) & !(os::PAGE - 1)) - OFFSET;
    let end = (range.end + OFFSET).next_multiple_of(os::PAGE) - OFFSET;
    start..end
}

/// Calls `visit` for the runs that make up `range` (application addresses,
/// whole shadow pages), in order.
pub fn runs(range: Range<usize>, visit: impl FnMut(Run)) {
    if range.len() / os::PAGE > 16 * BATCH {
        return ask(range, &mut alloc::vec![0; LARGE_BATCH], visit);
    }
    ask(range, &mut [0; BATCH], visit);
}

fn ask(range: Range<usize>, answers: &mut [u8], mut visit: impl FnMut(Run)) {
    let mut at = range.start;
    while at < range.end {
        let pages = ((range.end - at) / os::PAGE).min(answers.len());
        if pages == 0 {
            return;
        }
        let answers = &mut answers[..pages];
        let shadow = core::ptr::from_ref(word_of(at)) as usize;
        if !os::resident_pages(shadow, answers) {
            answers.fill(1);
        }
        let mut from = at;
        for same in answers.chunk_by(|a, b| (a ^ b) & 1 == 0) {
            let to = from + same.len() * os::PAGE;
            visit(Run {
                range: from..to,
                resident: same[0] & 1 != 0,
            });
            from = to;
        }
        at = from;
    }
}
