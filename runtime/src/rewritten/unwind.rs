//! Callers of a check, through the frames of rewritten libraries.
//!
//! Rewritten functions keep no shadow call stack: an exception may leave them
//! unnoticed. Their libraries carry a short form of the unwind table instead,
//! and the real stack is followed as far as it goes through such libraries.
//! The last address found belongs to whoever called into them.

use super::modules;
use crate::stack;
use crate::tls::{self, Frame};
use core::sync::atomic::{AtomicU64, Ordering};
use racert_abi::rewritten::Row;

/// Callers that a report shows of a deep recursion.
const DEEPEST: usize = 64;

/// Where a function is, as far as unwinding needs it.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) pc: usize,
    pub(super) sp: usize,
    pub(super) bp: usize,
}

/// Contexts of the chains of callers met last.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Known {
    chain: u64,
    context: u64,
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

/// The position in the caller.
fn caller(at: Position) -> Option<Position> {
    let (frame, saved) = row(at.pc)?;
    let words = usize::from(frame & !Row::FROM_RBP);
    if words == 0 {
        return None;
    }
    let base = if frame & Row::FROM_RBP != 0 {
        at.bp
    } else {
        at.sp
    };
    let end = base.checked_add(words * 8)?;
    if end <= at.sp || end % 8 != 0 {
        return None;
    }
    // SAFETY: the unwind table says that these words of the thread's own stack
    // hold the return address and the caller's register.
    unsafe {
        let bp = match usize::from(saved) {
            0 => at.bp,
            words => *((end - words * 8) as *const usize),
        };
        Some(Position {
            pc: *((end - 8) as *const usize),
            sp: end,
            bp,
        })
    }
}

/// Runs `f` with the callers of `at` on the shadow call stack, whose context
/// so far is `below`. The caller has entered the runtime.
pub(super) fn with_callers(at: Position, below: u32, known: &mut [Known; 16], f: impl FnOnce()) {
    let block = tls::block();
    // SAFETY: this thread's own block.
    let top = unsafe { (*block).frames };
    if top.is_null() {
        return f();
    }
    let mut callers = [0; DEEPEST];
    let mut count = 0;
    let mut hash = 0u64;
    let mut position = at;
    while count < DEEPEST
        && let Some(next) = caller(position)
    {
        callers[count] = next.pc as u64;
        count += 1;
        hash = (hash ^ next.pc as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
        position = next;
    }
    if count == 0 {
        return f();
    }
    let chain = hash ^ u64::from(below);
    let place = &mut known[chain as usize % 16];
    if place.chain != chain || place.context == 0 {
        let mut context = below;
        for &pc in callers[..count].iter().rev() {
            context = stack::intern(context, pc);
        }
        *place = Known {
            chain,
            context: context.into(),
        };
    }
    // SAFETY: a shadow stack has room for at least as many frames as the real
    // one; one is borrowed until `f` is done.
    unsafe {
        top.write(Frame {
            return_address: callers[0],
            context: place.context,
        });
        (*block).frames = top.add(1);
        f();
        (*block).frames = top;
    }
}
