//! Finding the log entry for an access, or making it.
//!
//! A segment that touches a thousand granules from one place needs one entry,
//! not a thousand. Two small direct-mapped tables a thread remember the entry
//! made for a site in this segment, and the context number of a site.

use super::Writer;
use crate::shadow::word::Touch;
use crate::stack;

const SIZE: usize = 512;

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
    /// The access is the release of a heap block.
    pub free: bool,
}

#[derive(Clone, Copy)]
struct Known {
    /// Address, bytes and kind.
    what: u64,
    /// Context and low half of the predecessor's position.
    whence: u64,
    pos: u64,
}

#[derive(Clone, Copy)]
struct KnownStack {
    pc: u64,
    context: u32,
    id: u32,
}

/// The two tables.
pub struct SiteCache {
    entries: [Known; SIZE],
    stacks: [KnownStack; SIZE],
}

impl Default for SiteCache {
    fn default() -> Self {
        Self::new()
    }
}

impl SiteCache {
    /// Nothing known. All zero, so that it may come as zeroed memory.
    pub const fn new() -> Self {
        SiteCache {
            entries: [Known {
                what: 0,
                whence: 0,
                pos: 0,
            }; SIZE],
            stacks: [KnownStack {
                pc: 0,
                context: 0,
                id: 0,
            }; SIZE],
        }
    }

    /// The id of the stack with `site` on top.
    #[inline]
    pub fn stack(&mut self, site: Site) -> u32 {
        let hash = (site.pc ^ u64::from(site.context) << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let known = &mut self.stacks[(hash >> 55) as usize % SIZE];
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

    /// The position of the entry for `touch`, in accesses of `unit` bytes made
    /// at `site`, on top of `previous`; entries older than `start` do not
    /// count.
    #[inline]
    pub fn position(
        &mut self,
        log: &mut Writer,
        start: u64,
        site: Site,
        (touch, unit): (Touch, u8),
        previous: Option<u64>,
    ) -> u64 {
        let what = site.pc & 0xffff_ffff_ffff
            | u64::from(touch.bytes) << 48
            | u64::from(touch.write) << 56
            | u64::from(touch.atomic) << 57
            | u64::from(site.free) << 58
            | u64::from(unit - 1 & 7) << 59;
        let before = previous.unwrap_or(0);
        let whence = u64::from(site.context) | before << 32;
        let hash =
            (what ^ before.rotate_left(32) ^ whence << 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let at = (hash >> 55) as usize % SIZE;
        let known = self.entries[at];
        if known.what == what && known.whence == whence && known.pos >= start && known.pos != 0 {
            return known.pos;
        }
        let stack = self.stack(site);
        let pos = log.append(touch, unit, site.free, stack, previous);
        self.entries[at] = Known { what, whence, pos };
        pos
    }
}
