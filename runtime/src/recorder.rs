//! A thread's part in the detection: its log, its clock, its place in time.
//!
//! Everything here belongs to one thread and is touched by it alone, so the
//! engine can be driven by several recorders in one test thread just as it is
//! by several threads in a program.

use crate::clock::{Clock, Released};
use crate::log::memo::Memo;
use crate::log::site::{Description, Site, SiteCache};
use crate::log::{Entry, Writer, entry::Chain};
use crate::shadow::cell::CellCache;
use crate::shadow::word::{Older, POS_LIMIT, Touch, Word};
use crate::slot::{self, Lease};
use alloc::vec::Vec;
use racert_abi::word as abi;
use smallvec::SmallVec;

/// A chain with more entries than this is rebuilt from those that matter. A
/// granule needs at most a read and a write, plain and atomic, for each byte;
/// nearly all need one or two.
const LONG_CHAIN: usize = 6;

/// One in so many chains is looked through for what no longer counts. Which
/// depends on the chain alone: granules that had the same history keep it.
const PRUNE_EVERY: u64 = 8;

/// Where a chain goes on, and what is found there.
type Rest = (Option<u64>, Older);
const NOTHING: Rest = (None, Older::None);

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
    /// A recorder in the leased slot that has seen what `clock` has; `None`
    /// without memory.
    pub fn new(lease: Lease, mut clock: Clock) -> Option<Recorder> {
        clock.set_owner(lease.slot);
        Some(Recorder {
            log: Writer::new(lease.slot, lease.start),
            clock,
            segment: lease.start,
            sites: SiteCache::new()?,
            memo: Memo::new(),
            cells: CellCache::new(),
        })
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
        self.chained(touch, site, NOTHING)
    }

    #[inline]
    fn chained(&mut self, touch: Touch, site: Site, (previous, older): Rest) -> Word {
        let unit = touch.bytes.count_ones() as u8;
        let stack = self.sites.stack(site);
        let entry = Description {
            touch,
            unit,
            free: site.free,
            stack,
        };
        let pos = self
            .sites
            .position(&mut self.log, self.segment, entry, previous);
        Word::new(self.log.slot(), pos, touch, older)
    }

    /// This slot's record `old` after one more touch; `None` if it says so
    /// already.
    #[inline]
    pub fn again(&mut self, old: Word, touch: Touch, site: Site) -> Option<Word> {
        let in_segment = old.pos() >= self.segment;
        if in_segment && old.covers(touch) {
            return None;
        }
        if old.older() == Older::None && touch.dominates(old.touch()) {
            return Some(self.chained(touch, site, NOTHING));
        }
        if in_segment {
            return self.again_in_segment(old, touch, site);
        }
        let rest = self.rest_of(old, touch);
        Some(self.chained(touch, site, rest))
    }

    /// What of an earlier segment's record still counts under `touch`.
    ///
    /// Superfluous entries in a chain do no harm but make it longer, and the
    /// log's older parts are seldom in the cache: the chain is looked through
    /// only where much may go, and now and then.
    #[inline]
    fn rest_of(&mut self, old: Word, touch: Touch) -> Rest {
        let kept = if old.written() != 0 {
            Older::Writes
        } else {
            Older::Reads
        };
        match old.older() {
            Older::None => (Some(old.pos()), kept),
            _ if old.pos().is_multiple_of(PRUNE_EVERY) => self.rest(Some(old.pos()), &[touch]),
            _ if touch.write && touch.dominates(old.touch()) => {
                self.rest(Some(old.pos()), &[touch])
            }
            older if touch.dominates(old.touch()) => {
                let mut chain = Chain::new(old.slot(), old.pos());
                chain.next();
                chain.position().map_or(NOTHING, |at| (Some(at), older))
            }
            older => (Some(old.pos()), older.max(kept)),
        }
    }

    /// The newest segment's part of a chain holds one entry for each place and
    /// kind of access; an access from a place that has one widens it.
    #[inline(never)]
    fn again_in_segment(&mut self, old: Word, touch: Touch, site: Site) -> Option<Word> {
        let unit = touch.bytes.count_ones() as u8;
        let stack = self.sites.stack(site);
        let mut newest: SmallVec<[(u64, Entry); 8]> = SmallVec::new();
        let mut chain = Chain::new(old.slot(), old.pos());
        let mut at = chain.position();
        while let Some(entry) = chain.next() {
            if entry.pos < self.segment {
                break;
            }
            if entry.touch.dominates(touch) {
                return None;
            }
            newest.extend(at.map(|at| (at, entry)));
            at = chain.position();
        }
        let is_same = |e: &Entry| {
            e.stack == stack && e.unit == unit && e.free == site.free && e.touch.is_like(touch)
        };
        let same = newest.iter().position(|(_, e)| is_same(e));
        let bytes = touch.bytes | same.map_or(0, |i| newest[i].1.touch.bytes);
        let whole = Touch { bytes, ..touch };
        let count = newest.len();
        newest.retain(|(_, e)| !is_same(e) && !whole.dominates(e.touch));
        let mut newer: SmallVec<[Touch; 9]> = newest.iter().map(|(_, e)| e.touch).collect();
        newer.push(whole);
        let (mut previous, mut older) = if old.pos().is_multiple_of(PRUNE_EVERY) {
            self.rest(at, &newer)
        } else {
            at.map_or(NOTHING, |at| (Some(at), old.older()))
        };
        // The chain of the others can be used as it is if they are its end.
        let intact = previous == at
            && newest
                .first()
                .is_none_or(|(first, _)| count - newest.len() == newest_before(old, *first));
        if let (true, Some((first, _))) = (intact, newest.first()) {
            previous = Some(*first);
        } else {
            for (_, e) in newest.iter().rev() {
                let Entry {
                    touch,
                    unit,
                    free,
                    stack,
                    ..
                } = *e;
                let entry = Description {
                    touch,
                    unit,
                    free,
                    stack,
                };
                previous = Some(
                    self.sites
                        .position(&mut self.log, self.segment, entry, previous),
                );
            }
        }
        let entry = Description {
            touch: whole,
            unit,
            free: site.free,
            stack,
        };
        let pos = self
            .sites
            .position(&mut self.log, self.segment, entry, previous);
        // Masks of one word are all atomic or all plain; the others are older.
        let alike = |t: &&Touch| t.atomic == touch.atomic;
        for other in newer.iter().filter(|t| !alike(t)) {
            older = older.max(if other.write {
                Older::Writes
            } else {
                Older::Reads
            });
        }
        let word = Word::new(self.log.slot(), pos, whole, older);
        Some(
            newer
                .iter()
                .filter(alike)
                .fold(word, |word, t| word.with(pos, *t, older)),
        )
    }

    /// What of the older chain that starts at `at` still counts when accesses
    /// `newer` come on top: everything from the newest entry on that none of
    /// them dominates. A chain that has become long is rebuilt.
    #[inline(never)]
    fn rest(&mut self, at: Option<u64>, newer: &[Touch]) -> Rest {
        let Some(start) = at else { return NOTHING };
        let superfluous = |e: &Entry| newer.iter().any(|touch| touch.dominates(e.touch));
        let mut chain = Chain::new(self.log.slot(), start);
        let mut at = chain.position();
        let first = loop {
            match chain.next() {
                None => return NOTHING,
                Some(entry) if superfluous(&entry) => at = chain.position(),
                Some(entry) => break entry,
            }
        };
        let (mut count, mut write) = (1, first.touch.write);
        for entry in chain {
            count += 1;
            write |= entry.touch.write;
        }
        let older = |write| if write { Older::Writes } else { Older::Reads };
        if count <= LONG_CHAIN {
            return (at, older(write));
        }
        let mut kept: Vec<Entry> = Vec::new();
        for entry in at
            .into_iter()
            .flat_map(|at| Chain::new(self.log.slot(), at))
        {
            let covered = kept.iter().any(|newer| newer.touch.dominates(entry.touch));
            if !superfluous(&entry) && !covered {
                kept.push(entry);
            }
        }
        let write = kept.iter().any(|e| e.touch.write);
        (self.log.append_aliases(&kept), older(write))
    }
}

/// How many entries come before position `at` in the chain of `record`.
fn newest_before(record: Word, at: u64) -> usize {
    let mut chain = Chain::new(record.slot(), record.pos());
    let mut count = 0;
    while chain.position().is_some_and(|p| p != at) && chain.next().is_some() {
        count += 1;
    }
    count
}
