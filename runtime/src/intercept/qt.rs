//! Qt's primitives.
//!
//! The quick ways in and out of a mutex are inline, and so instrumented where
//! the program uses them; the library has the slow ones, and both work on the
//! mutex's address. A thread's end is made known by the library; who has waited
//! for it comes after the end that the runtime sees, which follows at once.
//!
//! What it does beyond has modules of its own: pools, futures, events.

mod engine;
mod events;
mod future;
mod loops;
mod pool;
mod shared;
mod slots;
mod stand_in;

use super::foreign::foreign;
use super::library_cond::{self, LibraryWait};
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::lock::condvar::Guard;
use crate::omp::team::Point;
use crate::os;
use crate::spin::SpinLock;
use crate::sync::semaphore;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::ffi::{c_int, c_ulong, c_void};
use core::sync::atomic::{AtomicBool, Ordering};
#[cfg(test)]
pub(super) use engine::NAMES as ENGINE_NAMES;
#[cfg(test)]
pub(super) use events::NAMES as EVENT_NAMES;
#[cfg(test)]
pub(super) use future::NAMES as FUTURE_NAMES;
#[cfg(test)]
pub(super) use loops::NAMES as LOOP_NAMES;
#[cfg(test)]
pub(super) use pool::NAMES as POOL_NAMES;
#[cfg(test)]
pub(super) use shared::NAMES as SHARED_NAMES;

type Pointer = *mut c_void;

foreign! { [c"libQt5Core.so.5", c"libQt6Core.so.6"]
    LOCK = c"_ZN6QMutex4lockEv": fn(Pointer);
    UNLOCK = c"_ZN6QMutex6unlockEv": fn(Pointer);
    TRY_LOCK = c"_ZN6QMutex7tryLockEi": fn(Pointer, c_int) -> bool;
    LOCK_SLOWLY = c"_ZN11QBasicMutex12lockInternalEv": fn(Pointer);
    LOCK_IN_TIME = c"_ZN11QBasicMutex12lockInternalEi": fn(Pointer, c_int) -> bool;
    UNLOCK_SLOWLY = c"_ZN11QBasicMutex14unlockInternalEv": fn(Pointer);
    READ = c"_ZN14QReadWriteLock11lockForReadEv": fn(Pointer);
    WRITE = c"_ZN14QReadWriteLock12lockForWriteEv": fn(Pointer);
    TRY_READ = c"_ZN14QReadWriteLock14tryLockForReadEv": fn(Pointer) -> bool;
    TRY_READ_FOR = c"_ZN14QReadWriteLock14tryLockForReadEi": fn(Pointer, c_int) -> bool;
    TRY_WRITE = c"_ZN14QReadWriteLock15tryLockForWriteEv": fn(Pointer) -> bool;
    TRY_WRITE_FOR = c"_ZN14QReadWriteLock15tryLockForWriteEi": fn(Pointer, c_int) -> bool;
    RW_UNLOCK = c"_ZN14QReadWriteLock6unlockEv": fn(Pointer);
    ACQUIRE = c"_ZN10QSemaphore7acquireEi": fn(Pointer, c_int);
    TRY_ACQUIRE = c"_ZN10QSemaphore10tryAcquireEi": fn(Pointer, c_int) -> bool;
    TRY_ACQUIRE_FOR = c"_ZN10QSemaphore10tryAcquireEii": fn(Pointer, c_int, c_int) -> bool;
    RELEASE = c"_ZN10QSemaphore7releaseEi": fn(Pointer, c_int);
    COND_WAIT = c"_ZN14QWaitCondition4waitEP6QMutexm": fn(Pointer, Pointer, c_ulong) -> bool;
    COND_WAIT_UNTIL = c"_ZN14QWaitCondition4waitEP6QMutex14QDeadlineTimer":
        fn(Pointer, Pointer, u64, u64) -> bool;
    RW_COND_WAIT = c"_ZN14QWaitCondition4waitEP14QReadWriteLockm":
        fn(Pointer, Pointer, c_ulong) -> bool;
    RW_COND_WAIT_UNTIL = c"_ZN14QWaitCondition4waitEP14QReadWriteLock14QDeadlineTimer":
        fn(Pointer, Pointer, u64, u64) -> bool;
    WAKE_ONE = c"_ZN14QWaitCondition7wakeOneEv": fn(Pointer);
    WAKE_ALL = c"_ZN14QWaitCondition7wakeAllEv": fn(Pointer);
    MADE = c"_ZN14QWaitConditionC1Ev": fn(Pointer);
    START = c"_ZN7QThread5startENS_8PriorityE": fn(Pointer, c_int);
    THREAD_WAIT = c"_ZN7QThread4waitE14QDeadlineTimer": fn(Pointer, u64, u64) -> bool;
    THREAD_WAIT_FOR = c"_ZN7QThread4waitEm": fn(Pointer, c_ulong) -> bool;
}

interceptors! {
    "_ZN6QMutex4lockEv" => lock,
    "_ZN6QMutex6unlockEv" => unlock,
    "_ZN6QMutex7tryLockEi" => try_lock,
    "_ZN11QBasicMutex12lockInternalEv" => lock_slowly,
    "_ZN11QBasicMutex12lockInternalEi" => lock_in_time,
    "_ZN11QBasicMutex14unlockInternalEv" => unlock_slowly,
    "_ZN14QReadWriteLock11lockForReadEv" => read,
    "_ZN14QReadWriteLock12lockForWriteEv" => write,
    "_ZN14QReadWriteLock14tryLockForReadEv" => try_read,
    "_ZN14QReadWriteLock14tryLockForReadEi" => try_read_for,
    "_ZN14QReadWriteLock15tryLockForWriteEv" => try_write,
    "_ZN14QReadWriteLock15tryLockForWriteEi" => try_write_for,
    "_ZN14QReadWriteLock6unlockEv" => rw_unlock,
    "_ZN10QSemaphore7acquireEi" => acquire,
    "_ZN10QSemaphore10tryAcquireEi" => try_acquire,
    "_ZN10QSemaphore10tryAcquireEii" => try_acquire_for,
    "_ZN10QSemaphore7releaseEi" => release,
    "_ZN14QWaitCondition4waitEP6QMutexm" => cond_wait,
    "_ZN14QWaitCondition4waitEP6QMutex14QDeadlineTimer" => cond_wait_until,
    "_ZN14QWaitCondition4waitEP14QReadWriteLockm" => rw_cond_wait,
    "_ZN14QWaitCondition4waitEP14QReadWriteLock14QDeadlineTimer" => rw_cond_wait_until,
    "_ZN14QWaitCondition7wakeOneEv" => wake_one,
    "_ZN14QWaitCondition7wakeAllEv" => wake_all,
    "_ZN14QWaitConditionC1Ev" => made,
    "_ZN7QThread5startENS_8PriorityE" => start,
    "_ZN7QThread4waitE14QDeadlineTimer" => thread_wait,
    "_ZN7QThread4waitEm" => thread_wait_for,
}

/// The end of a thread.
#[derive(Default)]
pub(crate) struct End {
    point: Point,
    seen: AtomicBool,
}

impl End {
    /// The thread ends. It is inside the runtime.
    pub(crate) fn comes(&self) {
        self.point.release();
        self.seen.store(true, Ordering::Release);
    }

    fn is_over(&self) -> bool {
        self.seen.load(Ordering::Acquire)
    }
}

/// The ends of threads started last, by the `QThread` that stands for them.
static ENDS: SpinLock<BTreeMap<usize, Arc<End>>> = SpinLock::new(BTreeMap::new());

/// Looks for the end of a thread that begins with `argument`.
pub(super) fn end_of(argument: usize) -> Option<Arc<End>> {
    ENDS.lock().get(&argument).cloned()
}

/// Looks, at most, for the end of a thread.
const PATIENCE: u32 = 100_000;

/// The calling thread was told that the other one has ended.
fn ended(thread: Pointer, done: bool) -> bool {
    let end = hook(|| end_of(thread.addr())).flatten();
    if let Some(end) = end.filter(|_| done) {
        for _ in 0..PATIENCE {
            if end.is_over() {
                break;
            }
            os::sched_yield();
        }
        hook(|| {
            // In a forked child the other thread may have been in the middle
            // of it, and never comes to its end.
            if end.is_over() {
                end.point.acquire();
            }
            drop(end);
        });
    }
    done
}

fn taken(lock: Pointer) {
    hook(|| semaphore::waited(lock.addr(), 0));
}

fn giving_back(lock: Pointer) {
    hook(|| semaphore::posting(lock.addr(), 0));
}

fn tried(lock: Pointer, got: bool) -> bool {
    if got {
        taken(lock);
    }
    got
}

/// Waits on `cond` by `real`, with `lock` released meanwhile.
fn waits(
    (cond, lock): (Pointer, Pointer),
    pc: Pc,
    timed: bool,
    real: impl FnOnce() -> bool,
) -> bool {
    let wait = LibraryWait {
        cond: cond.addr(),
        mutex: lock.addr(),
        guard: Guard::Unlisted,
        pc,
        timed,
    };
    wait.wait(|| giving_back(lock), real, || taken(lock))
}

/// The end of a `QDeadlineTimer` that never comes.
const FOREVER: u64 = i64::MAX as u64;

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn lock(mutex: Pointer) {
    // SAFETY: see above.
    unsafe { LOCK.get()(mutex) };
    taken(mutex);
}

unsafe extern "C" fn unlock(mutex: Pointer) {
    giving_back(mutex);
    // SAFETY: see above.
    unsafe { UNLOCK.get()(mutex) }
}

unsafe extern "C" fn try_lock(mutex: Pointer, patience: c_int) -> bool {
    // SAFETY: see above.
    tried(mutex, unsafe { TRY_LOCK.get()(mutex, patience) })
}

unsafe extern "C" fn lock_slowly(mutex: Pointer) {
    // SAFETY: see above.
    unsafe { LOCK_SLOWLY.get()(mutex) };
    taken(mutex);
}

unsafe extern "C" fn lock_in_time(mutex: Pointer, patience: c_int) -> bool {
    // SAFETY: see above.
    tried(mutex, unsafe { LOCK_IN_TIME.get()(mutex, patience) })
}

unsafe extern "C" fn unlock_slowly(mutex: Pointer) {
    giving_back(mutex);
    // SAFETY: see above.
    unsafe { UNLOCK_SLOWLY.get()(mutex) }
}

unsafe extern "C" fn read(lock: Pointer) {
    // SAFETY: see above.
    unsafe { READ.get()(lock) };
    taken(lock);
}

unsafe extern "C" fn write(lock: Pointer) {
    // SAFETY: see above.
    unsafe { WRITE.get()(lock) };
    taken(lock);
}

unsafe extern "C" fn try_read(lock: Pointer) -> bool {
    // SAFETY: see above.
    tried(lock, unsafe { TRY_READ.get()(lock) })
}

unsafe extern "C" fn try_read_for(lock: Pointer, patience: c_int) -> bool {
    // SAFETY: see above.
    tried(lock, unsafe { TRY_READ_FOR.get()(lock, patience) })
}

unsafe extern "C" fn try_write(lock: Pointer) -> bool {
    // SAFETY: see above.
    tried(lock, unsafe { TRY_WRITE.get()(lock) })
}

unsafe extern "C" fn try_write_for(lock: Pointer, patience: c_int) -> bool {
    // SAFETY: see above.
    tried(lock, unsafe { TRY_WRITE_FOR.get()(lock, patience) })
}

unsafe extern "C" fn rw_unlock(lock: Pointer) {
    giving_back(lock);
    // SAFETY: see above.
    unsafe { RW_UNLOCK.get()(lock) }
}

unsafe extern "C" fn acquire(semaphore: Pointer, count: c_int) {
    // SAFETY: see above.
    unsafe { ACQUIRE.get()(semaphore, count) };
    taken(semaphore);
}

unsafe extern "C" fn try_acquire(semaphore: Pointer, count: c_int) -> bool {
    // SAFETY: see above.
    tried(semaphore, unsafe { TRY_ACQUIRE.get()(semaphore, count) })
}

unsafe extern "C" fn try_acquire_for(semaphore: Pointer, count: c_int, patience: c_int) -> bool {
    let real = TRY_ACQUIRE_FOR.get();
    // SAFETY: see above.
    tried(semaphore, unsafe { real(semaphore, count, patience) })
}

unsafe extern "C" fn release(semaphore: Pointer, count: c_int) {
    giving_back(semaphore);
    // SAFETY: see above.
    unsafe { RELEASE.get()(semaphore, count) }
}

unsafe extern "C" fn cond_wait(cond: Pointer, mutex: Pointer, time: c_ulong) -> bool {
    let pc = caller();
    let real = COND_WAIT.get();
    // SAFETY: see above.
    waits((cond, mutex), pc, time != c_ulong::MAX, || unsafe {
        real(cond, mutex, time)
    })
}

unsafe extern "C" fn cond_wait_until(cond: Pointer, mutex: Pointer, end: u64, kind: u64) -> bool {
    let pc = caller();
    let real = COND_WAIT_UNTIL.get();
    // SAFETY: see above.
    waits((cond, mutex), pc, end != FOREVER, || unsafe {
        real(cond, mutex, end, kind)
    })
}

unsafe extern "C" fn rw_cond_wait(cond: Pointer, lock: Pointer, time: c_ulong) -> bool {
    let pc = caller();
    let real = RW_COND_WAIT.get();
    // SAFETY: see above.
    waits((cond, lock), pc, time != c_ulong::MAX, || unsafe {
        real(cond, lock, time)
    })
}

unsafe extern "C" fn rw_cond_wait_until(cond: Pointer, lock: Pointer, end: u64, kind: u64) -> bool {
    let pc = caller();
    let real = RW_COND_WAIT_UNTIL.get();
    // SAFETY: see above.
    waits((cond, lock), pc, end != FOREVER, || unsafe {
        real(cond, lock, end, kind)
    })
}

unsafe extern "C" fn wake_one(cond: Pointer) {
    let pc = caller();
    let real = WAKE_ONE.get();
    // SAFETY: see above.
    library_cond::wake(cond.addr(), false, pc, || unsafe { real(cond) });
}

unsafe extern "C" fn wake_all(cond: Pointer) {
    let pc = caller();
    let real = WAKE_ALL.get();
    // SAFETY: see above.
    library_cond::wake(cond.addr(), true, pc, || unsafe { real(cond) });
}

unsafe extern "C" fn made(cond: Pointer) {
    library_cond::forget(cond.addr());
    // SAFETY: see above.
    unsafe { MADE.get()(cond) }
}

unsafe extern "C" fn start(thread: Pointer, priority: c_int) {
    events::watch();
    hook(|| ENDS.lock().insert(thread.addr(), Arc::default()));
    // SAFETY: see above.
    unsafe { START.get()(thread, priority) }
}

unsafe extern "C" fn thread_wait(thread: Pointer, end: u64, kind: u64) -> bool {
    // SAFETY: see above.
    ended(thread, unsafe { THREAD_WAIT.get()(thread, end, kind) })
}

unsafe extern "C" fn thread_wait_for(thread: Pointer, time: c_ulong) -> bool {
    // SAFETY: see above.
    ended(thread, unsafe { THREAD_WAIT_FOR.get()(thread, time) })
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    ENDS.hold();
    pool::before_fork();
    engine::before_fork();
    events::before_fork();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        events::after_fork();
        engine::after_fork();
        pool::after_fork();
        ENDS.force_unlock();
    }
}
