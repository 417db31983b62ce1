//! Heap blocks, as far as the detector cares.
//!
//! Freeing a block is a write to all of it, so an access that is not ordered
//! with it is a race. A new block has no history: whatever used the memory
//! before gave it back through the allocator, which orders the two.

use crate::shadow::clear;
use crate::sync::table;
use crate::{access, thread};

/// The allocator handed out `[addr, addr + size)`. The caller has entered the
/// runtime.
pub fn allocated(addr: usize, size: usize, _pc: usize) {
    forget(addr, size);
}

/// `[addr, addr + size)` is about to be given back by a call at `pc`. The
/// caller has entered the runtime.
pub fn freeing(addr: usize, size: usize, pc: usize) {
    access::free_range(addr, size, pc);
    table::remove_range(addr, size);
}

/// Nothing recorded about `[addr, addr + len)` counts any more. The caller has
/// entered the runtime.
pub fn forget(addr: usize, len: usize) {
    if thread::registry::count() < 2 {
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
