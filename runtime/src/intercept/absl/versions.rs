//! The stubs, for every version of the names that a distribution has given a
//! shared library. Where programs link the library with all its code, their own
//! functions win, or else the stubs go to the shared one.
//!
//! Its functions that wait for some time end with a jump to those that wait until
//! then, which are intercepted: they are not.

use super::{
    Pointer, awaits, condition_gone, learns, locks, locks_when, mutex_gone, tells, told, tries,
    unlocks, waits, wakes,
};
use crate::intercept::caller;
use crate::intercept::foreign::Foreign;
use crate::intercept::stub::interceptors;
use crate::lock::Mode::{Read, Write};
use core::ffi::CStr;

/// Two registers: a span of time, or a moment.
type High = u64;
type Low = u64;

/// What ends with a null byte.
const fn symbol(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("no null at the end"),
    }
}

/// Interceptors of one version, of that library: the beginning of the mangled
/// name, which the version follows, and its rest; a function and its type; what it does, with
/// the real one and where it was called.
macro_rules! stubs {
    (
        $module:ident $version:literal $library:literal
        $($start:literal $rest:literal
            $id:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?
            |$real:ident, $pc:ident| $body:expr;)+
    ) => {
        mod $module {
            use super::*;

            $(
                unsafe extern "C" fn $id($($arg: $ty),*) $(-> $ret)? {
                    static REAL: Foreign<unsafe extern "C" fn($($ty),*) $(-> $ret)?> = {
                        let name = symbol(concat!($start, $version, $rest, "\0"));
                        // SAFETY: the type is that of the declaration.
                        unsafe { Foreign::new(name, &[$library]) }
                    };
                    let $pc = caller();
                    let $real = REAL.get();
                    // SAFETY: the program's own arguments.
                    unsafe { $body }
                }
            )+

            interceptors! { $(concat!($start, $version, $rest) => $id),+ }
        }
    };
}

macro_rules! versions {
    ($($module:ident $version:literal $library:literal)+) => {
        $(
            stubs! {
                $module $version $library
                "_ZN4absl" "5Mutex4LockEv" lock(mutex: Pointer)
                    |real, pc| locks(mutex, Write, pc, || real(mutex));
                "_ZN4absl" "5Mutex10ReaderLockEv" read_lock(mutex: Pointer)
                    |real, pc| locks(mutex, Read, pc, || real(mutex));
                "_ZN4absl" "5Mutex7TryLockEv" try_lock(mutex: Pointer) -> bool
                    |real, pc| tries(mutex, Write, pc, || real(mutex));
                "_ZN4absl" "5Mutex13ReaderTryLockEv" try_read_lock(mutex: Pointer) -> bool
                    |real, pc| tries(mutex, Read, pc, || real(mutex));
                "_ZN4absl" "5Mutex6UnlockEv" unlock(mutex: Pointer)
                    |real, pc| unlocks(mutex, Write, pc, || real(mutex));
                "_ZN4absl" "5Mutex12ReaderUnlockEv" read_unlock(mutex: Pointer)
                    |real, pc| unlocks(mutex, Read, pc, || real(mutex));
                "_ZN4absl" "5Mutex8LockWhenERKNS0_9ConditionE"
                    lock_when(mutex: Pointer, what: Pointer)
                    |real, pc| locks_when(mutex, Write, pc, || real(mutex, what));
                "_ZN4absl" "5Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE"
                    lock_when_until(mutex: Pointer, what: Pointer, high: High, low: Low) -> bool
                    |real, pc| locks_when(mutex, Write, pc, || real(mutex, what, high, low));
                "_ZN4absl" "5Mutex14ReaderLockWhenERKNS0_9ConditionE"
                    read_lock_when(mutex: Pointer, what: Pointer)
                    |real, pc| locks_when(mutex, Read, pc, || real(mutex, what));
                "_ZN4absl" "5Mutex26ReaderLockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE"
                    read_lock_when_until(mutex: Pointer, what: Pointer, high: High, low: Low) -> bool
                    |real, pc| locks_when(mutex, Read, pc, || real(mutex, what, high, low));
                "_ZN4absl" "5Mutex5AwaitERKNS0_9ConditionE"
                    wait_until_true(mutex: Pointer, what: Pointer)
                    |real, pc| awaits(mutex, pc, || real(mutex, what));
                "_ZN4absl" "5Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE"
                    await_until(mutex: Pointer, what: Pointer, high: High, low: Low) -> bool
                    |real, pc| awaits(mutex, pc, || real(mutex, what, high, low));
                "_ZN4absl" "5MutexD1Ev" destroy(mutex: Pointer)
                    |real, _pc| { mutex_gone(mutex); real(mutex) };
                "_ZN4absl" "5MutexD2Ev" destroy_base(mutex: Pointer)
                    |real, _pc| { mutex_gone(mutex); real(mutex) };
                "_ZN4absl" "7CondVar4WaitEPNS0_5MutexE" wait(cond: Pointer, mutex: Pointer)
                    |real, pc| {
                        waits(cond, mutex, pc, false, || { real(cond, mutex); false });
                    };
                "_ZN4absl" "7CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE"
                    wait_until(cond: Pointer, mutex: Pointer, high: High, low: Low) -> bool
                    |real, pc| waits(cond, mutex, pc, true, || real(cond, mutex, high, low));
                "_ZN4absl" "7CondVar6SignalEv" signal(cond: Pointer)
                    |real, pc| wakes(cond, false, pc, || real(cond));
                "_ZN4absl" "7CondVar9SignalAllEv" signal_all(cond: Pointer)
                    |real, pc| wakes(cond, true, pc, || real(cond));
                "_ZN4absl" "7CondVarD1Ev" destroy_condition(cond: Pointer)
                    |real, _pc| { condition_gone(cond); real(cond) };
                "_ZN4absl" "7CondVarD2Ev" destroy_condition_base(cond: Pointer)
                    |real, _pc| { condition_gone(cond); real(cond) };
                "_ZN4absl" "12Notification6NotifyEv" notify(notification: Pointer)
                    |real, pc| { tells(told(notification), pc); real(notification) };
                "_ZNK4absl" "12Notification19WaitForNotificationEv"
                    wait_for_notification(notification: Pointer)
                    |real, pc| { real(notification); learns(told(notification), pc) };
                "_ZNK4absl" "12Notification30WaitForNotificationWithTimeoutENS0_8DurationE"
                    notified_for(notification: Pointer, high: High, low: Low) -> bool
                    |real, pc| {
                        let is_told = real(notification, high, low);
                        if is_told { learns(told(notification), pc) }
                        is_told
                    };
                "_ZNK4absl" "12Notification31WaitForNotificationWithDeadlineENS0_4TimeE"
                    notified_until(notification: Pointer, high: High, low: Low) -> bool
                    |real, pc| {
                        let is_told = real(notification, high, low);
                        if is_told { learns(told(notification), pc) }
                        is_told
                    };
                "_ZN4absl" "15BlockingCounter14DecrementCountEv" count_down(counter: Pointer) -> bool
                    |real, pc| { tells(counter, pc); real(counter) };
                "_ZN4absl" "15BlockingCounter4WaitEv" wait_for_all(counter: Pointer)
                    |real, pc| { real(counter); learns(counter, pc) };
                "_ZN4absl" "7Barrier5BlockEv" block(barrier: Pointer) -> bool
                    |real, pc| {
                        tells(barrier, pc);
                        let is_last = real(barrier);
                        learns(barrier, pc);
                        is_last
                    };
            }
        )+

        #[cfg(test)]
        pub(crate) const NAMES: &[&[(&str, *const ())]] = &[$($module::NAMES),+];
    };
}

versions! {
    debian_12 "7debian3" c"libabsl_synchronization.so.20220623"
}
