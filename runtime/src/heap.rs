//! Heap blocks, as far as the detector cares.
//!
//! Freeing a block is a write to all of it, so an access that is not ordered
//! with it is a race, and one that comes after it is an error, too. A new block
//! has no history: whatever used the memory before gave it back through the
//! allocator, which orders the two. Allocating it is a write by the thread that
//! did, so that another cannot learn of it unordered.

use crate::lock::invalid;
use crate::shadow::word::Word;
use crate::shadow::{clear, is_application, resident, word_of};
use crate::sync::table;
use crate::{access, intercept, thread};
use core::ops::Range;
use core::sync::atomic::Ordering;

/// Of a block larger than this, allocating and freeing marks only so much from
/// its start: in the rest, freeing is checked against what other threads did
/// there.
const MARKED: usize = 16 << 10;

/// The allocator handed out `[addr, addr + size)`. The caller has entered the
/// runtime. What an uninstrumented library allocates does not count: how it
/// hands the block on cannot be seen.
pub fn allocated(addr: usize, size: usize, pc: usize) {
    forget(addr, size);
    if !thread::alone() && intercept::is_instrumented(pc) {
        access::allocated_range(addr, size.min(MARKED), pc);
    }
}

/// The allocator handed out `[addr, addr + size)` to code whose allocations are
/// not tracked: nobody is to be told that the memory was freed.
pub fn untracked(addr: usize, size: usize) {
    if thread::registry::several() && is_application(addr, size) {
        clear::forget_marks(addr, size.min(MARKED));
    }
}

/// `[addr, addr + size)` is about to be given back by a call at `pc`. The
/// caller has entered the runtime.
pub fn freeing(addr: usize, size: usize, pc: usize) {
    table::free_range(addr, size, |object, address| {
        invalid::freeing(object, address, pc);
    });
    if thread::alone() {
        return;
    }
    access::free_range(addr, size.min(MARKED), pc);
    if size > MARKED && size < clear::SKIPPED && is_application(addr, size) {
        free_rest(addr + MARKED..addr + size, pc);
    }
}

/// `[addr, addr + size)` is about to go back, by a call at `pc`, to an
/// allocator that the program brought. The caller has entered the runtime.
pub fn returning(addr: usize, size: usize, pc: usize) {
    table::free_range(addr, size, |object, address| {
        invalid::freeing(object, address, pc);
    });
    if !thread::alone() {
        access::write_range(addr, size.min(MARKED), pc);
    }
}

/// Frees the part of a large block that is not marked, at the cost of the
/// shadow it has.
fn free_rest(rest: Range<usize>, pc: usize) {
    resident::runs(resident::pages_around(rest.clone()), |run| {
        if run.resident {
            free_touched(
                run.range.start.max(rest.start)..run.range.end.min(rest.end),
                pc,
            );
        }
    });
}

/// Frees the granules of `range` that other threads have touched.
fn free_touched(range: Range<usize>, pc: usize) {
    let Some(me) = thread::current() else { return };
    let own = me.recorder.slot();
    let theirs = |at: usize| {
        let word = Word(word_of(at).load(Ordering::Relaxed));
        word != Word::EMPTY && word.slot() != own
    };
    let mut at = range.start;
    while at < range.end {
        let start = at;
        while at < range.end && theirs(at) {
            at = (at & !7) + 8;
        }
        if at > start {
            access::free_range(start, at.min(range.end) - start, pc);
        }
        while at < range.end && !theirs(at) {
            at = (at & !7) + 8;
        }
    }
}

/// Nothing recorded about `[addr, addr + len)` counts any more. The caller has
/// entered the runtime.
pub fn forget(addr: usize, len: usize) {
    if !thread::registry::several() {
        return;
    }
    table::remove_range(addr, len);
    if let Some(me) = thread::current() {
        clear::forget(&mut me.recorder.cells, addr, len);
    }
}

/// The id of the calling thread's stack with `pc` on top, for the block's
/// header; 0 if unknown.
pub fn stack_id(pc: usize) -> u32 {
    thread::current().map_or(0, |me| me.stack_id(pc))
}

/// The calling thread's number, for the block's header.
pub fn thread_id() -> u32 {
    thread::current().map_or(0, |me| me.number)
}
