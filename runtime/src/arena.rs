//! The runtime's own heap.
//!
//! Size classes of powers of two with one free list each, filled from mapped
//! chunks; large blocks are mapped and unmapped one by one. It serves the cold
//! parts (reports, registries, clocks); shadow, logs and stacks have their own
//! storage. Behind one spin lock: nothing on an access path allocates here.

use crate::spin::SpinLock;
use crate::{internal_error, os};
use core::alloc::{GlobalAlloc, Layout};
use core::ptr::null_mut;

/// Smallest block.
const MIN_SHIFT: u32 = 4;
/// Blocks of `1 << MAX_SHIFT` bytes and more are mapped on their own.
const MAX_SHIFT: u32 = 16;
const CLASSES: usize = (MAX_SHIFT - MIN_SHIFT) as usize;
/// Memory taken from the kernel at a time.
const CHUNK: usize = 256 << 10;

struct FreeBlock {
    next: *mut FreeBlock,
}

struct Lists {
    free: [*mut FreeBlock; CLASSES],
    bump: *mut u8,
    left: usize,
}

// SAFETY: the pointers lead to memory only the lists own.
unsafe impl Send for Lists {}

/// The allocator.
pub struct Arena(SpinLock<Lists>);

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl Arena {
    /// An arena that owns nothing yet.
    pub const fn new() -> Self {
        Arena(SpinLock::new(Lists {
            free: [null_mut(); CLASSES],
            bump: null_mut(),
            left: 0,
        }))
    }

    /// Keeps everybody else out until the process has forked.
    pub fn before_fork(&self) {
        self.0.hold();
    }

    /// Opens the lock after a fork, in parent and child.
    ///
    /// # Safety
    /// As [`SpinLock::force_unlock`].
    pub unsafe fn after_fork(&self) {
        // SAFETY: passed on.
        unsafe { self.0.force_unlock() }
    }
}

fn class_of(layout: Layout) -> Option<usize> {
    let need = layout
        .size()
        .max(layout.align())
        .max(1 << MIN_SHIFT)
        .next_power_of_two();
    let shift = need.trailing_zeros();
    (shift < MAX_SHIFT).then(|| (shift - MIN_SHIFT) as usize)
}

fn round_to_pages(size: usize) -> usize {
    (size + os::PAGE - 1) & !(os::PAGE - 1)
}

impl Lists {
    fn take(&mut self, class: usize) -> *mut u8 {
        let head = self.free[class];
        if !head.is_null() {
            // SAFETY: blocks on the list are free and large enough for a link.
            self.free[class] = unsafe { (*head).next };
            return head.cast();
        }
        let size = 1usize << (class as u32 + MIN_SHIFT);
        // Blocks are aligned to their size, so round the bump pointer up.
        let skip = (self.bump as usize).wrapping_neg() & (size - 1);
        if self.left < skip + size {
            let Ok(chunk) = os::map(CHUNK) else {
                return null_mut();
            };
            self.bump = chunk;
            self.left = CHUNK;
            return self.take(class);
        }
        // SAFETY: `skip + size` bytes are left in the chunk.
        let block = unsafe { self.bump.add(skip) };
        self.bump = block.wrapping_add(size);
        self.left -= skip + size;
        block
    }
}

// SAFETY: blocks are disjoint, aligned to their power-of-two size, and stay
// valid until given back.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match class_of(layout) {
            // Who held the lock may never give it back.
            Some(_) if internal_error::is_off() => {
                os::map(round_to_pages(layout.size())).unwrap_or(null_mut())
            }
            Some(class) => self.0.lock().take(class),
            None if layout.align() <= os::PAGE => {
                os::map(round_to_pages(layout.size())).unwrap_or(null_mut())
            }
            None => null_mut(),
        }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        match class_of(layout) {
            Some(_) if internal_error::is_off() => {}
            Some(class) => {
                let block: *mut FreeBlock = ptr.cast();
                let mut lists = self.0.lock();
                // SAFETY: the block is the caller's to give back.
                unsafe { (*block).next = lists.free[class] };
                lists.free[class] = block;
            }
            None => os::unmap(ptr, round_to_pages(layout.size())),
        }
    }
}

/// The heap behind `Box`, `Vec` and friends in this crate.
#[cfg_attr(not(test), global_allocator)]
pub static ARENA: Arena = Arena::new();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_disjoint_and_reused() {
        let arena = Arena::new();
        let mut seen: Vec<(usize, usize)> = Vec::new();
        for &(size, align) in &[(1, 1), (24, 8), (100, 64), (5000, 16), (70_000, 4096)] {
            let layout = Layout::from_size_align(size, align).unwrap();
            // SAFETY: a non-zero layout.
            let p = unsafe { arena.alloc(layout) } as usize;
            assert_ne!(p, 0);
            assert_eq!(p % align, 0);
            assert!(seen.iter().all(|&(q, s)| p + size <= q || q + s <= p));
            seen.push((p, size));
        }
        let layout = Layout::from_size_align(24, 8).unwrap();
        // SAFETY: freed with the layout it was allocated with.
        unsafe { arena.dealloc(seen[1].0 as *mut u8, layout) };
        // SAFETY: a non-zero layout.
        assert_eq!(unsafe { arena.alloc(layout) } as usize, seen[1].0);
    }
}
