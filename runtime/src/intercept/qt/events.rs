//! Qt's events and queued calls.
//!
//! Who posts an event comes before its delivery, of which the library tells all
//! who register ([`delivered`]). Events of the program's own are told apart. Of
//! the library's, which stand for queued calls, deferred deletion and the like,
//! nobody knows who made them: they come after all calls that may have made one.
//! One of those is every signal, of which the library tells, too.
//!
//! Calls that block until the receiver has done its part come after that. The
//! event's deletion is what they wait for, and when its copies of arguments are
//! forgotten ([`super::shared`]).

use super::Pointer;
use super::slots::{self, Slot};
use super::stand_in::{self, Function, Object, StandIns};
use crate::intercept::foreign::foreign;
use crate::intercept::hook;
use crate::intercept::stub::interceptors;
use crate::spin::SpinLock;
use crate::sync::{semaphore, table};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering};

/// A `QGenericArgument` or `QGenericReturnArgument`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Generic([Pointer; 2]);

/// The arguments of a call by name, which are passed in memory.
#[derive(Clone, Copy)]
#[repr(C)]
struct Arguments([Generic; 10]);

/// `QSignalSpyCallbackSet`.
#[repr(C)]
struct Spies {
    signal_begins: unsafe extern "C" fn(Pointer, c_int, Pointer),
    slot_begins: Option<unsafe extern "C" fn(Pointer, c_int, Pointer)>,
    signal_ends: unsafe extern "C" fn(Pointer, c_int),
    slot_ends: Option<unsafe extern "C" fn(Pointer, c_int)>,
}

foreign! { [c"libQt5Core.so.5", c"libQt6Core.so.6"]
    REGISTER = c"_ZN9QInternal16registerCallbackENS_8CallbackEPFbPPvE":
        fn(c_int, unsafe extern "C" fn(*const Pointer) -> bool) -> bool;
    SPY = c"_Z32qt_register_signal_spy_callbacksP21QSignalSpyCallbackSet": fn(*const Spies);
    APPLICATION = c"_ZN16QCoreApplicationC1ERiPPci": fn(Pointer, Pointer, Pointer, c_int);
    BASE_APPLICATION = c"_ZN16QCoreApplicationC2ERiPPci": fn(Pointer, Pointer, Pointer, c_int);
    FURTHER_APPLICATION = c"_ZN16QCoreApplicationC2ER23QCoreApplicationPrivate":
        fn(Pointer, Pointer);
    POST = c"_ZN16QCoreApplication9postEventEP7QObjectP6QEventi": fn(Pointer, Pointer, c_int);
    DELETE_LATER = c"_ZN7QObject11deleteLaterEv": fn(Pointer);
    MOVE = c"_ZN7QObject12moveToThreadEP7QThread": fn(Pointer, Pointer);
    SINGLE_SHOT = c"_ZN6QTimer10singleShotEiPK7QObjectPKc": fn(c_int, Pointer, Pointer);
    SINGLE_SHOT_OF = c"_ZN6QTimer10singleShotEiN2Qt9TimerTypeEPK7QObjectPKc":
        fn(c_int, c_int, Pointer, Pointer);
    SINGLE_SHOT_CALL =
        c"_ZN6QTimer14singleShotImplEiN2Qt9TimerTypeEPK7QObjectPN9QtPrivate15QSlotObjectBaseE":
        fn(c_int, c_int, Pointer, *mut Slot);
    INVOKE_CALL = c"_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv":
        fn(Pointer, *mut Slot, c_int, Pointer) -> bool;
    INVOKE_NAME = c"_ZN11QMetaObject12invokeMethodEP7QObjectPKcN2Qt14ConnectionTypeE22QGenericReturnArgument16QGenericArgumentS7_S7_S7_S7_S7_S7_S7_S7_S7_":
        fn(Pointer, Pointer, c_int, Generic, Arguments) -> bool;
    INVOKE_METHOD = c"_ZNK11QMetaMethod6invokeEP7QObjectN2Qt14ConnectionTypeE22QGenericReturnArgument16QGenericArgumentS5_S5_S5_S5_S5_S5_S5_S5_S5_":
        fn(Pointer, Pointer, c_int, Generic, Arguments) -> bool;
    CONNECT = c"_ZN7QObject11connectImplEPKS_PPvS1_S3_PN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPKiPK11QMetaObject":
        fn(Pointer, Pointer, Pointer, Pointer, Pointer, *mut Slot, c_int, Pointer, Pointer) -> Pointer;
    CONNECT_NAMES = c"_ZN7QObject7connectEPKS_PKcS1_S3_N2Qt14ConnectionTypeE":
        fn(Pointer, Pointer, Pointer, Pointer, Pointer, c_int) -> Pointer;
    CONNECT_METHODS = c"_ZN7QObject7connectEPKS_RK11QMetaMethodS1_S4_N2Qt14ConnectionTypeE":
        fn(Pointer, Pointer, Pointer, Pointer, Pointer, c_int) -> Pointer;
}

interceptors! {
    "_ZN16QCoreApplicationC1ERiPPci" => application,
    "_ZN16QCoreApplicationC2ERiPPci" => base_application,
    "_ZN16QCoreApplicationC2ER23QCoreApplicationPrivate" => further_application,
    "_ZN16QCoreApplication9postEventEP7QObjectP6QEventi" => post,
    "_ZN7QObject11deleteLaterEv" => delete_later,
    "_ZN7QObject12moveToThreadEP7QThread" => move_to,
    "_ZN6QTimer10singleShotEiPK7QObjectPKc" => single_shot,
    "_ZN6QTimer10singleShotEiN2Qt9TimerTypeEPK7QObjectPKc" => single_shot_of,
    "_ZN6QTimer14singleShotImplEiN2Qt9TimerTypeEPK7QObjectPN9QtPrivate15QSlotObjectBaseE" => single_shot_call,
    "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv" => invoke_call,
    "_ZN11QMetaObject12invokeMethodEP7QObjectPKcN2Qt14ConnectionTypeE22QGenericReturnArgument16QGenericArgumentS7_S7_S7_S7_S7_S7_S7_S7_S7_" => invoke_name,
    "_ZNK11QMetaMethod6invokeEP7QObjectN2Qt14ConnectionTypeE22QGenericReturnArgument16QGenericArgumentS5_S5_S5_S5_S5_S5_S5_S5_S5_" => invoke_method,
    "_ZN7QObject11connectImplEPKS_PPvS1_S3_PN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPKiPK11QMetaObject" => connect,
    "_ZN7QObject7connectEPKS_PKcS1_S3_N2Qt14ConnectionTypeE" => connect_names,
    "_ZN7QObject7connectEPKS_RK11QMetaMethodS1_S4_N2Qt14ConnectionTypeE" => connect_methods,
}

/// What may have made an event of the library's own. Its address stands for it.
static CALLS: u64 = 0;

/// `Qt::BlockingQueuedConnection`, and the bit for those made only once.
const BLOCKING: c_int = 3;
const UNIQUE: c_int = 0x80;

/// Senders and receivers that were connected, and receivers that were called, so
/// that the caller waits.
struct Blocking {
    connections: BTreeSet<(usize, usize)>,
    receivers: BTreeSet<usize>,
}

static BLOCKING_CALLS: SpinLock<Blocking> = SpinLock::new(Blocking {
    connections: BTreeSet::new(),
    receivers: BTreeSet::new(),
});
/// There are some.
static BLOCK: AtomicBool = AtomicBool::new(false);

/// The tables of events, by class and receiver. Its address also stands for
/// those whose receiver is not known.
static EVENTS: SpinLock<StandIns> = SpinLock::new(StandIns::new());

/// The virtual functions of an event that count: of two destructors the one that
/// frees it.
const REPLACEMENT: [(usize, Function); 1] = [(DELETE, delete)];
const DELETE: usize = 1;

static SPIES: Spies = Spies {
    signal_begins,
    slot_begins: None,
    signal_ends,
    slot_ends: None,
};

/// Has the library tell of events and signals. It is no matter for two threads
/// at once: who calls this first made the application, or starts a thread.
pub(super) fn watch() {
    static WATCHED: AtomicBool = AtomicBool::new(false);
    if WATCHED.load(Ordering::Relaxed) || WATCHED.swap(true, Ordering::Relaxed) {
        return;
    }
    // SAFETY: what Qt declares; both stay.
    unsafe {
        if let Some(register) = REGISTER.find_or_load() {
            register(0, delivered);
        }
        if let Some(spy) = SPY.find_or_load() {
            spy(&raw const SPIES);
        }
    }
}

/// What the thread did comes before events that are made from now on.
pub(super) fn calls() {
    watch();
    hook(|| semaphore::posting((&raw const CALLS).addr(), 0));
}

/// Comes after what made events up to now.
pub(super) fn called() {
    hook(|| semaphore::waited((&raw const CALLS).addr(), 0));
}

/// What stands for the events of `receiver`.
fn events_of(receiver: usize) -> usize {
    match receiver {
        0 => (&raw const EVENTS).addr(),
        receiver => receiver,
    }
}

/// In place of a receiver that nobody waits for.
const UNAWAITED: usize = 1;

/// Events of the library's were delivered. Its address stands for those.
static DELIVERED: AtomicBool = AtomicBool::new(false);

/// Comes after the deliveries up to now.
#[inline]
pub(super) fn all_delivered() {
    if DELIVERED.load(Ordering::Relaxed) {
        hook(|| semaphore::waited((&raw const DELIVERED).addr(), 0));
    }
}

/// An event is about to be delivered: its receiver comes first, then itself.
unsafe extern "C" fn delivered(arguments: *const Pointer) -> bool {
    // SAFETY: passed by the library.
    let (receiver, event) = unsafe { (*arguments, *arguments.add(1)) };
    hook(|| {
        let is_own = table::find(event.addr()).is_some();
        let made = if is_own {
            event.addr()
        } else {
            (&raw const CALLS).addr()
        };
        semaphore::waited(made, 0);
        let blocks = || BLOCKING_CALLS.lock().receivers.contains(&receiver.addr());
        let owner = if BLOCK.load(Ordering::Relaxed) && blocks() {
            receiver.addr()
        } else {
            UNAWAITED
        };
        if !is_own || owner != UNAWAITED {
            // SAFETY: an event that is deleted later.
            unsafe { stand_in::put(Object::at(event), owner, &EVENTS, &REPLACEMENT) };
        }
    });
    false
}

/// An event was delivered.
unsafe extern "C" fn delete(event: *mut Object) -> usize {
    // SAFETY: called through a stand-in.
    unsafe {
        let stand_in = stand_in::of(event);
        hook(|| {
            DELIVERED.store(true, Ordering::Relaxed);
            semaphore::posting((&raw const DELIVERED).addr(), 0);
            if stand_in.owner != UNAWAITED {
                semaphore::posting(events_of(stand_in.owner), 0);
            }
        });
        stand_in::call(stand_in, DELETE, event)
    }
}

unsafe extern "C" fn signal_begins(_: Pointer, _: c_int, _: Pointer) {
    calls();
}

unsafe extern "C" fn signal_ends(sender: Pointer, _: c_int) {
    if !BLOCK.load(Ordering::Relaxed) {
        return;
    }
    hook(|| {
        let sender = sender.addr();
        let blocking = BLOCKING_CALLS.lock();
        let connections = blocking
            .connections
            .range((sender, 0)..=(sender, usize::MAX));
        let receivers: Vec<usize> = connections.map(|(_, receiver)| *receiver).collect();
        drop(blocking);
        for receiver in &receivers {
            semaphore::waited(events_of(*receiver), 0);
        }
        if !receivers.is_empty() {
            semaphore::waited(events_of(0), 0);
        }
    });
}

fn is_blocking(how: c_int) -> bool {
    how & !UNIQUE == BLOCKING
}

/// Calls a method of `receiver` by `real`.
fn invoke(receiver: Pointer, how: c_int, real: impl FnOnce() -> bool) -> bool {
    calls();
    if is_blocking(how) {
        hook(|| {
            BLOCKING_CALLS.lock().receivers.insert(receiver.addr());
            BLOCK.store(true, Ordering::Relaxed);
        });
    }
    let is_done = real();
    if is_blocking(how) {
        hook(|| {
            semaphore::waited(events_of(receiver.addr()), 0);
            semaphore::waited(events_of(0), 0);
        });
    }
    is_done
}

/// Two objects are about to be connected.
fn connects(sender: Pointer, receiver: Pointer, how: c_int) {
    watch();
    if is_blocking(how) {
        hook(|| {
            let mut blocking = BLOCKING_CALLS.lock();
            blocking
                .connections
                .insert((sender.addr(), receiver.addr()));
            blocking.receivers.insert(receiver.addr());
            BLOCK.store(true, Ordering::Relaxed);
        });
    }
}

// SAFETY of the calls below: the program's own arguments.

unsafe extern "C" fn application(it: Pointer, count: Pointer, arguments: Pointer, flags: c_int) {
    watch();
    // SAFETY: see above.
    unsafe { APPLICATION.get()(it, count, arguments, flags) }
}

unsafe extern "C" fn base_application(
    it: Pointer,
    count: Pointer,
    arguments: Pointer,
    flags: c_int,
) {
    watch();
    // SAFETY: see above.
    unsafe { BASE_APPLICATION.get()(it, count, arguments, flags) }
}

unsafe extern "C" fn further_application(it: Pointer, private: Pointer) {
    watch();
    // SAFETY: see above.
    unsafe { FURTHER_APPLICATION.get()(it, private) }
}

unsafe extern "C" fn post(receiver: Pointer, event: Pointer, priority: c_int) {
    watch();
    hook(|| semaphore::posting(event.addr(), 0));
    // SAFETY: see above.
    unsafe { POST.get()(receiver, event, priority) }
}

unsafe extern "C" fn delete_later(it: Pointer) {
    calls();
    // SAFETY: see above.
    unsafe { DELETE_LATER.get()(it) }
}

unsafe extern "C" fn move_to(it: Pointer, thread: Pointer) {
    calls();
    // SAFETY: see above.
    unsafe { MOVE.get()(it, thread) }
}

unsafe extern "C" fn single_shot(time: c_int, receiver: Pointer, member: Pointer) {
    calls();
    // SAFETY: see above.
    unsafe { SINGLE_SHOT.get()(time, receiver, member) }
}

unsafe extern "C" fn single_shot_of(time: c_int, kind: c_int, receiver: Pointer, member: Pointer) {
    calls();
    // SAFETY: see above.
    unsafe { SINGLE_SHOT_OF.get()(time, kind, receiver, member) }
}

unsafe extern "C" fn single_shot_call(
    time: c_int,
    kind: c_int,
    receiver: Pointer,
    call: *mut Slot,
) {
    // SAFETY: see above.
    unsafe { slots::given(call) };
    calls();
    // SAFETY: see above.
    unsafe { SINGLE_SHOT_CALL.get()(time, kind, receiver, call) }
}

unsafe extern "C" fn invoke_call(
    receiver: Pointer,
    call: *mut Slot,
    how: c_int,
    result: Pointer,
) -> bool {
    // SAFETY: see above.
    unsafe { slots::given(call) };
    // SAFETY: see above.
    invoke(receiver, how, || unsafe {
        INVOKE_CALL.get()(receiver, call, how, result)
    })
}

unsafe extern "C" fn invoke_name(
    receiver: Pointer,
    name: Pointer,
    how: c_int,
    result: Generic,
    arguments: Arguments,
) -> bool {
    // SAFETY: see above.
    invoke(receiver, how, || unsafe {
        INVOKE_NAME.get()(receiver, name, how, result, arguments)
    })
}

unsafe extern "C" fn invoke_method(
    method: Pointer,
    receiver: Pointer,
    how: c_int,
    result: Generic,
    arguments: Arguments,
) -> bool {
    // SAFETY: see above.
    invoke(receiver, how, || unsafe {
        INVOKE_METHOD.get()(method, receiver, how, result, arguments)
    })
}

unsafe extern "C" fn connect(
    connection: Pointer,
    sender: Pointer,
    signal: Pointer,
    receiver: Pointer,
    slot: Pointer,
    call: *mut Slot,
    how: c_int,
    types: Pointer,
    class: Pointer,
) -> Pointer {
    // SAFETY: see above.
    unsafe { slots::given(call) };
    connects(sender, receiver, how);
    // SAFETY: see above.
    unsafe {
        CONNECT.get()(
            connection, sender, signal, receiver, slot, call, how, types, class,
        )
    }
}

unsafe extern "C" fn connect_names(
    connection: Pointer,
    sender: Pointer,
    signal: Pointer,
    receiver: Pointer,
    method: Pointer,
    how: c_int,
) -> Pointer {
    connects(sender, receiver, how);
    // SAFETY: see above.
    unsafe { CONNECT_NAMES.get()(connection, sender, signal, receiver, method, how) }
}

unsafe extern "C" fn connect_methods(
    connection: Pointer,
    sender: Pointer,
    signal: Pointer,
    receiver: Pointer,
    method: Pointer,
    how: c_int,
) -> Pointer {
    connects(sender, receiver, how);
    // SAFETY: see above.
    unsafe { CONNECT_METHODS.get()(connection, sender, signal, receiver, method, how) }
}

/// Keeps everybody else out until the process has forked.
pub(super) fn before_fork() {
    EVENTS.hold();
    BLOCKING_CALLS.hold();
}

/// Opens the locks after a fork, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe {
        BLOCKING_CALLS.force_unlock();
        EVENTS.force_unlock();
    }
}
