//! Qt's thread pools.
//!
//! Who starts a runnable comes before its run, and what was run, or deleted
//! afterwards, before the end of the wait for the pool. Nothing of the library's
//! is called between, so runnables get a table of virtual functions that makes
//! the order ([`stand_in`]). They keep it: one may wait in a queue twice.

use super::stand_in::{self, Function, Object, StandIn, StandIns};
use super::{Pointer, engine};
use crate::intercept::foreign::foreign;
use crate::intercept::hook;
use crate::intercept::stub::interceptors;
use crate::spin::SpinLock;
use crate::sync::semaphore;
use core::ffi::c_int;

foreign! { [c"libQt5Core.so.5", c"libQt6Core.so.6"]
    START = c"_ZN11QThreadPool5startEP9QRunnablei": fn(Pointer, Pointer, c_int);
    START_CALL = c"_ZN11QThreadPool5startESt8functionIFvvEEi": fn(Pointer, *mut Callable, c_int);
    TRY_START = c"_ZN11QThreadPool8tryStartEP9QRunnable": fn(Pointer, Pointer) -> bool;
    TRY_START_CALL = c"_ZN11QThreadPool8tryStartESt8functionIFvvEE":
        fn(Pointer, *mut Callable) -> bool;
    START_RESERVED = c"_ZN11QThreadPool21startOnReservedThreadEP9QRunnable":
        fn(Pointer, Pointer);
    START_CALL_RESERVED = c"_ZN11QThreadPool21startOnReservedThreadESt8functionIFvvEE":
        fn(Pointer, *mut Callable);
    CREATE = c"_ZN9QRunnable6createESt8functionIFvvEE": fn(*mut Callable) -> Pointer;
    THREADS = c"_ZNK11QThreadPool14maxThreadCountEv": fn(Pointer) -> c_int;
    ACTIVE = c"_ZNK11QThreadPool17activeThreadCountEv": fn(Pointer) -> c_int;
    WAIT = c"_ZN11QThreadPool11waitForDoneEi": fn(Pointer, c_int) -> bool;
    WAIT_UNTIL = c"_ZN11QThreadPool11waitForDoneE14QDeadlineTimer":
        fn(Pointer, u64, u64) -> bool;
    GONE = c"_ZN11QThreadPoolD1Ev": fn(Pointer);
    BASE_GONE = c"_ZN11QThreadPoolD2Ev": fn(Pointer);
}

interceptors! {
    "_ZN11QThreadPool5startEP9QRunnablei" => start,
    "_ZN11QThreadPool5startESt8functionIFvvEEi" => start_call,
    "_ZN11QThreadPool8tryStartEP9QRunnable" => try_start,
    "_ZN11QThreadPool8tryStartESt8functionIFvvEE" => try_start_call,
    "_ZN11QThreadPool21startOnReservedThreadEP9QRunnable" => start_reserved,
    "_ZN11QThreadPool21startOnReservedThreadESt8functionIFvvEE" => start_call_reserved,
    "_ZNK11QThreadPool17activeThreadCountEv" => active,
    "_ZN11QThreadPool11waitForDoneEi" => wait,
    "_ZN11QThreadPool11waitForDoneE14QDeadlineTimer" => wait_until,
    "_ZN11QThreadPoolD1Ev" => gone,
    "_ZN11QThreadPoolD2Ev" => base_gone,
}

/// libstdc++'s `std::function`.
#[repr(C)]
struct Callable {
    what: [usize; 2],
    manager: usize,
    invoker: usize,
}

/// The tables of runnables, by class and pool. Its address also stands for what
/// those did whose pool is not known.
static RUNNABLES: SpinLock<StandIns> = SpinLock::new(StandIns::new());

/// The virtual functions of a runnable: `run` and two destructors, the second
/// of which frees it.
const REPLACEMENT: [(usize, Function); 2] = [(RUN, run), (DELETE, delete)];
pub(super) const RUN: usize = 0;
const DELETE: usize = 2;

/// The tables of pools.
static POOLS: SpinLock<StandIns> = SpinLock::new(StandIns::new());

/// The virtual functions of a pool that count: its destructor that frees it,
/// behind another and what all objects have first.
const POOL_REPLACEMENT: [(usize, Function); 1] = [(DELETE_POOL, delete_pool)];
const DELETE_POOL: usize = 4;

/// A runnable is about to be given to a pool.
///
/// # Safety
/// They must be such; the runnable may be null.
unsafe fn given(pool: Pointer, runnable: Pointer) {
    if runnable.is_null() {
        return;
    }
    hook(|| {
        semaphore::posting(runnable.addr(), 0);
        let owner = pool.addr();
        // SAFETY: passed on.
        unsafe {
            if !engine::is_one(runnable) {
                stand_in::put(Object::at(runnable), owner, &RUNNABLES, &REPLACEMENT);
            }
            stand_in::put(Object::at(pool), 0, &POOLS, &POOL_REPLACEMENT);
        }
    });
}

/// What stands for the runs of those that were given to `owner`.
fn runs_of(owner: usize) -> usize {
    match owner {
        0 => (&raw const RUNNABLES).addr(),
        pool => pool,
    }
}

/// A runnable with this stand-in has run, or is gone.
fn done(stand_in: &StandIn) {
    hook(|| semaphore::posting(runs_of(stand_in.owner), 0));
}

/// All runnables of the pool are done.
fn all_done(pool: usize) {
    hook(|| {
        semaphore::waited(runs_of(pool), 0);
        semaphore::waited(runs_of(0), 0);
    });
}

/// Does the pool run one after the other? They may still be run by several
/// threads, of which one is made when the other has ended.
fn is_serial(stand_in: &StandIn) -> bool {
    let pool = core::ptr::with_exposed_provenance_mut(stand_in.owner);
    // SAFETY: a pool that has runnables.
    stand_in.owner != 0 && unsafe { THREADS.get()(pool) } == 1
}

pub(super) unsafe extern "C" fn run(runnable: *mut Object) -> usize {
    // SAFETY: called through a stand-in.
    unsafe {
        let stand_in = stand_in::of(runnable);
        let is_serial = is_serial(stand_in);
        hook(|| {
            semaphore::waited(runnable.addr(), 0);
            if is_serial {
                semaphore::waited(runs_of(stand_in.owner), 0);
            }
        });
        let result = stand_in::call(stand_in, RUN, runnable);
        // The runnable may be gone.
        done(stand_in);
        result
    }
}

unsafe extern "C" fn delete(runnable: *mut Object) -> usize {
    // SAFETY: called through a stand-in.
    unsafe {
        let stand_in = stand_in::of(runnable);
        let result = stand_in::call(stand_in, DELETE, runnable);
        done(stand_in);
        result
    }
}

unsafe extern "C" fn delete_pool(pool: *mut Object) -> usize {
    // SAFETY: called through a stand-in.
    let result = unsafe { stand_in::call(stand_in::of(pool), DELETE_POOL, pool) };
    all_done(pool.addr());
    result
}

/// Makes a runnable of what the library would make one of; null if there is
/// nothing to call.
///
/// # Safety
/// It must be a function that is passed to the pool.
unsafe fn made_of(call: *mut Callable) -> Pointer {
    // SAFETY: passed on.
    unsafe {
        if (*call).manager == 0 {
            return core::ptr::null_mut();
        }
        CREATE.get()(call)
    }
}

// SAFETY of the calls below: the program's own arguments, or runnables made of
// them.

unsafe extern "C" fn start(pool: Pointer, runnable: Pointer, priority: c_int) {
    // SAFETY: see above.
    unsafe {
        given(pool, runnable);
        START.get()(pool, runnable, priority)
    }
}

unsafe extern "C" fn start_call(pool: Pointer, call: *mut Callable, priority: c_int) {
    // SAFETY: see above.
    unsafe {
        let runnable = made_of(call);
        if runnable.is_null() {
            START_CALL.get()(pool, call, priority)
        } else {
            start(pool, runnable, priority)
        }
    }
}

unsafe extern "C" fn try_start(pool: Pointer, runnable: Pointer) -> bool {
    // SAFETY: see above.
    unsafe {
        given(pool, runnable);
        TRY_START.get()(pool, runnable)
    }
}

unsafe extern "C" fn try_start_call(pool: Pointer, call: *mut Callable) -> bool {
    // SAFETY: see above.
    unsafe {
        let runnable = made_of(call);
        if runnable.is_null() {
            return TRY_START_CALL.get()(pool, call);
        }
        let started = try_start(pool, runnable);
        if !started {
            let delete = (**runnable.cast::<*const [Delete; 3]>())[DELETE];
            delete(runnable);
        }
        started
    }
}

type Delete = unsafe extern "C" fn(Pointer);

unsafe extern "C" fn start_reserved(pool: Pointer, runnable: Pointer) {
    // SAFETY: see above.
    unsafe {
        given(pool, runnable);
        START_RESERVED.get()(pool, runnable)
    }
}

unsafe extern "C" fn start_call_reserved(pool: Pointer, call: *mut Callable) {
    // SAFETY: see above.
    unsafe {
        let runnable = made_of(call);
        if runnable.is_null() {
            START_CALL_RESERVED.get()(pool, call)
        } else {
            start_reserved(pool, runnable)
        }
    }
}

unsafe extern "C" fn active(pool: Pointer) -> c_int {
    // SAFETY: see above.
    let count = unsafe { ACTIVE.get()(pool) };
    all_done(pool.addr());
    count
}

unsafe extern "C" fn wait(pool: Pointer, patience: c_int) -> bool {
    // SAFETY: see above.
    let is_done = unsafe { WAIT.get()(pool, patience) };
    if is_done {
        all_done(pool.addr());
    }
    is_done
}

unsafe extern "C" fn wait_until(pool: Pointer, end: u64, kind: u64) -> bool {
    // SAFETY: see above.
    let is_done = unsafe { WAIT_UNTIL.get()(pool, end, kind) };
    if is_done {
        all_done(pool.addr());
    }
    is_done
}

unsafe extern "C" fn gone(pool: Pointer) {
    // SAFETY: see above.
    unsafe { GONE.get()(pool) };
    all_done(pool.addr());
    hook(|| semaphore::destroyed(pool.addr()));
}

unsafe extern "C" fn base_gone(pool: Pointer) {
    // SAFETY: see above.
    unsafe { BASE_GONE.get()(pool) };
    all_done(pool.addr());
    hook(|| semaphore::destroyed(pool.addr()));
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    RUNNABLES.hold();
    POOLS.hold();
}

/// Opens the locks after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        POOLS.force_unlock();
        RUNNABLES.force_unlock();
    }
}
