//! libomp's memory for tasks, and regions in which tasks reduce.

use crate::heap;
use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;
use crate::intercept::{hook, section};
use crate::omp::combining;
use crate::thread::{self, Thread};
use core::ffi::{c_int, c_void};

type Pointer = *mut c_void;

foreign! { [c"libomp.so.5", c"libomp.so", c"libomp5.so", c"libiomp5.so"]
    TASK_ALLOC = c"__kmpc_omp_task_alloc":
        fn(Pointer, c_int, c_int, usize, usize, Pointer) -> Pointer;
    REDUCTION_INIT = c"__kmpc_task_reduction_modifier_init":
        fn(Pointer, c_int, c_int, c_int, Pointer) -> Pointer;
    TASKRED_INIT = c"__kmpc_taskred_modifier_init":
        fn(Pointer, c_int, c_int, c_int, Pointer) -> Pointer;
    REDUCTION_FINI = c"__kmpc_task_reduction_modifier_fini": fn(Pointer, c_int, c_int);
}

interceptors! {
    "__kmpc_omp_task_alloc" => task_alloc,
    "__kmpc_task_reduction_modifier_init" => reduction_init,
    "__kmpc_taskred_modifier_init" => taskred_init,
    "__kmpc_task_reduction_modifier_fini" => reduction_fini,
}

/// Between the two parts of a task's memory.
const GAP: usize = 16;

/// The memory may have been another task's, which another thread ran.
unsafe extern "C" fn task_alloc(
    place: Pointer,
    thread: c_int,
    flags: c_int,
    size: usize,
    shared: usize,
    entry: Pointer,
) -> Pointer {
    // SAFETY: the program's own arguments.
    let task = unsafe { TASK_ALLOC.get()(place, thread, flags, size, shared, entry) };
    if !task.is_null() {
        hook(|| heap::forget(task.addr(), size + shared + GAP));
    }
    task
}

/// Calls `real`, which makes private variables for all threads, whichever of
/// them comes first.
fn makes_private(real: impl FnOnce() -> Pointer) -> Pointer {
    told(combining::begins);
    let made = real();
    told(combining::ends);
    made
}

fn told(what: impl FnOnce(&mut Thread)) {
    section(|| {
        if let Some(me) = thread::current() {
            what(me);
        }
    });
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn reduction_init(
    place: Pointer,
    thread: c_int,
    shares: c_int,
    count: c_int,
    data: Pointer,
) -> Pointer {
    // SAFETY: see above.
    makes_private(|| unsafe { REDUCTION_INIT.get()(place, thread, shares, count, data) })
}

unsafe extern "C" fn taskred_init(
    place: Pointer,
    thread: c_int,
    shares: c_int,
    count: c_int,
    data: Pointer,
) -> Pointer {
    // SAFETY: see above.
    makes_private(|| unsafe { TASKRED_INIT.get()(place, thread, shares, count, data) })
}

/// The last thread to come combines what all have reduced.
unsafe extern "C" fn reduction_fini(place: Pointer, thread: c_int, shares: c_int) {
    told(Thread::waits_to_combine);
    // SAFETY: see above.
    unsafe { REDUCTION_FINI.get()(place, thread, shares) };
    told(Thread::has_combined);
}
