//! An internal error on demand, for the tests of what becomes of one.
//!
//! Programs ask for it by a call; no option leads here.

use super::{ABORT, ABORT_TESTED, CONDUCT};
use crate::intercept::stub::interceptors;
use crate::os;
use core::ffi::c_uint;
use core::sync::atomic::{AtomicU32, Ordering};

interceptors! {
    "__racert_testing_internal_error" => ask,
}

/// Before the work of an entry, after it, before it with locks held.
const BEFORE: u32 = 0;
const AFTER: u32 = 1;
const HOLDING: u32 = 2;

/// Entries that come through before the one that fails, plus one; 0: all do.
static LEFT: AtomicU32 = AtomicU32::new(0);
static WHEN: AtomicU32 = AtomicU32::new(BEFORE);
/// Who asked: not the children.
static ASKED: AtomicU32 = AtomicU32::new(0);

/// The `count`-th entry into the runtime from now on finds it broken.
extern "C" fn ask(count: c_uint, when: c_uint) {
    ASKED.store(os::getpid(), Ordering::Relaxed);
    WHEN.store(when, Ordering::Relaxed);
    LEFT.store(count, Ordering::Release);
    let _ = CONDUCT.compare_exchange(ABORT, ABORT_TESTED, Ordering::AcqRel, Ordering::Relaxed);
}

fn is_now() -> bool {
    let take = |left: u32| left.checked_sub(1);
    LEFT.load(Ordering::Relaxed) != 0
        && LEFT.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take) == Ok(1)
        && ASKED.load(Ordering::Relaxed) == os::getpid()
}

/// An entry begins its work.
pub(super) fn before() {
    match WHEN.load(Ordering::Relaxed) {
        BEFORE if is_now() => panic!("as asked for"),
        HOLDING if is_now() => {
            // All that a fork takes: whatever the others come to is closed.
            crate::process::before_fork();
            panic!("as asked for, with locks held");
        }
        _ => {}
    }
}

/// An entry has done its work.
pub(super) fn after() {
    if WHEN.load(Ordering::Relaxed) == AFTER && is_now() {
        panic!("as asked for, when all was done");
    }
}
