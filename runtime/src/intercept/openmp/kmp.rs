//! libomp's memory for tasks.

use crate::heap;
use crate::intercept::foreign::foreign;
use crate::intercept::hook;
use crate::intercept::stub::interceptors;
use core::ffi::{c_int, c_void};

type Pointer = *mut c_void;

foreign! { [c"libomp.so.5", c"libomp.so", c"libomp5.so", c"libiomp5.so"]
    TASK_ALLOC = c"__kmpc_omp_task_alloc":
        fn(Pointer, c_int, c_int, usize, usize, Pointer) -> Pointer;
}

interceptors! {
    "__kmpc_omp_task_alloc" => task_alloc,
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
