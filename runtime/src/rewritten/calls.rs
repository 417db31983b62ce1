//! Contexts that calls from one function of rewritten code to another led to.
//!
//! What a function's callers are has to be found again whenever one of them was
//! left and entered again. From the same caller, through the same call, it is
//! the same context each time: assembly in [`super::known`] looks here.

use crate::os;

/// Calls remembered.
pub(super) const BITS: u32 = 13;

/// A call; all zero where there is none.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Call {
    /// Where it returns to.
    pub(super) return_address: u64,
    /// The context of the function that calls.
    pub(super) outer: u32,
    /// That of the function that is called.
    pub(super) context: u32,
    /// From the place of the return address up to that of the caller's own.
    pub(super) frame: u64,
    unused: u64,
}

const _: () = assert!(size_of::<Call>() == 32);

/// The calls of one thread: 256 KiB, of which it pays for the pages it uses.
pub(crate) struct Calls(*mut [Call; 1 << BITS]);

// SAFETY: the mapping belongs to the owner.
unsafe impl Send for Calls {}

impl Default for Calls {
    fn default() -> Self {
        Calls(core::ptr::null_mut())
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        if !self.0.is_null() {
            os::unmap(self.0.cast(), size_of::<[Call; 1 << BITS]>());
        }
    }
}

impl Calls {
    /// Remembers one, if there is memory.
    pub(super) fn put(&mut self, return_address: u64, outer: u32, context: u32, frame: u64) {
        if self.0.is_null() {
            let table = os::map(size_of::<[Call; 1 << BITS]>());
            self.0 = table.map_or(core::ptr::null_mut(), |at| at.cast());
        }
        let hash = (return_address ^ u64::from(outer) << 24).wrapping_mul(super::places::HASH);
        // SAFETY: the thread's own table, or null; zeroed memory is one of
        // nothing.
        if let Some(table) = unsafe { self.0.as_mut() } {
            table[(hash >> (64 - BITS)) as usize] = Call {
                return_address,
                outer,
                context,
                frame,
                unused: 0,
            };
        }
    }
}
