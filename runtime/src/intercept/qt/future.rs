//! Qt's futures.
//!
//! What a computation did before it reported comes before what those do who
//! were told of it. The copies of a future share a private part, which stands
//! for it, but for its first byte: there its mutex may be.

use super::{Pointer, events};
use crate::intercept::foreign::foreign;
use crate::intercept::hook;
use crate::intercept::stub::interceptors;
use crate::sync::semaphore;
use core::ffi::c_int;

foreign! { [c"libQt5Core.so.5", c"libQt6Core.so.6"]
    FINISHED = c"_ZN20QFutureInterfaceBase14reportFinishedEv": fn(*mut Future);
    READY = c"_ZN20QFutureInterfaceBase18reportResultsReadyEii": fn(*mut Future, c_int, c_int);
    EXCEPTION = c"_ZN20QFutureInterfaceBase15reportExceptionERK10QException":
        fn(*mut Future, Pointer);
    EXCEPTION_POINTER =
        c"_ZN20QFutureInterfaceBase15reportExceptionENSt15__exception_ptr13exception_ptrE":
        fn(*mut Future, Pointer);
    CANCELED = c"_ZN20QFutureInterfaceBase14reportCanceledEv": fn(*mut Future);
    CANCEL = c"_ZN20QFutureInterfaceBase6cancelEv": fn(*mut Future);
    WAIT = c"_ZN20QFutureInterfaceBase15waitForFinishedEv": fn(*mut Future);
    WAIT_RESULT = c"_ZN20QFutureInterfaceBase13waitForResultEi": fn(*mut Future, c_int);
    WAIT_NEXT = c"_ZN20QFutureInterfaceBase17waitForNextResultEv": fn(*mut Future) -> bool;
    IS_FINISHED = c"_ZNK20QFutureInterfaceBase10isFinishedEv": fn(*mut Future) -> bool;
    IS_RUNNING = c"_ZNK20QFutureInterfaceBase9isRunningEv": fn(*mut Future) -> bool;
    IS_CANCELED = c"_ZNK20QFutureInterfaceBase10isCanceledEv": fn(*mut Future) -> bool;
    IS_READY = c"_ZNK20QFutureInterfaceBase15isResultReadyAtEi": fn(*mut Future, c_int) -> bool;
    QUERY = c"_ZNK20QFutureInterfaceBase10queryStateENS_5StateE": fn(*mut Future, c_int) -> bool;
    FORGET = c"_ZNK20QFutureInterfaceBase6derefTEv": fn(*mut Future) -> bool;
    GONE = c"_ZN20QFutureInterfaceBaseD1Ev": fn(*mut Future);
    BASE_GONE = c"_ZN20QFutureInterfaceBaseD2Ev": fn(*mut Future);
    COUNT = c"_ZNK20QFutureInterfaceBase11resultCountEv": fn(*mut Future) -> c_int;
}

interceptors! {
    "_ZN20QFutureInterfaceBase14reportFinishedEv" => finished,
    "_ZN20QFutureInterfaceBase18reportResultsReadyEii" => ready,
    "_ZN20QFutureInterfaceBase15reportExceptionERK10QException" => exception,
    "_ZN20QFutureInterfaceBase15reportExceptionENSt15__exception_ptr13exception_ptrE" =>
        exception_pointer,
    "_ZN20QFutureInterfaceBase14reportCanceledEv" => canceled,
    "_ZN20QFutureInterfaceBase6cancelEv" => cancel,
    "_ZN20QFutureInterfaceBase15waitForFinishedEv" => wait,
    "_ZN20QFutureInterfaceBase13waitForResultEi" => wait_result,
    "_ZN20QFutureInterfaceBase17waitForNextResultEv" => wait_next,
    "_ZNK20QFutureInterfaceBase10isFinishedEv" => is_finished,
    "_ZNK20QFutureInterfaceBase9isRunningEv" => is_running,
    "_ZNK20QFutureInterfaceBase10isCanceledEv" => is_canceled,
    "_ZNK20QFutureInterfaceBase15isResultReadyAtEi" => is_ready,
    "_ZNK20QFutureInterfaceBase10queryStateENS_5StateE" => query,
    "_ZNK20QFutureInterfaceBase6derefTEv" => forget,
    "_ZN20QFutureInterfaceBaseD1Ev" => gone,
    "_ZN20QFutureInterfaceBaseD2Ev" => base_gone,
    "_ZNK20QFutureInterfaceBase11resultCountEv" => count,
}

/// A `QFutureInterfaceBase`.
#[repr(C)]
struct Future {
    functions: Pointer,
    private: Pointer,
}

impl Future {
    /// What stands for it.
    fn place(&self) -> usize {
        self.private.addr() + 1
    }
}

/// The computation tells of itself.
///
/// # Safety
/// It must be a future.
unsafe fn tells(future: *mut Future) {
    // SAFETY: passed on.
    let place = unsafe { (*future).place() };
    hook(|| semaphore::posting(place, 0));
    // Those who watch it get an event.
    events::calls();
}

/// Somebody was told.
///
/// # Safety
/// It must be a future.
unsafe fn told(future: *mut Future) {
    // SAFETY: passed on.
    let place = unsafe { (*future).place() };
    hook(|| semaphore::waited(place, 0));
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn finished(future: *mut Future) {
    // SAFETY: see above.
    unsafe {
        tells(future);
        FINISHED.get()(future)
    }
}

unsafe extern "C" fn ready(future: *mut Future, begin: c_int, end: c_int) {
    // SAFETY: see above.
    unsafe {
        tells(future);
        READY.get()(future, begin, end)
    }
}

unsafe extern "C" fn exception(future: *mut Future, exception: Pointer) {
    // SAFETY: see above.
    unsafe {
        tells(future);
        EXCEPTION.get()(future, exception)
    }
}

unsafe extern "C" fn exception_pointer(future: *mut Future, exception: Pointer) {
    // SAFETY: see above.
    unsafe {
        tells(future);
        EXCEPTION_POINTER.get()(future, exception)
    }
}

unsafe extern "C" fn canceled(future: *mut Future) {
    // SAFETY: see above.
    unsafe {
        tells(future);
        CANCELED.get()(future)
    }
}

unsafe extern "C" fn cancel(future: *mut Future) {
    // SAFETY: see above.
    unsafe {
        tells(future);
        CANCEL.get()(future)
    }
}

unsafe extern "C" fn wait(future: *mut Future) {
    // SAFETY: see above.
    unsafe {
        WAIT.get()(future);
        told(future);
    }
}

unsafe extern "C" fn wait_result(future: *mut Future, index: c_int) {
    // SAFETY: see above.
    unsafe {
        WAIT_RESULT.get()(future, index);
        told(future);
    }
}

unsafe extern "C" fn wait_next(future: *mut Future) -> bool {
    // SAFETY: see above.
    unsafe {
        let is_there = WAIT_NEXT.get()(future);
        told(future);
        is_there
    }
}

unsafe extern "C" fn is_finished(future: *mut Future) -> bool {
    // SAFETY: see above.
    unsafe {
        let answer = IS_FINISHED.get()(future);
        told(future);
        answer
    }
}

unsafe extern "C" fn is_running(future: *mut Future) -> bool {
    // SAFETY: see above.
    unsafe {
        let answer = IS_RUNNING.get()(future);
        told(future);
        answer
    }
}

unsafe extern "C" fn is_canceled(future: *mut Future) -> bool {
    // SAFETY: see above.
    unsafe {
        let answer = IS_CANCELED.get()(future);
        told(future);
        answer
    }
}

unsafe extern "C" fn is_ready(future: *mut Future, index: c_int) -> bool {
    // SAFETY: see above.
    unsafe {
        let answer = IS_READY.get()(future, index);
        told(future);
        answer
    }
}

unsafe extern "C" fn query(future: *mut Future, state: c_int) -> bool {
    // SAFETY: see above.
    unsafe {
        let answer = QUERY.get()(future, state);
        told(future);
        answer
    }
}

unsafe extern "C" fn count(future: *mut Future) -> c_int {
    // SAFETY: see above.
    unsafe {
        let count = COUNT.get()(future);
        told(future);
        count
    }
}

/// The last one to forget a future destroys the results.
unsafe extern "C" fn forget(future: *mut Future) -> bool {
    // SAFETY: see above.
    unsafe {
        let place = (*future).place();
        hook(|| semaphore::posting(place, 0));
        let others_know = FORGET.get()(future);
        if !others_know {
            told(future);
        }
        others_know
    }
}

/// The last one to go frees an exception, too.
unsafe extern "C" fn gone(future: *mut Future) {
    // SAFETY: see above.
    unsafe {
        told(future);
        GONE.get()(future)
    }
}

unsafe extern "C" fn base_gone(future: *mut Future) {
    // SAFETY: see above.
    unsafe {
        told(future);
        BASE_GONE.get()(future)
    }
}
