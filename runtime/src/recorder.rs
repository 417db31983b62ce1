//! A thread's part in the detection: its log, its clock, its place in time.
//!
//! Everything here belongs to one thread and is touched by it alone, so the
//! engine can be driven by several recorders in one test thread just as it is
//! by several threads in a program.

use crate::clock::{Clock, Released};
use crate::log::memo::Memo;
use crate::log::site::{Site, SiteCache};
use crate::log::{Entry, Writer, entry::Chain};
use crate::shadow::cell::CellCache;
use crate::shadow::word::{POS_LIMIT, Touch, Word};
use crate::slot::{self, Lease};
use alloc::vec::Vec;
use racert_abi::word as abi;

/// A chain with more entries than this is rebuilt from those that matter. A
/// granule needs at most a read and a write, plain and atomic, for each byte;
/// nearly all need one or two.
const LONG_CHAIN: usize = 6;

/// A segment is closed before it spans this many positions, and a slot left
/// before its positions run out, with room for one long segment.
const SEGMENT_LIMIT: u64 = (1 << abi::SEGMENT_BITS) - 4096;
const SLOT_END: u64 = POS_LIMIT - (1 << (abi::SEGMENT_BITS + 1));

/// See the module's description.
pub struct Recorder {
    /// The slot's log.
    pub log: Writer,
    /// What this thread has seen of others.
    pub clock: Clock,
    /// First position of the current segment.
    segment: u64,
    sites: SiteCache,
    /// Transitions made before.
    pub memo: Memo,
    /// Free cells.
    pub cells: CellCache,
}

impl Recorder {
    /// A recorder in the leased slot that has seen what `clock` has.
    pub fn new(lease: Lease, mut clock: Clock) -> Recorder {
        clock.set_owner(lease.slot);
        Recorder {
            log: Writer::new(lease.slot, lease.start),
            clock,
            segment: lease.start,
            sites: SiteCache::new(),
            memo: Memo::new(),
            cells: CellCache::new(),
        }
    }

    /// The slot.
    #[inline]
    pub fn slot(&self) -> u16 {
        self.log.slot()
    }

    /// First position of the current segment.
    #[inline]
    pub fn segment(&self) -> u64 {
        self.segment
    }

    /// The word instrumented code compares shadow words with.
    #[inline]
    pub fn current(&self) -> u64 {
        u64::from(self.slot()) << abi::SLOT_SHIFT | self.segment << abi::POS_SHIFT
    }

    /// Everything up to now happened before whatever comes after an acquire of
    /// what was just released.
    #[inline]
    fn close_segment(&mut self) {
        self.segment = self.log.end();
    }

    /// Learns from a release.
    #[inline]
    pub fn acquire(&mut self, released: &Released) {
        if self.clock.join(released) {
            // The next release has to differ from the last one.
            self.log.skip();
        }
    }

    /// Leaves what is known now, and only that, at `place`.
    #[inline]
    pub fn release(&mut self, place: &mut Released) {
        self.clock
            .release_to(place, self.log.slot(), self.log.end());
        self.close_segment();
    }

    /// Adds what is known now to `place`.
    pub fn release_join(&mut self, place: &mut Released) {
        self.clock
            .release_join(place, self.log.slot(), self.log.end());
        self.close_segment();
    }

    /// What is known now, for a place of its own.
    pub fn released(&mut self) -> Released {
        let released = self.clock.release(self.log.slot(), self.log.end());
        self.close_segment();
        released
    }

    /// Must [`Recorder::renew`] be called before going on?
    #[inline]
    pub fn is_worn(&self) -> bool {
        self.log.end() - self.segment > SEGMENT_LIMIT || self.log.end() > SLOT_END
    }

    /// Closes a segment that has become too long, and moves to a new slot when
    /// this one's positions are nearly used up.
    #[cold]
    pub fn renew(&mut self, thread: u32) {
        self.close_segment();
        if self.log.end() > SLOT_END {
            let (old, end) = (self.slot(), self.log.end());
            if let Some((lease, _)) = slot::lease(thread, |s| self.clock.get(s)) {
                self.clock.set_owner(lease.slot);
                self.clock.raise(old, end);
                self.log = Writer::new(lease.slot, lease.start);
                self.segment = lease.start;
                slot::vacate(old, end);
            }
        }
    }

    /// The record of a first touch.
    #[inline]
    pub fn first(&mut self, touch: Touch, site: Site) -> Word {
        self.chained(touch, site, None)
    }

    #[inline]
    fn chained(&mut self, touch: Touch, site: Site, previous: Option<u64>) -> Word {
        let what = (touch, touch.bytes.count_ones() as u8);
        let pos = self
            .sites
            .position(&mut self.log, self.segment, site, what, previous);
        Word::new(self.log.slot(), pos, touch, previous.is_some())
    }

    /// This slot's record `old` after one more touch; `None` if it says so
    /// already.
    #[inline]
    pub fn again(&mut self, old: Word, touch: Touch, site: Site) -> Option<Word> {
        if !old.composite() && touch.dominates(old.touch()) {
            let covered = old.pos() >= self.segment && old.covers(touch);
            return (!covered).then(|| self.chained(touch, site, None));
        }
        if old.pos() >= self.segment {
            return self.again_in_segment(old, touch, site);
        }
        let previous = self.older(Some(old.pos()), &[touch]);
        Some(self.chained(touch, site, previous))
    }

    /// The newest segment's part of a chain holds one entry for each place and
    /// kind of access; an access from a place that has one widens it.
    #[inline(never)]
    fn again_in_segment(&mut self, old: Word, touch: Touch, site: Site) -> Option<Word> {
        if old.covers(touch) {
            return None;
        }
        let unit = touch.bytes.count_ones() as u8;
        let stack = self.sites.stack(site);
        let mut newest: Vec<(u64, Entry)> = Vec::with_capacity(LONG_CHAIN);
        let mut chain = Chain::new(old.slot(), old.pos());
        let mut rest = chain.position();
        while let Some(entry) = chain.next() {
            if entry.pos < self.segment {
                break;
            }
            if entry.touch.dominates(touch) {
                return None;
            }
            newest.extend(rest.map(|at| (at, entry)));
            rest = chain.position();
        }
        let same = newest.iter().position(|(_, e)| {
            e.stack == stack && e.unit == unit && e.free == site.free && e.touch.is_like(touch)
        });
        let bytes = touch.bytes | same.map_or(0, |i| newest[i].1.touch.bytes);
        let whole = Touch { bytes, ..touch };
        // Entries before the widened one have to be linked past it.
        let relink = same.is_some_and(|i| i > 0);
        newest.retain(|(_, e)| !(e.stack == stack && e.unit == unit && e.touch.is_like(touch)));
        newest.retain(|(_, e)| !whole.dominates(e.touch));
        let mut newer: Vec<Touch> = newest.iter().map(|(_, e)| e.touch).collect();
        newer.push(whole);
        let mut previous = self.older(rest, &newer);
        if relink || previous != rest {
            for (_, e) in newest.iter().rev() {
                previous = Some(self.log.append(e.touch, e.unit, e.free, e.stack, previous));
            }
        } else if let Some((at, _)) = newest.first() {
            previous = Some(*at);
        }
        let what = (whole, unit);
        let pos = self
            .sites
            .position(&mut self.log, self.segment, site, what, previous);
        // Masks of one word are all atomic or all plain.
        Some(if newest.is_empty() || old.atomic() != touch.atomic {
            Word::new(self.log.slot(), pos, whole, previous.is_some())
        } else {
            old.with(pos, whole)
        })
    }

    /// Where a new entry's chain continues in the older one that starts at `at`:
    /// at the newest entry that none of `newer` dominates. A chain that has
    /// become long is rebuilt.
    #[inline(never)]
    fn older(&mut self, at: Option<u64>, newer: &[Touch]) -> Option<u64> {
        let mut chain = Chain::new(self.log.slot(), at?);
        let mut at = chain.position();
        let mut first = chain.next()?;
        let superfluous = |e: Entry| newer.iter().any(|touch| touch.dominates(e.touch));
        while superfluous(first) {
            at = chain.position();
            first = chain.next()?;
        }
        if chain.count() < LONG_CHAIN {
            return at;
        }
        let mut kept: Vec<Entry> = Vec::new();
        for entry in Chain::new(self.log.slot(), at?) {
            let superfluous =
                superfluous(entry) || kept.iter().any(|newer| newer.touch.dominates(entry.touch));
            if !superfluous {
                kept.push(entry);
            }
        }
        self.log.append_aliases(&kept)
    }
}
