//! Edges on their way into the graph.
//!
//! A thread appends those it makes to a log of its own. Whoever holds the
//! graph's lock reads it, twice: once for the order of the locks, which may be
//! asked for often, and once for the graph, which is asked for seldom and needs
//! all the rest. What was read twice is given back. Logs stay for ever: one that
//! a thread leaves behind, with what is in it, is the next thread's. So nothing
//! is lost with a thread, not even one that a fork left behind.

use super::super::LockId;
use super::graph::Instance;
use alloc::boxed::Box;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// A lock was taken by a thread that held another one.
#[derive(Clone, Copy)]
pub(super) struct Made {
    pub(super) from: LockId,
    pub(super) to: LockId,
    pub(super) instance: Instance,
}

/// Edges of the first chunk of a log, 3 KiB, and of the largest: each is twice
/// as large as the one before.
pub(super) const FIRST: usize = 1 << 6;
const LARGEST: usize = 1 << 10;

/// A piece of a log.
struct Chunk {
    /// How many edges are in it; only the owner changes it.
    len: AtomicUsize,
    /// The piece behind it, once this one is full. Setting it is the last that
    /// the owner does with this one.
    next: AtomicPtr<Chunk>,
    places: Box<[MaybeUninit<UnsafeCell<Made>>]>,
}

impl Chunk {
    fn leak(room: usize) -> NonNull<Chunk> {
        NonNull::from(Box::leak(Box::new(Chunk {
            len: AtomicUsize::new(0),
            next: AtomicPtr::new(null_mut()),
            places: Box::new_uninit_slice(room),
        })))
    }
}

/// A point in a log: all before it was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    chunk: NonNull<Chunk>,
    place: usize,
}

/// See the module's description.
pub(super) struct Log {
    /// Has it an owner?
    owned: AtomicBool,
    /// Is it in a list of those that may have something to be read?
    listed: AtomicBool,
    /// The one behind it in that list.
    next: AtomicPtr<Log>,
    /// The last chunk: the owner's.
    last: UnsafeCell<NonNull<Chunk>>,
    /// How far it was read once, and twice: whose the graph's lock is.
    marks: UnsafeCell<[Mark; 2]>,
}

// SAFETY: a place is written by the owner alone before it counts for the length
// of its chunk, and from then on touched only by who holds the graph's lock.
unsafe impl Sync for Log {}

impl Log {
    /// An empty log and its owner.
    pub(super) fn new() -> (&'static Log, Owner) {
        let chunk = Chunk::leak(FIRST);
        let mark = Mark { chunk, place: 0 };
        let log: &'static Log = Box::leak(Box::new(Log {
            owned: AtomicBool::new(true),
            listed: AtomicBool::new(false),
            next: AtomicPtr::new(null_mut()),
            last: UnsafeCell::new(chunk),
            marks: UnsafeCell::new([mark; 2]),
        }));
        (log, Owner::new(log))
    }

    /// Becomes its owner if it has none.
    pub(super) fn claim(&'static self) -> Option<Owner> {
        let claimed =
            !self.owned.load(Ordering::Relaxed) && !self.owned.swap(true, Ordering::Acquire);
        claimed.then(|| Owner::new(self))
    }

    /// How far it was read once.
    ///
    /// # Safety
    /// Only who holds the graph's lock may ask for that.
    pub(super) unsafe fn mark(&self) -> Mark {
        // SAFETY: the marks are the caller's.
        unsafe { (*self.marks.get())[0] }
    }

    /// What is behind the mark counts as not read.
    ///
    /// # Safety
    /// As for [`Log::mark`], and it was not read twice since.
    pub(super) unsafe fn read_from(&self, mark: Mark) {
        // SAFETY: the marks are the caller's.
        unsafe { (*self.marks.get())[0] = mark };
    }

    /// Reads, for the first time, what was not read yet.
    ///
    /// # Safety
    /// Only who holds the graph's lock may do that.
    pub(super) unsafe fn read(&self, mut each: impl FnMut(&mut [Made])) {
        // SAFETY: the marks are the caller's, and what they lead to is there.
        unsafe {
            let [once, _] = &mut *self.marks.get();
            loop {
                let chunk = once.chunk.as_ref();
                // Before the length, which is final if there is a next one.
                let next = chunk.next.load(Ordering::Acquire);
                let len = chunk.len.load(Ordering::Acquire);
                each(part(once.chunk, once.place, len));
                once.place = len;
                let Some(next) = NonNull::new(next) else {
                    return;
                };
                *once = Mark {
                    chunk: next,
                    place: 0,
                };
            }
        }
    }

    /// Reads, for the second time, what was read once: for how many edges there
    /// is no room any more.
    ///
    /// # Safety
    /// As for [`Log::read`].
    pub(super) unsafe fn read_again(&self, mut each: impl FnMut(&mut [Made])) -> usize {
        let mut gone = 0;
        // SAFETY: as above. The owner does not use a chunk any more that has one
        // behind it, and both marks have left those that are dropped.
        unsafe {
            let [once, twice] = &mut *self.marks.get();
            while twice.chunk != once.chunk {
                let chunk = twice.chunk.as_ref();
                let len = chunk.len.load(Ordering::Acquire);
                each(part(twice.chunk, twice.place, len));
                let Some(next) = NonNull::new(chunk.next.load(Ordering::Acquire)) else {
                    return gone;
                };
                gone += chunk.places.len();
                drop(Box::from_raw(twice.chunk.as_ptr()));
                *twice = Mark {
                    chunk: next,
                    place: 0,
                };
            }
            each(part(twice.chunk, twice.place, once.place));
            *twice = *once;
        }
        gone
    }
}

/// What is in a chunk from one place to another.
///
/// # Safety
/// It was written, and whoever else may touch it must not meanwhile.
unsafe fn part<'a>(chunk: NonNull<Chunk>, from: usize, to: usize) -> &'a mut [Made] {
    // SAFETY: as the caller says. The cell and the wrapper change nothing about
    // the layout.
    unsafe {
        let places = &chunk.as_ref().places[from..to];
        let start = UnsafeCell::raw_get(places.as_ptr().cast::<UnsafeCell<Made>>());
        core::slice::from_raw_parts_mut(start, places.len())
    }
}

/// The right to append to a log.
pub(super) struct Owner {
    log: &'static Log,
    /// The state of the order after an edge was appended that may contradict
    /// it, unless it is known by now that none does.
    pub(super) unsure: Option<u64>,
    /// How often the thread, being unsure, thought of the time.
    pub(super) glances: u32,
}

// SAFETY: the chunk that only the owner uses goes with it from thread to thread.
unsafe impl Send for Owner {}

impl Owner {
    fn new(log: &'static Log) -> Owner {
        Owner {
            log,
            unsure: None,
            glances: 0,
        }
    }

    /// The log.
    pub(super) fn log(&self) -> &'static Log {
        self.log
    }

    /// Appends one: for how many more there is room now.
    #[inline]
    pub(super) fn put(&mut self, made: Made) -> usize {
        // SAFETY: only the owner uses this, and the last chunk stays.
        let chunk = unsafe { (*self.log.last.get()).as_ref() };
        let len = chunk.len.load(Ordering::Relaxed);
        match chunk.places.get(len) {
            Some(place) => {
                // SAFETY: nobody else uses it before it counts.
                unsafe { UnsafeCell::raw_get(place.as_ptr()).write(made) };
                chunk.len.store(len + 1, Ordering::Release);
                0
            }
            None => self.put_behind(chunk, made),
        }
    }

    #[cold]
    fn put_behind(&mut self, full: &Chunk, made: Made) -> usize {
        let room = (2 * full.places.len()).min(LARGEST);
        let chunk = Chunk::leak(room);
        // SAFETY: as above.
        unsafe { *self.log.last.get() = chunk };
        full.next.store(chunk.as_ptr(), Ordering::Release);
        room + self.put(made)
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.log.owned.store(false, Ordering::Release);
    }
}

/// Logs that may have something to be read.
pub(super) struct List(AtomicPtr<Log>);

impl List {
    pub(super) const fn new() -> List {
        List(AtomicPtr::new(null_mut()))
    }

    /// Puts the log into the list, unless it is there.
    #[inline]
    pub(super) fn add(&self, owner: &Owner) {
        let log = owner.log;
        if log.listed.load(Ordering::Relaxed) {
            return;
        }
        log.listed.store(true, Ordering::Relaxed);
        let link = |first| {
            log.next.store(first, Ordering::Relaxed);
            Some(core::ptr::from_ref(log).cast_mut())
        };
        // It cannot fail.
        let _ = (self.0).fetch_update(Ordering::AcqRel, Ordering::Relaxed, link);
    }

    /// Takes all out of the list.
    ///
    /// # Safety
    /// Only who holds the graph's lock may do that.
    pub(super) unsafe fn take(&self, mut each: impl FnMut(&'static Log)) {
        let mut at = self.0.swap(null_mut(), Ordering::AcqRel);
        // SAFETY: logs stay for ever.
        while let Some(log) = unsafe { at.as_ref() } {
            // Before it can get into the list again.
            at = log.next.load(Ordering::Relaxed);
            log.listed.store(false, Ordering::Release);
            each(log);
        }
    }
}
