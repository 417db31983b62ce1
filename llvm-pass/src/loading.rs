//! Libraries that are loaded while threads run.
//!
//! The dynamic linker runs the constructors of a library before any `dlopen` of
//! it returns, whichever thread asked first, and its destructors after the last
//! `dlclose`. Its lock is nothing that a program calls, so the code itself tells
//! the runtime: constructors when they are done, destructors when they begin,
//! and whoever called `dlopen` when that has returned. A call that is left by a
//! jump tells nothing, and leaves nothing behind.

use crate::llvm::builder::Builder;
use crate::llvm::value::{Kind, Value};
use crate::runtime::Runtime;

/// The functions that open libraries, and return what they opened.
const OPENERS: [&str; 2] = ["dlopen", "dlmopen"];

/// Whether `call` opens a library.
pub(crate) fn opens(call: Value) -> bool {
    let named = |function: Value| OPENERS.contains(&function.name().as_str());
    call.ty().is_pointer() && call.called_function().is_some_and(named)
}

/// Tells the runtime what each of `calls` has opened.
pub(crate) fn instrument_calls(runtime: &Runtime<'_>, calls: &[Value]) {
    for call in calls {
        if let Some(place) = call.after() {
            let builder = Builder::before_at(runtime.module, place, call.debug_location());
            builder.call(runtime.opened(), &[*call]);
        }
    }
}

/// Tells the runtime of the module's constructors and destructors.
pub(crate) fn instrument_structors(runtime: &Runtime<'_>) {
    let module = runtime.module;
    for constructor in structors(runtime, "llvm.global_ctors") {
        for exit in returns(constructor) {
            let builder = Builder::before_at(module, exit, constructor.line_zero());
            builder.call(runtime.constructed(), &[]);
        }
        constructor.drop_inferred_attributes();
    }
    for destructor in structors(runtime, "llvm.global_dtors") {
        let start = destructor.entry_insertion_point();
        let builder = Builder::before_at(module, start, destructor.line_zero());
        builder.call(runtime.destructing(), &[]);
        destructor.drop_inferred_attributes();
    }
}

/// The functions in a list of the module's, but for those that are assembly.
fn structors(runtime: &Runtime<'_>, list: &str) -> Vec<Value> {
    let mut found = runtime.module.structors(list);
    found.retain(|function| !function.has_attribute("naked"));
    found
}

/// The returns of `function`, but for those that must follow their call.
fn returns(function: Value) -> Vec<Value> {
    let mut found = Vec::new();
    for block in function.blocks() {
        let mut is_left = false;
        for instruction in block.instructions() {
            match instruction.kind() {
                Kind::Call if instruction.is_musttail() => is_left = true,
                Kind::Return if !is_left => found.push(instruction),
                _ => {}
            }
        }
    }
    found
}
