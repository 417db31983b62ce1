//! A ceiling for the memory of the process: the option `memory_limit_mb`.
//!
//! Now and then a thread that comes to the runtime compares what the process
//! has in memory with the ceiling. Above it, what is recorded of accesses is
//! forgotten and its pages go back to the kernel: first of memory that nobody
//! has touched since the time before, and if that was not enough, of all. Races
//! with what is forgotten are not found; the end of the program says so.
//! (Serebryany and Iskhodzhanov, "ThreadSanitizer: data race detection in
//! practice", 2009, 6.2.1, forget all.)

use crate::log::reclaim;
use crate::options;
use crate::os::{self, File};
use crate::shadow::word::Word;
use crate::shadow::{clear, scan};
use crate::spin::SpinLock;
use crate::thread::Thread;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::arch::x86_64::_rdtsc;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Ticks of the processor's clock from one look to the next: about a
/// millisecond.
const APART: u64 = 1 << 21;
/// When to look again.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Look closer above so many pages; 0 without a ceiling.
static THRESHOLD: AtomicUsize = AtomicUsize::new(0);
/// How often something was forgotten.
static TIMES: AtomicUsize = AtomicUsize::new(0);
/// For every slot, the position it had reached the time before.
static BEFORE: SpinLock<Vec<u64>> = SpinLock::new(Vec::new());

fn limit() -> usize {
    (options::get().memory_limit_mb as usize).saturating_mul((1 << 20) / os::PAGE)
}

/// The options are known.
pub(crate) fn set() {
    THRESHOLD.store(limit(), Ordering::Relaxed);
}

/// The thread comes by, and holds no lock.
#[inline]
pub(crate) fn passed(me: &mut Thread) {
    let threshold = THRESHOLD.load(Ordering::Relaxed);
    if threshold != 0 {
        look(me, threshold);
    }
}

#[cold]
fn look(me: &mut Thread, threshold: usize) {
    // SAFETY: every x86-64 processor has it.
    let now = unsafe { _rdtsc() };
    if now.wrapping_sub(NEXT.load(Ordering::Relaxed)) > u64::MAX / 2 {
        return;
    }
    NEXT.store(now.wrapping_add(APART), Ordering::Relaxed);
    if resident().is_none_or(|pages| pages <= threshold) {
        return;
    }
    // Who needs more memory waits while another thread makes room.
    let mut before = BEFORE.lock();
    let threshold = THRESHOLD.load(Ordering::Relaxed);
    if resident().is_none_or(|pages| pages <= threshold) {
        return;
    }
    forget_pages(me, |page| is_older(page, &before));
    reclaim::force();
    if resident().is_some_and(|pages| pages > threshold) {
        forget_pages(me, |_| true);
        reclaim::force();
    }
    *before = reclaim::horizons();
    TIMES.fetch_add(1, Ordering::Relaxed);
    // What the program itself needs cannot be helped.
    let left = resident().unwrap_or(0);
    THRESHOLD.store(limit().max(left + left / 8), Ordering::Relaxed);
}

fn forget_pages(me: &mut Thread, mut goes: impl FnMut(Range<usize>) -> bool) {
    let cells = &mut me.recorder.cells;
    scan::pages(|page| {
        if goes(page.clone()) {
            clear::give_back(cells, page);
        }
    });
}

/// Has every access to the page come before those positions?
fn is_older(page: Range<usize>, before: &[u64]) -> bool {
    let is_older = |record: Word| {
        let position = before.get(record.slot() as usize);
        position.is_some_and(|before| record.pos() < *before)
    };
    scan::records(page).all(is_older)
}

/// Pages of the process in memory.
fn resident() -> Option<usize> {
    let text = File::open(b"/proc/self/statm").ok()?.read_to_end().ok()?;
    let fields = core::str::from_utf8(&text).ok()?;
    fields.split(' ').nth(1)?.parse().ok()
}

/// What the end of the program says.
pub(crate) fn summary() -> String {
    match TIMES.load(Ordering::Relaxed) {
        0 => String::new(),
        times => format!(
            "racert: memory_limit_mb={} was reached and earlier accesses were forgotten, {times} \
             time{}; races with them may have been missed\n",
            options::get().memory_limit_mb,
            if times == 1 { "" } else { "s" },
        ),
    }
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    BEFORE.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { BEFORE.force_unlock() }
}
