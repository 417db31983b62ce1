//! The shadow call stack: a frame is pushed at a function's entry and popped
//! wherever it is left.
//!
//! The pointer is moved before the frame is written, so that a signal handler
//! in between pushes above it. Code that control reaches from further down
//! the stack (landing pads, the second return of `setjmp`) sets the pointer
//! back to this function's own.
//!
//! A function that calls nothing needs its frame only while the runtime looks
//! at a miss, so there it is pushed and popped round that call and the
//! function's entry and exit cost nothing.

use crate::access::Collected;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::Runtime;
use racert_abi::tls;

/// A pushed frame.
pub(crate) struct Frame {
    /// What the frame pointer was before, and is afterwards.
    saved: Value,
    /// What it is while the function runs.
    top: Value,
}

/// Pushes a frame where `builder` stands.
pub(crate) fn push(runtime: &Runtime<'_>, builder: &Builder<'_>) -> Frame {
    let types = runtime.module.types;
    let loaded = runtime.load_frames(builder);
    let before = builder.current_block();
    let detached = builder.equal(loaded, types.ptr.null());
    let slow = builder.if_then(detached, true);
    let attached = slow.call(runtime.attach(), &[]);
    let saved = builder.phi(
        types.ptr,
        &[(loaded, before), (attached, slow.current_block())],
    );
    let top = builder.offset(saved, types.i64.constant(tls::FRAME_SIZE as u64));
    runtime.store_frames(builder, top);
    let caller = builder.call_intrinsic("llvm.returnaddress", &[], &[types.i32.constant(0)]);
    builder.store_in_order(caller, saved);
    let context = builder.offset(saved, types.i64.constant(8));
    builder.store_in_order(types.i64.constant(0), context);
    Frame { saved, top }
}

/// Pops a frame.
pub(crate) fn pop(runtime: &Runtime<'_>, builder: &Builder<'_>, frame: &Frame) {
    runtime.store_frames(builder, frame.saved);
}

/// Gives `function` a frame. Must run after everything else has been
/// instrumented, so that the frame is pushed before the first check.
pub(crate) fn instrument(runtime: &Runtime<'_>, function: Value, found: &Collected) {
    let start = function.entry_insertion_point();
    let builder = Builder::before_at(runtime.module, start, function.line_zero());
    let frame = push(runtime, &builder);
    for exit in &found.exits {
        pop(runtime, &Builder::before(runtime.module, *exit), &frame);
    }
    for pad in &found.landing_pads {
        if let Some(place) = pad.block().first_insertion_point() {
            restore(runtime, place, *pad, &frame);
        }
    }
    for call in &found.returns_twice {
        if let Some(place) = call.after() {
            restore(runtime, place, *call, &frame);
        }
    }
}

/// Sets the frame pointer back to this function's own.
fn restore(runtime: &Runtime<'_>, place: Value, origin: Value, frame: &Frame) {
    let builder = Builder::before_at(runtime.module, place, origin.debug_location());
    runtime.store_frames(&builder, frame.top);
}
