//! Finding the log entry for an access, or making it.
//!
//! A segment that touches a thousand granules from one place needs one entry,
//! not a thousand. Two small direct-mapped tables a thread remember the entry
//! made for a site in this segment, and the context number of a site.

use super::Writer;
use crate::shadow::word::{Touch, Word};
use crate::{os, stack};

const STACKS: usize = 2048;
const ENTRIES: usize = 2048;

/// Where an access is made from.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Code address of the access.
    pub pc: u64,
    /// Context of the function it is in.
    pub context: u32,
    /// Where that function returns to.
    pub return_address: u64,
    /// Context of its caller.
    pub outer: u32,
    /// The access is the release of a heap block or, if atomic, its allocation.
    pub free: bool,
    /// This segment's record of the access and nothing else, if it is known, or
    /// the empty word.
    pub fresh: Word,
}

#[derive(Clone, Copy)]
struct Known {
    /// Stack, bytes and kind.
    what: u64,
    previous: u64,
    pos: u64,
}

#[derive(Clone, Copy)]
struct KnownStack {
    pc: u64,
    context: u32,
    id: u32,
}

struct Tables {
    entries: [Known; ENTRIES],
    stacks: [KnownStack; STACKS],
}

/// The two tables: 80 KiB, of which a thread pays for the pages it uses.
pub struct SiteCache(*mut Tables);

// SAFETY: the mapping belongs to the cache.
unsafe impl Send for SiteCache {}

impl Drop for SiteCache {
    fn drop(&mut self) {
        if !self.0.is_null() {
            os::unmap(self.0.cast(), size_of::<Tables>());
        }
    }
}

impl SiteCache {
    /// Nothing known; `None` without memory.
    pub fn new() -> Option<Self> {
        // Zeroed memory is a table of nothing known.
        Some(SiteCache(os::map(size_of::<Tables>()).ok()?.cast()))
    }

    /// No tables; not to be used.
    pub const fn none() -> Self {
        SiteCache(core::ptr::null_mut())
    }

    /// Forgets the entries made so far.
    pub fn forget_entries(&mut self) {
        self.tables().entries.fill(Known {
            what: 0,
            previous: 0,
            pos: 0,
        });
    }

    #[inline]
    fn tables(&mut self) -> &mut Tables {
        // SAFETY: the cache's own mapping.
        unsafe { &mut *self.0 }
    }

    /// The id of the stack with `site` on top.
    #[inline]
    pub fn stack(&mut self, site: &Site) -> u32 {
        let hash = (site.pc ^ u64::from(site.context) << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let known = &mut self.tables().stacks[(hash >> 53) as usize % STACKS];
        if known.pc != site.pc || known.context != site.context {
            let id = stack::intern(site.context, site.pc);
            *known = KnownStack {
                pc: site.pc,
                context: site.context,
                id,
            };
        }
        known.id
    }

    /// The position of an entry on top of `previous` that says that the place
    /// `stack` made accesses of `unit` bytes, `touch` in all; entries older
    /// than `start` do not count.
    #[inline]
    pub fn position(
        &mut self,
        log: &mut Writer,
        start: u64,
        entry: Description,
        previous: Option<u64>,
    ) -> u64 {
        let Description {
            touch,
            unit,
            free,
            stack,
        } = entry;
        // Most atomic accesses have a segment to themselves.
        if touch.atomic && log.end() == start {
            return log.append(touch, unit, free, stack, previous);
        }
        let what = u64::from(stack)
            | u64::from(touch.bytes) << 32
            | u64::from(touch.write) << 40
            | u64::from(touch.atomic) << 41
            | u64::from(free) << 42
            | u64::from(unit) << 43;
        let before = previous.unwrap_or(0);
        let hash = (what ^ before.rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let known = &mut self.tables().entries[(hash >> 53) as usize % ENTRIES];
        if known.what == what && known.previous == before && known.pos >= start && known.pos != 0 {
            return known.pos;
        }
        let pos = log.append(touch, unit, free, stack, previous);
        *known = Known {
            what,
            previous: before,
            pos,
        };
        pos
    }
}

/// What an entry says.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Bytes and kind.
    pub touch: Touch,
    /// Bytes one access had.
    pub unit: u8,
    /// The memory was given back to the heap or, if atomic, handed out by it.
    pub free: bool,
    /// Where: an id of [`crate::stack`].
    pub stack: u32,
}
