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
    /// Code address (47 bits), offset within the granule (3), high bits of the
    /// caller's context.
    access: u64,
    /// Where the function returns to (47 bits), low bits of the caller's
    /// context.
    from: u64,
    new: u64,
}

const _: () = assert!(size_of::<Transition>() == 32);

/// Planes remembered.
pub(crate) const PLANES: usize = 1024;

#[repr(C)]
struct Table {
    transitions: [Transition; SIZE],
    planes: [Plane; PLANES],
    /// The stack of each transition's newest entry.
    stacks: [u32; SIZE],
}

/// Where the planes begin, for assembly.
pub(crate) const PLANES_AT: usize = offset_of!(Table, planes);

/// Where the stacks begin.
#[cfg(not(test))]
pub(crate) const STACKS_AT: usize = offset_of!(Table, stacks);

/// The tables: 176 KiB, of which a thread pays for the pages it uses.
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

    /// Where a transition is filed, and what tells it from others there.
    #[inline]
    fn filed(old: Word, touch: Touch, site: &Site) -> (usize, u64, u64) {
        let offset = u64::from(touch.bytes.trailing_zeros());
        let outer = u64::from(site.outer);
        let access = site.pc | offset << ADDRESS_BITS | outer >> 17 << (ADDRESS_BITS + 3);
        let from = site.return_address | outer << ADDRESS_BITS;
        let index = (old.alone().0 >> POS_SHIFT ^ access ^ offset << 9) as usize % SIZE;
        (index, access, from)
    }

    /// Remembers what `touch` at `site`, whose stack is `stack`, made of this
    /// segment's record `old`, or of a granule without one.
    #[inline]
    pub fn remember(&mut self, old: Word, touch: Touch, site: &Site, stack: u32, new: Word) {
        let (index, access, from) = Self::filed(old, touch, site);
        let (old, new) = (old.alone().0, new.alone().0);
        // SAFETY: the memo's own mapping, or null.
        let Some(table) = (unsafe { self.0.as_mut() }) else {
            return;
        };
        table.transitions[index] = Transition {
            old,
            access,
            from,
            new,
        };
        table.stacks[index] = stack;
    }
}
