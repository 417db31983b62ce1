//! Interceptors: libc functions the runtime stands in front of.
//!
//! Each is a stub under libc's name ([`stub`]), an implementation that tells
//! the detector what happens, and the real function ([`next`]). The hooks run
//! in short sections inside the runtime (see [`crate::tls::enter`]); the real
//! function runs outside of them whenever it may block, be cancelled, or call
//! back into the program. A call that arrives while the thread is inside
//! already, or before the runtime has started, goes straight to libc.
//!
//! No frame here owns anything with a destructor across a call that a thread
//! cancellation or a C++ exception may unwind.

mod absl;
mod aio;
mod attempt;
mod barrier;
mod boost;
mod c11;
mod callbacks;
mod callers;
mod checked_results;
mod children;
mod cond;
mod context;
mod copy;
mod crypt;
mod cxx_barrier;
mod cxx_exception;
mod cxx_future;
mod cxx_static;
mod cxx_thread;
mod environment;
mod exec;
mod foreign;
mod glib;
mod glib_bits;
mod glib_dispatch;
mod glib_loop;
mod grpc;
mod guard;
mod iconv;
mod io;
mod jump;
mod library;
mod library_cond;
pub(crate) mod lifetime;
mod loader;
mod malloc;
mod mathematics;
mod mmap;
mod mutex;
mod next;
mod notified;
mod once;
mod open;
mod openmp;
mod own_stack;
mod patterns;
mod process;
mod pthread_thread;
mod qt;
mod random;
mod results;
mod rwlock;
mod sdl;
mod search;
mod semaphore;
mod shares;
mod signal;
mod signal_sets;
mod sleep;
mod sort;
mod spawn;
mod spin;
mod static_buffers;
mod static_state;
mod stdio;
pub(crate) mod stub;
mod system_v;
mod tbb;
mod text;
mod thunks;
mod timer;
mod variadic;
mod wrapped;
mod zmq;

use crate::init;
use crate::os::Errno;
use crate::tls;

pub(crate) use callers::{has_checks, is_cxx_library, is_instrumented, is_unchecked_library};
pub use copy::{copy, fill, shift};
#[cfg(not(test))]
pub(crate) use malloc::brought::redirect_libraries;
pub use malloc::{Block, find_block};
pub use own_stack::own_stack;
pub use pthread_thread::{bottom_address, watch_end};
pub(crate) use qt::End as QtEnd;
pub(crate) use signal::{listen, reset as reset_signal};
pub(crate) use stub::is_stub;

/// A code address.
type Pc = usize;

/// Where the interceptor running now was called from. To be read first thing.
#[inline(always)]
fn caller() -> Pc {
    // SAFETY: the block belongs to this thread.
    unsafe { (*tls::block()).caller }
}

/// Runs `hook` inside the runtime; `None` if this call is to be left alone.
#[inline(always)]
fn hook<R>(hook: impl FnOnce() -> R) -> Option<R> {
    // SAFETY: the block belongs to this thread.
    if !init::initialised() || unsafe { (*tls::block()).ignore } != 0 {
        return None;
    }
    tls::section(hook)
}

/// As [`hook`], whether or not the thread ignores what it does: for memory
/// that changes hands, where what was recorded about the earlier owner must go
/// in any case.
#[inline(always)]
fn section<R>(f: impl FnOnce() -> R) -> Option<R> {
    if init::initialised() {
        tls::section(f)
    } else {
        None
    }
}

/// Runs libc code whose own calls to intercepted functions are its private
/// affair. Not for code that may block for long or unwind.
#[inline(always)]
fn unseen<R>(libc_code: impl FnOnce() -> R) -> R {
    let _inside = tls::enter();
    libc_code()
}

/// Prepares the interceptors: to be called once, by the thread that starts the
/// runtime, after the shadow has been reserved and before the runtime calls
/// itself initialised.
pub fn start() -> Result<(), Errno> {
    aio::look_up_all();
    barrier::look_up_all();
    c11::look_up_all();
    checked_results::look_up_all();
    children::look_up_all();
    exec::look_up_all();
    cond::look_up_all();
    context::look_up_all();
    copy::look_up_all();
    cxx_thread::look_up_all();
    environment::look_up();
    guard::look_up_all();
    iconv::look_up_all();
    io::look_up_all();
    loader::look_up_all();
    open::look_up_all();
    jump::look_up_all();
    malloc::look_up_all();
    mathematics::look_up_all();
    mmap::look_up_all();
    mutex::look_up_all();
    once::look_up_all();
    patterns::look_up_all();
    process::look_up_all();
    pthread_thread::look_up_all();
    random::look_up_all();
    results::look_up_all();
    rwlock::look_up_all();
    search::look_up_all();
    semaphore::look_up_all();
    signal::look_up_both();
    signal_sets::look_up_all();
    sleep::look_up_all();
    sort::look_up_all();
    spawn::look_up_all();
    spin::look_up_all();
    static_buffers::look_up_all();
    static_state::look_up_all();
    stdio::look_up_all();
    system_v::look_up_all();
    text::look_up_all();
    timer::look_up_all();
    malloc::start()?;
    pthread_thread::start()?;
    process::start();
    Ok(())
}

/// Keeps everybody else out of the interceptors' tables until the process has
/// forked.
pub(crate) fn before_fork() {
    grpc::before_fork();
    glib_dispatch::before_fork();
    tbb::before_fork();
    qt::before_fork();
    context::before_fork();
}

/// Opens the tables after a fork, in parent and child.
///
/// # Safety
/// As [`crate::spin::SpinLock::force_unlock`].
pub(crate) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        context::after_fork();
        qt::after_fork();
        tbb::after_fork();
        glib_dispatch::after_fork();
        grpc::after_fork();
    }
}

/// In a forked child: what the other threads were about to do is not done.
pub(crate) fn alone_in_child() {
    shares::alone_in_child();
}

/// Sets the program's `errno`.
#[cold]
fn set_errno(value: i32) {
    // SAFETY: the address is this thread's own.
    unsafe { *libc::__errno_location() = value };
}

#[cfg(test)]
fn all_names() -> Vec<&'static str> {
    [
        crate::annotate::NAMES,
        crate::api::NAMES,
        crate::annotate::VALGRIND_NAMES,
        crate::internal_error::NAMES,
        crate::sync::atomic::LIBRARY_NAMES,
        crate::sync::atomic::NAMES,
        aio::NAMES,
        barrier::NAMES,
        boost::NAMES,
        c11::NAMES,
        checked_results::NAMES,
        children::NAMES,
        exec::NAMES,
        exec::LIST_NAMES,
        cond::NAMES,
        context::NAMES,
        copy::NAMES,
        crypt::NAMES,
        cxx_barrier::NAMES,
        cxx_exception::NAMES,
        cxx_future::NAMES,
        cxx_thread::NAMES,
        environment::NAMES,
        glib::NAMES,
        glib_bits::NAMES,
        glib_loop::NAMES,
        grpc::NAMES,
        guard::NAMES,
        iconv::NAMES,
        loader::NAMES,
        jump::NAMES,
        malloc::NAMES,
        malloc::CXX_NAMES,
        mmap::NAMES,
        mutex::NAMES,
        crate::omp::NAMES,
        once::NAMES,
        open::NAMES,
        patterns::NAMES,
        process::NAMES,
        pthread_thread::NAMES,
        qt::NAMES,
        qt::ENGINE_NAMES,
        qt::EVENT_NAMES,
        qt::FUTURE_NAMES,
        qt::LOOP_NAMES,
        qt::POOL_NAMES,
        qt::SHARED_NAMES,
        random::NAMES,
        results::NAMES,
        results::status::NAMES,
        rwlock::NAMES,
        tbb::NAMES,
        tbb::LOCK_NAMES,
        tbb::PIPELINE_NAMES,
        sdl::NAMES,
        search::NAMES,
        semaphore::NAMES,
        shares::NAMES,
        signal_sets::NAMES,
        sleep::NAMES,
        sort::NAMES,
        spawn::NAMES,
        spin::NAMES,
        static_buffers::NAMES,
        static_state::NAMES,
        system_v::NAMES,
        timer::NAMES,
        zmq::NAMES,
    ]
    .iter()
    .chain(&crate::tsan::names())
    .chain(absl::NAMES)
    .chain(io::NAMES)
    .chain(mathematics::NAMES)
    .chain(openmp::ALL_NAMES)
    .chain(signal::ALL_NAMES)
    .chain(stdio::NAMES)
    .chain(text::NAMES)
    .flat_map(|table| table.iter().map(|(name, _)| *name))
    .collect()
}
