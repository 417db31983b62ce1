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
        let pos = self
            .sites
            .position(&mut self.log, self.segment, site, touch, previous);
        Word::new(self.log.slot(), pos, touch, previous.is_some())
    }

    /// This slot's record `old` after one more touch; `None` if it says so
    /// already.
    #[inline]
    pub fn again(&mut self, old: Word, touch: Touch, site: Site) -> Option<Word> {
        if old.pos() >= self.segment {
            return self.again_in_segment(old, touch, site);
        }
        let previous = self.previous(old, touch);
        Some(self.chained(touch, site, previous))
    }

    fn again_in_segment(&mut self, old: Word, touch: Touch, site: Site) -> Option<Word> {
        if old.covers(touch) {
            return None;
        }
        if old.composite() {
            let mut of_segment =
                Chain::new(old.slot(), old.pos()).take_while(|e| e.pos >= self.segment);
            if of_segment.any(|e| e.touch.dominates(touch)) {
                return None;
            }
        }
        let Some(previous) = self.previous(old, touch) else {
            return Some(self.chained(touch, site, None));
        };
        let new = self.chained(touch, site, Some(previous));
        // Masks of one word are all atomic or all plain.
        Some(if old.atomic() == touch.atomic {
            old.with(new.pos(), touch)
        } else {
            new
        })
    }

    /// Where the chain of a new entry for `touch` continues in the record
    /// `old`: at the newest entry that `touch` does not dominate.
    #[inline]
    fn previous(&mut self, old: Word, touch: Touch) -> Option<u64> {
        if !old.composite() {
            return (!touch.dominates(old.touch())).then(|| old.pos());
        }
        self.previous_in_chain(old, touch)
    }

    fn previous_in_chain(&mut self, old: Word, touch: Touch) -> Option<u64> {
        let mut chain = Chain::new(old.slot(), old.pos());
        let mut at = chain.position();
        let mut first = chain.next()?;
        while touch.dominates(first.touch) {
            at = chain.position();
            first = chain.next()?;
        }
        let rest = chain.count();
        if rest + 1 <= LONG_CHAIN {
            return at;
        }
        let mut kept: Vec<Entry> = Vec::new();
        for entry in Chain::new(old.slot(), at?) {
            let superfluous = touch.dominates(entry.touch)
                || kept.iter().any(|newer| newer.touch.dominates(entry.touch));
            if !superfluous {
                kept.push(entry);
            }
        }
        self.log.append_aliases(&kept)
    }
}
