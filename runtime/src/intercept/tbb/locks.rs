//! oneTBB's locks whose code is in the library: queuing reader-writer locks and
//! those that speculate. The others are in its headers, and instrumented.

use crate::intercept::foreign::foreign;
use crate::intercept::stub::interceptors;
use crate::intercept::{Pc, caller, hook};
use crate::lock::Kind;
use crate::sync::rwlock;
use core::ffi::c_void;

/// A lock.
type Lock = *mut c_void;
/// What holds it, and begins with its address.
type Scope = *mut Lock;

foreign! { [c"libtbb.so.12"]
    QUEUE_ACQUIRE = c"_ZN3tbb6detail2r17acquireERNS0_2d116queuing_rw_mutexERNS3_11scoped_lockEb":
        fn(Lock, Scope, bool);
    QUEUE_TRY = c"_ZN3tbb6detail2r111try_acquireERNS0_2d116queuing_rw_mutexERNS3_11scoped_lockEb":
        fn(Lock, Scope, bool) -> bool;
    QUEUE_RELEASE = c"_ZN3tbb6detail2r17releaseERNS0_2d116queuing_rw_mutex11scoped_lockE":
        fn(Scope);
    QUEUE_UPGRADE = c"_ZN3tbb6detail2r117upgrade_to_writerERNS0_2d116queuing_rw_mutex11scoped_lockE":
        fn(Scope) -> bool;
    QUEUE_DOWNGRADE = c"_ZN3tbb6detail2r119downgrade_to_readerERNS0_2d116queuing_rw_mutex11scoped_lockE":
        fn(Scope) -> bool;
    ACQUIRE = c"_ZN3tbb6detail2r17acquireERNS0_2d19rtm_mutexERNS3_11scoped_lockEb":
        fn(Lock, Scope, bool);
    TRY = c"_ZN3tbb6detail2r111try_acquireERNS0_2d19rtm_mutexERNS3_11scoped_lockE":
        fn(Lock, Scope) -> bool;
    RELEASE = c"_ZN3tbb6detail2r17releaseERNS0_2d19rtm_mutex11scoped_lockE":
        fn(Scope);
    WRITER_ACQUIRE = c"_ZN3tbb6detail2r114acquire_writerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockEb":
        fn(Lock, Scope, bool);
    READER_ACQUIRE = c"_ZN3tbb6detail2r114acquire_readerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockEb":
        fn(Lock, Scope, bool);
    WRITER_TRY = c"_ZN3tbb6detail2r118try_acquire_writerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockE":
        fn(Lock, Scope) -> bool;
    READER_TRY = c"_ZN3tbb6detail2r118try_acquire_readerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockE":
        fn(Lock, Scope) -> bool;
    EITHER_RELEASE = c"_ZN3tbb6detail2r17releaseERNS0_2d112rtm_rw_mutex11scoped_lockE":
        fn(Scope);
    UPGRADE = c"_ZN3tbb6detail2r17upgradeERNS0_2d112rtm_rw_mutex11scoped_lockE":
        fn(Scope) -> bool;
    DOWNGRADE = c"_ZN3tbb6detail2r19downgradeERNS0_2d112rtm_rw_mutex11scoped_lockE":
        fn(Scope) -> bool;
}

interceptors! {
    "_ZN3tbb6detail2r17acquireERNS0_2d116queuing_rw_mutexERNS3_11scoped_lockEb" => queue_acquire,
    "_ZN3tbb6detail2r111try_acquireERNS0_2d116queuing_rw_mutexERNS3_11scoped_lockEb" => queue_try,
    "_ZN3tbb6detail2r17releaseERNS0_2d116queuing_rw_mutex11scoped_lockE" => queue_release,
    "_ZN3tbb6detail2r117upgrade_to_writerERNS0_2d116queuing_rw_mutex11scoped_lockE" => queue_upgrade,
    "_ZN3tbb6detail2r119downgrade_to_readerERNS0_2d116queuing_rw_mutex11scoped_lockE" => queue_downgrade,
    "_ZN3tbb6detail2r17acquireERNS0_2d19rtm_mutexERNS3_11scoped_lockEb" => acquire,
    "_ZN3tbb6detail2r111try_acquireERNS0_2d19rtm_mutexERNS3_11scoped_lockE" => try_acquire,
    "_ZN3tbb6detail2r17releaseERNS0_2d19rtm_mutex11scoped_lockE" => release,
    "_ZN3tbb6detail2r114acquire_writerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockEb" => writer_acquire,
    "_ZN3tbb6detail2r114acquire_readerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockEb" => reader_acquire,
    "_ZN3tbb6detail2r118try_acquire_writerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockE" => writer_try,
    "_ZN3tbb6detail2r118try_acquire_readerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockE" => reader_try,
    "_ZN3tbb6detail2r17releaseERNS0_2d112rtm_rw_mutex11scoped_lockE" => either_release,
    "_ZN3tbb6detail2r17upgradeERNS0_2d112rtm_rw_mutex11scoped_lockE" => upgrade,
    "_ZN3tbb6detail2r19downgradeERNS0_2d112rtm_rw_mutex11scoped_lockE" => downgrade,
}

fn taken(lock: Lock, write: bool, pc: Pc, waits: bool) {
    let addr = lock.addr();
    hook(|| match write {
        true => rwlock::write_acquired(addr, pc, Kind::Custom, waits),
        false => rwlock::read_acquired(addr, pc, Kind::Custom, waits),
    });
}

fn tried(got: bool, lock: Lock, write: bool, pc: Pc) -> bool {
    if got {
        taken(lock, write, pc, false);
    }
    got
}

/// What it holds is about to be given back.
///
/// # Safety
/// It must hold a lock.
unsafe fn giving_back(scope: Scope, pc: Pc) {
    // SAFETY: passed on.
    let addr = unsafe { *scope }.addr();
    hook(|| rwlock::custom_releasing(addr, pc));
}

/// A lock is turned by `real` from one for reading into one for writing, or
/// back: whether others had it meanwhile or not, it is one of the other kind.
///
/// # Safety
/// As [`giving_back`].
unsafe fn turn(
    scope: Scope,
    write: bool,
    pc: Pc,
    real: unsafe extern "C" fn(Scope) -> bool,
) -> bool {
    // SAFETY: passed on.
    unsafe {
        giving_back(scope, pc);
        let kept = real(scope);
        taken(*scope, write, pc, false);
        kept
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn queue_acquire(lock: Lock, scope: Scope, write: bool) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { QUEUE_ACQUIRE.get()(lock, scope, write) };
    taken(lock, write, pc, true);
}

unsafe extern "C" fn queue_try(lock: Lock, scope: Scope, write: bool) -> bool {
    let pc = caller();
    // SAFETY: see above.
    tried(
        unsafe { QUEUE_TRY.get()(lock, scope, write) },
        lock,
        write,
        pc,
    )
}

unsafe extern "C" fn queue_release(scope: Scope) {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        giving_back(scope, pc);
        QUEUE_RELEASE.get()(scope)
    }
}

unsafe extern "C" fn queue_upgrade(scope: Scope) -> bool {
    let pc = caller();
    // SAFETY: see above.
    unsafe { turn(scope, true, pc, QUEUE_UPGRADE.get()) }
}

unsafe extern "C" fn queue_downgrade(scope: Scope) -> bool {
    let pc = caller();
    // SAFETY: see above.
    unsafe { turn(scope, false, pc, QUEUE_DOWNGRADE.get()) }
}

unsafe extern "C" fn acquire(lock: Lock, scope: Scope, only_speculate: bool) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { ACQUIRE.get()(lock, scope, only_speculate) };
    // With speculation only, it may come back without the lock.
    if !only_speculate {
        taken(lock, true, pc, true);
    }
}

unsafe extern "C" fn try_acquire(lock: Lock, scope: Scope) -> bool {
    let pc = caller();
    // SAFETY: see above.
    tried(unsafe { TRY.get()(lock, scope) }, lock, true, pc)
}

unsafe extern "C" fn release(scope: Scope) {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        giving_back(scope, pc);
        RELEASE.get()(scope)
    }
}

unsafe extern "C" fn writer_acquire(lock: Lock, scope: Scope, only_speculate: bool) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { WRITER_ACQUIRE.get()(lock, scope, only_speculate) };
    if !only_speculate {
        taken(lock, true, pc, true);
    }
}

unsafe extern "C" fn reader_acquire(lock: Lock, scope: Scope, only_speculate: bool) {
    let pc = caller();
    // SAFETY: see above.
    unsafe { READER_ACQUIRE.get()(lock, scope, only_speculate) };
    if !only_speculate {
        taken(lock, false, pc, true);
    }
}

unsafe extern "C" fn writer_try(lock: Lock, scope: Scope) -> bool {
    let pc = caller();
    // SAFETY: see above.
    tried(unsafe { WRITER_TRY.get()(lock, scope) }, lock, true, pc)
}

unsafe extern "C" fn reader_try(lock: Lock, scope: Scope) -> bool {
    let pc = caller();
    // SAFETY: see above.
    tried(unsafe { READER_TRY.get()(lock, scope) }, lock, false, pc)
}

unsafe extern "C" fn either_release(scope: Scope) {
    let pc = caller();
    // SAFETY: see above.
    unsafe {
        giving_back(scope, pc);
        EITHER_RELEASE.get()(scope)
    }
}

unsafe extern "C" fn upgrade(scope: Scope) -> bool {
    let pc = caller();
    // SAFETY: see above.
    unsafe { turn(scope, true, pc, UPGRADE.get()) }
}

unsafe extern "C" fn downgrade(scope: Scope) -> bool {
    let pc = caller();
    // SAFETY: see above.
    unsafe { turn(scope, false, pc, DOWNGRADE.get()) }
}
