//! libgomp's regions, barriers and critical sections.

use crate::intercept::foreign::foreign;
use crate::intercept::pthread_thread::call_start;
use crate::intercept::stub::interceptors;
use crate::intercept::{Pc, caller, hook};
use crate::lock::Kind;
use crate::omp::task::Task;
use crate::omp::team::Team;
use crate::sync::rwlock;
use crate::thread;
use alloc::sync::Arc;
use core::ffi::{c_long, c_uint, c_void};

/// The body of a region or task.
pub(super) type Function = unsafe extern "C" fn(*mut c_void);
type Pointer = *mut c_void;

/// Whose region a thread joins, and what it does there.
#[repr(C)]
struct Region {
    /// Where libgomp looks for what is reduced by tasks.
    reductions: usize,
    team: Arc<Team>,
    function: Function,
    data: Pointer,
}

/// Exchanges the calling thread's task.
pub(super) fn exchange(task: Option<Arc<Task>>) -> Option<Arc<Task>> {
    let me = thread::current()?;
    core::mem::replace(&mut me.task, task)
}

/// The calling thread's task.
pub(super) fn current() -> Option<Arc<Task>> {
    thread::current()?.task.clone()
}

/// Runs a region by `real`, which passes function and data on to the threads
/// of a new team.
fn region<R>(
    function: Function,
    data: Pointer,
    reductions: usize,
    real: impl FnOnce(Function, Pointer) -> R,
) -> R {
    let region = hook(|| {
        let team = Arc::new(Team::default());
        team.fork.release();
        Region {
            reductions,
            team,
            function,
            data,
        }
    });
    let Some(mut region) = region else {
        return real(function, data);
    };
    let result = real(take_part, (&raw mut region).cast());
    hook(|| {
        region.team.join.acquire();
        // Threads run tasks that are left after their part.
        region.team.tasks.acquire();
    });
    result
}

/// What each thread of a team does.
unsafe extern "C" fn take_part(region: Pointer) {
    // SAFETY: lives until all threads have left.
    let region = unsafe { &*region.cast::<Region>() };
    let before = hook(|| {
        region.team.fork.acquire();
        exchange(Some(Task::implicit(Some(Arc::clone(&region.team)))))
    });
    // SAFETY: as the program asked for.
    unsafe { call_start(region.function as *const c_void, region.data) };
    hook(|| {
        region.team.join.release();
        drop(exchange(before.flatten()));
    });
}

/// Waits by `real` until all threads of the team do.
pub(super) fn meet<R>(real: impl FnOnce() -> R) -> R {
    hook(|| current().map(|task| task.arrives()));
    let result = real();
    hook(|| current().map(|task| task.leaves()));
    result
}

/// Defines functions that begin a region: name, identifier, the arguments after
/// function and data.
macro_rules! regions {
    ($($name:literal $id:ident($($arg:ident: $ty:ty),*);)+) => {
        $(
            unsafe extern "C" fn $id(function: Function, data: Pointer, $($arg: $ty),*) {
                foreign! { [c"libgomp.so.1"]
                    REAL = $name: fn(Function, Pointer, $($ty),*);
                }
                let real = REAL.get();
                // SAFETY: the program's own arguments but for the first two.
                region(function, data, 0, |function, data| unsafe { real(function, data, $($arg),*) })
            }
        )+
    };
}

regions! {
    c"GOMP_parallel" parallel(threads: c_uint, flags: c_uint);
    c"GOMP_parallel_sections" parallel_sections(threads: c_uint, count: c_uint, flags: c_uint);
    c"GOMP_parallel_loop_static" parallel_static(threads: c_uint, start: c_long, end: c_long, step: c_long, chunk: c_long, flags: c_uint);
    c"GOMP_parallel_loop_dynamic" parallel_dynamic(threads: c_uint, start: c_long, end: c_long, step: c_long, chunk: c_long, flags: c_uint);
    c"GOMP_parallel_loop_guided" parallel_guided(threads: c_uint, start: c_long, end: c_long, step: c_long, chunk: c_long, flags: c_uint);
    c"GOMP_parallel_loop_nonmonotonic_dynamic" parallel_loose_dynamic(threads: c_uint, start: c_long, end: c_long, step: c_long, chunk: c_long, flags: c_uint);
    c"GOMP_parallel_loop_nonmonotonic_guided" parallel_loose_guided(threads: c_uint, start: c_long, end: c_long, step: c_long, chunk: c_long, flags: c_uint);
    c"GOMP_parallel_loop_runtime" parallel_runtime(threads: c_uint, start: c_long, end: c_long, step: c_long, flags: c_uint);
    c"GOMP_parallel_loop_nonmonotonic_runtime" parallel_loose_runtime(threads: c_uint, start: c_long, end: c_long, step: c_long, flags: c_uint);
    c"GOMP_parallel_loop_maybe_nonmonotonic_runtime" parallel_maybe_runtime(threads: c_uint, start: c_long, end: c_long, step: c_long, flags: c_uint);
    c"GOMP_teams_reg" teams(teams: c_uint, limit: c_uint, flags: c_uint);
}

unsafe extern "C" fn parallel_reductions(
    function: Function,
    data: Pointer,
    threads: c_uint,
    flags: c_uint,
) -> c_uint {
    let real = PARALLEL_REDUCTIONS.get();
    // SAFETY: the program's own arguments begin with where its reductions are.
    let reductions = unsafe { data.cast::<usize>().read() };
    // SAFETY: as above, but for the first two.
    region(function, data, reductions, |function, data| unsafe {
        real(function, data, threads, flags)
    })
}

foreign! { [c"libgomp.so.1"]
    PARALLEL_REDUCTIONS = c"GOMP_parallel_reductions": fn(Function, Pointer, c_uint, c_uint) -> c_uint;
    BARRIER = c"GOMP_barrier": fn();
    BARRIER_CANCEL = c"GOMP_barrier_cancel": fn() -> bool;
    LOOP_END = c"GOMP_loop_end": fn();
    LOOP_END_CANCEL = c"GOMP_loop_end_cancel": fn() -> bool;
    SECTIONS_END = c"GOMP_sections_end": fn();
    SECTIONS_END_CANCEL = c"GOMP_sections_end_cancel": fn() -> bool;
    COPY_START = c"GOMP_single_copy_start": fn() -> Pointer;
    COPY_END = c"GOMP_single_copy_end": fn(Pointer);
    CRITICAL_START = c"GOMP_critical_start": fn();
    CRITICAL_END = c"GOMP_critical_end": fn();
    NAMED_START = c"GOMP_critical_name_start": fn(Pointer);
    NAMED_END = c"GOMP_critical_name_end": fn(Pointer);
    ATOMIC_START = c"GOMP_atomic_start": fn();
    ATOMIC_END = c"GOMP_atomic_end": fn();
    ORDERED_START = c"GOMP_ordered_start": fn();
    ORDERED_END = c"GOMP_ordered_end": fn();
}

interceptors! {
    "GOMP_parallel" => parallel,
    "GOMP_parallel_reductions" => parallel_reductions,
    "GOMP_parallel_sections" => parallel_sections,
    "GOMP_parallel_loop_static" => parallel_static,
    "GOMP_parallel_loop_dynamic" => parallel_dynamic,
    "GOMP_parallel_loop_guided" => parallel_guided,
    "GOMP_parallel_loop_nonmonotonic_dynamic" => parallel_loose_dynamic,
    "GOMP_parallel_loop_nonmonotonic_guided" => parallel_loose_guided,
    "GOMP_parallel_loop_runtime" => parallel_runtime,
    "GOMP_parallel_loop_nonmonotonic_runtime" => parallel_loose_runtime,
    "GOMP_parallel_loop_maybe_nonmonotonic_runtime" => parallel_maybe_runtime,
    "GOMP_teams_reg" => teams,
    "GOMP_barrier" => barrier,
    "GOMP_barrier_cancel" => barrier_cancel,
    "GOMP_loop_end" => loop_end,
    "GOMP_loop_end_cancel" => loop_end_cancel,
    "GOMP_sections_end" => sections_end,
    "GOMP_sections_end_cancel" => sections_end_cancel,
    "GOMP_single_copy_start" => copy_start,
    "GOMP_single_copy_end" => copy_end,
    "GOMP_critical_start" => critical_start,
    "GOMP_critical_end" => critical_end,
    "GOMP_critical_name_start" => named_start,
    "GOMP_critical_name_end" => named_end,
    "GOMP_atomic_start" => atomic_start,
    "GOMP_atomic_end" => atomic_end,
    "GOMP_ordered_start" => ordered_start,
    "GOMP_ordered_end" => ordered_end,
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn barrier() {
    // SAFETY: see above.
    meet(|| unsafe { BARRIER.get()() })
}

extern "C" fn barrier_cancel() -> bool {
    // SAFETY: see above.
    meet(|| unsafe { BARRIER_CANCEL.get()() })
}

extern "C" fn loop_end() {
    // SAFETY: see above.
    meet(|| unsafe { LOOP_END.get()() })
}

extern "C" fn loop_end_cancel() -> bool {
    // SAFETY: see above.
    meet(|| unsafe { LOOP_END_CANCEL.get()() })
}

extern "C" fn sections_end() {
    // SAFETY: see above.
    meet(|| unsafe { SECTIONS_END.get()() })
}

extern "C" fn sections_end_cancel() -> bool {
    // SAFETY: see above.
    meet(|| unsafe { SECTIONS_END_CANCEL.get()() })
}

/// One thread gets null and makes something, which the others then get.
extern "C" fn copy_start() -> Pointer {
    // SAFETY: see above.
    let copied = unsafe { COPY_START.get()() };
    if !copied.is_null() {
        passed(|team| team.iterations.acquire());
    }
    copied
}

extern "C" fn copy_end(data: Pointer) {
    passed(|team| team.iterations.release());
    // SAFETY: see above.
    unsafe { COPY_END.get()(data) }
}

/// What one thread of the team leaves to others.
pub(super) fn passed(act: impl FnOnce(&Team)) {
    hook(|| {
        if let Some(task) = current()
            && let Some(team) = task.team()
        {
            act(team);
        }
    });
}

extern "C" fn ordered_start() {
    // SAFETY: see above.
    unsafe { ORDERED_START.get()() };
    passed(|team| team.iterations.acquire());
}

extern "C" fn ordered_end() {
    passed(|team| team.iterations.release());
    // SAFETY: see above.
    unsafe { ORDERED_END.get()() }
}

/// Stand for the locks of critical sections without name, and of operations
/// that the processor has no atomic instruction for.
static CRITICAL: u64 = 0;
static ATOMIC: u64 = 0;

fn taken(lock: usize, pc: Pc) {
    hook(|| rwlock::write_acquired(lock, pc, Kind::Custom, true));
}

fn giving_back(lock: usize, pc: Pc) {
    hook(|| rwlock::write_releasing(lock, pc));
}

extern "C" fn critical_start() {
    let pc = caller();
    // SAFETY: see above.
    unsafe { CRITICAL_START.get()() };
    taken((&raw const CRITICAL).addr(), pc);
}

extern "C" fn critical_end() {
    giving_back((&raw const CRITICAL).addr(), caller());
    // SAFETY: see above.
    unsafe { CRITICAL_END.get()() }
}

extern "C" fn named_start(name: Pointer) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { NAMED_START.get()(name) };
    taken(name.addr(), pc);
}

extern "C" fn named_end(name: Pointer) {
    giving_back(name.addr(), caller());
    // SAFETY: see above.
    unsafe { NAMED_END.get()(name) }
}

extern "C" fn atomic_start() {
    let pc = caller();
    // SAFETY: see above.
    unsafe { ATOMIC_START.get()() };
    taken((&raw const ATOMIC).addr(), pc);
}

extern "C" fn atomic_end() {
    giving_back((&raw const ATOMIC).addr(), caller());
    // SAFETY: see above.
    unsafe { ATOMIC_END.get()() }
}
