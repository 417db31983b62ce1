//! Records that accesses from one place made before.
//!
//! Code that takes and gives back locks all the time begins segments so often
//! that most of its accesses are the first ones there. What a place of the
//! code, called from where it is, leaves behind is the same each time but for
//! its position: one look here tells the number of its stack, and its record
//! of this segment, if there is one already.

use crate::log::entry;
use crate::log::memo::ADDRESS_BITS;
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::shadow::word::{Touch, Word};
use crate::{os, stack};
use racert_abi::word::{POS_SHIFT, SEGMENT_BITS};

/// Places remembered.
pub(super) const BITS: u32 = 15;

/// What spreads them.
pub(super) const HASH: u64 = 0x9e37_79b9_7f4a_7c15;

/// The bit of [`Place::access`] that says that the record is one that goes on
/// from an earlier one.
pub(super) const GOES_ON: u32 = ADDRESS_BITS + 3;

/// The first bit of the context there.
pub(super) const CONTEXT_SHIFT: u32 = GOES_ON + 1;

/// [`place_of`] says where it is.
/// All zero where there is none; assembly in [`super::known`] knows it, too.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Place {
    /// Where the check returns to (47 bits), which tells what is accessed how,
    /// the offset in the granule (3), [`GOES_ON`], and what there is room for of
    /// the context, so that this alone mostly tells which of two places it is.
    pub(super) access: u64,
    pub(super) context: u32,
    pub(super) stack: u32,
    /// If it [goes on](GOES_ON), the record before, or 0; else the log's entry.
    pub(super) old: u64,
    pub(super) new: u64,
}

const _: () = assert!(size_of::<Place>() == 32);

/// The places of one thread: 1 MiB, of which it pays for the pages it uses.
pub(crate) struct Places(*mut [Place; 1 << BITS]);

// SAFETY: the mapping belongs to the owner.
unsafe impl Send for Places {}

impl Default for Places {
    fn default() -> Self {
        Places(core::ptr::null_mut())
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        if !self.0.is_null() {
            os::unmap(self.0.cast(), size_of::<[Place; 1 << BITS]>());
        }
    }
}

/// The first of the two places, in one line, where an access may be. One that
/// [goes on](GOES_ON) is in the line beside.
fn place_of(access: u64, context: u32) -> usize {
    let hash = (access ^ u64::from(context) << 24).wrapping_mul(HASH);
    (hash >> (64 - BITS)) as usize
}

impl Places {
    /// Is there memory for it?
    #[inline]
    pub(crate) fn is_there(&mut self) -> bool {
        !self.0.is_null() || self.reserve()
    }

    #[cold]
    fn reserve(&mut self) -> bool {
        let table = os::map(size_of::<[Place; 1 << BITS]>());
        self.0 = table.map_or(core::ptr::null_mut(), |at| at.cast());
        !self.0.is_null()
    }

    /// Where a place may be, for assembly.
    #[cfg(test)]
    pub(super) fn first(&self, access: u64, context: u32) -> *const Place {
        self.0
            .cast::<Place>()
            .wrapping_add(place_of(access, context))
    }

    /// This segment's record of `touch` at `site`, by the check that returns to
    /// `check`, and nothing else, or on top of `old`, a record of this segment.
    /// The table must be there.
    #[inline]
    pub(super) fn record(
        &mut self,
        recorder: &mut Recorder,
        old: Option<Word>,
        touch: Touch,
        check: usize,
        site: &Site,
    ) -> Word {
        let unit = touch.bytes.count_ones();
        let access = check as u64 | u64::from(touch.bytes.trailing_zeros()) << ADDRESS_BITS;
        let first = place_of(access, site.context) ^ if old.is_some() { 2 } else { 0 };
        let access =
            access | u64::from(old.is_some()) << GOES_ON | u64::from(site.context) << CONTEXT_SHIFT;
        // SAFETY: this thread's own table; zeroed memory is one of nothing.
        let places = unsafe { &mut *self.0 };
        let is_this = |i: &usize| places[*i].access == access && places[*i].context == site.context;
        let at = [first, first ^ 1].into_iter().find(is_this);
        let place = match at {
            Some(at) => &mut places[at],
            None => {
                // The one of the two that was used longer ago goes.
                let at = first ^ usize::from(places[first].new > places[first ^ 1].new);
                let stack = stack::intern(site.context, site.pc);
                places[at] = Place {
                    access,
                    context: site.context,
                    stack,
                    old: match old {
                        None => entry::pack(touch, unit as u8, false, stack),
                        Some(_) => 0,
                    },
                    new: 0,
                };
                &mut places[at]
            }
        };
        let before = old.map_or(place.old, |old| old.alone().0);
        let since = place.new.wrapping_sub(recorder.current());
        if place.old == before && since >> (POS_SHIFT + SEGMENT_BITS) == 0 {
            return Word(place.new);
        }
        let log = &mut recorder.log;
        let new = match old {
            None => {
                let pos = log.append(touch, unit as u8, false, place.stack, None);
                Word::new(log.slot(), pos, touch)
            }
            Some(old) => {
                let pos = log.append(touch, unit as u8, false, place.stack, Some(old.pos()));
                old.with(pos, touch)
            }
        };
        (place.old, place.new) = (before, new.0);
        new
    }
}
