//! Forgetting what was recorded about a range.

use super::cell::{CellCache, CellRef};
use super::word::Word;
use super::{OFFSET, is_application, word_of};
use crate::os;
use core::sync::atomic::Ordering;

/// Ranges from this size on are looked at page by page first: most of a large
/// fresh block has no shadow yet, and reading it would be all the cost.
const LARGE: usize = 64 << 10;

/// Makes `[addr, addr + len)` look never accessed.
pub fn forget(cells: &mut CellCache, addr: usize, len: usize) {
    if len == 0 || !is_application(addr, len) {
        return;
    }
    if len < LARGE {
        return forget_words(cells, addr, addr + len);
    }
    // From the start of a shadow page to the start of another.
    let start = (addr + OFFSET).next_multiple_of(os::PAGE) - OFFSET;
    let end = ((addr + len + OFFSET) & !(os::PAGE - 1)) - OFFSET;
    forget_words(cells, addr, start);
    forget_words(cells, end, addr + len);
    const BATCH: usize = 256;
    let mut resident = [0u8; BATCH];
    let mut at = start;
    while at < end {
        let pages = ((end - at) / os::PAGE).min(BATCH);
        let shadow = core::ptr::from_ref(word_of(at)) as usize;
        if !os::resident_pages(shadow, &mut resident[..pages]) {
            resident[..pages].fill(1);
        }
        for (i, _) in resident[..pages]
            .iter()
            .enumerate()
            .filter(|(_, r)| **r & 1 != 0)
        {
            let page = at + i * os::PAGE;
            release_cells(cells, page);
            os::advise_dont_need(shadow + i * os::PAGE, os::PAGE);
        }
        at += pages * os::PAGE;
    }
}

/// Gives back the cells of one page whose words are about to vanish.
fn release_cells(cells: &mut CellCache, page: usize) {
    for addr in (page..page + os::PAGE).step_by(8) {
        if Word(word_of(addr).load(Ordering::Relaxed)).is_cell() {
            forget_words(cells, addr, addr + 8);
        }
    }
}

fn forget_words(cells: &mut CellCache, start: usize, end: usize) {
    let mut at = start & !7;
    while at < end {
        let word = word_of(at);
        loop {
            let old = Word(word.load(Ordering::Acquire));
            if old == Word::EMPTY {
                break;
            }
            match CellRef::from_word(old) {
                Some(cell) if cell.is_locked() => {
                    os::sched_yield();
                    continue;
                }
                _ => {}
            }
            let swap = word.compare_exchange(old.0, 0, Ordering::AcqRel, Ordering::Relaxed);
            if swap.is_ok() {
                if let Some(cell) = CellRef::from_word(old) {
                    cells.release(cell);
                }
                break;
            }
        }
        at += 8;
    }
}
