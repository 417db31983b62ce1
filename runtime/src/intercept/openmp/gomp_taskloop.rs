//! libgomp's tasks that share a loop, and reductions by tasks.

use super::gomp::{Function, current, exchange, meet};
use super::gomp_arguments::{Arguments, Begun, Copy, Pointer, Whose, pass};
use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;
use crate::intercept::{hook, section};
use crate::omp::task::Task;
use alloc::sync::Arc;
use core::ffi::{c_int, c_long, c_uint, c_ulong, c_ulonglong};

foreign! { [c"libgomp.so.1"]
    UNREGISTER = c"GOMP_workshare_task_reduction_unregister": fn(bool);
}

interceptors! {
    "GOMP_taskloop" => taskloop,
    "GOMP_taskloop_ull" => taskloop_unsigned,
    "GOMP_workshare_task_reduction_unregister" => unregister,
}

/// The construct does not wait for its tasks.
const NOGROUP: c_uint = 1 << 11;

unsafe extern "C" fn run(head: Pointer) {
    // SAFETY: made by `tasks` below, which has a share of the task as long as its
    // parts run, or gives each copy one.
    let (begun, whole) = unsafe {
        let begun = Begun::new(head);
        if !begun.shared {
            Arc::increment_strong_count(begun.task);
        }
        let whole = Arc::from_raw(begun.task);
        (begun, whole)
    };
    let part = hook(|| {
        whole.runs();
        let part = whole.part();
        let before = exchange(Some(Arc::clone(&part)));
        (part, before)
    });
    begun.call();
    hook(|| {
        if let Some((part, before)) = part {
            part.ends();
            drop(exchange(before));
        }
    });
    section(|| drop(whole));
}

/// Has `real` make the tasks of a loop.
fn tasks(arguments: &Arguments, flags: c_uint, real: impl FnOnce(&Arguments)) {
    let waits = flags & NOGROUP == 0;
    let whose = hook(|| {
        let parent = current()?;
        if waits {
            parent.opens_group();
        }
        let whose = Whose {
            task: Task::explicit(&parent),
            run,
            written: 2,
            shared: !waits,
        };
        Some((parent, whose))
    });
    let whose = whose.flatten();
    pass(arguments, whose.as_ref().map(|(_, whose)| whose), real);
    hook(|| {
        if let Some((parent, _)) = &whose
            && waits
        {
            parent.closes_group();
        }
    });
    section(|| drop(whose));
}

/// Defines functions that make tasks of a loop, by the type of its variable.
macro_rules! loops {
    ($($name:literal $id:ident $of:ty;)+) => {
        $(
            unsafe extern "C" fn $id(
                function: Function,
                data: Pointer,
                copier: Option<Copy>,
                size: c_long,
                align: c_long,
                flags: c_uint,
                count: c_ulong,
                priority: c_int,
                start: $of,
                end: $of,
                step: $of,
            ) {
                foreign! { [c"libgomp.so.1"]
                    REAL = $name: fn(
                        Function, Pointer, Option<Copy>, c_long, c_long, c_uint, c_ulong, c_int, $of, $of, $of
                    );
                }
                let real = REAL.get();
                let arguments = Arguments { function, data, copier, size, align };
                tasks(&arguments, flags, |to| {
                    // SAFETY: the program's own arguments, or what stands for them.
                    unsafe {
                        real(
                            to.function, to.data, to.copier, to.size, to.align, flags, count,
                            priority, start, end, step,
                        )
                    }
                });
            }
        )+
    };
}

loops! {
    c"GOMP_taskloop" taskloop c_long;
    c"GOMP_taskloop_ull" taskloop_unsigned c_ulonglong;
}

/// The tasks that reduce for a loop have ended, and so has the loop.
extern "C" fn unregister(cancelled: bool) {
    // SAFETY: the program's own argument.
    let real = || unsafe { UNREGISTER.get()(cancelled) };
    match cancelled {
        true => real(),
        false => meet(real),
    }
}
