//! What programs call by hand: ordering, locks of their own making, ignoring.

use crate::annotate::{What, begin_lock, begin_unplaced, end_lock, end_unplaced};
use crate::intercept::stub::interceptors;
use crate::lock::{Kind, misuse};
use crate::sync::{rwlock, semaphore};
use crate::thread::{self, Thread};
use crate::{access, init, tls};
use core::ffi::{c_int, c_uint, c_void};

interceptors! {
    "__tsan_acquire" => acquire,
    "__tsan_release" => release,
    "__tsan_check_no_mutexes_held" => check_no_mutexes_held,
    "__tsan_mutex_create" => mutex_create,
    "__tsan_mutex_destroy" => mutex_destroy,
    "__tsan_mutex_pre_lock" => mutex_pre_lock,
    "__tsan_mutex_post_lock" => mutex_post_lock,
    "__tsan_mutex_pre_unlock" => mutex_pre_unlock,
    "__tsan_mutex_post_unlock" => mutex_post_unlock,
    "__tsan_mutex_pre_signal" => mutex_pre_signal,
    "__tsan_mutex_post_signal" => mutex_post_signal,
    "__tsan_mutex_pre_divert" => mutex_pre_divert,
    "__tsan_mutex_post_divert" => mutex_post_divert,
    "__tsan_ignore_thread_begin" => ignore_begin,
    "__tsan_ignore_thread_end" => ignore_end,
    "__tsan_external_register_tag" => external_register_tag,
    "__tsan_external_register_header" => external_register_header,
    "__tsan_external_assign_tag" => external_assign_tag,
    "__tsan_external_read" => external_read,
    "__tsan_external_write" => external_write,
    "__tsan_flush_memory" => flush_memory,
}

/// Flags of the `__tsan_mutex_*` calls.
const LINKER_INITIALISED: c_uint = 1 << 0;
/// On destruction: the lock may be a global that is used after its destructor.
const NOT_STATIC: c_uint = 1 << 8;
const READ_LOCK: c_uint = 1 << 3;
const TRY_LOCK: c_uint = 1 << 4;
const TRY_LOCK_FAILED: c_uint = 1 << 5;

#[inline]
fn inside(f: impl FnOnce(usize)) {
    let pc = tls::caller();
    init::ensure();
    tls::section(move || f(pc));
}

fn with_thread(f: impl FnOnce(&mut Thread)) {
    inside(|_| {
        if let Some(me) = thread::current() {
            f(me);
        }
    });
}

extern "C" fn acquire(object: usize) {
    inside(|pc| semaphore::waited(object, pc));
}

extern "C" fn release(object: usize) {
    inside(|pc| semaphore::posting(object, pc));
}

extern "C" fn mutex_create(mutex: usize, flags: c_uint) {
    inside(|pc| match flags & LINKER_INITIALISED {
        0 => rwlock::created(mutex, pc, Kind::Custom),
        _ => rwlock::permanent(mutex, pc),
    });
}

extern "C" fn check_no_mutexes_held() {
    inside(|pc| {
        if let Some(me) = thread::current() {
            misuse::none_expected(me, pc);
        }
    });
}

extern "C" fn mutex_destroy(mutex: usize, flags: c_uint) {
    if flags & (LINKER_INITIALISED | NOT_STATIC) != 0 {
        return;
    }
    inside(|pc| {
        rwlock::destroying(mutex, pc, Kind::Custom);
        rwlock::forgotten(mutex);
    });
}

/// The lock's own code is left alone until the matching `post` call.
extern "C" fn mutex_pre_lock(_mutex: usize, _flags: c_uint) {
    with_thread(begin_lock);
}

extern "C" fn mutex_post_lock(mutex: usize, flags: c_uint, _recursion: c_int) {
    let pc = tls::caller();
    with_thread(|me| {
        end_lock(me);
        let waits = flags & TRY_LOCK == 0;
        // A lock that another lock's code uses.
        if me.is_in_lock() {
            if flags & TRY_LOCK_FAILED == 0 {
                me.with_all(|| rwlock::acquired_within(mutex));
            }
            return;
        }
        match (flags & TRY_LOCK_FAILED, flags & READ_LOCK) {
            (0, 0) => rwlock::write_acquired(mutex, pc, Kind::Custom, waits),
            (0, _) => rwlock::read_acquired(mutex, pc, Kind::Custom, waits),
            _ => {}
        }
    });
}

/// Returns how many levels of recursion were unlocked.
extern "C" fn mutex_pre_unlock(mutex: usize, flags: c_uint) -> c_int {
    let pc = tls::caller();
    with_thread(|me| {
        if flags & READ_LOCK == 0 {
            rwlock::write_releasing(mutex, pc);
        } else {
            rwlock::read_releasing(mutex, pc);
        }
        begin_lock(me);
    });
    1
}

extern "C" fn mutex_post_unlock(_mutex: usize, _flags: c_uint) {
    with_thread(end_lock);
}

extern "C" fn mutex_pre_signal(_mutex: usize, _flags: c_uint) {
    with_thread(begin_lock);
}

extern "C" fn mutex_post_signal(_mutex: usize, _flags: c_uint) {
    with_thread(end_lock);
}

/// Code that is not the lock's own runs in the middle of a locking call.
extern "C" fn mutex_pre_divert(_mutex: usize, _flags: c_uint) {
    with_thread(end_lock);
}

extern "C" fn mutex_post_divert(_mutex: usize, _flags: c_uint) {
    with_thread(begin_lock);
}

extern "C" fn ignore_begin() {
    with_thread(|me| {
        begin_unplaced(me, What::Reads);
        begin_unplaced(me, What::Writes);
    });
}

extern "C" fn ignore_end() {
    with_thread(|me| {
        end_unplaced(me, What::Reads);
        end_unplaced(me, What::Writes);
    });
}

/// Tags name kinds of objects in ThreadSanitizer's reports; to racert they are
/// all the same.
extern "C" fn external_register_tag(_object_type: *const c_void) -> *mut c_void {
    core::ptr::dangling_mut::<u64>().cast()
}

extern "C" fn external_register_header(_tag: *mut c_void, _header: *const c_void) {}

extern "C" fn external_assign_tag(_addr: usize, _tag: *mut c_void) {}

extern "C" fn external_read(addr: usize, caller_pc: usize, _tag: *mut c_void) {
    inside(|pc| access::read_range(addr, 1, if caller_pc == 0 { pc } else { caller_pc }));
}

extern "C" fn external_write(addr: usize, caller_pc: usize, _tag: *mut c_void) {
    inside(|pc| access::write_range(addr, 1, if caller_pc == 0 { pc } else { caller_pc }));
}

/// What is recorded takes no more memory than it needs at any time.
extern "C" fn flush_memory() {}
