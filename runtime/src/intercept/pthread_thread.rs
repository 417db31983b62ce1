//! pthreads: creation, end, join.
//!
//! The end of a thread is seen through the destructor of a thread-specific
//! key, which pthread_exit and cancellation run as well. It asks to be run
//! again until the last of libc's rounds, so the program's own destructors
//! come first.

use super::library::{Call, is_watched};
use super::next::next;
use super::stub::{code_of, interceptors};
use super::{caller, hook, unseen};
use crate::internal_error;
use crate::lock::invalid::{Refused, refused};
use crate::lock::wait;
use crate::os::Errno;
use crate::spin::SpinLock;
use crate::thread::{self, Thread};
use crate::{init, os, tls};
use alloc::sync::Arc;
use core::arch::global_asm;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU32, Ordering};
use libc::{pthread_attr_t, pthread_t, timespec};

/// libc's rounds of key destructors (`PTHREAD_DESTRUCTOR_ITERATIONS`).
const DESTRUCTOR_ROUNDS: usize = 4;
/// Smallest stack of a thread: checks and hooks need some room beyond the
/// `PTHREAD_STACK_MIN` a frugal program may ask for.
const MIN_STACK: usize = 256 << 10;

unsafe extern "C" {
    fn pthread_attr_getdetachstate(attr: *const pthread_attr_t, state: *mut c_int) -> c_int;
}

/// Value of the thread-local `inside` after the end of a thread.
pub(super) const FINISHED: u32 = 3;

type Start = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

next! {
    CREATE = c"pthread_create":
        fn(*mut pthread_t, *const pthread_attr_t, Start, *mut c_void) -> c_int;
    JOIN = c"pthread_join": fn(pthread_t, *mut *mut c_void) -> c_int;
    TRYJOIN = c"pthread_tryjoin_np": fn(pthread_t, *mut *mut c_void) -> c_int;
    TIMEDJOIN = c"pthread_timedjoin_np":
        fn(pthread_t, *mut *mut c_void, *const timespec) -> c_int;
    CLOCKJOIN = c"pthread_clockjoin_np":
        fn(pthread_t, *mut *mut c_void, c_int, *const timespec) -> c_int;
    DETACH = c"pthread_detach": fn(pthread_t) -> c_int;
    SETNAME = c"pthread_setname_np": fn(pthread_t, *const c_char) -> c_int;
}

interceptors! {
    "pthread_create" => create,
    "pthread_join" => join,
    "pthread_tryjoin_np" => tryjoin,
    "pthread_timedjoin_np" => timedjoin,
    "pthread_clockjoin_np" => clockjoin,
    "pthread_detach" => detach,
    "pthread_setname_np" => setname,
}

/// The key whose destructor sees threads end, plus one; 0 until made.
static END_KEY: AtomicU32 = AtomicU32::new(0);

/// Makes the key. As early as possible: destructors run in the order of keys.
pub(super) fn start() -> Result<(), Errno> {
    let mut key = 0;
    // SAFETY: a new key.
    match unsafe { libc::pthread_key_create(&mut key, Some(ending)) } {
        0 => {
            END_KEY.store(key + 1, Ordering::Release);
            Ok(())
        }
        error => Err(Errno(error)),
    }
}

/// Arranges for [`thread::finish`] to be called when this thread ends.
///
/// Threads made by an intercepted call have this already.
pub fn watch_end() {
    arm(DESTRUCTOR_ROUNDS);
}

fn arm(rounds: usize) {
    if let Some(key) = END_KEY.load(Ordering::Acquire).checked_sub(1) {
        // A failure (no memory for the table of keys) leaves the thread to end
        // unseen.
        // SAFETY: the key exists.
        unsafe { libc::pthread_setspecific(key, rounds as *const c_void) };
    }
}

unsafe extern "C" fn ending(rounds: *mut c_void) {
    let rounds = rounds as usize;
    if rounds > 1 {
        unseen(|| arm(rounds - 1));
    } else if let Some(inside) = tls::enter() {
        let finished = internal_error::caught(|| {
            if let Some(end) = thread::current().and_then(|me| me.end.take()) {
                end.comes();
            }
            thread::finish();
        });
        if finished.is_none() {
            thread::registry::withdraw();
        }
        // From here on the thread is libc's alone.
        core::mem::forget(inside);
        // SAFETY: the block belongs to this thread.
        unsafe { (*tls::block()).inside = FINISHED };
    }
}

/// What a new thread is to do, shared by the thread and its creator.
struct Launch<F> {
    thread: *mut Thread,
    start: F,
    argument: *mut c_void,
    /// The signals it has blocked as soon as it is known: a handler that ran
    /// before would be nobody's.
    signals: u64,
    /// Has the new thread made itself known? From then on it may end any time,
    /// and its record with it.
    started: SpinLock<bool>,
}

/// Creates a thread, watched from its first to its last step. `real` creates
/// one that calls [`launched`] with the given argument, and `id` says which
/// one it became. `None` if the call is to be left alone.
pub(super) fn create_watched<F: Copy>(
    pc: usize,
    detached: bool,
    start: F,
    argument: *mut c_void,
    real: impl FnOnce(*mut c_void) -> c_int,
    id: impl FnOnce() -> pthread_t,
) -> Option<c_int> {
    let signals = os::block_signals();
    let launch = hook(|| {
        let launch = Arc::new(Launch {
            signals: signals.before(),
            thread: thread::create_begin(pc, detached),
            start,
            argument,
            started: SpinLock::new(false),
        });
        (Arc::into_raw(Arc::clone(&launch)), launch)
    });
    let (childs, launch) = launch?;
    let result = unseen(|| real(childs.cast_mut().cast()));
    hook(|| {
        if result != 0 {
            // SAFETY: no thread was made that could own it.
            drop(unsafe { Arc::from_raw(childs) });
            thread::create_failed(launch.thread);
        } else {
            let started = launch.started.lock();
            if !*started {
                thread::created(launch.thread, id());
            }
        }
        drop(launch);
    });
    Some(result)
}

/// The first step of a new thread: makes it known and returns what the
/// program wanted it to do.
///
/// # Safety
/// `launch` must be what [`create_watched`] passed on, with the same `F`.
pub(super) unsafe fn launched<F: Copy>(launch: *mut c_void) -> (F, *mut c_void) {
    let launch = launch.cast_const().cast::<Launch<F>>();
    // SAFETY: passed on by `create_watched`; the thread has a share of it.
    let Launch {
        start,
        argument,
        signals,
        ..
    } = unsafe { &*launch };
    let (start, argument, signals) = (*start, *argument, *signals);
    tls::section(|| {
        // SAFETY: as above, to this thread alone.
        let launch = unsafe { Arc::from_raw(launch) };
        watch_end();
        // SAFETY: takes no arguments.
        let me = unsafe { libc::pthread_self() };
        let (low, high) = super::own_stack();
        let mut started = launch.started.lock();
        thread::child_start(launch.thread, me, low, high);
        if let Some(me) = thread::current() {
            me.end = super::qt::end_of(argument.addr());
        }
        *started = true;
    });
    os::unblock_signals(signals);
    (start, argument)
}

unsafe extern "C" fn run(launch: *mut c_void) -> *mut c_void {
    // SAFETY: `create` passed it on.
    let (start, argument) = unsafe { launched::<Start>(launch) };
    // SAFETY: as the program asked for; a pointer is a pointer.
    unsafe { call_start(start as *const c_void, argument) }
}

// Calls a thread's function from a known address, so that stacks can end with
// that function. Exceptions and cancellation unwind through it.
global_asm!(
    ".pushsection .text.__racert_call_start,\"ax\",@progbits",
    ".p2align 4",
    ".globl __racert_call_start",
    ".hidden __racert_call_start",
    ".type __racert_call_start, @function",
    ".globl __racert_start_returned",
    ".hidden __racert_start_returned",
    "__racert_call_start:",
    ".cfi_startproc",
    "sub rsp, 8",
    ".cfi_adjust_cfa_offset 8",
    "mov rax, rdi",
    "mov rdi, rsi",
    "call rax",
    "__racert_start_returned:",
    "add rsp, 8",
    ".cfi_adjust_cfa_offset -8",
    "ret",
    ".cfi_endproc",
    ".size __racert_call_start, . - __racert_call_start",
    ".popsection",
);

unsafe extern "C" {
    #[link_name = "__racert_call_start"]
    pub(super) fn call_start(start: *const c_void, argument: *mut c_void) -> *mut c_void;
    #[link_name = "__racert_start_returned"]
    static START_RETURNED: u8;
}

/// Where threads' functions return to: below it there is only the runtime.
pub fn bottom_address() -> u64 {
    (&raw const START_RETURNED).addr() as u64
}

fn is_detached(attr: &pthread_attr_t) -> bool {
    let mut state = 0;
    // SAFETY: initialised attributes.
    unsafe { pthread_attr_getdetachstate(attr, &mut state) };
    state == libc::PTHREAD_CREATE_DETACHED
}

/// A copy of `attr` with a stack that is large enough, unless it is already or
/// the program brings its own.
fn with_larger_stack(attr: &pthread_attr_t) -> Option<pthread_attr_t> {
    let (mut low, mut size) = (null_mut(), 0);
    // SAFETY: initialised attributes. The copy shares what they point to, and
    // lives for one call that only reads it.
    unsafe {
        libc::pthread_attr_getstack(attr, &mut low, &mut size);
        // Without a stack of the program's own the address is "0 - size".
        let own_stack = (low as usize).wrapping_add(size) != 0;
        if own_stack || size == 0 || size >= MIN_STACK {
            return None;
        }
        let mut larger = core::ptr::read(attr);
        libc::pthread_attr_setstacksize(&mut larger, MIN_STACK);
        Some(larger)
    }
}

unsafe extern "C" fn create(
    out: *mut pthread_t,
    attr: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    let pc = caller();
    let real = CREATE.get();
    init::ensure();
    // SAFETY: null or initialised attributes.
    let given = unsafe { attr.as_ref() };
    let larger = given.and_then(with_larger_stack);
    let attr = larger.as_ref().map_or(attr, |larger| &raw const *larger);
    create_watched(
        pc,
        given.is_some_and(is_detached),
        start,
        argument,
        // SAFETY: the program's own arguments but for start and argument.
        |launch| unsafe { real(out, attr, run, launch) },
        // SAFETY: libc has filled it.
        || unsafe { *out },
    )
    // SAFETY: the program's own arguments.
    .unwrap_or_else(|| unsafe { real(out, attr, start, argument) })
}

/// Joins by `real`. The thread is looked up first: afterwards libc may give
/// its id to a new one.
#[inline(always)]
pub(super) fn join_by(
    id: pthread_t,
    pc: usize,
    waits: bool,
    real: impl FnOnce() -> c_int,
) -> c_int {
    let thread = hook(|| {
        let thread = thread::find(id)?;
        if waits && let Some(me) = thread::listening() {
            // SAFETY: the program's pthread_t is valid, so the record is.
            wait::joining(me, unsafe { &*thread }, pc);
        }
        Some(thread)
    })
    .flatten();
    let result = real();
    if waits && thread.is_some() {
        hook(|| thread::current().map(wait::done));
    }
    if result == 0
        && let Some(thread) = thread
    {
        hook(|| thread::joined(thread, pc));
    }
    result
}

/// Detaches by `real`.
pub(super) fn detach_by(id: pthread_t, real: impl FnOnce() -> c_int) -> c_int {
    let thread = hook(|| thread::find(id)).flatten();
    let result = real();
    if result == 0
        && let Some(thread) = thread
    {
        hook(|| thread::detached(thread));
    }
    result
}

// SAFETY of the calls below: the program's own arguments.

extern "C" fn join(id: pthread_t, value: *mut *mut c_void) -> c_int {
    let pc = caller();
    let real = JOIN.get();
    // SAFETY: see above.
    let result = join_by(id, pc, true, || unsafe { real(id, value) });
    let why = match result {
        libc::EINVAL => "it was detached, or another thread joins it",
        libc::ESRCH => "there is no such thread, or it was joined",
        _ => return result,
    };
    refused_thread("pthread_join", id, pc, why);
    result
}

extern "C" fn tryjoin(id: pthread_t, value: *mut *mut c_void) -> c_int {
    let real = TRYJOIN.get();
    // SAFETY: see above.
    join_by(id, 0, false, || unsafe { real(id, value) })
}

extern "C" fn timedjoin(
    id: pthread_t,
    value: *mut *mut c_void,
    deadline: *const timespec,
) -> c_int {
    let real = TIMEDJOIN.get();
    // SAFETY: see above.
    join_by(id, 0, false, || unsafe { real(id, value, deadline) })
}

extern "C" fn clockjoin(
    id: pthread_t,
    value: *mut *mut c_void,
    clock: c_int,
    deadline: *const timespec,
) -> c_int {
    let real = CLOCKJOIN.get();
    // SAFETY: see above.
    join_by(id, 0, false, || unsafe { real(id, value, clock, deadline) })
}

extern "C" fn detach(id: pthread_t) -> c_int {
    let pc = caller();
    let real = DETACH.get();
    // SAFETY: see above.
    let result = detach_by(id, || unsafe { real(id) });
    let why = match result {
        libc::EINVAL => "it was detached already",
        libc::ESRCH => "there is no such thread, or it was joined",
        _ => return result,
    };
    refused_thread("pthread_detach", id, pc, why);
    result
}

#[cold]
fn refused_thread(function: &'static str, id: pthread_t, pc: usize, why: &'static str) {
    hook(|| {
        refused(&Refused {
            function,
            noun: "thread",
            address: id as usize,
            pc,
            why,
        });
    });
}

unsafe extern "C" fn setname(id: pthread_t, name: *const c_char) -> c_int {
    let call = Call::new(caller(), code_of!("pthread_setname_np"));
    if is_watched() {
        call.check(|touches| touches.reads_text(name));
    }
    // SAFETY: see above.
    let result = unsafe { SETNAME.get()(id, name) };
    if result == 0 {
        hook(|| {
            if let Some(thread) = thread::find(id) {
                // SAFETY: libc accepted it as a C string.
                thread::set_name(thread, unsafe { CStr::from_ptr(name) }.to_bytes());
            }
        });
    }
    result
}
