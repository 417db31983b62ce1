//! Transitions made before in this segment.
//!
//! Neighbouring granules mostly have the same history, and a loop touches them
//! from one place: the same shadow word becomes the same new word again and
//! again. A small direct-mapped table remembers such transitions, and repeats
//! them without looking at log or clock.
//!
//! What makes that right: the new word depends only on the old one, the access
//! and the thread's clock, and a clock only grows, so an old word that was
//! found harmless stays harmless. A transition to a word of an earlier segment
//! is out of date, which its position tells.

use super::site::Site;

const SIZE: usize = 256;

#[derive(Clone, Copy)]
struct Transition {
    old: u64,
    /// Code address, and offset within the granule.
    access: u64,
    context: u64,
    new: u64,
}

/// The table.
pub struct Memo([Transition; SIZE]);

impl Default for Memo {
    fn default() -> Self {
        Self::new()
    }
}

#[inline(always)]
fn key(pc: usize, offset: usize) -> u64 {
    pc as u64 | (offset as u64) << 56
}

#[inline(always)]
fn index(old: u64, access: u64) -> usize {
    ((old ^ access.rotate_left(20)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % SIZE
}

impl Memo {
    /// Nothing remembered.
    pub const fn new() -> Memo {
        Memo(
            [Transition {
                old: 0,
                access: 0,
                context: 0,
                new: 0,
            }; SIZE],
        )
    }

    /// What `old` becomes by the access at `pc` to the granule's byte
    /// `offset`; words below `current`, the start of the segment, are out of
    /// date.
    #[inline(always)]
    pub fn recall(
        &self,
        old: u64,
        pc: usize,
        offset: usize,
        context: u64,
        current: u64,
    ) -> Option<u64> {
        let access = key(pc, offset);
        let known = &self.0[index(old, access)];
        let fits = known.old == old
            && known.access == access
            && known.context == context
            && known.new >= current;
        fits.then_some(known.new)
    }

    /// Remembers that `old` became `new`.
    #[inline]
    pub fn remember(&mut self, old: u64, site: Site, offset: usize, new: u64) {
        let (access, context) = (key(site.pc as usize, offset), site.context.into());
        self.0[index(old, access)] = Transition {
            old,
            access,
            context,
            new,
        };
    }
}
