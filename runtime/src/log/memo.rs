//! Transitions made before in this segment.
//!
//! A loop touches many granules from one place. All it touches for the first
//! time in this segment get the same record, and those it has touched before,
//! with the same record, become the same again. A small direct-mapped table
//! remembers such transitions, and repeats them without looking at log or
//! clock: only this thread's own records and empty words change that way.
//!
//! A transition to a word of an earlier segment is out of date, which its
//! position tells. If it is that of a first touch, the same place touches
//! memory for the first time again: assembly in [`crate::entry`] appends the
//! entry once more, whose stack is remembered too.
//!
//! Beside them stand the slot's own planes (see [`crate::shadow::planes`]) of
//! the regions it used last.

use super::site::Site;
use crate::os;
use crate::shadow::planes::{self, Plane};
use crate::shadow::word::{Touch, Word};
use core::mem::offset_of;
use core::sync::atomic::AtomicU64;
use racert_abi::word::POS_SHIFT;

/// Transitions remembered.
pub const SIZE: usize = 4096;

/// User space addresses fit into this.
pub const ADDRESS_BITS: u32 = 47;

/// One transition; assembly in [`crate::entry`] knows the layout.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Transition {
    /// This segment's record without what is beside it, or 0: a first touch in
    /// this segment.
    old: u64,
    /// Code address (47 bits), offset within the granule (3).
    access: u64,
    /// Where the function returns to.
    from: u64,
    new: u64,
    /// The caller's context.
    outer: u32,
    /// The stack of the newest entry.
    stack: u32,
}

const _: () = assert!(size_of::<Transition>() == 40);

/// Where [`Transition::stack`] is.
#[cfg(not(test))]
pub(crate) const STACK_AT: usize = offset_of!(Transition, stack);

/// Planes remembered.
pub(crate) const PLANES: usize = 1024;

#[repr(C)]
struct Table {
    transitions: [Transition; SIZE],
    planes: [Plane; PLANES],
}

/// Where the planes begin, for assembly.
pub(crate) const PLANES_AT: usize = offset_of!(Table, planes);

/// The tables: 192 KiB, of which a thread pays for the pages it uses.
pub struct Memo(*mut Table);

// SAFETY: the mapping belongs to the memo.
unsafe impl Send for Memo {}

impl Default for Memo {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Memo {
    fn drop(&mut self) {
        if !self.0.is_null() {
            os::unmap(self.0.cast(), size_of::<Table>());
        }
    }
}

impl Memo {
    /// Nothing remembered; without memory for it, for ever.
    pub fn new() -> Memo {
        let table = os::map(size_of::<Table>());
        Memo(table.map_or(core::ptr::null_mut(), |at| at.cast()))
    }

    /// Remembers nothing, ever.
    pub const fn none() -> Memo {
        Memo(core::ptr::null_mut())
    }

    /// The transitions, for assembly; null without memory.
    pub fn table(&self) -> *const Transition {
        self.0.cast()
    }

    /// The plane of `slot`, whose memo this is, for the granule at `word`.
    pub fn plane(&mut self, word: &AtomicU64, slot: u16) -> Option<Plane> {
        // SAFETY: the memo's own mapping, or null.
        let Some(table) = (unsafe { self.0.as_mut() }) else {
            return planes::plane_of(word, slot);
        };
        let known = &mut table.planes[planes::number(word) % PLANES];
        if !known.is_for(word) {
            *known = planes::plane_of(word, slot)?;
        }
        Some(*known)
    }

    /// Remembers what `touch` at `site`, whose stack is `stack`, made of this
    /// segment's record `old`, or of a granule without one.
    #[inline]
    pub fn remember(&mut self, old: Word, touch: Touch, site: &Site, stack: u32, new: Word) {
        let offset = u64::from(touch.bytes.trailing_zeros());
        let access = site.pc | offset << ADDRESS_BITS;
        let old = old.alone().0;
        let index = (old >> POS_SHIFT ^ access ^ offset << 9) as usize % SIZE;
        // SAFETY: the memo's own mapping, or null.
        let Some(table) = (unsafe { self.0.as_mut() }) else {
            return;
        };
        table.transitions[index] = Transition {
            old,
            access,
            from: site.return_address,
            new: new.alone().0,
            outer: site.outer,
            stack,
        };
    }
}
