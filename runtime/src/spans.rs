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
use racert_abi::word::SLOT_BITS;

/// Spans kept of a slot: 2 MiB.
const KEPT: usize = 1 << 16;

struct Span {
    /// First position.
    start: u64,
    locks: LocksetId,
    /// What the thread knew when it began.
    known: Snapshot,
}

type Spans = SpinLock<VecDeque<Span>>;

static SPANS: [Spans; 1 << SLOT_BITS] = [const { SpinLock::new(VecDeque::new()) }; 1 << SLOT_BITS];

/// From position `start` on `slot` holds `locks`, and knows `known` then.
pub fn note(slot: u16, start: u64, locks: LocksetId, known: Snapshot) {
    let mut spans = SPANS[slot as usize].lock();
    if let Some(last) = spans.back_mut()
        && last.start == start
    {
        last.locks = locks;
        return;
    }
    if spans.len() == KEPT {
        spans.pop_front();
    }
    spans.push_back(Span {
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
    let spans = SPANS[slot as usize].lock();
    match index(&spans, pos) {
        Some(i) => Some(spans[i].locks),
        None if spans.len() < KEPT => Some(LocksetId::EMPTY),
        None => None,
    }
}

/// When `slot`, which held `lock` at `pos`, gave it back, and what it knew
/// then; `None` if it has not, or that is not known any more.
pub fn given_back(slot: u16, pos: u64, lock: LockId) -> Option<(u64, Snapshot)> {
    let spans = SPANS[slot as usize].lock();
    let first = index(&spans, pos)?;
    let has_lock = |span: &&Span| {
        let items = lockset::items(span.locks).iter();
        items.copied().any(|item| item.lock() == Some(lock))
    };
    let span = spans.iter().skip(first).find(|span| !has_lock(span))?;
    Some((span.start, span.known.clone()))
}

/// In a forked child, of whose threads only one is left.
pub fn forget_all() {
    for spans in &SPANS {
        // SAFETY: the only thread.
        unsafe { spans.reset_if_held(VecDeque::new()) };
        spans.lock().clear();
    }
}
