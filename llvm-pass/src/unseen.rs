//! Functions whose work does not count: what they do is right, and the order
//! in which they happen to do it is nothing that a program may rely on.
//!
//! Every thread of a Rust program enters itself into a table of stacks when it
//! begins, and leaves it when it ends, under a lock of the standard library's
//! (for the message about a stack that overflows). So whoever begins later
//! would come after all that a thread which has ended did, and races between
//! threads that do not run for long would hide behind that.

mod names;

use crate::access::Collected;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::Runtime;
pub(crate) use names::is_one;

/// Has the runtime look away from where `function` is entered until it is left.
pub(crate) fn instrument(runtime: &Runtime<'_>, function: Value, found: &Collected) {
    let start = function.entry_insertion_point();
    let builder = Builder::before_at(runtime.module, start, function.line_zero());
    builder.call(runtime.unseen(true), &[]);
    for exit in &found.exits {
        Builder::before(runtime.module, *exit).call(runtime.unseen(false), &[]);
    }
}
