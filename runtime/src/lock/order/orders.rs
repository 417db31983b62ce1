//! The way of a new edge into the graph.
//!
//! An edge that leads to a higher rank closes no circle, and nobody needs it
//! until the ranks change. Then all that has to be done for it at once is to
//! note it in the thread's log: no lock is taken, and of memory that others
//! write only the ranks are read.
//!
//! When an edge that leads to a lower rank changes the ranks, all that was
//! noted is brought into the order of the locks first. The graph, which knows
//! how edges came about, needs it only when there is a circle or a lock is
//! gone: until then, what the order knows stays in the logs.
//!
//! Noted without a lock, an edge may meet a change of the ranks halfway. Changes
//! are numbered. A thread reads the number, compares the ranks, notes the edge
//! and reads the number again; who changes the ranks changes the number and then
//! looks at the logs. So at least one of the two sees what the other has done,
//! and the thread then goes the long way: everything in the logs into the order,
//! under the graph's lock.
//!
//! That is too much work where threads take thousands of locks in ever new pairs
//! and the order has yet to be learnt. When it has become [`large`](Orders::new),
//! edges that lead to a lower rank are noted, too; a thread that has noted one is
//! unsure. Now and then one of those who are sorts all locks anew, at once
//! ([`Inside::sort_logs`]): the later the more there is to sort, and at the end
//! of the process at the latest. Only if that is not possible, because there is a
//! circle, the edges go the long way.

use super::super::LockId;
use super::heights::Heights;
use super::inside::{Circle, Inside};
use super::log::{List, Made, Owner};
use crate::os;
use crate::spin::{SpinGuard, SpinLock};
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering, fence};

/// In [`Orders::state`]: the ranks are being changed.
const CHANGING: u64 = 1;
/// There are edges that lead to a lower rank, so any edge may close a circle.
const BACKWARD: u64 = 2;
/// The order is large: what contradicts it can wait.
const LARGE: u64 = 4;
/// The number of the change counts in steps of this.
const CHANGE: u64 = 8;

/// So many edges make an order large: up to there learning it costs little.
pub(super) const MANY: usize = 1 << 12;

/// Nanoseconds that what contradicts the order waits at least,
const PATIENCE: u64 = 20_000_000;
/// and how many times as long as the last sorting took.
const RARELY: u64 = 16;
/// Nanoseconds after which to sort even if somebody seems to be at it.
const GIVEN_UP: u64 = 1_000_000_000;
/// An unsure thread looks at the clock every so many times.
const GLANCES: u32 = 64;

/// How often to look whether a change is over before asking for the lock in
/// earnest: a change takes a few microseconds, which is less than it costs to
/// yield the processor.
const LOOKS: usize = 500;

/// Edges in all logs, about 25 MB: beyond that they move into the graph, which
/// keeps each of them once.
const LOGGED: isize = 1 << 19;

/// See the module's description. All threads read the first fields all the
/// time; the last is in cache lines of its own.
#[repr(C)]
pub(super) struct Orders {
    state: AtomicU64,
    heights: &'static Heights,
    waiting: List,
    /// Edges for which the logs have room.
    room: AtomicIsize,
    /// Is there something in the logs that may contradict the order?
    deferred: AtomicBool,
    /// When to sort next.
    due: AtomicU64,
    /// So many edges make the order large.
    large: usize,
    inside: Apart<SpinLock<Inside>>,
}

/// Begins a pair of cache lines, which processors fetch together.
#[repr(align(128))]
struct Apart<T>(T);

impl Orders {
    /// Nothing was taken yet. Nobody else may use the `heights`. With `large`
    /// edges what contradicts the order can wait.
    pub(super) const fn new(heights: &'static Heights, large: usize) -> Orders {
        Orders {
            state: AtomicU64::new(0),
            heights,
            waiting: List::new(),
            room: AtomicIsize::new(0),
            deferred: AtomicBool::new(false),
            due: AtomicU64::new(0),
            large,
            inside: Apart(SpinLock::new(Inside::new(heights))),
        }
    }

    /// A thread, whose log is `own` as soon as it has one, has made `edges`
    /// by taking one lock. Which circles are there now?
    #[inline]
    pub(super) fn made(
        &self,
        own: &mut Option<Owner>,
        edges: impl Iterator<Item = Made> + Clone,
    ) -> Vec<Circle> {
        if self.state.load(Ordering::Relaxed) & (LARGE | BACKWARD) == LARGE {
            return self.note(own, edges);
        }
        let before = self.settled();
        if before & (CHANGING | BACKWARD) != 0 {
            return self.make(own, edges);
        }
        let Some(log) = own.as_mut().filter(|_| self.agree(edges.clone())) else {
            return self.make(own, edges);
        };
        self.waiting.add(log);
        let more: usize = edges.map(|made| log.put(made)).sum();
        fence(Ordering::SeqCst);
        if self.state.load(Ordering::Relaxed) != before {
            return self.make(own, core::iter::empty());
        }
        if more > 0 {
            return self.limit(more);
        }
        Vec::new()
    }

    /// The state, when a change that is under way is over, if that is soon.
    #[inline]
    fn settled(&self) -> u64 {
        let mut state = self.state.load(Ordering::Acquire);
        for _ in 0..LOOKS {
            if state & CHANGING == 0 {
                break;
            }
            core::hint::spin_loop();
            state = self.state.load(Ordering::Acquire);
        }
        state
    }

    /// Do all lead to a higher rank?
    #[inline]
    fn agree(&self, mut edges: impl Iterator<Item = Made>) -> bool {
        edges.all(|made| {
            let ends = (self.heights.get(made.from), self.heights.get(made.to));
            matches!(ends, (Some(from), Some(to)) if from < to)
        })
    }

    /// Notes edges while the order is large, whatever they say.
    fn note(
        &self,
        own: &mut Option<Owner>,
        edges: impl Iterator<Item = Made> + Clone,
    ) -> Vec<Circle> {
        let log = own.get_or_insert_with(|| self.lock().owner());
        let has_rank = |lock| self.heights.get(lock).is_some();
        if !edges
            .clone()
            .all(|made| has_rank(made.from) && has_rank(made.to))
        {
            self.give_ranks(edges.clone());
        }
        let before = self.state.load(Ordering::Acquire);
        let do_agree = before & CHANGING == 0 && self.agree(edges.clone());
        self.waiting.add(log);
        let more: usize = edges.map(|made| log.put(made)).sum();
        fence(Ordering::SeqCst);
        if !do_agree || self.state.load(Ordering::Relaxed) != before {
            self.deferred.store(true, Ordering::Release);
            fence(Ordering::SeqCst);
            log.unsure = Some(self.state.load(Ordering::Relaxed));
        }
        let mut found = match more {
            0 => Vec::new(),
            _ => self.limit(more),
        };
        found.append(&mut self.look(own));
        found
    }

    /// Gives ranks to locks that have none, without a change for others. A lock
    /// that has none is not missed when it goes, so it may not be in a log.
    #[cold]
    fn give_ranks(&self, edges: impl Iterator<Item = Made>) {
        let mut inside = self.lock();
        edges.for_each(|made| inside.graph.give_ranks(made.from, made.to));
    }

    /// If the thread is unsure of what it has noted, looks whether it need not
    /// be any more, and sorts if it is time. Which circles are there?
    #[cold]
    pub(super) fn look(&self, own: &mut Option<Owner>) -> Vec<Circle> {
        let Some(log) = own.as_mut() else {
            return Vec::new();
        };
        let Some(since) = log.unsure else {
            return Vec::new();
        };
        let now = self.state.load(Ordering::Acquire);
        // A change that was under way may have looked at the log before.
        let needed = match since & CHANGING {
            0 => CHANGE,
            _ => 2 * CHANGE,
        };
        let number = |state: u64| state & !(CHANGE - 1);
        if number(now).wrapping_sub(number(since)) >= needed {
            log.unsure = None;
            return Vec::new();
        }
        if now & (CHANGING | BACKWARD) == BACKWARD || now & (CHANGING | LARGE) == 0 {
            log.unsure = None;
            return self.make(own, core::iter::empty());
        }
        log.glances = log.glances.wrapping_add(1);
        if !log.glances.is_multiple_of(GLANCES) {
            return Vec::new();
        }
        let (now, due) = (os::monotonic_ns(), self.due.load(Ordering::Relaxed));
        let is_mine = now >= due
            && (self.due)
                .compare_exchange(due, now + GIVEN_UP, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if !is_mine {
            return Vec::new();
        }
        log.unsure = None;
        let found = self.sort();
        let after = os::monotonic_ns();
        let pause = PATIENCE.max(RARELY * (after - now));
        self.due.store(after + pause, Ordering::Relaxed);
        found
    }

    /// Sorts all locks by what is known of their order. Which circles are there?
    #[cold]
    pub(super) fn sort(&self) -> Vec<Circle> {
        self.alone(|inside| {
            self.deferred.store(false, Ordering::SeqCst);
            if inside.graph.has_backward() || !inside.sort_logs() {
                inside.link_pairs();
                inside.read_all();
            }
            core::mem::take(&mut inside.found)
        })
    }

    /// The process ends. Which circles was nobody told of yet?
    pub(super) fn finish(&self) -> Vec<Circle> {
        if self.deferred.load(Ordering::Acquire) {
            return self.sort();
        }
        core::mem::take(&mut self.lock().found)
    }

    /// There is room for more edges in a log: empties all if that is too much.
    #[cold]
    fn limit(&self, more: usize) -> Vec<Circle> {
        let more = more as isize;
        if self.room.fetch_add(more, Ordering::Relaxed) + more <= LOGGED {
            return Vec::new();
        }
        self.change(|inside| {
            inside.catch_up();
            core::mem::take(&mut inside.found)
        })
    }

    /// The long way.
    #[cold]
    fn make(&self, own: &mut Option<Owner>, edges: impl Iterator<Item = Made>) -> Vec<Circle> {
        self.change(|inside| {
            match own {
                // It may be out of the list without being read.
                Some(own) => {
                    let odd = inside.read(own.log());
                    inside.add_odd(odd);
                }
                None => *own = Some(inside.owner()),
            }
            inside.add_all(edges);
            core::mem::take(&mut inside.found)
        })
    }

    /// The lock is gone, and with it what was known of its order.
    #[cold]
    pub(super) fn forget(&self, lock: LockId) {
        self.change(|inside| {
            inside.catch_up();
            inside.graph.remove(lock);
        });
    }

    /// Changes the graph. The order then knows all that was ever made.
    fn change<R>(&self, f: impl FnOnce(&mut Inside) -> R) -> R {
        self.alone(|inside| {
            inside.link_pairs();
            let mut odd = Vec::new();
            // SAFETY: the lock is held.
            unsafe { self.waiting.take(|log| odd.extend(inside.read(log))) };
            inside.add_odd(odd);
            if self.deferred.swap(false, Ordering::SeqCst) {
                inside.read_all();
            }
            f(inside)
        })
    }

    /// Does something while nobody relies on the ranks.
    fn alone<R>(&self, f: impl FnOnce(&mut Inside) -> R) -> R {
        let mut inside = self.lock();
        let before = self.state.load(Ordering::Relaxed);
        self.state.store(before | CHANGING, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let result = f(&mut inside);
        let growth = core::mem::take(&mut inside.growth);
        if growth != 0 {
            self.room.fetch_add(growth, Ordering::Relaxed);
        }
        let mut after = (before & !(CHANGE - 1)).wrapping_add(CHANGE);
        if inside.graph.has_backward() {
            after |= BACKWARD;
        }
        if inside.graph.linked() + inside.pairs.len() >= self.large {
            after |= LARGE;
        }
        self.state.store(after, Ordering::Release);
        result
    }

    fn lock(&self) -> SpinGuard<'_, Inside> {
        for _ in 0..LOOKS {
            if self.state.load(Ordering::Relaxed) & CHANGING == 0
                && let Some(inside) = self.inside.0.try_lock()
            {
                return inside;
            }
            core::hint::spin_loop();
        }
        self.inside.0.lock()
    }

    pub(super) fn before_fork(&self) {
        self.inside.0.hold();
    }

    /// # Safety
    /// As [`SpinLock::force_unlock`].
    pub(super) unsafe fn after_fork(&self) {
        // SAFETY: passed on.
        unsafe { self.inside.0.force_unlock() }
    }
}
