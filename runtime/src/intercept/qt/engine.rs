//! QtConcurrent's `map`, `filter` and the like.
//!
//! An engine is run by several threads of a pool, of which the last one to be
//! done finishes it; or whoever started it does, after a wait for the others.
//! They are counted inside the library, which calls the engine's virtual
//! functions all the while.

use super::Pointer;
use super::pool::{self, RUN};
use super::stand_in::{self, Function, Object, StandIns};
use crate::intercept::foreign::foreign;
use crate::intercept::hook;
use crate::intercept::stub::interceptors;
use crate::spin::SpinLock;
use crate::sync::semaphore;

foreign! { [c"libQt5Concurrent.so.5", c"libQt6Concurrent.so.6"]
    BLOCKING = c"_ZN12QtConcurrent16ThreadEngineBase13startBlockingEv": fn(Pointer);
    COUNTED = c"_ZN12QtConcurrent16ThreadEngineBase23acquireBarrierSemaphoreEv": fn(Pointer);
}

interceptors! {
    "_ZN12QtConcurrent16ThreadEngineBase13startBlockingEv" => blocking,
    "_ZN12QtConcurrent16ThreadEngineBase23acquireBarrierSemaphoreEv" => counted,
}

/// The tables of engines.
static ENGINES: SpinLock<StandIns> = SpinLock::new(StandIns::new());

/// The virtual functions of an engine that count: that of a runnable, one that
/// each thread works in, and two that one of them finishes in.
const REPLACEMENT: [(usize, Function); 4] = [
    (RUN, pool::run),
    (FINISH, finish),
    (WORK, work),
    (FINISH_ALONE, finish_alone),
];
const FINISH: usize = 4;
const WORK: usize = 5;
const FINISH_ALONE: usize = 8;

/// Is the runnable an engine?
///
/// # Safety
/// It must be a runnable.
pub(super) unsafe fn is_one(runnable: Pointer) -> bool {
    // SAFETY: passed on.
    unsafe { stand_in::has(Object::at(runnable), &REPLACEMENT) }
}

/// The engine is about to be run.
///
/// # Safety
/// It must be one.
unsafe fn begins(engine: Pointer) {
    // Its pool is not known.
    // SAFETY: passed on.
    hook(|| unsafe { stand_in::put(Object::at(engine), 0, &ENGINES, &REPLACEMENT) });
}

/// What stands for the work of its threads.
fn work_of(engine: *mut Object) -> usize {
    engine.addr() + size_of::<usize>()
}

unsafe extern "C" fn work(engine: *mut Object) -> usize {
    // SAFETY: called through a stand-in.
    let result = unsafe { stand_in::call(stand_in::of(engine), WORK, engine) };
    hook(|| semaphore::posting(work_of(engine), 0));
    result
}

/// Calls function number `index` after all work.
///
/// # Safety
/// The engine must have a stand-in.
unsafe fn after_work(engine: *mut Object, index: usize) -> usize {
    hook(|| semaphore::waited(work_of(engine), 0));
    // SAFETY: passed on.
    unsafe { stand_in::call(stand_in::of(engine), index, engine) }
}

unsafe extern "C" fn finish(engine: *mut Object) -> usize {
    // SAFETY: called through a stand-in.
    unsafe { after_work(engine, FINISH) }
}

unsafe extern "C" fn finish_alone(engine: *mut Object) -> usize {
    // SAFETY: called through a stand-in.
    unsafe { after_work(engine, FINISH_ALONE) }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn blocking(engine: Pointer) {
    // SAFETY: see above.
    unsafe {
        begins(engine);
        BLOCKING.get()(engine)
    }
}

unsafe extern "C" fn counted(engine: Pointer) {
    // SAFETY: see above.
    unsafe {
        begins(engine);
        COUNTED.get()(engine)
    }
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    ENGINES.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { ENGINES.force_unlock() }
}
