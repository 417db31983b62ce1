//! The end of the process, and its multiplication.
//!
//! The runtime has the last word on the exit code. `exit` is seen through a
//! handler registered before the program's own, so it runs after them; the
//! calls that skip handlers are intercepted. Forks are seen through
//! `pthread_atfork`, likewise as the innermost handler.

use super::children;
use super::next::next;
use super::pthread_thread::FINISHED;
use super::stub::interceptors;
use crate::{init, internal_error, os, process, signal, tls};
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};

next! {
    EXIT_NOW = c"_exit": fn(c_int) -> !;
    QUICK_EXIT = c"quick_exit": fn(c_int) -> !;
    FORK = c"fork": fn() -> c_int;
    BARE_FORK = c"_Fork": fn() -> c_int;
    CLONE = c"clone":
        fn(Function, *mut c_void, c_int, *mut c_void, Rest, Rest, Rest) -> c_int;
}

interceptors! {
    "_exit" => exit_now,
    "_Exit" => exit_now,
    "quick_exit" => quick_exit,
    "vfork" => vfork,
    "_Fork" => bare_fork,
    "clone" => clone,
}

type Handler = unsafe extern "C" fn();
type Function = unsafe extern "C" fn(*mut c_void) -> c_int;
/// An argument of `clone` that not every call has.
type Rest = *mut c_void;

// What `pthread_atfork` and `at_quick_exit` call with the caller's library;
// without one, the handlers stay for good.
unsafe extern "C" {
    fn on_exit(handler: unsafe extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    fn __cxa_at_quick_exit(
        handler: unsafe extern "C" fn(*mut c_void),
        library: *mut c_void,
    ) -> c_int;
    fn __register_atfork(
        prepare: Handler,
        parent: Handler,
        child: Handler,
        library: *mut c_void,
    ) -> c_int;
}

/// The process whose memory this is. A child that shares it (`clone` with
/// `CLONE_VM`) ends without a summary.
static OWNER: AtomicU32 = AtomicU32::new(0);
/// What `quick_exit` was given.
static QUICK_CODE: AtomicI32 = AtomicI32::new(0);
/// Value of the thread-local `inside` from before to after a fork.
const FORKING: u32 = 2;

/// Registers the handlers. A failure (no memory this early) leaves the exit
/// code to the program.
pub(super) fn start() {
    OWNER.store(os::getpid(), Ordering::Relaxed);
    let none = core::ptr::null_mut();
    // SAFETY: the handlers live as long as the process.
    unsafe {
        on_exit(at_exit, none);
        __cxa_at_quick_exit(at_quick_exit, none);
        __register_atfork(before_fork, in_parent, in_child, none);
    }
}

/// The exit code to use in place of `code`.
fn final_code(code: c_int) -> c_int {
    let is_known = init::initialised() || internal_error::is_off();
    if !is_known || os::getpid() != OWNER.load(Ordering::Relaxed) {
        return code;
    }
    let exiting = || process::exiting(code);
    // SAFETY: the block belongs to this thread.
    let wanted = if unsafe { (*tls::block()).inside } == FINISHED {
        // The last thread: libc ends the process after it.
        internal_error::caught(exiting)
    } else {
        tls::section(exiting)
    };
    match wanted {
        Some(wanted) => wanted,
        None if internal_error::is_off() => process::exiting_unchecked(code),
        None => code,
    }
}

unsafe extern "C" fn at_exit(code: c_int, _: *mut c_void) {
    let wanted = final_code(code);
    if wanted != code {
        // libc would have flushed its streams after the last handler.
        // SAFETY: null stands for all streams.
        unsafe {
            libc::fflush(core::ptr::null_mut());
            EXIT_NOW.get()(wanted)
        }
    }
}

unsafe extern "C" fn at_quick_exit(_: *mut c_void) {
    let code = QUICK_CODE.load(Ordering::Relaxed);
    let wanted = final_code(code);
    if wanted != code {
        // SAFETY: does not return.
        unsafe { EXIT_NOW.get()(wanted) }
    }
}

extern "C" fn exit_now(code: c_int) -> ! {
    // SAFETY: does not return.
    unsafe { EXIT_NOW.get()(final_code(code)) }
}

extern "C" fn quick_exit(code: c_int) -> ! {
    QUICK_CODE.store(code, Ordering::Relaxed);
    // SAFETY: does not return.
    unsafe { QUICK_EXIT.get()(code) }
}

/// From here on until after the fork other libraries' handlers may run, while
/// the runtime holds still: their calls are left alone.
unsafe extern "C" fn before_fork() {
    if init::initialised()
        && let Some(inside) = tls::enter()
        && internal_error::caught(forking).is_some()
    {
        core::mem::forget(inside);
        // SAFETY: the block belongs to this thread.
        unsafe { (*tls::block()).inside = FORKING };
    }
}

fn forking() {
    children::making();
    process::before_fork();
}

fn after_fork(hook: impl FnOnce()) {
    let block = tls::block();
    // SAFETY: the block belongs to this thread.
    unsafe {
        if (*block).inside == FORKING {
            internal_error::caught(hook);
            signal::deliver::left();
        }
    }
}

unsafe extern "C" fn in_parent() {
    after_fork(process::after_fork_parent);
}

unsafe extern "C" fn in_child() {
    OWNER.store(os::getpid(), Ordering::Relaxed);
    after_fork(process::after_fork_child);
}

/// A child that borrows the parent's memory would write to the parent's
/// shadow and records. POSIX lets `vfork` be `fork`.
extern "C" fn vfork() -> c_int {
    // SAFETY: takes no arguments.
    unsafe { FORK.get()() }
}

/// `_Fork` runs no handlers.
extern "C" fn bare_fork() -> c_int {
    // SAFETY: the handlers, in their order.
    unsafe {
        before_fork();
        let child = BARE_FORK.get()();
        if child == 0 {
            in_child();
        } else {
            in_parent();
        }
        child
    }
}

/// What a process made by `clone` is to do.
struct Start {
    function: Function,
    argument: *mut c_void,
}

unsafe extern "C" fn run_in_child(start: *mut c_void) -> c_int {
    // SAFETY: the child has a copy of the frame that holds it.
    unsafe {
        let Start { function, argument } = start.cast::<Start>().read();
        in_child();
        function(argument)
    }
}

/// `clone` without shared memory is a fork that runs no handlers; with it, it
/// makes a thread or a process that borrows this one's memory, and is left
/// alone.
unsafe extern "C" fn clone(
    function: Function,
    stack: *mut c_void,
    flags: c_int,
    argument: *mut c_void,
    parent_id: Rest,
    tls: Rest,
    child_id: Rest,
) -> c_int {
    let real = CLONE.get();
    if flags & libc::CLONE_VM != 0 {
        // SAFETY: the program's own arguments.
        return unsafe { real(function, stack, flags, argument, parent_id, tls, child_id) };
    }
    let mut start = Start { function, argument };
    // SAFETY: as above, but for function and argument; the handlers, in their
    // order.
    unsafe {
        before_fork();
        let start = (&raw mut start).cast();
        let child = real(run_in_child, stack, flags, start, parent_id, tls, child_id);
        in_parent();
        child
    }
}
