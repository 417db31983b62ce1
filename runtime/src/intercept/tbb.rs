//! oneTBB's scheduler.
//!
//! What a thread did before it spawned a task comes before the task, whichever
//! thread runs it. No function of the library is called between the two, so a
//! spawned task gets another table of virtual functions, whose `execute` and
//! `cancel` put the old one back first. What tasks did comes before the end of
//! the wait for them: the count that the wait is for is changed by the tasks'
//! own code, which is instrumented.

use super::foreign::foreign;
use super::hook;
use super::stub::interceptors;
use crate::heap;
use crate::spin::SpinLock;
use crate::sync::semaphore;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use core::ffi::c_void;

type Pointer = *mut c_void;
type Run = unsafe extern "C" fn(*mut Task, Pointer) -> Pointer;

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

/// A task: what it can do comes first.
#[repr(C)]
struct Task {
    table: *const Functions,
}

/// The virtual functions of a task.
#[derive(Clone, Copy)]
#[repr(C)]
struct Functions {
    destroy: Pointer,
    delete: Pointer,
    execute: Run,
    cancel: Run,
}

/// A table that stands in for another one, with what C++ keeps before it.
#[repr(C)]
struct StandIn {
    original: *const Functions,
    before: [usize; 2],
    functions: Functions,
}

/// The stand-ins, by the tables they stand in for. There are as many as the
/// program has classes of tasks.
static STAND_INS: SpinLock<BTreeMap<usize, usize>> = SpinLock::new(BTreeMap::new());

/// The table to use in place of `table`.
///
/// # Safety
/// It must be a task's.
unsafe fn stand_in(table: *const Functions) -> *const Functions {
    let mut known = STAND_INS.lock();
    let own = *known.entry(table.addr()).or_insert_with(|| {
        // SAFETY: passed on; a table of virtual functions has two words before
        // it.
        let stand_in = unsafe {
            StandIn {
                original: table,
                before: *table.cast::<[usize; 2]>().sub(1),
                functions: Functions {
                    execute,
                    cancel,
                    ..*table
                },
            }
        };
        let stand_in: &'static StandIn = Box::leak(Box::new(stand_in));
        (&raw const stand_in.functions).addr()
    });
    own as *const Functions
}

/// Puts the task's own functions back: whoever runs it comes after who spawned
/// it.
///
/// # Safety
/// The task must have a stand-in.
unsafe fn begin(task: *mut Task) -> *const Functions {
    const TO_ORIGINAL: usize = core::mem::offset_of!(StandIn, functions);
    hook(|| semaphore::waited(task.addr(), 0));
    // SAFETY: passed on.
    unsafe {
        let original = *(*task)
            .table
            .byte_sub(TO_ORIGINAL)
            .cast::<*const Functions>();
        (*task).table = original;
        original
    }
}

unsafe extern "C" fn execute(task: *mut Task, data: Pointer) -> Pointer {
    // SAFETY: called through a stand-in.
    unsafe { ((*begin(task)).execute)(task, data) }
}

unsafe extern "C" fn cancel(task: *mut Task, data: Pointer) -> Pointer {
    // SAFETY: called through a stand-in.
    unsafe { ((*begin(task)).cancel)(task, data) }
}

/// The task is handed to whichever thread comes to run it.
///
/// # Safety
/// It must be one.
unsafe fn hand_over(task: *mut Task) {
    hook(|| {
        semaphore::posting(task.addr(), 0);
        // SAFETY: passed on.
        unsafe {
            if (*task).table.is_null()
                || (*(*task).table).execute as usize == execute as *const () as usize
            {
                return;
            }
            (*task).table = stand_in((*task).table);
        }
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

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    STAND_INS.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { STAND_INS.force_unlock() }
}
