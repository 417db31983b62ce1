//! Tables of virtual functions for spawned tasks, whose `execute` and `cancel`
//! put the task's own table back first.
//!
//! A library that is checked itself looks at a task's table like at any other
//! memory, and a class of tasks may have more virtual functions than the
//! scheduler knows. So the tables stand among the program's memory, and they
//! are longer than those they stand in for.

use super::Pointer;
use crate::intercept::hook;
use crate::os::{self, PAGE};
use crate::spin::SpinLock;
use crate::sync::semaphore;
use alloc::collections::BTreeMap;

type Run = unsafe extern "C" fn(*mut Task, Pointer) -> Pointer;

/// A task: what it can do comes first.
#[repr(C)]
pub(super) struct Task {
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

/// Virtual functions that a class may have beyond those of a task.
const FURTHER: usize = 24;

/// A table that stands in for another one, with what C++ keeps before it.
#[repr(C)]
struct StandIn {
    original: *const Functions,
    before: [usize; 2],
    functions: Functions,
    further: [usize; FURTHER],
}

/// The stand-ins, by the tables they stand in for. There are as many as the
/// program has classes of tasks.
struct StandIns {
    known: BTreeMap<usize, usize>,
    /// Memory for the next ones.
    room: *mut StandIn,
    left: usize,
}

// SAFETY: memory that belongs to whoever has the lock.
unsafe impl Send for StandIns {}

static STAND_INS: SpinLock<StandIns> = SpinLock::new(StandIns {
    known: BTreeMap::new(),
    room: core::ptr::null_mut(),
    left: 0,
});

impl StandIns {
    /// The table to use in place of `table`.
    ///
    /// # Safety
    /// It must be a task's.
    unsafe fn of(&mut self, table: *const Functions) -> Option<*const Functions> {
        if let Some(own) = self.known.get(&table.addr()) {
            return Some(*own as *const Functions);
        }
        if self.left == 0 {
            self.room = os::map_anywhere(PAGE).ok()?.cast();
            self.left = PAGE / size_of::<StandIn>();
        }
        let place = self.room;
        // SAFETY: passed on; a table of virtual functions has two words before
        // it. There is room for one more.
        unsafe {
            place.write(StandIn {
                original: table,
                before: *table.cast::<[usize; 2]>().sub(1),
                functions: Functions {
                    execute,
                    cancel,
                    ..*table
                },
                further: behind(table),
            });
            self.room = place.add(1);
        }
        self.left -= 1;
        let own = place.wrapping_byte_add(core::mem::offset_of!(StandIn, functions));
        self.known.insert(table.addr(), own.addr());
        Some(own.cast())
    }
}

/// What stands behind the functions of a task: further ones of its class, if
/// it has some, else something that nobody asks for; nothing where memory ends.
fn behind(table: *const Functions) -> [usize; FURTHER] {
    let mut bytes = [0; FURTHER * size_of::<usize>()];
    os::read_memory(table.wrapping_add(1).addr() as u64, &mut bytes);
    let (words, _) = bytes.as_chunks();
    core::array::from_fn(|i| usize::from_ne_bytes(words[i]))
}

/// Gives the task a stand-in, unless it has one.
///
/// # Safety
/// It must be one that nobody runs.
pub(super) unsafe fn put(task: *mut Task) {
    // SAFETY: passed on.
    unsafe {
        let table = (*task).table;
        if table.is_null() || (*table).execute as usize == execute as *const () as usize {
            return;
        }
        if let Some(own) = STAND_INS.lock().of(table) {
            (*task).table = own;
        }
    }
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

/// Keeps everybody else out until the process has forked.
pub(in crate::intercept) fn before_fork() {
    STAND_INS.hold();
}

/// Opens the lock after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(in crate::intercept) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { STAND_INS.force_unlock() }
}
