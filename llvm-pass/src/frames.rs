//! The shadow call stack: a frame is pushed at a function's entry and popped
//! wherever it is left.
//!
//! The pointer is moved before the frame is written, so that a signal handler
//! in between pushes above it. Code that control reaches from further down
//! the stack (landing pads, the second return of `setjmp`) sets the pointer
//! back to this function's own.

use crate::access::Collected;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::Runtime;
use racert_abi::tls;

/// Gives `function` a frame. Must run after everything else has been
/// instrumented, so that the frame is pushed before the first check.
pub(crate) fn instrument(runtime: &Runtime<'_>, function: Value, found: &Collected) {
    let types = runtime.module.types;
    let start = function.entry_insertion_point();
    let builder = Builder::before_at(runtime.module, start, function.line_zero());
    let loaded = runtime.load_frames(&builder);
    let before = builder.current_block();
    let detached = builder.equal(loaded, types.ptr.null());
    let slow = builder.if_then(detached, start, true);
    let attached = slow.call(runtime.attach(), &[]);
    let saved = builder.phi(
        types.ptr,
        &[(loaded, before), (attached, slow.current_block())],
    );
    let top = builder.offset(saved, types.i64.constant(tls::FRAME_SIZE as u64));
    runtime.store_frames(&builder, top);
    let caller = builder.call_intrinsic("llvm.returnaddress", &[], &[types.i32.constant(0)]);
    builder.store_in_order(caller, saved);
    let context = builder.offset(saved, types.i64.constant(8));
    builder.store_in_order(types.i64.constant(0), context);

    for exit in &found.exits {
        runtime.store_frames(&Builder::before(runtime.module, *exit), saved);
    }
    for pad in &found.landing_pads {
        if let Some(place) = pad.block().first_insertion_point() {
            let location = pad.debug_location();
            runtime.store_frames(&Builder::before_at(runtime.module, place, location), top);
        }
    }
    for call in &found.returns_twice {
        if let Some(place) = call.after() {
            let location = call.debug_location();
            runtime.store_frames(&Builder::before_at(runtime.module, place, location), top);
        }
    }
}
