//! What a Java virtual machine tells ThreadSanitizer.
//!
//! The machine's heap is one mapping to the runtime; these calls say where
//! objects begin and end in it, when the collector moves them, and which
//! monitors are held. A moved object starts without history, its monitor and
//! what it published stay with it.

use crate::intercept::stub::interceptors;
use crate::lock::Kind;
use crate::spin::SpinLock;
use crate::sync::{rwlock, semaphore, table};
use crate::{heap, init, options, report, thread, tls};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ffi::{c_char, c_int};
use core::ops::Range;

interceptors! {
    "__tsan_java_preinit" => preinit,
    "__tsan_java_init" => start,
    "__tsan_java_fini" => finish,
    "__tsan_java_alloc" => allocated,
    "__tsan_java_free" => freed,
    "__tsan_java_move" => moved,
    "__tsan_java_find" => find,
    "__tsan_java_finalize" => finalizing,
    "__tsan_java_mutex_lock" => lock,
    "__tsan_java_mutex_unlock" => unlock,
    "__tsan_java_mutex_read_lock" => read_lock,
    "__tsan_java_mutex_read_unlock" => read_unlock,
    "__tsan_java_mutex_lock_rec" => lock_again,
    "__tsan_java_mutex_unlock_rec" => unlock_all,
    "__tsan_java_acquire" => acquire,
    "__tsan_java_release" => release,
    "__tsan_java_release_store" => release,
}

/// The managed heap.
struct Heap {
    range: Range<usize>,
    /// Sizes of objects, by address.
    objects: BTreeMap<usize, usize>,
    /// How often monitors are held by the thread that holds them.
    held: BTreeMap<usize, c_int>,
}

static HEAP: SpinLock<Heap> = SpinLock::new(Heap {
    range: 0..0,
    objects: BTreeMap::new(),
    held: BTreeMap::new(),
});

fn inside<R>(f: impl FnOnce(usize) -> R) -> Option<R> {
    let pc = tls::caller();
    init::ensure();
    tls::section(|| f(pc))
}

/// The path of the machine's library: nothing to do with it.
extern "C" fn preinit(_library: *const c_char) {}

extern "C" fn start(begin: usize, size: usize) {
    inside(|_| {
        HEAP.lock().range = begin..begin.saturating_add(size);
        heap::forget(begin, size);
    });
}

/// The machine ends; returns what to exit with.
extern "C" fn finish() -> c_int {
    let found = inside(|_| report::errors_reported() != 0).unwrap_or(false);
    if found { options::get().exitcode } else { 0 }
}

extern "C" fn allocated(addr: usize, size: usize) {
    inside(|_| {
        heap::forget(addr, size);
        HEAP.lock().objects.insert(addr, size);
    });
}

/// The collector found no more references: nobody can still be there.
extern "C" fn freed(addr: usize, size: usize) {
    inside(|_| {
        take_from(&mut HEAP.lock().objects, addr..addr.saturating_add(size));
        heap::forget(addr, size);
    });
}

extern "C" fn moved(from: usize, to: usize, size: usize) {
    inside(|_| {
        let end = from.saturating_add(size);
        let published: Vec<_> = table::take_range(from, size)
            .into_iter()
            .map(|(addr, state)| (addr - from + to, state))
            .collect();
        heap::forget(from, size);
        heap::forget(to, size);
        for (addr, state) in published {
            if let Some(object) = table::find_or_make(addr) {
                *object.lock() = state;
            }
        }
        let heap = &mut *HEAP.lock();
        for (addr, size) in take_from(&mut heap.objects, from..end) {
            heap.objects.insert(addr - from + to, size);
        }
        for (addr, count) in take_from(&mut heap.held, from..end) {
            heap.held.insert(addr - from + to, count);
        }
    });
}

fn take_from<T: Copy>(map: &mut BTreeMap<usize, T>, range: Range<usize>) -> Vec<(usize, T)> {
    let taken: Vec<_> = map
        .range(range)
        .map(|(&addr, &value)| (addr, value))
        .collect();
    for (addr, _) in &taken {
        map.remove(addr);
    }
    taken
}

/// The first object that begins in `[*from, to)`: stores its address, returns
/// its size; 0 if there is none.
extern "C" fn find(from: *mut usize, to: usize) -> usize {
    let found = inside(|_| {
        // SAFETY: the machine's own variable.
        let start = unsafe { *from };
        let heap = HEAP.lock();
        let (&addr, &size) = heap.objects.range(start..to.max(start)).next()?;
        // SAFETY: as above.
        unsafe { *from = addr };
        Some(size)
    });
    found.flatten().unwrap_or(0)
}

/// A finalizer is about to run: all that was done to its object is over. Which
/// object that is the machine does not say, so it holds for the whole heap.
extern "C" fn finalizing() {
    inside(|_| {
        let range = HEAP.lock().range.clone();
        heap::forget(range.start, range.len());
    });
}

fn take(addr: usize, times: c_int, pc: usize) {
    let mut heap = HEAP.lock();
    let held = heap.held.entry(addr).or_insert(0);
    let first = *held == 0;
    *held += times;
    drop(heap);
    if first {
        rwlock::write_acquired(addr, pc, Kind::Custom, true);
    }
}

extern "C" fn lock(addr: usize) {
    inside(|pc| take(addr, 1, pc));
}

extern "C" fn lock_again(addr: usize, times: c_int) {
    inside(|pc| take(addr, times, pc));
}

extern "C" fn unlock(addr: usize) {
    inside(|pc| {
        let mut heap = HEAP.lock();
        let left = heap.held.get_mut(&addr).map_or(0, |count| {
            *count -= 1;
            *count
        });
        if left <= 0 {
            heap.held.remove(&addr);
            drop(heap);
            rwlock::write_releasing(addr, pc);
        }
    });
}

/// Gives up a monitor however often it is held; returns how often.
extern "C" fn unlock_all(addr: usize) -> c_int {
    let times = inside(|pc| {
        let times = HEAP.lock().held.remove(&addr).unwrap_or(0);
        rwlock::write_releasing(addr, pc);
        times
    });
    times.unwrap_or(0)
}

extern "C" fn read_lock(addr: usize) {
    inside(|pc| rwlock::read_acquired(addr, pc, Kind::Custom, true));
}

extern "C" fn read_unlock(addr: usize) {
    inside(|pc| rwlock::read_releasing(addr, pc));
}

/// Volatile variables and the like. Returns whether there was anything.
extern "C" fn acquire(addr: usize) -> c_int {
    let there = inside(|pc| {
        let there = table::find(addr).is_some();
        semaphore::waited(addr, pc);
        there
    });
    there.map_or(0, c_int::from)
}

extern "C" fn release(addr: usize) -> c_int {
    let done = inside(|pc| {
        semaphore::posting(addr, pc);
        !thread::alone()
    });
    done.map_or(0, c_int::from)
}

/// Keeps everybody else out until the process has forked.
pub(crate) fn before_fork() {
    HEAP.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { HEAP.force_unlock() }
}
