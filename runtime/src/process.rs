//! The process as a whole: its end, and its copies.
//!
//! A forked child has one thread, and everything that any thread of the parent
//! did happened before whatever the child will do: it starts with an empty
//! shadow. So that the rest of what it inherits is in order, the forking thread
//! takes the runtime's locks first. What cannot be waited for, sync objects
//! under change, is put in order in the child.

use crate::spin::SpinLock;
use crate::tsan::hook;
use crate::{
    annotate, api, arena, ceiling, clock, descriptor, engine, intercept, live, loaded, lock, log,
    omp, options, os, report, rewritten, shadow, slot, spans, suppress, sync, thread, tsan,
};

/// Reports wait while the process forks.
static PAUSED: SpinLock<Option<report::Paused>> = SpinLock::new(None);

/// The process is about to exit with `code`: says what was found, and gives
/// the code to exit with.
pub fn exiting(code: i32) -> i32 {
    live::status::exiting();
    annotate::process_ending();
    lock::order::process_ending();
    thread::leak::process_ending();
    let wanted = report::finish(code);
    match hook::on_finalize(wanted != code) {
        true if wanted == code && code == 0 => options::get().exitcode,
        true => wanted,
        false => code,
    }
}

/// As [`exiting`], in a process whose runtime has switched itself off.
pub fn exiting_unchecked(code: i32) -> i32 {
    live::status::exiting();
    report::finish_unchecked(code)
}

/// About to fork. Locks are taken in the order in which their holders take
/// others.
pub fn before_fork() {
    *PAUSED.lock() = Some(report::pause());
    omp::before_fork();
    ceiling::before_fork();
    log::reclaim::before_fork();
    rewritten::before_fork();
    tsan::before_fork();
    intercept::before_fork();
    annotate::before_fork();
    api::before_fork();
    suppress::before_fork();
    descriptor::before_fork();
    lock::before_fork();
    sync::barrier::before_fork();
    sync::table::before_fork();
    thread::before_fork();
    slot::before_fork();
    log::stash::before_fork();
    shadow::cell::before_fork();
    shadow::planes::before_fork();
    clock::before_fork();
    loaded::before_fork();
    arena::ARENA.before_fork();
    os::area_before_fork();
}

/// Forked; this is the parent.
pub fn after_fork_parent() {
    open();
    *PAUSED.lock() = None;
}

/// Forked; this is the child, with only the calling thread left.
pub fn after_fork_child() {
    open();
    // SAFETY: no other thread exists here.
    unsafe { sync::table::reset_held() };
    shadow::forget_all();
    spans::forget_all();
    engine::forget_joins();
    thread::alone_in_child();
    lock::alone_in_child();
    omp::alone_in_child();
    intercept::alone_in_child();
    live::alone_in_child();
    annotate::alone_in_child();
    if let Some(paused) = PAUSED.lock().take() {
        paused.alone_in_child();
    }
}

fn open() {
    // SAFETY: taken by `before_fork`.
    unsafe {
        os::area_after_fork();
        arena::ARENA.after_fork();
        loaded::after_fork();
        clock::after_fork();
        api::after_fork();
        annotate::after_fork();
        suppress::after_fork();
        descriptor::after_fork();
        shadow::cell::after_fork();
        shadow::planes::after_fork();
        log::stash::after_fork();
        slot::after_fork();
        thread::after_fork();
        sync::table::after_fork();
        sync::barrier::after_fork();
        lock::after_fork();
        intercept::after_fork();
        tsan::after_fork();
        rewritten::after_fork();
        log::reclaim::after_fork();
        ceiling::after_fork();
        omp::after_fork();
    }
}
