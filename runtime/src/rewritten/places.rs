//! Records that accesses from one place made just before.
//!
//! Code that takes and gives back locks all the time begins segments so often
//! that most of its accesses are the first ones there, and each of them gets an
//! entry in the log. But loops touch many granules from one place: what that
//! leaves behind is the same each time, and is found here. The table is small
//! (16 KiB), so that it stays in the nearest cache and leaves that to the program:
//! to append an entry is faster than to wait for one that tells that there is one
//! already.

use crate::log::entry;
use crate::log::site::Site;
use crate::os;
use crate::recorder::Recorder;
use crate::shadow::word::{Touch, Word};
use crate::stack;
use racert_abi::word::{POS_SHIFT, SEGMENT_BITS};

/// Places remembered.
pub(super) const BITS: u32 = 9;

/// What spreads them.
pub(super) const HASH: u64 = 0x9e37_79b9_7f4a_7c15;

/// All zero where there is none; assembly in [`super::granule`] knows it, too.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Place {
    /// The entry in the log, with [`entry::FAR`] if it goes on from an earlier
    /// one.
    pub(super) what: u64,
    pub(super) new: u64,
    /// If it goes on, the record before.
    pub(super) old: u64,
    unused: u64,
}

const _: () = assert!(size_of::<Place>() == 32);

/// The places of one thread.
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

/// The log's entry for `touch` at `site` alone, whose code has a number if it is
/// reduced by `unnumbered`.
pub(crate) fn describe(touch: Touch, site: &Site, unnumbered: u64) -> u64 {
    let unit = touch.bytes.count_ones() as u8;
    let number = site.pc.wrapping_sub(unnumbered);
    entry::pack_place(touch, unit, site.context, number).unwrap_or_else(|| {
        let stack = stack::intern(site.context, site.pc);
        entry::pack(touch, unit, false, stack)
    })
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

    /// The table, for assembly.
    #[cfg(test)]
    pub(super) fn table(&self) -> *const Place {
        self.0.cast()
    }

    /// This segment's record of `touch` and nothing else, or on top of `old`, a
    /// record of this segment. The log's entry for it alone is `what`. The table
    /// must be there.
    #[inline]
    pub(super) fn record(
        &mut self,
        recorder: &mut Recorder,
        old: Option<Word>,
        touch: Touch,
        what: u64,
    ) -> Word {
        let what = what | if old.is_some() { entry::FAR } else { 0 };
        // SAFETY: this thread's own table; zeroed memory is one of nothing.
        let places = unsafe { &mut *self.0 };
        let place = &mut places[(what.wrapping_mul(HASH) >> (u64::BITS - BITS)) as usize];
        let before = old.map_or(0, |old| old.alone().0);
        let since = place.new.wrapping_sub(recorder.current());
        let is_same = place.what == what && (old.is_none() || place.old == before);
        if is_same && since >> (POS_SHIFT + SEGMENT_BITS) == 0 {
            return Word(place.new);
        }
        let log = &mut recorder.log;
        let new = match old {
            None => Word::new(log.slot(), log.push(what), touch),
            Some(old) => old.with(log.append_far(what, old.pos()), touch),
        };
        *place = Place {
            what,
            new: new.0,
            old: before,
            unused: 0,
        };
        new
    }
}
