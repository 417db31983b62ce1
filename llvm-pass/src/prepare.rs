//! Which functions take part.
//!
//! Runs at the start of the pipeline, before inlining mixes functions: those
//! that take part get LLVM's `sanitize_thread` attribute, which keeps the
//! optimiser from speculating loads (a speculated load is a race the program
//! does not have) and from inlining across the border; those that do not get
//! [`OPT_OUT`].

use crate::llvm::module::Module;
use crate::llvm::value::Value;
use std::collections::HashSet;

/// Marks a function that is left alone.
pub(crate) const OPT_OUT: &str = "racert-no-instrument";
/// Set on modules whose functions have been marked.
const PREPARED: &str = "racert.prepared";

/// Marks the functions of a module, once.
pub(crate) fn run(module: &Module) {
    if module.has_flag(PREPARED) {
        return;
    }
    module.set_flag(PREPARED);
    let resolvers = early_functions(module);
    for function in module.functions() {
        if function.is_declaration() {
            continue;
        }
        if resolvers.contains(&function) {
            function.add_string_attribute(OPT_OUT);
        }
        if takes_part(function) {
            function.add_attribute("sanitize_thread");
        } else {
            function.remove_attribute("sanitize_thread");
        }
    }
}

/// Whether a function is instrumented.
pub(crate) fn takes_part(function: Value) -> bool {
    !function.is_declaration()
        && !function.is_available_externally()
        && function.string_attribute(OPT_OUT).is_none()
        && !function.has_attribute("disable_sanitizer_instrumentation")
        && !function.has_attribute("naked")
}

/// Resolvers of ifuncs and what they call: they run while the program is
/// still being relocated, when neither thread-local storage nor the runtime
/// can be used.
fn early_functions(module: &Module) -> HashSet<Value> {
    let mut seen: HashSet<Value> = HashSet::new();
    let mut pending = module.ifunc_resolvers();
    while let Some(function) = pending.pop() {
        if function.is_declaration() || !seen.insert(function) {
            continue;
        }
        for instruction in function.blocks().flat_map(|block| block.instructions()) {
            if instruction.kind() == crate::llvm::value::Kind::Call {
                pending.extend(instruction.callee().as_function());
            }
        }
    }
    seen
}
