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
use crate::lockset::{self, LocksetId};
use crate::spin::SpinLock;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use racert_abi::word::SLOT_BITS;

/// Spans kept of a slot: 1.5 MiB.
const KEPT: usize = 1 << 16;

struct Span {
    /// First position.
    start: u64,
    locks: LocksetId,
    /// What the thread knew when it began: a number of [`Spans::known`].
    known: u64,
}

/// A slot's spans, in order.
struct Spans {
    spans: VecDeque<Span>,
    /// What the thread knew, each as long as it was the same.
    known: VecDeque<Snapshot>,
    /// Number of the first of them.
    first_known: u64,
}

static SPANS: [SpinLock<Spans>; 1 << SLOT_BITS] =
    [const { SpinLock::new(Spans::new()) }; 1 << SLOT_BITS];

impl Spans {
    const fn new() -> Spans {
        Spans {
            spans: VecDeque::new(),
            known: VecDeque::new(),
            first_known: 0,
        }
    }

    /// The number of `known`, which is the last one or newer.
    fn number_of(&mut self, known: &Snapshot) -> u64 {
        let is_last = |last: &Snapshot| Arc::ptr_eq(last, known);
        if !self.known.back().is_some_and(is_last) {
            self.known.push_back(known.clone());
        }
        self.first_known + self.known.len() as u64 - 1
    }

    fn drop_oldest(&mut self) {
        self.spans.pop_front();
        let wanted = self.spans.front().map_or(0, |span| span.known);
        while self.first_known < wanted {
            self.known.pop_front();
            self.first_known += 1;
        }
    }
}

/// From position `start` on `slot` holds `locks`, and knows `known` then.
pub fn note(slot: u16, start: u64, locks: LocksetId, known: &Snapshot) {
    let mut all = SPANS[slot as usize].lock();
    if let Some(last) = all.spans.back_mut()
        && last.start == start
    {
        last.locks = locks;
        return;
    }
    if all.spans.len() == KEPT {
        all.drop_oldest();
    }
    let known = all.number_of(known);
    all.spans.push_back(Span {
        start,
        locks,
        known,
    });
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
    let has_lock = |span: &&Span| {
        let items = lockset::items(span.locks).iter();
        items.copied().any(|item| item.lock() == Some(lock))
    };
    let span = all.spans.iter().skip(first).find(|span| !has_lock(span))?;
    let known = all.known.get((span.known - all.first_known) as usize)?;
    Some((span.start, known.clone()))
}

/// In a forked child, of whose threads only one is left.
pub fn forget_all() {
    for spans in &SPANS {
        // SAFETY: the only thread.
        unsafe { spans.reset_if_held(Spans::new()) };
        *spans.lock() = Spans::new();
    }
}
