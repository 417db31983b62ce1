//! libgomp's tasks.
//!
//! libgomp copies the arguments of a task and gives them to whichever thread
//! runs it. Ahead of them goes what the runtime wants to know then.

use super::gomp::{Function, current, exchange};
use crate::intercept::foreign::foreign;
use crate::intercept::pthread_thread::call_start;
use crate::intercept::stub::interceptors;
use crate::intercept::{copy, hook};
use crate::omp::task::{Dependence, Task};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ffi::{c_int, c_long, c_uint, c_void};

type Pointer = *mut c_void;
type Copy = unsafe extern "C" fn(Pointer, Pointer);

foreign! { [c"libgomp.so.1"]
    TASK = c"GOMP_task": fn(
        Function, Pointer, Option<Copy>, c_long, c_long, bool, c_uint, *const usize, c_int, Pointer
    );
    TASKWAIT = c"GOMP_taskwait": fn();
    TASKWAIT_DEPEND = c"GOMP_taskwait_depend": fn(*const usize);
    GROUP_START = c"GOMP_taskgroup_start": fn();
    GROUP_END = c"GOMP_taskgroup_end": fn();
}

interceptors! {
    "GOMP_task" => task,
    "GOMP_taskwait" => taskwait,
    "GOMP_taskwait_depend" => taskwait_depend,
    "GOMP_taskgroup_start" => group_start,
    "GOMP_taskgroup_end" => group_end,
}

/// The task has dependences.
const DEPEND: c_uint = 8;

/// What goes ahead of a task's arguments.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Head {
    function: Function,
    copy: Option<Copy>,
    /// The arguments that `copy` is to copy.
    data: Pointer,
    /// A share of the task, for who runs it.
    task: *const Task,
    /// From the head to the arguments.
    offset: usize,
}

/// Takes over `depend`, in either of the forms in which gcc passes it.
///
/// # Safety
/// It must be such a list.
unsafe fn depend(task: &Task, list: *const usize) {
    // SAFETY: passed on.
    let word = |i: usize| unsafe { *list.add(i) };
    let (count, writers, first) = match word(0) {
        0 => (word(1), word(2) + word(3), 5),
        count => (count, word(1), 2),
    };
    for i in 0..count {
        let how = match i < writers {
            true => Dependence::Writes,
            false => Dependence::Reads,
        };
        task.depends(word(first + i) as u64, how);
    }
}

unsafe extern "C" fn run(head: Pointer) {
    // SAFETY: made by `task` below, for one run.
    let (
        Head {
            function, offset, ..
        },
        task,
    ) = unsafe {
        let head = head.cast::<Head>().read();
        (head, Arc::from_raw(head.task))
    };
    let before = hook(|| {
        task.runs();
        exchange(Some(Arc::clone(&task)))
    });
    // SAFETY: as the program asked for.
    unsafe { call_start(function as *const c_void, head.byte_add(offset)) };
    hook(|| {
        task.ends();
        drop(exchange(before.flatten()));
    });
    crate::tls::section(|| drop(task));
}

/// Copies a head, and has the program copy its arguments.
unsafe extern "C" fn copy_both(to: Pointer, from: Pointer) {
    // SAFETY: libgomp passes memory for a task, and what it got from `task`.
    unsafe {
        let head = from.cast::<Head>().read();
        to.cast::<Head>().write(head);
        if let Some(copy) = head.copy {
            copy(to.byte_add(head.offset), head.data);
        }
    }
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
    let prepared = hook(|| {
        let task = Task::explicit(&current()?);
        if flags & DEPEND != 0 {
            // SAFETY: the program's own list.
            unsafe { depend(&task, list) };
        }
        let offset = size_of::<Head>().next_multiple_of(align.max(1) as usize);
        let head = Head {
            function,
            copy: copier,
            data,
            task: Arc::into_raw(task),
            offset,
        };
        let room = if copier.is_some() { 0 } else { size as usize };
        let heads = (offset + room).div_ceil(size_of::<Head>());
        let mut block: Vec<Head> = vec![head; heads];
        if room != 0 {
            // SAFETY: the program's arguments, and room for them.
            unsafe { copy(block.as_mut_ptr().byte_add(offset).cast(), data, room) };
        }
        Some((block, offset))
    });
    let Some((mut block, offset)) = prepared.flatten() else {
        // SAFETY: the program's own arguments.
        unsafe {
            real(
                function, data, copier, size, align, deferred, flags, list, priority, detach,
            )
        };
        return;
    };
    let both = copier.map(|_| copy_both as Copy);
    let (size, align) = (size + offset as c_long, align.max(16));
    // SAFETY: as above, but for function and arguments.
    unsafe {
        real(
            run,
            block.as_mut_ptr().cast(),
            both,
            size,
            align,
            deferred,
            flags,
            list,
            priority,
            detach,
        )
    };
    crate::tls::section(|| drop(block));
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
