//! Forgetting what was recorded about a range.

use super::cell::{CellCache, CellRef};
use super::word::{Beside, Word};
use super::{beside, planes, resident};
use super::{is_application, word_of};
use crate::internal_error;
use crate::os;
use core::ops::Range;
use core::sync::atomic::Ordering;

/// Ranges from this size on are looked at page by page first: most of a large
/// fresh block has no shadow yet, and reading it would be all the cost.
const LARGE: usize = 64 << 10;
/// From this size on the shadow goes back to the kernel: below, clearing it is
/// cheaper than having it mapped anew.
const HUGE: usize = 1 << 20;
/// From this size on not even the page tables are looked at: asking the kernel
/// for the residency of 1 TiB takes half a second.
pub const SKIPPED: usize = 16 << 30;

/// Makes `[addr, addr + len)` look never accessed.
pub fn forget(cells: &mut CellCache, addr: usize, len: usize) {
    if len == 0 || !is_application(addr, len) {
        return;
    }
    let end = addr + len;
    if len < LARGE {
        return forget_words(cells, addr, end);
    }
    let inner = resident::pages_within(addr..end);
    forget_words(cells, addr, inner.start);
    forget_words(cells, inner.end, end);
    let shadow_of = |at| core::ptr::from_ref(word_of(at)) as usize;
    if len < HUGE {
        return resident::runs(inner, |run| {
            if run.resident {
                forget_words(cells, run.range.start, run.range.end);
            } else {
                os::advise_dont_need(shadow_of(run.range.start), run.range.len());
            }
        });
    }
    // Cells that only swapped-out words refer to are lost, and those of ranges
    // so large that looking for them would be felt.
    if len < SKIPPED {
        resident::runs(inner.clone(), |run| {
            if run.resident {
                release_cells(cells, run.range.start, run.range.end);
            }
        });
    }
    discard(inner);
}

/// As [`forget`], and what of the shadow fills whole pages goes back to the
/// kernel.
pub fn give_back(cells: &mut CellCache, range: Range<usize>) {
    let inner = resident::pages_within(range.clone());
    forget_words(cells, range.start, range.end);
    if inner.start < inner.end {
        discard(inner);
    }
}

/// Gives whole pages of shadow back to the kernel, and what stands beside them.
fn discard(pages: Range<usize>) {
    let start = core::ptr::from_ref(word_of(pages.start)) as usize;
    os::advise_dont_need(start, pages.len());
    beside::discard(start, start + pages.len());
    planes::discard(start, start + pages.len());
}

/// Gives back the cells of whole pages whose words are about to vanish.
fn release_cells(cells: &mut CellCache, start: usize, end: usize) {
    for addr in (start..end).step_by(8) {
        if has_cell(Word(word_of(addr).load(Ordering::Relaxed))) {
            forget_cell(cells, addr);
        }
    }
}

fn forget_words(cells: &mut CellCache, start: usize, end: usize) {
    let mut at = start & !7;
    while at < end {
        let word = word_of(at);
        let old = Word(word.load(Ordering::Acquire));
        if has_cell(old) {
            forget_cell(cells, at);
        } else if old != Word::EMPTY {
            // A record that another thread leaves there at this moment is of
            // an access to memory that is just changing hands.
            word.store(0, Ordering::Release);
        }
        at += 8;
    }
}

/// Forgets that `[addr, addr + len)` was given back to the heap.
pub fn forget_marks(addr: usize, len: usize) {
    for at in (addr & !7..addr + len).step_by(8) {
        let word = word_of(at);
        if Word(word.load(Ordering::Relaxed)).is_mark() {
            word.store(0, Ordering::Release);
        }
    }
}

/// Must more be given back than the word?
#[inline]
fn has_cell(word: Word) -> bool {
    word.is_cell() || word.beside() == Beside::Cell
}

/// Empties a word that has a cell, and gives the cell back.
#[cold]
fn forget_cell(cells: &mut CellCache, at: usize) {
    let word = word_of(at);
    loop {
        let old = Word(word.load(Ordering::Acquire));
        if old == Word::BUSY {
            internal_error::leave_if_off();
            os::sched_yield();
            continue;
        }
        // Who is changing the cell finishes first.
        let guard = CellRef::from_word(old).map(CellRef::lock);
        let swap = word.compare_exchange(old.0, 0, Ordering::AcqRel, Ordering::Relaxed);
        drop(guard);
        if swap.is_ok() {
            if let Some(cell) = cell_of(old, at) {
                cells.release(cell);
            }
            return;
        }
    }
}

/// The cell that a word at `at` refers to, or that stands beside it.
fn cell_of(word: Word, at: usize) -> Option<CellRef> {
    if word.is_cell() {
        return CellRef::from_word(word);
    }
    if word.beside() != Beside::Cell {
        return None;
    }
    let place = beside::place(word_of(at))?;
    CellRef::from_word(Word(place.load(Ordering::Acquire)))
}
