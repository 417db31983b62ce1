//! libgomp's tasks.
//!
//! libgomp copies the arguments of a task and gives them to whichever thread
//! runs it. Ahead of them goes what the runtime wants to know then.

use super::gomp::{Function, current, exchange};
use super::gomp_arguments::{Arguments, Begun, Copy, Pointer, Whose, pass};
use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;
use crate::intercept::{hook, section};
use crate::omp;
use crate::omp::event;
use crate::omp::task::{Dependence, Task};
use alloc::sync::Arc;
use core::ffi::{c_int, c_long, c_uint};

foreign! { [c"libgomp.so.1"]
    TASK = c"GOMP_task": fn(
        Function, Pointer, Option<Copy>, c_long, c_long, bool, c_uint, *const usize, c_int, Pointer
    );
    TASKWAIT = c"GOMP_taskwait": fn();
    TASKWAIT_DEPEND = c"GOMP_taskwait_depend": fn(*const usize);
    GROUP_START = c"GOMP_taskgroup_start": fn();
    GROUP_END = c"GOMP_taskgroup_end": fn();
}

foreign! { [c"libgomp.so.1", c"libomp.so.5", c"libomp.so", c"libomp5.so", c"libiomp5.so"]
    FULFILL = c"omp_fulfill_event": fn(usize);
}

interceptors! {
    "GOMP_task" => task,
    "GOMP_taskwait" => taskwait,
    "GOMP_taskwait_depend" => taskwait_depend,
    "GOMP_taskgroup_start" => group_start,
    "GOMP_taskgroup_end" => group_end,
    "omp_fulfill_event" => fulfill,
}

/// The task has dependences.
const DEPEND: c_uint = 1 << 3;
/// It has not ended before somebody fulfils its event.
const DETACH: c_uint = 1 << 13;

/// What `depobj` keeps: an address and how it is depended on.
type Object = [usize; 2];
/// There, tasks that do not write.
const READS: usize = 1;

/// Takes over `depend`, in either of the forms in which gcc passes it.
///
/// # Safety
/// It must be such a list.
unsafe fn depend(task: &Task, list: *const usize) {
    // SAFETY: passed on.
    let word = |i: usize| unsafe { *list.add(i) };
    let (count, writers, readers, first) = match word(0) {
        0 => (word(1), word(2) + word(3), word(4), 5),
        count => (count, word(1), count - word(1), 2),
    };
    for i in 0..count {
        let what = word(first + i);
        let (address, reads) = match i < writers + readers {
            true => (what, i >= writers),
            false => {
                // SAFETY: such lists end with pointers to them.
                let [address, how] = unsafe { *(what as *const Object) };
                (address, how == READS)
            }
        };
        let how = match reads {
            true => Dependence::Reads,
            false => Dependence::Writes,
        };
        task.depends(address as u64, how);
    }
}

unsafe extern "C" fn run(head: Pointer) {
    // SAFETY: made by `task` below, for one run: the share is this one's.
    let (begun, task) = unsafe {
        let begun = Begun::new(head);
        let task = Arc::from_raw(begun.task);
        (begun, task)
    };
    let before = hook(|| {
        if let Some(event) = begun.event {
            event::announce(event, &task);
        }
        task.runs();
        exchange(Some(Arc::clone(&task)))
    });
    begun.call();
    hook(|| {
        if begun.event.is_some() {
            begun.forget();
        }
        task.ends();
        drop(exchange(before.flatten()));
    });
    section(|| drop(task));
}

unsafe extern "C" fn task(
    function: Function,
    data: Pointer,
    copier: Option<Copy>,
    size: c_long,
    align: c_long,
    deferred: bool,
    flags: c_uint,
    list: *const usize,
    priority: c_int,
    detach: Pointer,
) {
    let real = TASK.get();
    let whose = hook(|| {
        let task = Task::explicit(&current()?);
        if flags & DEPEND != 0 {
            // SAFETY: the program's own list.
            unsafe { depend(&task, list) };
        }
        Some(Whose {
            task,
            run,
            written: usize::from(flags & DETACH != 0),
            shared: false,
        })
    });
    let whose = whose.flatten();
    if let Some(whose) = &whose {
        // For the run.
        core::mem::forget(Arc::clone(&whose.task));
    }
    let arguments = Arguments {
        function,
        data,
        copier,
        size,
        align,
    };
    let event = pass(&arguments, whose.as_ref(), |to| {
        // SAFETY: the program's own arguments, or what stands for them.
        unsafe {
            real(
                to.function,
                to.data,
                to.copier,
                to.size,
                to.align,
                deferred,
                flags,
                list,
                priority,
                detach,
            )
        }
    });
    hook(|| {
        if flags & DETACH != 0
            && let Some(whose) = &whose
        {
            event::announce(event, &whose.task);
        }
    });
    section(|| drop(whose));
}

extern "C" fn fulfill(handle: usize) {
    if !omp::speaks_for_itself() {
        hook(|| event::fulfilled(handle));
    }
    // SAFETY: the program's own argument.
    unsafe { FULFILL.get()(handle) }
}

fn waited() {
    hook(|| current().map(|task| task.waited()));
}

extern "C" fn taskwait() {
    // SAFETY: takes no arguments.
    unsafe { TASKWAIT.get()() };
    waited();
}

extern "C" fn taskwait_depend(list: *const usize) {
    // SAFETY: the program's own argument.
    unsafe { TASKWAIT_DEPEND.get()(list) };
    waited();
}

extern "C" fn group_start() {
    hook(|| current().map(|task| task.opens_group()));
    // SAFETY: takes no arguments.
    unsafe { GROUP_START.get()() }
}

extern "C" fn group_end() {
    // SAFETY: takes no arguments.
    unsafe { GROUP_END.get()() };
    hook(|| current().map(|task| task.closes_group()));
}
