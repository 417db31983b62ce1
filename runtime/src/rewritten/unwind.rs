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

/// One step up the stack.
pub(super) struct Step {
    pub(super) caller: Position,
    /// Where the return address was read.
    pub(super) return_slot: usize,
    /// Where the caller's `rbp` was read, if it had been saved.
    pub(super) bp_slot: Option<usize>,
    /// The frame was found from `rbp`.
    pub(super) by_bp: bool,
}

/// The end of the frame at `at`, the place of the caller's `rbp` in words below
/// it, and whether the frame was found from `rbp`.
#[inline]
fn frame_end(at: Position) -> Option<(usize, u16, bool)> {
    let (frame, saved) = row(at.pc)?;
    let words = usize::from(frame & !Row::FROM_RBP);
    let by_bp = frame & Row::FROM_RBP != 0;
    let base = if by_bp { at.bp } else { at.sp };
    let end = base.checked_add(words * 8)?;
    let fits = words != 0 && end > at.sp && end.is_multiple_of(8);
    fits.then_some((end, saved, by_bp))
}

/// Where the function at `at` has its return address.
#[inline]
pub(super) fn return_slot(at: Position) -> Option<usize> {
    frame_end(at).map(|(end, ..)| end - 8)
}

/// The way to the caller.
pub(super) fn caller(at: Position) -> Option<Step> {
    let (end, saved, by_bp) = frame_end(at)?;
    let bp_slot = (saved != 0).then(|| end - usize::from(saved) * 8);
    let return_slot = end - 8;
    // SAFETY: the unwind table says that these words of the thread's own stack
    // hold the return address and the caller's register.
    let (pc, bp) = unsafe {
        let saved = bp_slot.map(|slot| *(slot as *const usize));
        (*(return_slot as *const usize), saved.unwrap_or(at.bp))
    };
    Some(Step {
        caller: Position { pc, sp: end, bp },
        return_slot,
        bp_slot,
        by_bp,
    })
}
