//! OpenMP's tool interface (OMPT), by which libomp tells what it does.
//!
//! libomp looks for `ompt_start_tool` when it starts. The words that the
//! interface leaves to the tool hold an `Arc` each: of the [`Team`] for a
//! region, of the [`Task`] for a task.

use super::combining;
use super::task::{Dependence, Task};
use super::team::{self, Team};
use super::turns;
use crate::intercept::stub::interceptors;
use crate::lock::{self, Kind};
use crate::sync::{rwlock, semaphore};
use crate::{init, thread, tls};
use alloc::sync::Arc;
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicBool, Ordering};

interceptors! {
    "ompt_start_tool" => start_tool,
}

/// A word that libomp keeps for the tool.
type Data = *mut *const c_void;
type Pc = usize;
type Callback = *const c_void;
type SetCallback = unsafe extern "C" fn(c_int, Callback) -> c_int;
type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;

/// What `ompt_start_tool` returns.
#[repr(C)]
struct Tool {
    initialize: unsafe extern "C" fn(Lookup, c_int, Data) -> c_int,
    finalize: extern "C" fn(Data),
    data: u64,
}

static TOOL: Tool = Tool {
    initialize,
    finalize,
    data: 0,
};

/// Callbacks by their numbers in the interface.
const CALLBACKS: [(c_int, Callback); 12] = [
    (3, parallel_begin as Callback),
    (4, parallel_end as Callback),
    (5, task_create as Callback),
    (6, task_schedule as Callback),
    (7, implicit_task as Callback),
    (16, sync_region_wait as Callback),
    (17, mutex_released as Callback),
    (18, dependences as Callback),
    (23, sync_region as Callback),
    (25, lock_destroy as Callback),
    (27, mutex_acquired as Callback),
    (31, reduction as Callback),
];

const BEGIN: c_int = 1;
/// Kinds of regions that threads wait in.
const TASKWAIT: c_int = 5;
const TASKGROUP: c_int = 6;
const REDUCTION: c_int = 7;
/// Of regions: a `teams` construct.
const LEAGUE: c_int = 1 << 30;
/// Of tasks.
const INITIAL: c_int = 1;
const EXPLICIT: c_int = 4;
/// How a task can be left for good.
const COMPLETE: c_int = 1;
const CANCEL: c_int = 3;
const LATE_FULFILL: c_int = 6;
/// One of the two things it needs to be complete has happened: it has run, or
/// its event was fulfilled.
const DETACH: c_int = 4;
const EARLY_FULFILL: c_int = 5;
/// The mutex of an `ordered` region, which is passed on from thread to thread.
const ORDERED: c_int = 7;
/// Ways to depend on a variable.
const IN: c_int = 1;
const SOURCE: c_int = 5;
const SINK: c_int = 6;

extern "C" fn start_tool(_omp_version: c_uint, _library: *const c_char) -> *const Tool {
    init::ensure();
    &raw const TOOL
}

unsafe extern "C" fn initialize(lookup: Lookup, _device: c_int, _data: Data) -> c_int {
    let name: &CStr = c"ompt_set_callback";
    // SAFETY: libomp's own function, which knows this name.
    let set = unsafe { lookup(name.as_ptr()) };
    if set.is_null() {
        return 0;
    }
    // SAFETY: what the interface says it is.
    let set: SetCallback = unsafe { core::mem::transmute(set) };
    for (number, callback) in CALLBACKS {
        // SAFETY: the callbacks have the types that belong to their numbers.
        unsafe { set(number, callback) };
    }
    STARTED.store(true, Ordering::Relaxed);
    1
}

/// Does the OpenMP library of this program tell what it does?
pub(crate) fn speaks_for_itself() -> bool {
    STARTED.load(Ordering::Relaxed)
}

static STARTED: AtomicBool = AtomicBool::new(false);

extern "C" fn finalize(_data: Data) {}

/// Runs `f` inside the runtime.
fn inside(f: impl FnOnce()) {
    tls::section(|| {
        if thread::current().is_some() {
            f();
        }
    });
}

/// Puts `value` into a word of libomp's.
///
/// # Safety
/// The word must be empty.
unsafe fn put<T>(data: Data, value: Arc<T>) {
    if !data.is_null() {
        // SAFETY: passed on.
        unsafe { *data = Arc::into_raw(value).cast() };
    }
}

/// What is in a word.
///
/// # Safety
/// The word must hold a `T`, or nothing.
unsafe fn get<T>(data: Data) -> Option<Arc<T>> {
    // SAFETY: libomp's word.
    let value = unsafe { data.as_ref() }?.cast::<T>();
    if value.is_null() {
        return None;
    }
    // SAFETY: passed on; the word keeps its own share.
    unsafe {
        Arc::increment_strong_count(value);
        Some(Arc::from_raw(value))
    }
}

/// Takes it out.
///
/// # Safety
/// As [`get`].
unsafe fn take<T>(data: Data) -> Option<Arc<T>> {
    // SAFETY: passed on.
    unsafe {
        let word = data.as_mut()?;
        let value = core::mem::replace(word, core::ptr::null()).cast::<T>();
        (!value.is_null()).then(|| Arc::from_raw(value))
    }
}

// SAFETY of the words below: each holds what its name says.

unsafe extern "C" fn parallel_begin(
    _task: Data,
    _frame: *const c_void,
    parallel: Data,
    _requested: c_uint,
    flags: c_int,
    _pc: Pc,
) {
    inside(|| {
        let team = Arc::new(Team::default());
        team.fork.release();
        if flags & LEAGUE != 0 {
            team::set_league(Some(Arc::clone(&team)));
        }
        // SAFETY: see above.
        unsafe { put(parallel, team) };
    });
}

unsafe extern "C" fn parallel_end(parallel: Data, _task: Data, flags: c_int, _pc: Pc) {
    inside(|| {
        if flags & LEAGUE != 0 {
            team::set_league(None);
        }
        // SAFETY: see above.
        if let Some(team) = unsafe { take::<Team>(parallel) } {
            team.join.acquire();
            team.leave(0);
            team.leave(1);
        }
    });
}

/// Workers hear of the end of their task when they are woken for the next
/// region: their last barrier stands for it. The first threads of the teams of a
/// `teams` construct have no barrier, and no word for their region.
unsafe extern "C" fn implicit_task(
    endpoint: c_int,
    parallel: Data,
    task: Data,
    _parallelism: c_uint,
    _index: c_uint,
    flags: c_int,
) {
    inside(|| {
        if endpoint != BEGIN {
            // SAFETY: see above.
            let ended = unsafe { take::<Task>(task) };
            if let Some(team) = ended.iter().find_map(|task| task.team())
                && flags & INITIAL != 0
            {
                team.join.release();
            }
            return;
        }
        let team = match flags & INITIAL {
            // SAFETY: see above.
            0 => unsafe { get::<Team>(parallel) },
            _ => team::league(),
        };
        if let Some(team) = &team {
            team.fork.acquire();
        }
        // SAFETY: see above.
        unsafe { put(task, Task::implicit(team)) };
    });
}

unsafe extern "C" fn task_create(
    parent: Data,
    _frame: *const c_void,
    new: Data,
    flags: c_int,
    _depends: c_int,
    _pc: Pc,
) {
    inside(|| {
        // SAFETY: see above.
        unsafe {
            match get::<Task>(parent) {
                Some(parent) if flags & EXPLICIT != 0 => put(new, Task::explicit(&parent)),
                _ if flags & INITIAL != 0 => put(new, Task::implicit(None)),
                _ => {}
            }
        }
    });
}

unsafe extern "C" fn task_schedule(prior: Data, status: c_int, next: Data) {
    inside(|| {
        // SAFETY: see above.
        unsafe {
            if matches!(status, COMPLETE | CANCEL | LATE_FULFILL) {
                if let Some(task) = take::<Task>(prior) {
                    task.ends();
                }
            } else if let Some(task) = get::<Task>(prior) {
                match status {
                    DETACH | EARLY_FULFILL => task.ends(),
                    _ => task.left(),
                }
            }
            if let Some(task) = get::<Task>(next) {
                task.runs();
            }
        }
    });
}

/// `ompt_dependence_t`
#[repr(C)]
struct DependsOn {
    variable: u64,
    how: c_int,
}

unsafe extern "C" fn dependences(task: Data, list: *const DependsOn, count: c_int) {
    inside(|| {
        // SAFETY: see above.
        let Some(task) = (unsafe { get::<Task>(task) }) else {
            return;
        };
        for i in 0..count.max(0) as usize {
            // SAFETY: libomp's list has so many.
            let DependsOn { variable, how } = unsafe { list.add(i).read() };
            match (how, task.team()) {
                (SOURCE, Some(team)) => team.iterations.release(),
                (SINK, Some(team)) => team.iterations.acquire(),
                (IN, _) => task.depends(variable, Dependence::Reads),
                _ => task.depends(variable, Dependence::Writes),
            }
        }
    });
}

unsafe extern "C" fn sync_region(kind: c_int, endpoint: c_int, _parallel: Data, task: Data, _: Pc) {
    inside(|| {
        // SAFETY: see above.
        let Some(task) = (unsafe { get::<Task>(task) }) else {
            return;
        };
        match (kind, endpoint == BEGIN) {
            (TASKWAIT, true) | (REDUCTION, _) => {}
            (TASKWAIT, false) => task.waited(),
            (TASKGROUP, true) => task.opens_group(),
            (TASKGROUP, false) => task.closes_group(),
            (_, true) => task.arrives(),
            (_, false) => task.leaves(),
        }
    });
}

/// When the tasks of a group have ended, what they reduced is combined, and
/// only then the group is left.
unsafe extern "C" fn sync_region_wait(kind: c_int, endpoint: c_int, _: Data, task: Data, _: Pc) {
    if kind != TASKGROUP || endpoint == BEGIN {
        return;
    }
    inside(|| {
        // SAFETY: see above.
        if let Some(task) = unsafe { get::<Task>(task) } {
            task.waited_for_group();
        }
        if let Some(me) = thread::current() {
            me.may_combine();
        }
    });
}

/// Threads combine what others have in private variables, in an order that
/// libomp sees to.
unsafe extern "C" fn reduction(kind: c_int, endpoint: c_int, _: Data, _: Data, _: Pc) {
    if kind != REDUCTION {
        return;
    }
    inside(|| {
        if let Some(me) = thread::current() {
            if endpoint == BEGIN {
                combining::begins(me);
            } else {
                combining::ends(me);
            }
        }
    });
}

unsafe extern "C" fn mutex_acquired(kind: c_int, id: u64, pc: Pc) {
    let told = turns::begins(id);
    inside(|| {
        if kind == ORDERED {
            return semaphore::waited(id as usize, pc);
        }
        if !told {
            lock::handed_over(id as usize);
        }
        rwlock::write_acquired(id as usize, pc, Kind::Custom, true);
    });
}

unsafe extern "C" fn mutex_released(kind: c_int, id: u64, pc: Pc) {
    inside(|| {
        match kind {
            ORDERED => semaphore::posting(id as usize, pc),
            _ => rwlock::write_releasing(id as usize, pc),
        }
        turns::ends(id);
    });
}

unsafe extern "C" fn lock_destroy(_kind: c_int, id: u64, _pc: Pc) {
    inside(|| rwlock::forgotten(id as usize));
}
