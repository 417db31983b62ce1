//! oneTBB's scheduler.
//!
//! What a thread did before it spawned a task comes before the task, whichever
//! thread runs it. No function of the library is called between the two, so a
//! spawned task gets another table of virtual functions ([`stand_in`]). What
//! tasks did comes before the end of the wait for them: the count that the wait
//! is for is changed by the tasks' own code, which is instrumented.

mod locks;
mod pipeline;
mod stand_in;

use super::foreign::foreign;
use super::hook;
use super::stub::interceptors;
use crate::heap;
use crate::sync::semaphore;
use core::ffi::c_void;
#[cfg(test)]
pub(super) use locks::NAMES as LOCK_NAMES;
#[cfg(test)]
pub(super) use pipeline::NAMES as PIPELINE_NAMES;
use stand_in::Task;
pub(super) use stand_in::{after_fork, before_fork};

type Pointer = *mut c_void;

foreign! { [c"libtbb.so.12"]
    SPAWN = c"_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE":
        fn(*mut Task, Pointer);
    SPAWN_AT = c"_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextEt":
        fn(*mut Task, Pointer, u16);
    SUBMIT = c"_ZN3tbb6detail2r16submitERNS0_2d14taskERNS2_18task_group_contextEPNS1_5arenaEm":
        fn(*mut Task, Pointer, Pointer, usize);
    ENQUEUE = c"_ZN3tbb6detail2r17enqueueERNS0_2d14taskEPNS2_15task_arena_baseE":
        fn(*mut Task, Pointer);
    ENQUEUE_IN = c"_ZN3tbb6detail2r17enqueueERNS0_2d14taskERNS2_18task_group_contextEPNS2_15task_arena_baseE":
        fn(*mut Task, Pointer, Pointer);
    WAIT = c"_ZN3tbb6detail2r14waitERNS0_2d112wait_contextERNS2_18task_group_contextE":
        fn(Pointer, Pointer);
    EXECUTE_AND_WAIT = c"_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_":
        fn(*mut Task, Pointer, Pointer, Pointer);
    ALLOCATE = c"_ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEm":
        fn(Pointer, usize) -> Pointer;
    ALLOCATE_FOR = c"_ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE":
        fn(Pointer, usize, Pointer) -> Pointer;
}

interceptors! {
    "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE" => spawn,
    "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextEt" => spawn_at,
    "_ZN3tbb6detail2r16submitERNS0_2d14taskERNS2_18task_group_contextEPNS1_5arenaEm" => submit,
    "_ZN3tbb6detail2r17enqueueERNS0_2d14taskEPNS2_15task_arena_baseE" => enqueue,
    "_ZN3tbb6detail2r17enqueueERNS0_2d14taskERNS2_18task_group_contextEPNS2_15task_arena_baseE" => enqueue_in,
    "_ZN3tbb6detail2r14waitERNS0_2d112wait_contextERNS2_18task_group_contextE" => wait,
    "_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_" => execute_and_wait,
    "_ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEm" => allocate,
    "_ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE" => allocate_for,
}

/// The task is handed to whichever thread comes to run it.
///
/// # Safety
/// It must be one.
unsafe fn hand_over(task: *mut Task) {
    hook(|| {
        semaphore::posting(task.addr(), 0);
        // SAFETY: passed on.
        unsafe { stand_in::put(task) };
    });
}

/// The count of a `wait_context`, behind its version.
fn count_of(context: Pointer) -> usize {
    context.addr() + 8
}

/// A pool gives out memory that other threads have given back.
fn given_out(block: Pointer, size: usize) -> Pointer {
    hook(|| heap::forget(block.addr(), size));
    block
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn spawn(task: *mut Task, context: Pointer) {
    // SAFETY: see above.
    unsafe {
        hand_over(task);
        SPAWN.get()(task, context)
    }
}

unsafe extern "C" fn spawn_at(task: *mut Task, context: Pointer, slot: u16) {
    // SAFETY: see above.
    unsafe {
        hand_over(task);
        SPAWN_AT.get()(task, context, slot)
    }
}

unsafe extern "C" fn submit(task: *mut Task, context: Pointer, arena: Pointer, how: usize) {
    // SAFETY: see above.
    unsafe {
        hand_over(task);
        SUBMIT.get()(task, context, arena, how)
    }
}

unsafe extern "C" fn enqueue(task: *mut Task, arena: Pointer) {
    // SAFETY: see above.
    unsafe {
        hand_over(task);
        ENQUEUE.get()(task, arena)
    }
}

unsafe extern "C" fn enqueue_in(task: *mut Task, context: Pointer, arena: Pointer) {
    // SAFETY: see above.
    unsafe {
        hand_over(task);
        ENQUEUE_IN.get()(task, context, arena)
    }
}

unsafe extern "C" fn wait(waiting: Pointer, context: Pointer) {
    // SAFETY: see above.
    unsafe { WAIT.get()(waiting, context) };
    hook(|| semaphore::waited(count_of(waiting), 0));
}

unsafe extern "C" fn execute_and_wait(
    task: *mut Task,
    context: Pointer,
    waiting: Pointer,
    waiting_context: Pointer,
) {
    // SAFETY: see above.
    unsafe { EXECUTE_AND_WAIT.get()(task, context, waiting, waiting_context) };
    hook(|| semaphore::waited(count_of(waiting), 0));
}

unsafe extern "C" fn allocate(pool: Pointer, size: usize) -> Pointer {
    // SAFETY: see above.
    given_out(unsafe { ALLOCATE.get()(pool, size) }, size)
}

unsafe extern "C" fn allocate_for(pool: Pointer, size: usize, data: Pointer) -> Pointer {
    // SAFETY: see above.
    given_out(unsafe { ALLOCATE_FOR.get()(pool, size, data) }, size)
}
