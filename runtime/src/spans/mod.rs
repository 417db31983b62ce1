//! Which locks a slot held when.
//!
//! A slot's log is cut into spans, each with one set of locks. A span that
//! begins because a lock was given back also has what the thread knew at that
//! moment: whoever later finds that its own critical section of the lock
//! conflicts with that earlier one is ordered after it. Spans are looked up
//! only when two accesses conflict that nothing but locks may order.
//!
//! A slot keeps a limited number of spans. What is asked about older ones is
//! not known any more, which never makes a finding.

mod ring;
#[cfg(test)]
mod tests;

use crate::clock::Snapshot;
use crate::lock::LockId;
use crate::lock::held::At;
use crate::lockset::{self, LocksetId};
use racert_abi::word::SLOT_BITS;
use ring::{Ring, Words};
use smallvec::SmallVec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    /// First position.
    start: u64,
    /// Where `newest` was taken or given back.
    pc: u64,
    context: u32,
    locks: LocksetId,
    /// The lock with which the span began: taken if it is one of them, else
    /// given back; 0 if that is not known.
    newest: u32,
    /// What the thread knew when it began: a number that the ring gave.
    known: u32,
    /// Whether `newest` was given back, too, where the span begins, before it
    /// was taken.
    again: bool,
    /// How many spans ago the lock was taken that has been held for longest, or
    /// [`LONG_AGO`].
    since: u16,
}

/// The lock held for longest was taken in a span that is not kept any more.
const LONG_AGO: u16 = u16::MAX;

impl Span {
    fn has(&self, lock: LockId) -> bool {
        has(self.locks, lock)
    }

    /// Whether `lock`, held in the span before, was given back where this one
    /// begins.
    fn gave_back(&self, lock: LockId) -> bool {
        self.change().gave_back(lock)
    }

    fn change(&self) -> Change {
        Change {
            locks: self.locks,
            newest_and_again: self.newest << 1 | u32::from(self.again),
        }
    }

    fn at(&self) -> At {
        At {
            pc: self.pc as usize,
            context: self.context,
        }
    }

    fn words(&self) -> Words {
        let newest = Newest::from_parts(self.newest, self.context, self.pc);
        let known = (self.known, self.again);
        Words::new(self.start, self.locks, newest, known, self.since)
    }
}

/// What a span says of locks, in a register: one that is pointed to would be
/// written to memory in pieces and read back as a whole, for which the processor
/// waits.
#[derive(Clone, Copy)]
struct Change {
    locks: LocksetId,
    newest_and_again: u32,
}

impl Change {
    /// See [`Span::gave_back`].
    fn gave_back(self, lock: LockId) -> bool {
        !has(self.locks, lock) || self.newest_and_again == lock.number() << 1 | 1
    }
}

fn has(locks: LocksetId, lock: LockId) -> bool {
    let items = lockset::items(locks).iter();
    items.copied().any(|item| item.lock() == Some(lock))
}

/// Slots are numbered below this.
pub const SLOTS: u16 = 1 << SLOT_BITS;

static SPANS: [Ring; SLOTS as usize] = [const { Ring::new() }; SLOTS as usize];

/// The lock with which a span begins, and where it was taken or given back; in
/// two registers, see [`Change`].
#[derive(Clone, Copy, Debug)]
pub struct Newest {
    /// Its number below, the context of the place above.
    lock_and_context: u64,
    pc: u64,
}

impl Newest {
    /// It is not known.
    pub const UNKNOWN: Newest = Newest::from_parts(0, 0, 0);

    /// `lock` was taken or given back `at` that place.
    #[inline]
    pub fn new(lock: LockId, at: At) -> Newest {
        Newest::from_parts(lock.number(), at.context, at.pc as u64)
    }

    #[inline]
    const fn from_parts(lock: u32, context: u32, pc: u64) -> Newest {
        Newest {
            lock_and_context: (context as u64) << 32 | lock as u64,
            pc,
        }
    }

    #[inline]
    fn lock(self) -> u32 {
        self.lock_and_context as u32
    }

    #[inline]
    fn context(self) -> u32 {
        (self.lock_and_context >> 32) as u32
    }
}

/// From position `start` on `slot` holds `locks`, because it took or gave back
/// `newest`, and knows `known` then.
#[inline]
pub fn note(slot: u16, start: u64, locks: LocksetId, newest: Newest, known: &Snapshot) {
    note_in(&SPANS[slot as usize], start, locks, newest, known);
}

#[inline]
fn note_in(ring: &Ring, start: u64, locks: LocksetId, newest: Newest, known: &Snapshot) {
    if is_simple(ring, locks, newest.lock()) {
        note_simple(ring, start, locks, newest, known);
    } else {
        note_among_others(ring, start, locks, newest, known);
    }
}

/// Is nothing held, or just the lock with which the span begins, and nothing
/// before it? That is what most programs do, and little has to be found out.
#[inline(always)]
fn is_simple(ring: &Ring, locks: LocksetId, newest: u32) -> bool {
    let is_only = || match lockset::items(locks) {
        [only] => only.lock().is_some_and(|lock| lock.number() == newest),
        _ => false,
    };
    locks == LocksetId::EMPTY
        || (ring.newest_locks().is_none_or(|l| l == LocksetId::EMPTY) && is_only())
}

/// As [`note_in`] for such a span, which stays in registers.
#[inline(always)]
fn note_simple(ring: &Ring, start: u64, locks: LocksetId, newest: Newest, known: &Snapshot) {
    let span = |known, again| Words::new(start, locks, newest, (known, again), 0);
    match ring.newest_start_and_known() {
        Some((last, known)) if last == start => {
            ring.replace(span(known, locks != LocksetId::EMPTY));
        }
        _ => ring.push(span(ring.number_of(known), false)),
    }
}

#[inline(never)]
fn note_among_others(ring: &Ring, start: u64, locks: LocksetId, newest: Newest, known: &Snapshot) {
    let mut span = Span {
        start,
        pc: newest.pc,
        context: newest.context(),
        locks,
        newest: newest.lock(),
        known: 0,
        again: false,
        since: 0,
    };
    // Of a span without positions nothing is needed but where a lock was taken
    // that is still held.
    if let Some(last) = ring.newest()
        && last.start == start
        && (last.newest == span.newest
            || LockId::new(last.newest).is_none_or(|lock| !has(locks, lock)))
    {
        span.known = last.known;
        let is_taken = |lock| has(locks, lock) && !last.has(lock);
        span.again = LockId::new(span.newest).is_some_and(is_taken);
        span.since = since(ring, ring.kept().end.saturating_sub(1), &span);
        return ring.replace(span.words());
    }
    span.known = ring.number_of(known);
    span.since = since(ring, ring.kept().end, &span);
    ring.push(span.words());
}

/// How many spans before `span`, which gets number `index`, the lock was taken
/// that has been held for longest. For the writer.
#[inline]
fn since(ring: &Ring, index: usize, span: &Span) -> u16 {
    let Some(before) = index.checked_sub(1) else {
        return 0;
    };
    if span.locks == LocksetId::EMPTY {
        return 0;
    }
    // The only lock was given back and taken again.
    if span.again && lockset::items(span.locks).len() == 1 {
        return 0;
    }
    match ring.get(before) {
        Some(last) if last.locks != LocksetId::EMPTY => {
            since_with(ring, before, (last.since, last.locks), span.change())
        }
        _ => 0,
    }
}

/// As [`since`], where the span before it, number `before`, has `locks`, too,
/// of which one was taken `last` spans before that.
#[inline(never)]
fn since_with(ring: &Ring, before: usize, (last, locks): (u16, LocksetId), span: Change) -> u16 {
    let ago = |first: usize| u16::try_from(before + 1 - first).unwrap_or(LONG_AGO);
    if last == LONG_AGO {
        return LONG_AGO;
    }
    let oldest = before.saturating_sub(last.into());
    // What is not known for sure counts as still held, until none is.
    let is_unknown = [locks, span.locks].contains(&LocksetId::UNKNOWN);
    let Some(first) = ring.get(oldest) else {
        return LONG_AGO;
    };
    let is_held = |lock: LockId| first.has(lock) && !span.gave_back(lock);
    if is_unknown || LockId::new(first.newest).is_some_and(is_held) {
        return ago(oldest);
    }
    // The lock that was held for longest was given back: which one is it now?
    let mut held: SmallVec<[LockId; 4]> = (lockset::items(span.locks)
        .iter()
        .filter_map(|item| item.lock()))
    .filter(|lock| !span.gave_back(*lock))
    .collect();
    let mut first = before + 1;
    for index in (oldest..=before).rev() {
        let Some(span) = ring.get(index) else {
            return LONG_AGO;
        };
        held.retain(|lock| span.locks == LocksetId::UNKNOWN || span.has(*lock));
        if held.is_empty() {
            break;
        }
        first = index;
        held.retain(|lock| span.locks == LocksetId::UNKNOWN || !span.gave_back(*lock));
    }
    ago(first)
}

/// The number of the last span that begins before `limit`.
///
/// Mostly it is the newest or not far from where it would be if all were
/// equally long, and what lies between is in nobody's cache: it is looked for
/// there, with a halving of what is left now and then.
fn last_before(ring: &Ring, limit: u64) -> Option<usize> {
    let kept = ring.kept();
    let newest = kept.end.checked_sub(1)?;
    let (mut high, mut high_start) = (newest, ring.start_of(newest)?);
    if high_start < limit {
        return Some(newest);
    }
    // What is not kept any more is too old.
    let (mut low, mut low_start) = (kept.start, ring.start_of(kept.start).unwrap_or(0));
    if low_start >= limit {
        return None;
    }
    let mut looks = 0u32;
    while high - low > 1 {
        let gap = (high - low) as u64;
        let along = (limit - 1 - low_start) * gap / (high_start - low_start);
        looks += 1;
        let step = if looks.is_multiple_of(4) {
            gap / 2
        } else {
            along
        };
        let probe = low + step.clamp(1, gap - 1) as usize;
        match ring.start_of(probe) {
            Some(start) if start >= limit => (high, high_start) = (probe, start),
            start => (low, low_start) = (probe, start.unwrap_or(low_start)),
        }
    }
    Some(low)
}

/// The span that holds `pos`, and its number.
fn at(ring: &Ring, pos: u64) -> Option<(usize, Span)> {
    let index = last_before(ring, pos.saturating_add(1))?;
    Some((index, ring.get(index)?))
}

/// The locks that `slot` held at `pos`; `None` if that is not known any more.
pub fn locks_at(slot: u16, pos: u64) -> Option<LocksetId> {
    sections_at(slot, pos).map(|sections| sections.locks)
}

/// A position of `slot` such that the locks it held anywhere before that were
/// all given back before its position `end`; `None` if it is not known any more.
pub fn settled(slot: u16, end: u64) -> Option<u64> {
    settled_in(&SPANS[slot as usize], end)
}

/// What was held before the lock was taken that is then held for longest was
/// given back, and what was held after that has that lock.
fn settled_in(ring: &Ring, end: u64) -> Option<u64> {
    let newest = last_before(ring, end.saturating_add(1))?;
    let span = ring.get(newest)?;
    if span.locks == LocksetId::EMPTY {
        return Some(end);
    }
    if span.since == LONG_AGO {
        return None;
    }
    ring.start_of(newest.checked_sub(span.since.into())?)
}

/// A slot's critical sections about one position.
pub struct Sections {
    ring: &'static Ring,
    index: usize,
    /// The locks it held there.
    pub locks: LocksetId,
}

/// The end of a critical section.
pub struct Ending {
    /// First position behind it.
    pub pos: u64,
    /// What the thread knew then.
    pub known: Snapshot,
    /// It held no other lock.
    pub is_last: bool,
}

/// The critical sections of `slot` at `pos`; `None` if that is not known any
/// more.
pub fn sections_at(slot: u16, pos: u64) -> Option<Sections> {
    let ring = &SPANS[slot as usize];
    let (index, locks) = match at(ring, pos) {
        Some((index, span)) => (index, span.locks),
        None => (0, ring.is_whole().then_some(LocksetId::EMPTY)?),
    };
    Some(Sections { ring, index, locks })
}

impl Sections {
    /// When the slot gave back `lock`, which it held; `None` if it has not, or
    /// that is not known any more.
    pub fn end_of(&self, lock: LockId) -> Option<Ending> {
        for index in self.index + 1..self.ring.kept().end {
            let span = self.ring.get(index)?;
            if span.gave_back(lock) {
                return Some(Ending {
                    pos: span.start,
                    known: self.ring.known_at(&span)?,
                    is_last: span.locks == LocksetId::EMPTY,
                });
            }
        }
        None
    }
}

/// Where `slot`, which held `lock` at `pos`, had taken it.
pub fn taken_at(slot: u16, pos: u64, lock: LockId) -> Option<At> {
    let ring = &SPANS[slot as usize];
    let (last, _) = at(ring, pos)?;
    let held = (0..=last).rev().map_while(|index| ring.get(index));
    let mut held = held.take_while(|span| span.has(lock));
    let span = held.find(|span| span.newest == lock.number())?;
    Some(span.at())
}

/// What a thread did with a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockEvent {
    /// The lock.
    pub lock: LockId,
    /// Given back, not taken.
    pub released: bool,
    /// Where.
    pub at: At,
    /// Position from which on it counts.
    pub start: u64,
}

/// What `slot` did with a lock last before `pos`; `None` if nothing, or that is
/// not known any more.
pub fn last_event(slot: u16, pos: u64) -> Option<LockEvent> {
    let (_, span) = at(&SPANS[slot as usize], pos)?;
    let lock = LockId::new(span.newest)?;
    Some(LockEvent {
        lock,
        released: !span.has(lock),
        at: span.at(),
        start: span.start,
    })
}

/// How a slot came to know of another's doings.
pub struct Learning {
    /// Where the span in which it did begins.
    pub start: u64,
    /// The lock it had taken last then, and where.
    pub taken: Option<(LockId, At)>,
    /// What it knew before.
    pub before: Snapshot,
    /// What it knew when its next span began; `None`: it is still in the same.
    pub after: Option<Snapshot>,
}

/// When `slot`, before its position `end`, learnt what `other` did at `pos`, as
/// locks order it.
pub fn learning(slot: u16, end: u64, other: u16, pos: u64) -> Option<Learning> {
    let ring = &SPANS[slot as usize];
    let newest = last_before(ring, end)?;
    let mut after = None;
    for index in (0..=newest).rev() {
        let span = ring.get(index)?;
        let known = ring.known_at(&span)?;
        if halves(&known, other).1 <= pos {
            if index == newest {
                after = ring.get(newest + 1).and_then(|next| ring.known_at(&next));
            }
            return Some(Learning {
                start: span.start,
                taken: LockId::new(span.newest)
                    .filter(|lock| span.has(*lock))
                    .map(|lock| (lock, span.at())),
                before: known,
                after,
            });
        }
        after = Some(known);
    }
    None
}

/// Did `slot` give back `lock` behind position `after` and not behind `until`?
pub fn gave_back(slot: u16, lock: LockId, after: u64, until: u64) -> bool {
    let ring = &SPANS[slot as usize];
    let behind = |pos: u64| last_before(ring, pos.saturating_add(1)).map_or(0, |last| last + 1);
    let (first, end) = (behind(after).max(1), behind(until));
    (first..end).any(|i| {
        let both = ring.get(i - 1).zip(ring.get(i));
        both.is_some_and(|(before, after)| before.has(lock) && after.gave_back(lock))
    })
}

/// Did `slot` hold `lock` at any position from `from` to before `until`? `None`
/// if that is not known any more.
pub fn held_within(slot: u16, lock: LockId, from: u64, until: u64) -> Option<bool> {
    let ring = &SPANS[slot as usize];
    let first = match at(ring, from) {
        Some((first, _)) => first,
        None if ring.is_whole() => 0,
        None => return None,
    };
    for index in first..ring.kept().end {
        let span = ring.get(index)?;
        if span.start >= until.max(from + 1) {
            break;
        }
        if span.locks == LocksetId::UNKNOWN {
            return None;
        }
        if span.has(lock) {
            return Some(true);
        }
    }
    Some(false)
}

/// What `slot` knew when the span began that holds `pos`.
pub fn known(slot: u16, pos: u64) -> Option<Snapshot> {
    let ring = &SPANS[slot as usize];
    ring.known_at(&at(ring, pos)?.1)
}

/// What a snapshot says of `slot`: what counts as order, and what locks order.
pub fn halves(snapshot: &Snapshot, slot: u16) -> (u64, u64) {
    let (order, strong) = snapshot.split_at(snapshot.len() / 2);
    let of = |times: &[u64]| times.get(slot as usize).copied().unwrap_or(0);
    (of(order), of(strong))
}

/// In a forked child, of whose threads only one is left.
pub fn forget_all() {
    for ring in &SPANS {
        ring.forget();
    }
}
