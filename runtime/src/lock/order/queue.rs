//! Edges on their way into the graph.
//!
//! A thread puts those it makes into a queue of its own; whoever holds the
//! graph's lock takes them out. Queues stay for ever: one that a thread leaves
//! behind, with what is in it, is the next thread's. So nothing is lost with a
//! thread, not even one that a fork left behind.

use super::super::LockId;
use super::graph::Instance;
use alloc::boxed::Box;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// A lock was taken by a thread that held another one.
#[derive(Clone, Copy)]
pub(super) struct Made {
    pub(super) from: LockId,
    pub(super) to: LockId,
    pub(super) instance: Instance,
}

/// Edges in a queue: 6 KiB, which stay in the nearest cache.
pub(super) const ROOM: usize = 1 << 7;

/// See the module's description.
pub(super) struct Queue {
    /// How many were ever put in; only the owner changes it.
    put: AtomicUsize,
    /// How many were ever taken out; only who holds the graph's lock changes it.
    taken: AtomicUsize,
    /// Has it an owner?
    owned: AtomicBool,
    /// Is it in a list of those that may have something in them?
    listed: AtomicBool,
    /// The one behind it in that list.
    next: AtomicPtr<Queue>,
    places: Box<[MaybeUninit<UnsafeCell<Made>>]>,
}

// SAFETY: a place is written by the owner alone, before it counts as put in,
// and read from then until it counts as taken out.
unsafe impl Sync for Queue {}

impl Queue {
    /// An empty queue and its owner.
    pub(super) fn new() -> (&'static Queue, Owner) {
        let queue: &'static Queue = Box::leak(Box::new(Queue {
            put: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
            owned: AtomicBool::new(true),
            listed: AtomicBool::new(false),
            next: AtomicPtr::new(null_mut()),
            places: Box::new_uninit_slice(ROOM),
        }));
        (queue, Owner(queue))
    }

    /// Becomes its owner if it has none.
    pub(super) fn claim(&'static self) -> Option<Owner> {
        let claimed =
            !self.owned.load(Ordering::Relaxed) && !self.owned.swap(true, Ordering::Acquire);
        claimed.then(|| Owner(self))
    }

    /// What is in it, in two parts; [`Queue::take`] takes it out.
    ///
    /// # Safety
    /// Only who holds the graph's lock may take out.
    pub(super) unsafe fn all(&self) -> [&[Made]; 2] {
        let (start, end) = (
            self.taken.load(Ordering::Relaxed),
            self.put.load(Ordering::Acquire),
        );
        let first = (start % ROOM)..(start % ROOM + (end - start)).min(ROOM);
        let second = 0..(end - start) - first.len();
        [first, second].map(|range| {
            let part = &self.places[range];
            // SAFETY: these are put in and not taken out; the cell and the
            // wrapper change nothing about their layout.
            unsafe { core::slice::from_raw_parts(part.as_ptr().cast(), part.len()) }
        })
    }

    /// Takes out the `count` oldest.
    ///
    /// # Safety
    /// As for [`Queue::all`], which must have shown so many; they must not be
    /// used any more.
    pub(super) unsafe fn take(&self, count: usize) {
        let taken = self.taken.load(Ordering::Relaxed);
        self.taken.store(taken + count, Ordering::Release);
    }
}

/// The right to put into a queue.
pub(super) struct Owner(&'static Queue);

impl Owner {
    /// The queue.
    pub(super) fn queue(&self) -> &'static Queue {
        self.0
    }

    /// How many are in it.
    pub(super) fn len(&self) -> usize {
        self.0.put.load(Ordering::Relaxed) - self.0.taken.load(Ordering::Acquire)
    }

    /// Puts in one more, for which there is room.
    #[inline]
    pub(super) fn put(&mut self, made: Made) {
        debug_assert!(self.len() < ROOM);
        let put = self.0.put.load(Ordering::Relaxed);
        let place = UnsafeCell::raw_get(self.0.places[put % ROOM].as_ptr());
        // SAFETY: taken out, as far as it was ever used, and nobody else puts
        // into this queue.
        unsafe { place.write(made) };
        self.0.put.store(put + 1, Ordering::Release);
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.owned.store(false, Ordering::Release);
    }
}

/// Queues that may have something in them.
pub(super) struct List(AtomicPtr<Queue>);

impl List {
    pub(super) const fn new() -> List {
        List(AtomicPtr::new(null_mut()))
    }

    /// Puts the queue into the list, unless it is there.
    #[inline]
    pub(super) fn add(&self, owner: &Owner) {
        let queue = owner.0;
        if queue.listed.load(Ordering::Relaxed) {
            return;
        }
        queue.listed.store(true, Ordering::Relaxed);
        let link = |first| {
            queue.next.store(first, Ordering::Relaxed);
            Some(core::ptr::from_ref(queue).cast_mut())
        };
        // It cannot fail.
        let _ = (self.0).fetch_update(Ordering::AcqRel, Ordering::Relaxed, link);
    }

    /// Takes all out of the list.
    ///
    /// # Safety
    /// Only who holds the graph's lock may do that.
    pub(super) unsafe fn take(&self, mut each: impl FnMut(&'static Queue)) {
        let mut at = self.0.swap(null_mut(), Ordering::AcqRel);
        // SAFETY: queues stay for ever.
        while let Some(queue) = unsafe { at.as_ref() } {
            // Before it can get into the list again.
            at = queue.next.load(Ordering::Relaxed);
            queue.listed.store(false, Ordering::Release);
            each(queue);
        }
    }
}
