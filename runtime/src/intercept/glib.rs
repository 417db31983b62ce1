//! GLib, whose locks and queues are made of futexes.

use super::foreign::foreign;
use super::library_cond::{self, LibraryWait};
use super::stub::interceptors;
use super::{Pc, caller, hook};
use crate::lock::Kind;
use crate::lock::condvar::Guard;
use crate::sync::{self, rwlock, semaphore};
use alloc::boxed::Box;
use core::ffi::{c_int, c_void};

type Pointer = *mut c_void;
type Once = unsafe extern "C" fn(Pointer) -> Pointer;
type Work = unsafe extern "C" fn(Pointer, Pointer);

foreign! { [c"libglib-2.0.so.0"]
    MUTEX_LOCK = c"g_mutex_lock": fn(Pointer);
    MUTEX_TRYLOCK = c"g_mutex_trylock": fn(Pointer) -> c_int;
    MUTEX_UNLOCK = c"g_mutex_unlock": fn(Pointer);
    MUTEX_CLEAR = c"g_mutex_clear": fn(Pointer);
    COND_WAIT = c"g_cond_wait": fn(Pointer, Pointer);
    COND_WAIT_UNTIL = c"g_cond_wait_until": fn(Pointer, Pointer, i64) -> c_int;
    COND_SIGNAL = c"g_cond_signal": fn(Pointer);
    COND_BROADCAST = c"g_cond_broadcast": fn(Pointer);
    COND_INIT = c"g_cond_init": fn(Pointer);
    COND_CLEAR = c"g_cond_clear": fn(Pointer);
    ONCE = c"g_once_impl": fn(Pointer, Once, Pointer) -> Pointer;
    ENTER = c"g_once_init_enter": fn(Pointer) -> c_int;
    LEAVE = c"g_once_init_leave": fn(Pointer, usize);
    PUSH = c"g_async_queue_push": fn(Pointer, Pointer);
    PUSH_UNLOCKED = c"g_async_queue_push_unlocked": fn(Pointer, Pointer);
    PUSH_FRONT = c"g_async_queue_push_front": fn(Pointer, Pointer);
    PUSH_SORTED = c"g_async_queue_push_sorted": fn(Pointer, Pointer, Pointer, Pointer);
    POP = c"g_async_queue_pop": fn(Pointer) -> Pointer;
    POP_UNLOCKED = c"g_async_queue_pop_unlocked": fn(Pointer) -> Pointer;
    TRY_POP = c"g_async_queue_try_pop": fn(Pointer) -> Pointer;
    TRY_POP_UNLOCKED = c"g_async_queue_try_pop_unlocked": fn(Pointer) -> Pointer;
    TIMEOUT_POP = c"g_async_queue_timeout_pop": fn(Pointer, u64) -> Pointer;
    QUEUE_LOCK = c"g_async_queue_lock": fn(Pointer);
    QUEUE_UNLOCK = c"g_async_queue_unlock": fn(Pointer);
    POOL_NEW = c"g_thread_pool_new": fn(Work, Pointer, c_int, c_int, Pointer) -> *mut Pool;
    POOL_PUSH = c"g_thread_pool_push": fn(*mut Pool, Pointer, Pointer) -> c_int;
    POOL_FREE = c"g_thread_pool_free": fn(*mut Pool, c_int, c_int);
}

interceptors! {
    "g_mutex_lock" => mutex_lock,
    "g_mutex_trylock" => mutex_trylock,
    "g_mutex_unlock" => mutex_unlock,
    "g_mutex_clear" => mutex_clear,
    "g_cond_wait" => cond_wait,
    "g_cond_wait_until" => cond_wait_until,
    "g_cond_signal" => cond_signal,
    "g_cond_broadcast" => cond_broadcast,
    "g_cond_init" => cond_init,
    "g_cond_clear" => cond_clear,
    "g_once_impl" => once,
    "g_once_init_enter" => enter,
    "g_once_init_leave" => leave,
    "g_async_queue_push" => push,
    "g_async_queue_push_unlocked" => push_unlocked,
    "g_async_queue_push_front" => push_front,
    "g_async_queue_push_sorted" => push_sorted,
    "g_async_queue_pop" => pop,
    "g_async_queue_pop_unlocked" => pop_unlocked,
    "g_async_queue_try_pop" => try_pop,
    "g_async_queue_try_pop_unlocked" => try_pop_unlocked,
    "g_async_queue_timeout_pop" => timeout_pop,
    "g_async_queue_lock" => queue_lock,
    "g_async_queue_unlock" => queue_unlock,
    "g_thread_pool_new" => pool_new,
    "g_thread_pool_push" => pool_push,
    "g_thread_pool_free" => pool_free,
}

fn taken(mutex: Pointer, pc: Pc, waits: bool) {
    hook(|| rwlock::write_acquired(mutex.addr(), pc, Kind::Custom, waits));
}

fn giving_back(mutex: Pointer, pc: Pc) {
    hook(|| rwlock::write_releasing(mutex.addr(), pc));
}

/// Something is left at `place`.
fn sends(place: Pointer) {
    hook(|| semaphore::posting(place.addr(), 0));
}

/// Something was found there.
fn received(place: Pointer) {
    hook(|| semaphore::waited(place.addr(), 0));
}

/// Something was taken out of a queue, or nothing.
fn popped(queue: Pointer, item: Pointer) -> Pointer {
    if !item.is_null() {
        received(queue);
    }
    item
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn mutex_lock(mutex: Pointer) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { MUTEX_LOCK.get()(mutex) };
    taken(mutex, pc, true);
}

unsafe extern "C" fn mutex_trylock(mutex: Pointer) -> c_int {
    let pc = caller();
    // SAFETY: see above.
    let got = unsafe { MUTEX_TRYLOCK.get()(mutex) };
    if got != 0 {
        taken(mutex, pc, false);
    }
    got
}

unsafe extern "C" fn mutex_unlock(mutex: Pointer) {
    giving_back(mutex, caller());
    // SAFETY: see above.
    unsafe { MUTEX_UNLOCK.get()(mutex) }
}

unsafe extern "C" fn mutex_clear(mutex: Pointer) {
    hook(|| rwlock::forgotten(mutex.addr()));
    // SAFETY: see above.
    unsafe { MUTEX_CLEAR.get()(mutex) }
}

/// Waits by `real`, which says whether it was woken.
fn cond_wait_by(
    cond: Pointer,
    mutex: Pointer,
    pc: Pc,
    timed: bool,
    real: impl FnOnce() -> bool,
) -> bool {
    let wait = LibraryWait {
        cond: cond.addr(),
        mutex: mutex.addr(),
        guard: Guard::Listed,
        pc,
        timed,
    };
    hook(sync::condvar::waiting);
    let woken = wait.wait(|| giving_back(mutex, pc), real, || taken(mutex, pc, true));
    if woken {
        hook(|| sync::condvar::woken(cond.addr(), pc));
    }
    woken
}

unsafe extern "C" fn cond_wait(cond: Pointer, mutex: Pointer) {
    let pc = caller();
    let real = COND_WAIT.get();
    cond_wait_by(cond, mutex, pc, false, || {
        // SAFETY: see above.
        unsafe { real(cond, mutex) };
        true
    });
}

unsafe extern "C" fn cond_wait_until(cond: Pointer, mutex: Pointer, end: i64) -> c_int {
    let pc = caller();
    let real = COND_WAIT_UNTIL.get();
    // SAFETY: see above.
    let woken = cond_wait_by(cond, mutex, pc, true, || unsafe {
        real(cond, mutex, end) != 0
    });
    woken.into()
}

unsafe extern "C" fn cond_signal(cond: Pointer) {
    let pc = caller();
    hook(|| sync::condvar::signalling(cond.addr(), pc));
    let real = COND_SIGNAL.get();
    // SAFETY: see above.
    library_cond::wake(cond.addr(), false, pc, || unsafe { real(cond) });
}

unsafe extern "C" fn cond_broadcast(cond: Pointer) {
    let pc = caller();
    hook(|| sync::condvar::signalling(cond.addr(), pc));
    let real = COND_BROADCAST.get();
    // SAFETY: see above.
    library_cond::wake(cond.addr(), true, pc, || unsafe { real(cond) });
}

unsafe extern "C" fn cond_init(cond: Pointer) {
    library_cond::forget(cond.addr());
    // SAFETY: see above.
    unsafe { COND_INIT.get()(cond) }
}

unsafe extern "C" fn cond_clear(cond: Pointer) {
    library_cond::forget(cond.addr());
    // SAFETY: see above.
    unsafe { COND_CLEAR.get()(cond) }
}

/// What `g_once` is to call, and for whom.
struct OnceCall {
    once: Pointer,
    function: Once,
    argument: Pointer,
}

unsafe extern "C" fn run_once(call: Pointer) -> Pointer {
    // SAFETY: lives in the frame of `once`.
    let call = unsafe { &*call.cast::<OnceCall>() };
    // SAFETY: as the program asked for.
    let result = unsafe { (call.function)(call.argument) };
    sends(call.once);
    result
}

unsafe extern "C" fn once(once: Pointer, function: Once, argument: Pointer) -> Pointer {
    let mut call = OnceCall {
        once,
        function,
        argument,
    };
    // SAFETY: see above.
    let result = unsafe { ONCE.get()(once, run_once, (&raw mut call).cast()) };
    received(once);
    result
}

unsafe extern "C" fn enter(place: Pointer) -> c_int {
    // SAFETY: see above.
    let first = unsafe { ENTER.get()(place) };
    if first == 0 {
        received(place);
    }
    first
}

unsafe extern "C" fn leave(place: Pointer, value: usize) {
    sends(place);
    // SAFETY: see above.
    unsafe { LEAVE.get()(place, value) }
}

unsafe extern "C" fn push(queue: Pointer, item: Pointer) {
    sends(queue);
    // SAFETY: see above.
    unsafe { PUSH.get()(queue, item) }
}

unsafe extern "C" fn push_unlocked(queue: Pointer, item: Pointer) {
    sends(queue);
    // SAFETY: see above.
    unsafe { PUSH_UNLOCKED.get()(queue, item) }
}

unsafe extern "C" fn push_front(queue: Pointer, item: Pointer) {
    sends(queue);
    // SAFETY: see above.
    unsafe { PUSH_FRONT.get()(queue, item) }
}

/// The items are compared while the queue is locked.
unsafe extern "C" fn push_sorted(queue: Pointer, item: Pointer, compare: Pointer, data: Pointer) {
    received(queue);
    sends(queue);
    // SAFETY: see above.
    unsafe { PUSH_SORTED.get()(queue, item, compare, data) }
}

unsafe extern "C" fn pop(queue: Pointer) -> Pointer {
    // SAFETY: see above.
    popped(queue, unsafe { POP.get()(queue) })
}

unsafe extern "C" fn pop_unlocked(queue: Pointer) -> Pointer {
    // SAFETY: see above.
    popped(queue, unsafe { POP_UNLOCKED.get()(queue) })
}

unsafe extern "C" fn try_pop(queue: Pointer) -> Pointer {
    // SAFETY: see above.
    popped(queue, unsafe { TRY_POP.get()(queue) })
}

unsafe extern "C" fn try_pop_unlocked(queue: Pointer) -> Pointer {
    // SAFETY: see above.
    popped(queue, unsafe { TRY_POP_UNLOCKED.get()(queue) })
}

unsafe extern "C" fn timeout_pop(queue: Pointer, patience: u64) -> Pointer {
    // SAFETY: see above.
    popped(queue, unsafe { TIMEOUT_POP.get()(queue, patience) })
}

unsafe extern "C" fn queue_lock(queue: Pointer) {
    // SAFETY: see above.
    unsafe { QUEUE_LOCK.get()(queue) };
    received(queue);
}

unsafe extern "C" fn queue_unlock(queue: Pointer) {
    sends(queue);
    // SAFETY: see above.
    unsafe { QUEUE_UNLOCK.get()(queue) }
}

/// The part of `GThreadPool` that everybody may read.
#[repr(C)]
struct Pool {
    work: Work,
    /// A [`PoolWork`].
    data: Pointer,
}

/// What a pool's threads do for the program. Its address stands for what is
/// pushed, the one behind it for what is done. A pool may be in use until the
/// process ends, so it stays.
struct PoolWork {
    work: Work,
    data: Pointer,
}

unsafe extern "C" fn run_work(item: Pointer, pool: Pointer) {
    // SAFETY: made by `pool_new`.
    let PoolWork { work, data } = unsafe { &*pool.cast::<PoolWork>() };
    received(pool);
    // SAFETY: as the program asked for.
    unsafe { work(item, *data) };
    sends(pool.wrapping_byte_add(8));
}

unsafe extern "C" fn pool_new(
    work: Work,
    data: Pointer,
    threads: c_int,
    exclusive: c_int,
    error: Pointer,
) -> *mut Pool {
    let real = POOL_NEW.get();
    match hook(|| Box::into_raw(Box::new(PoolWork { work, data }))) {
        // SAFETY: see above, but for the first two.
        Some(own) => unsafe { real(run_work, own.cast(), threads, exclusive, error) },
        // SAFETY: see above.
        None => unsafe { real(work, data, threads, exclusive, error) },
    }
}

/// The place that stands for what is pushed, if the pool is one of ours.
///
/// # Safety
/// The pool must be alive.
unsafe fn own_work(pool: *const Pool) -> Option<Pointer> {
    // SAFETY: passed on.
    let pool = unsafe { pool.as_ref() }?;
    (pool.work as usize == run_work as *const () as usize).then_some(pool.data)
}

unsafe extern "C" fn pool_push(pool: *mut Pool, item: Pointer, error: Pointer) -> c_int {
    // SAFETY: see above.
    unsafe {
        if let Some(work) = own_work(pool) {
            sends(work);
        }
        POOL_PUSH.get()(pool, item, error)
    }
}

unsafe extern "C" fn pool_free(pool: *mut Pool, immediately: c_int, wait: c_int) {
    // SAFETY: see above.
    unsafe {
        let work = own_work(pool);
        POOL_FREE.get()(pool, immediately, wait);
        if let Some(work) = work
            && wait != 0
        {
            received(work.wrapping_byte_add(8));
        }
    }
}
