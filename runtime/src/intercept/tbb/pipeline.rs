//! oneTBB's pipelines.
//!
//! Whoever runs one comes before its stages, and after them when it returns.
//! The library has items that go into a serial stage wait in a queue, and works
//! on them one by one: what any stage did comes before what a serial one does
//! next. That is more than is true of two items in parallel stages, and of two
//! pipelines at once; which item a stage is given nobody tells.

use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;
use crate::intercept::{caller, hook};
use crate::sync::semaphore;
use core::ffi::c_void;

type Pointer = *mut c_void;

foreign! { [c"libtbb.so.12"]
    RUN = c"_ZN3tbb6detail2r117parallel_pipelineERNS0_2d118task_group_contextEmRKNS2_11filter_nodeE":
        fn(Pointer, usize, Pointer);
}

interceptors! {
    "_ZN3tbb6detail2r117parallel_pipelineERNS0_2d118task_group_contextEmRKNS2_11filter_nodeE" => run,
}

/// Stand for what was done before pipelines, and for what their stages did.
static BEFORE: u64 = 0;
static STAGES: u64 = 0;

/// Where a `base_filter` has its mode, behind the table of virtual functions
/// and two pointers; and the bit that says that it is serial.
const MODE: usize = 24;
const SERIAL: u32 = 1;

unsafe extern "C" fn run(context: Pointer, tokens: usize, filters: Pointer) {
    let pc = caller();
    hook(|| semaphore::posting((&raw const BEFORE).addr(), pc));
    // SAFETY: the program's own arguments.
    unsafe { RUN.get()(context, tokens, filters) };
    hook(|| semaphore::waited((&raw const STAGES).addr(), pc));
}

crate::stub! { __racert_filter_begin, |filter: *const u8| -> () {
    let pc = caller();
    // SAFETY: a `base_filter`, which the library has just called.
    let mode = unsafe { filter.add(MODE).cast::<u32>().read() };
    hook(|| {
        semaphore::waited((&raw const BEFORE).addr(), pc);
        if mode & SERIAL != 0 {
            semaphore::waited((&raw const STAGES).addr(), pc);
        }
    });
} }

crate::stub! { __racert_filter_end, | | -> () {
    let pc = caller();
    hook(|| semaphore::posting((&raw const STAGES).addr(), pc));
} }
