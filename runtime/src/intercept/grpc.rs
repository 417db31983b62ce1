//! gRPC, whose calls pass between threads through queues made of atomics of its
//! own.
//!
//! What an operation brings depends on who is at the other end, so whoever has
//! begun one comes before whoever learns later that one has ended, by whatever
//! queue. Queues may have a callback in the place of a tag: that gets a thunk.

use super::callbacks::{self, given};
use super::foreign::foreign;
use super::stub::interceptors;
use super::{caller, hook, section};
use crate::spin::SpinLock;
use crate::sync::semaphore;
use alloc::collections::BTreeSet;
use core::ffi::{c_int, c_void};

type Pointer = *mut c_void;

/// `grpc_event`: what kind and whether it went well, and the tag.
#[repr(C)]
#[derive(Clone, Copy)]
struct Event {
    kind: c_int,
    success: c_int,
    tag: Pointer,
}

/// `GRPC_OP_COMPLETE`
const COMPLETE: c_int = 2;

/// `grpc_completion_queue_attributes`, as far as all versions have it.
#[repr(C)]
struct Attributes {
    version: c_int,
    completion: c_int,
}

/// `GRPC_CQ_CALLBACK`
const CALLBACK: c_int = 2;

foreign! { [c"libgrpc.so.29", c"libgrpc.so"]
    BEGIN = c"_Z16grpc_cq_begin_opP21grpc_completion_queuePv": fn(Pointer, *mut Pointer) -> bool;
    NEXT = c"grpc_completion_queue_next": fn(Pointer, u64, u64, Pointer) -> Event;
    PLUCK = c"grpc_completion_queue_pluck": fn(Pointer, Pointer, u64, u64, Pointer) -> Event;
    CREATE = c"grpc_completion_queue_create": fn(Pointer, *const Attributes, Pointer) -> Pointer;
    DESTROY = c"grpc_completion_queue_destroy": fn(Pointer);
}

interceptors! {
    "_Z16grpc_cq_begin_opP21grpc_completion_queuePv" => begin,
    "grpc_completion_queue_next" => next,
    "grpc_completion_queue_pluck" => pluck,
    "grpc_completion_queue_create" => create,
    "grpc_completion_queue_destroy" => destroy,
}

/// Its address stands for all operations.
static OPERATIONS: u8 = 0;

/// The queues that have callbacks.
static WITH_CALLBACKS: SpinLock<BTreeSet<usize>> = SpinLock::new(BTreeSet::new());

/// Keeps others out until the process has forked.
pub(super) fn before_fork() {
    WITH_CALLBACKS.hold();
}

/// Lets them in, in parent and child.
///
/// # Safety
/// As [`SpinLock::force_unlock`].
pub(super) unsafe fn after_fork() {
    // SAFETY: passed on.
    unsafe { WITH_CALLBACKS.force_unlock() };
}

// SAFETY of the calls below: the program's own arguments.

/// An operation begins. A queue with callbacks has one where `tag` points to.
unsafe extern "C" fn begin(queue: Pointer, tag: *mut Pointer) -> bool {
    let pc = caller();
    hook(|| semaphore::posting((&raw const OPERATIONS).addr(), pc));
    let calls = section(|| WITH_CALLBACKS.lock().contains(&queue.addr()));
    if calls == Some(true) && !tag.is_null() {
        // SAFETY: such a tag is a structure that begins with a function.
        unsafe { *tag = given(*tag) };
    } else {
        callbacks::sends();
    }
    // SAFETY: see above.
    unsafe { BEGIN.get()(queue, tag) }
}

fn ended(event: Event, pc: usize) -> Event {
    if event.kind == COMPLETE {
        hook(|| semaphore::waited((&raw const OPERATIONS).addr(), pc));
    }
    event
}

unsafe extern "C" fn next(queue: Pointer, seconds: u64, rest: u64, reserved: Pointer) -> Event {
    let pc = caller();
    // SAFETY: see above.
    ended(unsafe { NEXT.get()(queue, seconds, rest, reserved) }, pc)
}

unsafe extern "C" fn pluck(
    queue: Pointer,
    tag: Pointer,
    seconds: u64,
    rest: u64,
    reserved: Pointer,
) -> Event {
    let pc = caller();
    // SAFETY: see above.
    ended(
        unsafe { PLUCK.get()(queue, tag, seconds, rest, reserved) },
        pc,
    )
}

unsafe extern "C" fn create(
    factory: Pointer,
    attributes: *const Attributes,
    reserved: Pointer,
) -> Pointer {
    // SAFETY: see above.
    let queue = unsafe { CREATE.get()(factory, attributes, reserved) };
    // SAFETY: see above.
    if unsafe { (*attributes).completion } == CALLBACK {
        section(|| WITH_CALLBACKS.lock().insert(queue.addr()));
    }
    queue
}

unsafe extern "C" fn destroy(queue: Pointer) {
    section(|| WITH_CALLBACKS.lock().remove(&queue.addr()));
    // SAFETY: see above.
    unsafe { DESTROY.get()(queue) }
}
