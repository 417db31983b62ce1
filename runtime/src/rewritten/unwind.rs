//! Callers of a check, through the frames of rewritten libraries.
//!
//! Rewritten functions keep no shadow call stack: an exception may leave them
//! unnoticed. Their libraries carry a short form of the unwind table instead,
//! and the real stack is followed as far as it goes through such libraries.
//! The last address found belongs to whoever called into them.

use super::modules;
use core::sync::atomic::{AtomicU64, Ordering};
use racert_abi::rewritten::Row;

/// Where a function is, as far as unwinding needs it.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) pc: usize,
    pub(super) sp: usize,
    pub(super) bp: usize,
}

/// Rows looked up before. One word each, so that it is never torn: 40 bits of
/// the address, 14 of the frame with its base, 10 of the place of `rbp`.
static ROWS: [AtomicU64; SIZE] = [const { AtomicU64::new(0) }; SIZE];
const SIZE: usize = 1 << 12;
const ADDRESS: u64 = (1 << 40) - 1;

/// The row for an instruction that ends, or a call that returns, at `pc`.
fn row(pc: usize) -> Option<(u16, u16)> {
    let slot = &ROWS[(pc ^ pc >> 12) % SIZE];
    let known = slot.load(Ordering::Relaxed);
    if known & ADDRESS == pc as u64 & ADDRESS && known != 0 {
        let frame = (known >> 40) as u16 & 0x1fff | (known >> 38) as u16 & Row::FROM_RBP;
        return Some((frame, (known >> 54) as u16));
    }
    let found = modules::row(pc)?;
    let (words, base) = (
        found.frame & !Row::FROM_RBP,
        found.frame & Row::FROM_RBP != 0,
    );
    if words < 1 << 13 && found.saved_rbp < 1 << 10 {
        let frame = u64::from(words) | u64::from(base) << 13;
        let packed = pc as u64 & ADDRESS | frame << 40 | u64::from(found.saved_rbp) << 54;
        slot.store(packed, Ordering::Relaxed);
    }
    Some((found.frame, found.saved_rbp))
}

/// The end of the frame at `at`, and the place of the caller's `rbp` in words
/// below it.
#[inline]
fn frame_end(at: Position) -> Option<(usize, u16)> {
    let (frame, saved) = row(at.pc)?;
    let words = usize::from(frame & !Row::FROM_RBP);
    let is_by_bp = frame & Row::FROM_RBP != 0;
    let base = if is_by_bp { at.bp } else { at.sp };
    let end = base.checked_add(words * 8)?;
    let fits = words != 0 && end > at.sp && end.is_multiple_of(8);
    fits.then_some((end, saved))
}

/// Where the function at `at` has its return address.
#[inline]
pub(super) fn return_slot(at: Position) -> Option<usize> {
    frame_end(at).map(|(end, _)| end - 8)
}

/// Is the frame of the function at `at` as large whenever it is there?
pub(super) fn is_by_stack(at: Position) -> bool {
    row(at.pc).is_some_and(|(frame, _)| frame & Row::FROM_RBP == 0)
}

/// Where the caller of the function at `at` is.
pub(super) fn caller(at: Position) -> Option<Position> {
    let (end, saved) = frame_end(at)?;
    // SAFETY: the unwind table says that these words of the thread's own stack
    // hold the return address and the caller's register.
    let (pc, bp) = unsafe {
        let bp = match usize::from(saved) {
            0 => at.bp,
            words => *((end - words * 8) as *const usize),
        };
        (*((end - 8) as *const usize), bp)
    };
    Some(Position { pc, sp: end, bp })
}
