//! The way of a new edge into the graph.
//!
//! An edge that leads to a higher rank closes no circle, and nobody needs it
//! until the ranks change. Then all that has to be done for it at once is to
//! note it in the thread's queue: no lock is taken, and of memory that others
//! write only the ranks are read. It enters the graph together with others,
//! when the queue is half full, or when an edge that leads to a lower rank or a
//! lock that is gone changes the ranks.
//!
//! Noted without a lock, it may meet a change of the ranks halfway. Changes are
//! numbered. A thread reads the number, compares the ranks, notes the edge and
//! reads the number again; who changes the ranks changes the number and then
//! looks at the queues. So at least one of the two sees what the other has
//! done, and the thread then goes the long way: everything in the queues into
//! the graph, under its lock.

use super::super::LockId;
use super::circle::{self, Step};
use super::graph::Graph;
use super::heights::Heights;
use super::queue::{List, Made, Owner, Queue, ROOM};
use crate::spin::SpinLock;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering, fence};

/// In [`Orders::state`]: the ranks are being changed.
const CHANGING: u64 = 1;
/// There are edges that lead to a lower rank, so any edge may close a circle.
const BACKWARD: u64 = 2;
/// The number of the change counts in steps of this.
const CHANGE: u64 = 4;

/// So many edges before its turn memory for an edge is fetched; what that leads
/// to is fetched halfway.
const AHEAD: usize = 6;

/// A circle that can become a deadlock.
pub(super) type Circle = Vec<Step>;

/// What the graph's lock guards.
struct Inside {
    graph: Graph,
    /// All there are.
    queues: Vec<&'static Queue>,
    /// Circles that nobody was told of yet.
    found: Vec<Circle>,
}

/// See the module's description. All threads read the first fields all the
/// time; the last is in cache lines of its own.
#[repr(C)]
pub(super) struct Orders {
    state: AtomicU64,
    heights: &'static Heights,
    waiting: List,
    inside: Apart<SpinLock<Inside>>,
}

/// Begins a pair of cache lines, which processors fetch together.
#[repr(align(128))]
struct Apart<T>(T);

impl Orders {
    /// Nothing was taken yet. Nobody else may use the `heights`.
    pub(super) const fn new(heights: &'static Heights) -> Orders {
        Orders {
            state: AtomicU64::new(0),
            heights,
            waiting: List::new(),
            inside: Apart(SpinLock::new(Inside {
                graph: Graph::new(heights),
                queues: Vec::new(),
                found: Vec::new(),
            })),
        }
    }

    /// A thread, whose queue is `own` as soon as it has one, has made `edges`
    /// by taking one lock. Which circles are there now?
    #[inline]
    pub(super) fn made(
        &self,
        own: &mut Option<Owner>,
        edges: impl Iterator<Item = Made> + Clone,
    ) -> Vec<Circle> {
        let before = self.state.load(Ordering::Acquire);
        if before & (CHANGING | BACKWARD) != 0 {
            return self.make(own, edges);
        }
        let Some(queue) = own
            .as_mut()
            .filter(|queue| self.suits(queue, edges.clone()))
        else {
            return self.make(own, edges);
        };
        self.waiting.add(queue);
        edges.for_each(|made| queue.put(made));
        fence(Ordering::SeqCst);
        if self.state.load(Ordering::Relaxed) != before {
            return self.make(own, core::iter::empty());
        }
        if queue.len() > ROOM / 2 {
            self.relieve(queue);
        }
        Vec::new()
    }

    /// Do all lead to a higher rank, and is there room for them?
    #[inline]
    fn suits(&self, queue: &Owner, mut edges: impl Iterator<Item = Made>) -> bool {
        let mut room = ROOM - queue.len();
        edges.all(|made| {
            room = room.saturating_sub(1);
            let ends = (self.heights.get(made.from), self.heights.get(made.to));
            room > 0 && matches!(ends, (Some(from), Some(to)) if from < to)
        })
    }

    /// Empties the thread's queue if it can be done without waiting. What is in
    /// it changes no rank.
    #[cold]
    fn relieve(&self, own: &Owner) {
        if let Some(mut inside) = self.inside.0.try_lock() {
            inside.empty(own.queue());
        }
    }

    /// The long way.
    #[cold]
    fn make(&self, own: &mut Option<Owner>, edges: impl Iterator<Item = Made>) -> Vec<Circle> {
        self.change(|inside| {
            match own {
                // It may be out of the list without being empty.
                Some(own) => inside.empty(own.queue()),
                None => *own = Some(inside.owner()),
            }
            inside.add_all(edges);
            core::mem::take(&mut inside.found)
        })
    }

    /// The lock is gone, and with it what was known of its order.
    #[cold]
    pub(super) fn forget(&self, lock: LockId) {
        self.change(|inside| inside.graph.remove(lock));
    }

    /// Changes the graph, in which is then all that was ever made.
    fn change<R>(&self, f: impl FnOnce(&mut Inside) -> R) -> R {
        let mut inside = self.inside.0.lock();
        let before = self.state.load(Ordering::Relaxed) & !(CHANGING | BACKWARD);
        self.state.store(before | CHANGING, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        // SAFETY: the lock is held.
        unsafe { self.waiting.take(|queue| inside.empty(queue)) };
        let result = f(&mut inside);
        let backward = match inside.graph.has_backward() {
            true => BACKWARD,
            false => 0,
        };
        let after = before.wrapping_add(CHANGE) | backward;
        self.state.store(after, Ordering::Release);
        result
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

impl Inside {
    /// Moves everything in the queue into the graph.
    fn empty(&mut self, queue: &Queue) {
        // SAFETY: what is here is behind the lock.
        let parts = unsafe { queue.all() };
        for part in parts {
            for (i, made) in part.iter().enumerate() {
                if let Some(later) = part.get(i + 2 * AHEAD) {
                    self.graph.foresee(later.from, later.to);
                }
                if let Some(later) = part.get(i + AHEAD) {
                    self.graph.foresee_links(later.from, later.to);
                }
                self.add(*made);
            }
        }
        // SAFETY: as above, and the parts are not used any more.
        unsafe { queue.take(parts[0].len() + parts[1].len()) };
    }

    /// Adds what a thread made by taking one lock: one circle is enough.
    fn add_all(&mut self, edges: impl Iterator<Item = Made>) {
        let before = self.found.len();
        for made in edges {
            let is_new = self.graph.insert(made.from, made.to, made.instance);
            if is_new && self.found.len() == before {
                self.found
                    .extend(circle::through(&mut self.graph, made.from, made.to));
            }
        }
    }

    fn add(&mut self, made: Made) {
        self.add_all(core::iter::once(made));
    }

    /// A queue for one more thread.
    fn owner(&mut self) -> Owner {
        let left = self.queues.iter().find_map(|queue| queue.claim());
        left.unwrap_or_else(|| {
            let (queue, owner) = Queue::new();
            self.queues.push(queue);
            owner
        })
    }
}
