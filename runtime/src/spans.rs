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

use crate::clock::Snapshot;
use crate::lock::LockId;
use crate::lock::held::At;
use crate::lockset::{self, LocksetId};
use crate::spin::SpinLock;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use racert_abi::word::SLOT_BITS;

/// Spans kept of a slot: 2 MiB.
const KEPT: usize = 1 << 16;

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
    /// What the thread knew when it began: a number of [`Spans::known`].
    known: u32,
}

const _: () = assert!(size_of::<Span>() == 32);

impl Span {
    fn has(&self, lock: LockId) -> bool {
        has(self.locks, lock)
    }

    fn at(&self) -> At {
        At {
            pc: self.pc as usize,
            context: self.context,
        }
    }
}

fn has(locks: LocksetId, lock: LockId) -> bool {
    let items = lockset::items(locks).iter();
    items.copied().any(|item| item.lock() == Some(lock))
}

/// A slot's spans, in order.
struct Spans {
    spans: VecDeque<Span>,
    /// What the thread knew, each as long as it was the same.
    known: VecDeque<Snapshot>,
    /// Number of the first of them; numbers begin anew after the highest.
    first_known: u32,
}

/// Slots are numbered below this.
pub const SLOTS: u16 = 1 << SLOT_BITS;

static SPANS: [SpinLock<Spans>; SLOTS as usize] =
    [const { SpinLock::new(Spans::new()) }; SLOTS as usize];

impl Spans {
    const fn new() -> Spans {
        Spans {
            spans: VecDeque::new(),
            known: VecDeque::new(),
            first_known: 0,
        }
    }

    /// The number of `known`, which is the last one or newer.
    fn number_of(&mut self, known: &Snapshot) -> u32 {
        let is_last = |last: &Snapshot| Arc::ptr_eq(last, known);
        if !self.known.back().is_some_and(is_last) {
            self.known.push_back(known.clone());
        }
        self.first_known
            .wrapping_add(self.known.len() as u32)
            .wrapping_sub(1)
    }

    fn known_at(&self, span: &Span) -> Option<&Snapshot> {
        let index = span.known.wrapping_sub(self.first_known);
        self.known.get(index as usize)
    }

    fn drop_oldest(&mut self) {
        self.spans.pop_front();
        let wanted = self.spans.front().map_or(0, |span| span.known);
        while self.first_known != wanted && self.known.pop_front().is_some() {
            self.first_known = self.first_known.wrapping_add(1);
        }
    }
}

/// From position `start` on `slot` holds `locks`, because it took or gave back
/// `newest`, and knows `known` then.
pub fn note(
    slot: u16,
    start: u64,
    locks: LocksetId,
    newest: Option<(LockId, At)>,
    known: &Snapshot,
) {
    let mut all = SPANS[slot as usize].lock();
    let (newest, at) = match newest {
        Some((lock, at)) => (lock.number(), at),
        None => (0, At { pc: 0, context: 0 }),
    };
    let mut span = Span {
        start,
        pc: at.pc as u64,
        context: at.context,
        locks,
        newest,
        known: 0,
    };
    // Of a span without positions nothing is needed but where a lock was taken
    // that is still held.
    if let Some(last) = all.spans.back_mut()
        && last.start == start
        && (last.newest == newest || LockId::new(last.newest).is_none_or(|l| !has(locks, l)))
    {
        span.known = last.known;
        *last = span;
        return;
    }
    if all.spans.len() == KEPT {
        all.drop_oldest();
    }
    span.known = all.number_of(known);
    all.spans.push_back(span);
}

/// The number of the span that holds `pos`.
fn index(spans: &VecDeque<Span>, pos: u64) -> Option<usize> {
    spans
        .partition_point(|span| span.start <= pos)
        .checked_sub(1)
}

/// The locks that `slot` held at `pos`; `None` if that is not known any more.
pub fn locks_at(slot: u16, pos: u64) -> Option<LocksetId> {
    let spans = &SPANS[slot as usize].lock().spans;
    match index(spans, pos) {
        Some(i) => Some(spans[i].locks),
        None if spans.len() < KEPT => Some(LocksetId::EMPTY),
        None => None,
    }
}

/// When `slot`, which held `lock` at `pos`, gave it back, and what it knew
/// then; `None` if it has not, or that is not known any more.
pub fn given_back(slot: u16, pos: u64, lock: LockId) -> Option<(u64, Snapshot)> {
    let all = SPANS[slot as usize].lock();
    let first = index(&all.spans, pos)?;
    let span = all.spans.iter().skip(first).find(|span| !span.has(lock))?;
    let known = all.known_at(span)?;
    Some((span.start, known.clone()))
}

/// Where `slot`, which held `lock` at `pos`, had taken it.
pub fn taken_at(slot: u16, pos: u64, lock: LockId) -> Option<At> {
    let all = SPANS[slot as usize].lock();
    let last = index(&all.spans, pos)?;
    let held = all.spans.iter().take(last + 1).rev();
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
    let all = SPANS[slot as usize].lock();
    let span = &all.spans[index(&all.spans, pos)?];
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
    let all = SPANS[slot as usize].lock();
    let count = all.spans.partition_point(|span| span.start < end);
    let last = all.spans.iter().take(count).rposition(|span| {
        let known = all.known_at(span);
        known.is_some_and(|known| halves(known, other).1 <= pos)
    })?;
    let span = &all.spans[last];
    let next = all.spans.get(last + 1);
    Some(Learning {
        start: span.start,
        taken: LockId::new(span.newest)
            .filter(|lock| span.has(*lock))
            .map(|lock| (lock, span.at())),
        before: all.known_at(span)?.clone(),
        after: next.and_then(|next| all.known_at(next)).cloned(),
    })
}

/// Did `slot` give back `lock` behind position `after` and not behind `until`?
pub fn gave_back(slot: u16, lock: LockId, after: u64, until: u64) -> bool {
    let all = SPANS[slot as usize].lock();
    let first = all.spans.partition_point(|span| span.start <= after);
    let end = all.spans.partition_point(|span| span.start <= until);
    (first.max(1)..end).any(|i| all.spans[i - 1].has(lock) && !all.spans[i].has(lock))
}

/// Did `slot` hold `lock` at any position from `from` to before `until`? `None`
/// if that is not known any more.
pub fn held_within(slot: u16, lock: LockId, from: u64, until: u64) -> Option<bool> {
    let all = SPANS[slot as usize].lock();
    let first = match index(&all.spans, from) {
        Some(first) => first,
        None if all.spans.len() < KEPT => 0,
        None => return None,
    };
    let mut spans = all.spans.iter().skip(first);
    let mut asked = spans
        .by_ref()
        .take_while(|span| span.start < until.max(from + 1));
    let mut held = false;
    for span in asked.by_ref() {
        if span.locks == LocksetId::UNKNOWN {
            return None;
        }
        held |= span.has(lock);
    }
    Some(held)
}

/// What `slot` knew when the span began that holds `pos`.
pub fn known(slot: u16, pos: u64) -> Option<Snapshot> {
    let all = SPANS[slot as usize].lock();
    let span = all.spans.get(index(&all.spans, pos)?)?;
    all.known_at(span).cloned()
}

/// What a snapshot says of `slot`: what counts as order, and what locks order.
pub fn halves(snapshot: &Snapshot, slot: u16) -> (u64, u64) {
    let (order, strong) = snapshot.split_at(snapshot.len() / 2);
    let of = |times: &[u64]| times.get(slot as usize).copied().unwrap_or(0);
    (of(order), of(strong))
}

/// In a forked child, of whose threads only one is left.
pub fn forget_all() {
    for spans in &SPANS {
        // SAFETY: the only thread.
        unsafe { spans.reset_if_held(Spans::new()) };
        *spans.lock() = Spans::new();
    }
}
