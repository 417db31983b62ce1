//! The functions themselves.
//!
//! Weak like the interceptors: a program that brings functions of these names
//! (many carry empty ones for builds without a detector) links without a
//! clash.

use super::ignore::{begin, end};
use super::{What, queue, ranges};
use crate::intercept::stub::interceptors;
use crate::lock::Kind;
use crate::shadow::{clear, scan};
use crate::sync::{mutex, rwlock, semaphore};
use crate::thread::{self, Thread};
use crate::{heap, init, tls};
use alloc::borrow::Cow;
use core::ffi::{CStr, c_char, c_int, c_long, c_ulong};
use racert_abi::{SHADOW_OFFSET, SHADOW_XOR};

interceptors! {
    "AnnotateHappensBefore" => happens_before,
    "AnnotateHappensAfter" => happens_after,
    "WTFAnnotateHappensBefore" => happens_before,
    "WTFAnnotateHappensAfter" => happens_after,
    "AnnotateCondVarSignal" => happens_before,
    "AnnotateCondVarSignalAll" => happens_before,
    "AnnotateCondVarWait" => condvar_wait,
    "AnnotateRWLockCreate" => lock_created,
    "AnnotateRWLockCreateStatic" => lock_is_static,
    "AnnotateRWLockDestroy" => lock_destroyed,
    "AnnotateRWLockAcquired" => lock_acquired,
    "AnnotateRWLockReleased" => lock_released,
    "AnnotateMutexIsUsedAsCondVar" => mutex_orders,
    "AnnotateMutexIsNotPHB" => mutex_does_not_order,
    "AnnotateIgnoreReadsBegin" => ignore_reads_begin,
    "AnnotateIgnoreReadsEnd" => ignore_reads_end,
    "AnnotateIgnoreWritesBegin" => ignore_writes_begin,
    "AnnotateIgnoreWritesEnd" => ignore_writes_end,
    "AnnotateIgnoreReadsAndWritesBegin" => ignore_both_begin,
    "AnnotateIgnoreReadsAndWritesEnd" => ignore_both_end,
    "AnnotateIgnoreSyncBegin" => ignore_sync_begin,
    "AnnotateIgnoreSyncEnd" => ignore_sync_end,
    "AnnotateBenignRace" => benign_race,
    "AnnotateBenignRaceSized" => benign_race_sized,
    "WTFAnnotateBenignRaceSized" => benign_race_sized,
    "AnnotateExpectRace" => expect_race,
    "AnnotateFlushExpectedRaces" => flush_expected_races,
    "AnnotateEnableRaceDetection" => enable_race_detection,
    "AnnotateNewMemory" => new_memory,
    "AnnotatePublishMemoryRange" => forget_accesses,
    "AnnotateUnpublishMemoryRange" => forget_accesses,
    "AnnotateFlushState" => flush_state,
    "AnnotatePCQCreate" => queue_reset,
    "AnnotatePCQDestroy" => queue_reset,
    "AnnotatePCQPut" => queue_put,
    "AnnotatePCQGet" => queue_get,
    "AnnotateThreadName" => thread_name,
    "AnnotateTraceMemory" => nothing,
    "AnnotateMemoryIsInitialized" => nothing,
    "AnnotateMemoryIsUninitialized" => nothing,
    "AnnotateNoOp" => nothing,
    "RunningOnValgrind" => running_on_valgrind,
    "ValgrindSlowdown" => slowdown,
    "ThreadSanitizerQuery" => query,
}

type File = *const c_char;

/// Runs `f` inside the runtime with the place of the annotation, unless the
/// thread is there already.
#[inline]
fn inside(f: impl FnOnce(usize)) {
    let pc = tls::caller();
    init::ensure();
    tls::section(move || f(pc));
}

#[inline]
fn with_thread(f: impl FnOnce(&mut Thread, usize)) {
    inside(|pc| {
        if let Some(me) = thread::current() {
            f(me, pc);
        }
    });
}

/// An annotation that says what racert knows without it: its reports name both
/// accesses whether or not their memory is traced.
extern "C" fn nothing() {}

extern "C" fn mutex_orders(_: File, _: c_int, lock: usize) {
    inside(|_| mutex::set_ordering(lock, true));
}

extern "C" fn mutex_does_not_order(_: File, _: c_int, lock: usize) {
    inside(|_| mutex::set_ordering(lock, false));
}

extern "C" fn happens_before(_: File, _: c_int, object: usize) {
    inside(|pc| semaphore::posting(object, pc));
}

extern "C" fn happens_after(_: File, _: c_int, object: usize) {
    inside(|pc| semaphore::waited(object, pc));
}

extern "C" fn condvar_wait(_: File, _: c_int, condvar: usize, _lock: usize) {
    inside(|pc| semaphore::waited(condvar, pc));
}

extern "C" fn lock_created(_: File, _: c_int, lock: usize) {
    inside(|pc| rwlock::created(lock, pc, Kind::Custom));
}

extern "C" fn lock_is_static(_: File, _: c_int, lock: usize) {
    inside(|pc| rwlock::permanent(lock, pc));
}

extern "C" fn lock_destroyed(_: File, _: c_int, lock: usize) {
    inside(|pc| {
        rwlock::destroying(lock, pc, Kind::Custom);
        rwlock::forgotten(lock);
    });
}

extern "C" fn lock_acquired(_: File, _: c_int, lock: usize, is_write: c_long) {
    inside(|pc| match is_write {
        0 => rwlock::read_acquired(lock, pc, Kind::Custom, true),
        _ => rwlock::write_acquired(lock, pc, Kind::Custom, true),
    });
}

extern "C" fn lock_released(_: File, _: c_int, lock: usize, is_write: c_long) {
    inside(|pc| match is_write {
        0 => rwlock::read_releasing(lock, pc),
        _ => rwlock::write_releasing(lock, pc),
    });
}

extern "C" fn ignore_reads_begin(_: File, _: c_int) {
    with_thread(|me, pc| begin(me, What::Reads, pc));
}

extern "C" fn ignore_reads_end(_: File, _: c_int) {
    with_thread(|me, pc| end(me, What::Reads, pc));
}

extern "C" fn ignore_writes_begin(_: File, _: c_int) {
    with_thread(|me, pc| begin(me, What::Writes, pc));
}

extern "C" fn ignore_writes_end(_: File, _: c_int) {
    with_thread(|me, pc| end(me, What::Writes, pc));
}

extern "C" fn ignore_both_begin(_: File, _: c_int) {
    with_thread(|me, pc| {
        begin(me, What::Reads, pc);
        begin(me, What::Writes, pc);
    });
}

extern "C" fn ignore_both_end(_: File, _: c_int) {
    with_thread(|me, pc| {
        end(me, What::Writes, pc);
        end(me, What::Reads, pc);
    });
}

extern "C" fn ignore_sync_begin(_: File, _: c_int) {
    with_thread(|me, pc| begin(me, What::Synchronisation, pc));
}

extern "C" fn ignore_sync_end(_: File, _: c_int) {
    with_thread(|me, pc| end(me, What::Synchronisation, pc));
}

extern "C" fn benign_race(_: File, _: c_int, addr: usize, _why: *const c_char) {
    inside(|_| ranges::add_benign(addr..addr.saturating_add(1), true));
}

extern "C" fn benign_race_sized(
    _: File,
    _: c_int,
    addr: usize,
    size: c_ulong,
    _why: *const c_char,
) {
    inside(|_| ranges::add_benign(addr..addr.saturating_add(size as usize), false));
}

extern "C" fn expect_race(_: File, _: c_int, addr: usize, why: *const c_char) {
    with_thread(|me, pc| {
        let stack = me.stack_id(pc);
        ranges::add_expected(addr..addr.saturating_add(1), &text(why), stack);
    });
}

extern "C" fn flush_expected_races(_: File, _: c_int) {
    inside(|_| ranges::report_unmet());
}

extern "C" fn enable_race_detection(_: File, _: c_int, enable: c_int) {
    inside(|_| ranges::enable(enable != 0));
}

extern "C" fn new_memory(_: File, _: c_int, addr: usize, size: c_ulong) {
    inside(|_| heap::forget(addr, size as usize));
}

/// What was done to the memory so far is ordered before all that follows:
/// nothing recorded about it counts any more. Locks in it stay what they are.
extern "C" fn forget_accesses(_: File, _: c_int, addr: usize, size: c_ulong) {
    with_thread(|me, _| clear::forget(&mut me.recorder.cells, addr, size as usize));
}

/// Nothing recorded about any memory counts any more.
extern "C" fn flush_state(_: File, _: c_int) {
    with_thread(|me, _| {
        let cells = &mut me.recorder.cells;
        scan::words(|word| {
            let shadow = core::ptr::from_ref(word) as usize;
            let granule = (shadow - SHADOW_OFFSET as usize) ^ SHADOW_XOR as usize;
            clear::forget(cells, granule, 8);
        });
    });
}

extern "C" fn queue_reset(_: File, _: c_int, queue: usize) {
    inside(|_| queue::reset(queue));
}

extern "C" fn queue_put(_: File, _: c_int, queue: usize) {
    inside(|_| queue::put(queue));
}

extern "C" fn queue_get(_: File, _: c_int, queue: usize) {
    inside(|_| queue::get(queue));
}

extern "C" fn thread_name(_: File, _: c_int, name: *const c_char) {
    with_thread(|me, _| thread::set_name(me, text(name).as_bytes()));
}

extern "C" fn running_on_valgrind() -> c_int {
    0
}

/// By how much programs test time limits should be stretched.
extern "C" fn slowdown() -> f64 {
    10.0
}

/// Answers what programs ask a detector about itself: "1" or "0".
extern "C" fn query(what: *const c_char) -> *const c_char {
    let answer = match &*text(what) {
        "pure_happens_before" => c"1",
        _ => c"0",
    };
    answer.as_ptr()
}

/// The program's string; empty for null.
fn text<'a>(string: *const c_char) -> Cow<'a, str> {
    if string.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: a string of the program's, valid during the call.
    unsafe { CStr::from_ptr(string) }.to_string_lossy()
}
