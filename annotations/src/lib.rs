//! Telling racert what it cannot see, from Rust.
//!
//! Every function calls the `Annotate*` function of that name if the racert
//! runtime is in the process and does nothing otherwise, at the cost of one
//! load and a branch; there is nothing to link and no feature to switch.
//!
//! ```
//! use racert_annotations as racert;
//!
//! let mailbox = 0u64; // written by a device that says so by other means
//! racert::happens_before(&raw const mailbox); // in the thread that hands over
//! racert::happens_after(&raw const mailbox); // in the thread that takes over
//!
//! let _quiet = racert::ignore_reads(); // until the end of this scope
//! ```

pub mod findings;
mod locate;

use std::ffi::{CStr, c_char, c_int, c_long, c_ulong, c_void};
use std::marker::PhantomData;
use std::panic::Location;

use locate::Function;

type OnObject = unsafe extern "C" fn(*const c_char, c_int, *const c_void);
type OnThread = unsafe extern "C" fn(*const c_char, c_int);
type OnLock = unsafe extern "C" fn(*const c_char, c_int, *const c_void, c_long);
type OnMemory = unsafe extern "C" fn(*const c_char, c_int, *const c_void, c_ulong);
type OnRace = unsafe extern "C" fn(*const c_char, c_int, *const c_void, c_ulong, *const c_char);
type OnExpected = unsafe extern "C" fn(*const c_char, c_int, *const c_void, *const c_char);
type OnSwitch = unsafe extern "C" fn(*const c_char, c_int, c_int);
type OnName = unsafe extern "C" fn(*const c_char, c_int, *const c_char);

/// Calls an annotation function, if it is there, with the caller's line.
///
/// The file is passed as the empty string: `Location` has no NUL-terminated
/// one, and the stacks of a report name the file anyway.
macro_rules! annotate {
    ($kind:ty, $name:literal $(, $argument:expr)*) => {{
        static FUNCTION: Function<$kind> = Function::new($name);
        if let Some(function) = FUNCTION.get() {
            let line = Location::caller().line() as c_int;
            // SAFETY: the runtime's Annotate functions accept any address and
            // only use it as a name; strings are NUL-terminated.
            unsafe { function(c"".as_ptr(), line $(, $argument)*) };
        }
    }};
}

/// All that this thread did so far happens before what another thread does
/// after its next [`happens_after`] with the same address.
#[track_caller]
pub fn happens_before<T: ?Sized>(object: *const T) {
    annotate!(OnObject, c"AnnotateHappensBefore", object.cast());
}

/// The other half of [`happens_before`].
#[track_caller]
pub fn happens_after<T: ?Sized>(object: *const T) {
    annotate!(OnObject, c"AnnotateHappensAfter", object.cast());
}

/// Races on the bytes of `object` are meant to be and not reported; `why` is
/// for the reader of a report.
#[track_caller]
pub fn benign_race<T: ?Sized>(object: &T, why: &CStr) {
    let size = size_of_val(object) as c_ulong;
    let address: *const T = object;
    annotate!(
        OnRace,
        c"AnnotateBenignRaceSized",
        address.cast(),
        size,
        why.as_ptr()
    );
}

/// The bytes were handed out by an allocator of your own: what their former
/// owner did to them no longer matters.
#[track_caller]
pub fn new_memory<T>(memory: *const [T]) {
    let size = (memory.len() * size_of::<T>()) as c_ulong;
    annotate!(OnMemory, c"AnnotateNewMemory", memory.cast(), size);
}

/// What was done to the bytes so far happens before whatever others do to them
/// from now on.
#[track_caller]
pub fn publish<T>(memory: *const [T]) {
    let size = (memory.len() * size_of::<T>()) as c_ulong;
    annotate!(OnMemory, c"AnnotatePublishMemoryRange", memory.cast(), size);
}

/// Whatever others did to the bytes happens before what this thread does next.
#[track_caller]
pub fn unpublish<T>(memory: *const [T]) {
    let size = (memory.len() * size_of::<T>()) as c_ulong;
    annotate!(
        OnMemory,
        c"AnnotateUnpublishMemoryRange",
        memory.cast(),
        size
    );
}

/// A message was put into the first-in first-out queue at this address. Call
/// it where the queue's own lock is held.
#[track_caller]
pub fn queue_put<T: ?Sized>(queue: *const T) {
    annotate!(OnObject, c"AnnotatePCQPut", queue.cast());
}

/// The oldest message was taken from the queue at this address; what was done
/// before its [`queue_put`] happens before what this thread does next.
#[track_caller]
pub fn queue_get<T: ?Sized>(queue: *const T) {
    annotate!(OnObject, c"AnnotatePCQGet", queue.cast());
}

/// The queue at this address begins or ceases to exist.
#[track_caller]
pub fn queue_reset<T: ?Sized>(queue: *const T) {
    annotate!(OnObject, c"AnnotatePCQCreate", queue.cast());
}

/// For tests of the detector: a race on the first byte of `object` has to
/// happen before the program ends. It is not reported; its absence is.
#[track_caller]
pub fn expect_race<T: ?Sized>(object: *const T, why: &CStr) {
    annotate!(
        OnExpected,
        c"AnnotateExpectRace",
        object.cast(),
        why.as_ptr()
    );
}

/// Switches the reporting of races off and on, for the whole process.
#[track_caller]
pub fn enable_race_detection(enable: bool) {
    annotate!(
        OnSwitch,
        c"AnnotateEnableRaceDetection",
        c_int::from(enable)
    );
}

/// Nothing recorded about any memory counts any more.
#[track_caller]
pub fn flush_state() {
    annotate!(OnThread, c"AnnotateFlushState");
}

/// The name of the current thread in reports.
#[track_caller]
pub fn thread_name(name: &CStr) {
    annotate!(OnName, c"AnnotateThreadName", name.as_ptr());
}

/// How a lock of your own making is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// By several at once, for reading.
    Shared,
    /// By one alone.
    Exclusive,
}

impl Hold {
    fn is_write(self) -> c_long {
        c_long::from(self == Hold::Exclusive)
    }
}

/// A lock of your own making begins to exist at this address.
#[track_caller]
pub fn lock_created<T: ?Sized>(lock: *const T) {
    annotate!(OnObject, c"AnnotateRWLockCreate", lock.cast());
}

/// The lock ceases to exist.
#[track_caller]
pub fn lock_destroyed<T: ?Sized>(lock: *const T) {
    annotate!(OnObject, c"AnnotateRWLockDestroy", lock.cast());
}

/// Call right after taking the lock.
#[track_caller]
pub fn lock_acquired<T: ?Sized>(lock: *const T, hold: Hold) {
    annotate!(
        OnLock,
        c"AnnotateRWLockAcquired",
        lock.cast(),
        hold.is_write()
    );
}

/// Call right before giving the lock back.
#[track_caller]
pub fn lock_released<T: ?Sized>(lock: *const T, hold: Hold) {
    annotate!(
        OnLock,
        c"AnnotateRWLockReleased",
        lock.cast(),
        hold.is_write()
    );
}

/// While it lives, something of the current thread is not looked at. It stays
/// on its thread.
#[derive(Debug)]
#[must_use = "nothing is ignored once this is dropped"]
pub struct Ignoring {
    what: What,
    stays_on_its_thread: PhantomData<*const ()>,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Reads,
    Writes,
    Both,
    Sync,
}

impl Ignoring {
    fn new(what: What) -> Self {
        Ignoring {
            what,
            stays_on_its_thread: PhantomData,
        }
    }
}

impl Drop for Ignoring {
    fn drop(&mut self) {
        match self.what {
            What::Reads => annotate!(OnThread, c"AnnotateIgnoreReadsEnd"),
            What::Writes => annotate!(OnThread, c"AnnotateIgnoreWritesEnd"),
            What::Both => {
                annotate!(OnThread, c"AnnotateIgnoreWritesEnd");
                annotate!(OnThread, c"AnnotateIgnoreReadsEnd");
            }
            What::Sync => annotate!(OnThread, c"AnnotateIgnoreSyncEnd"),
        }
    }
}

/// Reads of this thread are not looked at until the value is dropped.
#[track_caller]
pub fn ignore_reads() -> Ignoring {
    annotate!(OnThread, c"AnnotateIgnoreReadsBegin");
    Ignoring::new(What::Reads)
}

/// Writes of this thread are not looked at until the value is dropped.
#[track_caller]
pub fn ignore_writes() -> Ignoring {
    annotate!(OnThread, c"AnnotateIgnoreWritesBegin");
    Ignoring::new(What::Writes)
}

/// Reads and writes of this thread are not looked at until the value is
/// dropped.
#[track_caller]
pub fn ignore_reads_and_writes() -> Ignoring {
    annotate!(OnThread, c"AnnotateIgnoreReadsBegin");
    annotate!(OnThread, c"AnnotateIgnoreWritesBegin");
    Ignoring::new(What::Both)
}

/// Synchronisation of this thread makes no order until the value is dropped.
#[track_caller]
pub fn ignore_sync() -> Ignoring {
    annotate!(OnThread, c"AnnotateIgnoreSyncBegin");
    Ignoring::new(What::Sync)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the runtime in the process everything is a no-op, whatever the
    /// order and the addresses.
    #[test]
    fn harmless_without_the_runtime() {
        let value = [1u32, 2, 3];
        happens_after(&raw const value);
        happens_before(&raw const value);
        publish(&raw const value[..]);
        unpublish(&raw const value[..]);
        new_memory(&raw const value[..]);
        queue_get(std::ptr::null::<u8>());
        queue_put(std::ptr::null::<u8>());
        queue_reset(std::ptr::null::<u8>());
        expect_race(&raw const value, c"never");
        benign_race(&value, c"constant");
        enable_race_detection(false);
        flush_state();
        let outer = ignore_reads_and_writes();
        drop(ignore_sync());
        drop(outer);
        assert_eq!(value, [1, 2, 3]);
    }
}
