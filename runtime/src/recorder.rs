//! A thread's part in the detection: its log, its clock, its place in time.
//!
//! Everything here belongs to one thread and is touched by it alone, so the
//! engine can be driven by several recorders in one test thread just as it is
//! by several threads in a program.

use crate::clock::{Clock, Known, Released};
use crate::engine::machine::Protection;
use crate::engine::{Engine, Reach};
use crate::lockset::LocksetId;
use crate::log::memo::{Memo, Transition};
use crate::log::site::{Description, Site, SiteCache};
use crate::log::{self, Entry, Writer, entry::Chain, stash};
use crate::options::{self, Mode};
use crate::shadow::cell::CellCache;
use crate::shadow::word::{POS_LIMIT, Touch, Word};
use crate::slot::{self, Lease};
use crate::spans::{self, Ending, Newest};
use racert_abi::word as abi;
use smallvec::SmallVec;

/// A segment is closed before it spans this many positions, and a slot left
/// before its positions run out, with room for one long segment.
pub(crate) const SEGMENT_LIMIT: u64 = (1 << abi::SEGMENT_BITS) - 4096;
const SLOT_END: u64 = POS_LIMIT - (1 << (abi::SEGMENT_BITS + 1));

/// See the module's description.
pub struct Recorder {
    /// The slot's log.
    pub log: Writer,
    /// What this thread has seen of others.
    pub clock: Clock,
    /// First position of the current segment.
    segment: u64,
    /// First position with the locks that are held now.
    span: u64,
    sites: SiteCache,
    /// Transitions made before.
    pub memo: Memo,
    /// Free cells.
    pub cells: CellCache,
    /// The locks its thread holds, if the clock keeps apart what they order.
    locks: LocksetId,
    flows: u64,
    /// Others' critical sections that are known to have ended.
    pub settled: Reach,
    /// What it has seen of others, for assembly.
    pub seen: Reach,
    engine: Engine,
    /// Bits of [`Recorder::current`] that keep the inlined test from ever
    /// succeeding, where every access has to be seen.
    unlike: u64,
    /// Creating and joining threads alone orders accesses.
    threads_only: bool,
    /// Number of its thread.
    pub thread: u32,
    /// The locks that count for the engines with states.
    pub protection: Protection,
}

impl Recorder {
    /// A recorder in the leased slot that has seen what `clock` has; `None`
    /// without memory.
    pub fn new(lease: Lease, mut clock: Clock) -> Option<Recorder> {
        clock.set_owner(lease.slot);
        let (sites, memo) = match stash::take(lease.slot) {
            Some(tables) => tables,
            None => (SiteCache::new()?, Memo::new()),
        };
        let mut recorder = Recorder {
            log: Writer::new(lease.slot, lease.start),
            clock,
            segment: lease.start,
            span: lease.start,
            sites,
            memo,
            cells: CellCache::new(),
            locks: LocksetId::EMPTY,
            flows: 0,
            settled: Reach::default(),
            seen: Reach::default(),
            engine: Engine::Clocks,
            unlike: 0,
            threads_only: false,
            thread: 0,
            protection: Protection::NONE,
        };
        if recorder.clock.is_hybrid() {
            recorder.begin_span(Newest::UNKNOWN);
        }
        Some(recorder)
    }

    /// Detects in `mode` from now on, for the thread `number`.
    pub fn choose(&mut self, mode: Mode, number: u32) {
        self.engine = Engine::of(mode);
        self.threads_only = mode == Mode::Eraser;
        self.thread = number;
        // Engines that keep states put no atomic records into shadow words.
        self.unlike = match self.engine {
            Engine::States(_) => abi::ATOMIC,
            Engine::Clocks | Engine::Fast => 0,
        };
    }

    /// Are the loops that only watch memory synchronisation?
    pub fn follows_flags(&self) -> bool {
        let by_states = matches!(self.engine, Engine::States(_));
        self.follows_conditions() && (!by_states || options::get().precise)
    }

    /// Does leaving a loop that waits on a condition variable order anything
    /// that the mutex does not?
    pub fn follows_conditions(&self) -> bool {
        self.clock.is_hybrid() && !self.threads_only
    }

    /// The engine.
    #[inline]
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Transitions that assembly may repeat; null if the engine has to see
    /// every access.
    pub fn transitions(&self) -> *const Transition {
        match self.engine {
            Engine::Clocks => self.memo.table(),
            Engine::Fast | Engine::States(_) => core::ptr::null(),
        }
    }

    /// Begins anew with `clock`; there was nothing to learn yet.
    pub fn restart(&mut self, mut clock: Clock) {
        clock.set_owner(self.slot());
        self.clock = clock;
        self.seen = Reach::default();
        if self.clock.is_hybrid() {
            self.begin_span(Newest::UNKNOWN);
        }
    }

    /// Where the log goes on.
    #[inline]
    pub fn log_end(&self) -> u64 {
        self.log.end()
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

    /// Files what `touch` at `site` made of `old`; see [`Memo::remember`].
    #[inline]
    pub fn remember(&mut self, old: Word, touch: Touch, site: &Site, new: Word) {
        let stack = self.sites.stack(site);
        self.memo.remember(old, touch, site, stack, new);
    }

    /// Where assembly finds the log.
    #[cfg(not(test))]
    pub(crate) const LOG: usize = core::mem::offset_of!(Recorder, log);

    /// Where it finds what is settled, and what was seen.
    #[cfg(not(test))]
    pub(crate) const SETTLED: usize = core::mem::offset_of!(Recorder, settled);
    #[cfg(not(test))]
    pub(crate) const SEEN: usize = core::mem::offset_of!(Recorder, seen);

    /// From the log to [`Recorder::seen`].
    pub(crate) const LOG_TO_SEEN: isize = core::mem::offset_of!(Recorder, seen) as isize
        - core::mem::offset_of!(Recorder, log) as isize;

    /// Is there nothing on record in this segment?
    #[inline]
    pub fn is_fresh(&self) -> bool {
        self.log.end() == self.segment
    }

    /// The word instrumented code compares shadow words with.
    #[inline]
    pub fn current(&self) -> u64 {
        u64::from(self.slot()) << abi::SLOT_SHIFT | self.segment << abi::POS_SHIFT | self.unlike
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
        if self.threads_only {
            return self.acquire_lock(released);
        }
        self.acquire_thread(released);
    }

    /// Learns what a thread that has ended leaves behind.
    #[inline]
    pub fn acquire_thread(&mut self, released: &Released) {
        if self.clock.join(released) {
            // The next release has to differ from the last one.
            self.log.skip();
        }
    }

    /// Learns from the release of a lock that is now held.
    #[inline]
    pub fn acquire_lock(&mut self, released: &Released) {
        if self.clock.join_lock(released) {
            self.log.skip();
        }
    }

    /// From now on the thread holds `locks`, because it took or gave back
    /// `newest`. Accesses with other locks are in another segment.
    #[inline]
    pub fn hold(&mut self, locks: LocksetId, newest: Newest) {
        if self.clock.is_hybrid() && locks != self.locks {
            self.locks = locks;
            self.begin_span(newest);
        }
    }

    fn begin_span(&mut self, newest: Newest) {
        self.close_segment();
        self.span = self.segment;
        spans::note(
            self.log.slot(),
            self.segment,
            self.locks,
            newest,
            self.clock.snapshot(),
        );
    }

    /// The locks the thread holds, as far as [`Recorder::hold`] was told.
    #[inline]
    pub fn locks(&self) -> LocksetId {
        self.locks
    }

    /// A critical section of `slot` conflicts with the current one of the same
    /// lock: it came before, and has ended so, if that is known.
    pub fn order_after_section(&mut self, slot: u16, ending: Option<Ending>) {
        self.flows += 1;
        let Some(ending) = ending else {
            return self.trust_locks();
        };
        if self.clock.join_conflict(&ending.known, slot, ending.pos) {
            self.log.skip();
        }
        if ending.is_last {
            self.settled.put(slot, ending.pos);
        }
    }

    /// All that the locks order is taken for true: what would tell more is not
    /// known any more.
    pub fn trust_locks(&mut self) {
        if self.clock.join_own() {
            self.log.skip();
        }
    }

    /// The write at `pos` in the log of `slot` came before: it ended a loop of
    /// this thread's. `known` is what its thread knew then.
    pub fn order_after_write(&mut self, slot: u16, pos: u64, known: &Known) {
        let likely = if log::is_marked(slot, pos) {
            pos + 1
        } else {
            known.end
        };
        if self.clock.join_known(known, slot, pos + 1, likely) {
            self.log.skip();
        }
    }

    /// What comes next gets a segment to itself.
    pub fn before_flag(&mut self) {
        self.close_segment();
    }

    /// It was recorded.
    pub fn after_flag(&mut self) {
        self.log.mark();
        self.close_segment();
    }

    /// How often data has flowed from another thread's critical section into
    /// one of this thread.
    pub fn flows(&self) -> u64 {
        self.flows
    }

    /// Leaves what is known now, and only that, at `place`.
    #[inline]
    pub fn release(&mut self, place: &mut Released) {
        self.tell_apart();
        self.release_as_it_is(place);
    }

    /// The same, where a lock is given back that the thread has had since
    /// position `since`. What it has learnt meanwhile may tell that the section
    /// before came first in every run.
    #[inline]
    pub fn release_lock(&mut self, place: &mut Released, since: u64) {
        let is_after = self.clock.join_section(place);
        // Who learns of this must be able to tell it from what was done before
        // another lock was taken that is still held.
        if is_after || since < self.span && self.log.end() == self.span {
            self.log.skip();
        }
        self.release_as_it_is(place);
        place.held_since(since);
    }

    #[inline]
    fn release_as_it_is(&mut self, place: &mut Released) {
        self.clock
            .release_to(place, self.log.slot(), self.log.end());
        self.close_segment();
    }

    /// Who learns of what is done with a lock must be able to tell it from what
    /// was done before the lock was taken.
    #[inline]
    fn tell_apart(&mut self) {
        if self.locks != LocksetId::EMPTY && self.log.end() == self.span {
            self.log.skip();
        }
    }

    /// Adds what is known now to `place`.
    pub fn release_join(&mut self, place: &mut Released) {
        self.tell_apart();
        self.clock
            .release_join(place, self.log.slot(), self.log.end());
        self.close_segment();
    }

    /// What is known now, for a place of its own.
    pub fn released(&mut self) -> Released {
        self.tell_apart();
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
                self.memo = Memo::new();
                self.sites.forget_entries();
                slot::vacate(old, end);
                if self.clock.is_hybrid() {
                    self.begin_span(Newest::UNKNOWN);
                }
            }
        }
    }

    /// The record of a touch and nothing else.
    #[inline]
    pub fn first(&mut self, touch: Touch, site: &Site) -> Word {
        if site.fresh != Word::EMPTY {
            return site.fresh;
        }
        let entry = self.describe(touch, touch.bytes.count_ones() as u8, site);
        let pos = self.position(entry, None);
        Word::new(self.log.slot(), pos, touch)
    }

    #[inline]
    fn describe(&mut self, touch: Touch, unit: u8, site: &Site) -> Description {
        Description {
            touch,
            unit,
            free: site.free,
            stack: self.sites.stack(site),
        }
    }

    /// Where the current segment's log has `entry` on top of `previous`.
    #[inline]
    fn position(&mut self, entry: Description, previous: Option<u64>) -> u64 {
        self.sites
            .position(&mut self.log, self.segment, entry, previous)
    }

    /// As [`Recorder::again`], with an entry more, whatever the chain holds.
    pub fn on_top(&mut self, old: Word, touch: Touch, site: &Site) -> Word {
        let entry = self.describe(touch, touch.bytes.count_ones() as u8, site);
        let pos = self.position(entry, Some(old.pos()));
        old.with(pos, touch)
    }

    /// This segment's record `old` after one more touch, as atomic as it and
    /// not covered by it.
    ///
    /// The chain holds one entry for each place and kind of access; an access
    /// from a place that has one widens it.
    #[inline(never)]
    pub fn again(&mut self, old: Word, touch: Touch, site: &Site) -> Word {
        let mut entry = self.describe(touch, touch.bytes.count_ones() as u8, site);
        let mut others: SmallVec<[(u64, Entry); 8]> = SmallVec::new();
        let mut chain = Chain::new(old.slot(), old.pos());
        let mut at = chain.position();
        while let Some(earlier) = chain.next() {
            others.extend(at.map(|at| (at, earlier)));
            at = chain.position();
        }
        let is_same = |e: &Entry| {
            e.stack == entry.stack
                && e.unit == entry.unit
                && e.free == entry.free
                && e.touch.is_like(touch)
        };
        // There may be several: [`Recorder::on_top`] adds to them unseen.
        for (_, same) in others.iter().filter(|(_, e)| is_same(e)) {
            entry.touch.bytes |= same.touch.bytes;
        }
        let count = others.len();
        others.retain(|(_, e)| !is_same(e) && !entry.touch.dominates(e.touch));
        let mut previous = others.first().map(|(at, _)| *at);
        // The others' chain can be used as it is if they are its end.
        if previous.is_some_and(|at| count - others.len() != entries_before(old, at)) {
            previous = None;
            for (_, e) in others.iter().rev() {
                let again = Description {
                    touch: e.touch,
                    unit: e.unit,
                    free: e.free,
                    stack: e.stack,
                };
                previous = Some(self.position(again, previous));
            }
        }
        let pos = self.position(entry, previous);
        let word = Word::new(self.log.slot(), pos, entry.touch);
        others
            .iter()
            .fold(word, |word, (_, e)| word.with(pos, e.touch))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let sites = core::mem::replace(&mut self.sites, SiteCache::none());
        let memo = core::mem::replace(&mut self.memo, Memo::none());
        stash::leave(self.slot(), sites, memo);
    }
}

/// How many entries come before position `at` in the chain of `record`.
fn entries_before(record: Word, at: u64) -> usize {
    let mut chain = Chain::new(record.slot(), record.pos());
    let mut count = 0;
    while chain.position().is_some_and(|p| p != at) && chain.next().is_some() {
        count += 1;
    }
    count
}
