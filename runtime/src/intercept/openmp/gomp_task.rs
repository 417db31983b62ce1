//! libgomp's tasks.
//!
//! libgomp copies the arguments of a task and gives them to whichever thread
//! runs it. Ahead of them goes what the runtime wants to know then.

use super::gomp::{Function, current, exchange};
use crate::intercept::foreign::foreign;
use crate::intercept::pthread_thread::call_start;
use crate::intercept::stub::interceptors;
use crate::intercept::{copy, hook, section};
use crate::omp::task::{Dependence, Task};
use crate::{heap, os};
use alloc::sync::Arc;
use core::ffi::{c_int, c_long, c_uint, c_void};
use core::mem::MaybeUninit;

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

/// Tasks whose arguments take no more than so many heads, and are aligned no more
/// than those, have them on the stack.
const SMALL: usize = 16;

/// What goes ahead of a task's arguments. libgomp may run the task at once, with
/// both where they are: in memory like the program's own.
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
    section(|| drop(task));
}

/// Copies a head, and has the program copy its arguments: what it writes there
/// comes before the task.
unsafe extern "C" fn copy_both(to: Pointer, from: Pointer) {
    // SAFETY: libgomp passes memory for a task, and what it got from `task`, which
    // keeps the share until it runs.
    let task = unsafe {
        let head = from.cast::<Head>().read();
        to.cast::<Head>().write(head);
        if let Some(copy) = head.copy {
            copy(to.byte_add(head.offset), head.data);
        }
        &*head.task
    };
    hook(|| task.left());
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
    let mut small = [const { MaybeUninit::<Head>::uninit() }; SMALL];
    let prepared = hook(|| {
        let parent = current()?;
        let offset = size_of::<Head>().next_multiple_of(align.max(1) as usize);
        let room = if copier.is_some() { 0 } else { size as usize };
        let len = offset + room;
        let fits = len <= size_of_val(&small) && align as usize <= align_of::<Head>();
        let block: *mut Head = match fits {
            true => small.as_mut_ptr().cast(),
            false => os::map_anywhere(len).ok()?.cast(),
        };
        let task = Task::explicit(&parent);
        if flags & DEPEND != 0 {
            // SAFETY: the program's own list.
            unsafe { depend(&task, list) };
        }
        // SAFETY: room for the head and the program's arguments.
        unsafe {
            block.write(Head {
                function,
                copy: copier,
                data,
                task: Arc::into_raw(task),
                offset,
            });
            if room != 0 {
                copy(block.byte_add(offset).cast(), data, room);
            }
        }
        Some((block, offset, (!fits).then_some(len)))
    });
    let Some((block, offset, mapped)) = prepared.flatten() else {
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
            block.cast(),
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
    if let Some(len) = mapped {
        section(|| {
            heap::forget(block.addr(), len);
            os::unmap(block.cast(), len);
        });
    }
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
