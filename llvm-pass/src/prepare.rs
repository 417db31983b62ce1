//! Which functions take part.
//!
//! Runs at the start of the pipeline, before inlining mixes functions: those
//! that take part get LLVM's `sanitize_thread` attribute, which keeps the
//! optimiser from speculating loads (a speculated load is a race the program
//! does not have) and from inlining across the border; those that do not get
//! [`OPT_OUT`].
//!
//! `__attribute__((no_sanitize("thread")))` leaves no trace in the IR unless
//! the front end runs with `-fsanitize=thread`: then functions without the
//! attribute lack `sanitize_thread`. That is honoured whenever at least one
//! function has it, or when `-racert-honour-sanitize-attribute` is given.
//!
//! In those that take part, the loops that wait for another thread get their
//! hooks now too (`sync_loops`): later their shape is gone.

use crate::ignorelist::IgnoreList;
use crate::llvm::analysis::Analysis;
use crate::llvm::module::Module;
use crate::llvm::value::{Kind, Value};
use crate::{atomic_pointers, library_caches, module_pass, options, sync_loops};
use std::collections::HashSet;

/// Marks a function that is left alone.
pub(crate) const OPT_OUT: &str = "racert-no-instrument";
/// Set on modules whose functions have been marked.
const PREPARED: &str = "racert.prepared";
/// Set on modules from a front end that runs with `-fsanitize=thread`.
const FRONT_END: &str = "racert.front_end";

/// Marks the functions of a module, once.
pub(crate) fn run(module: &Module, analysis: &Analysis) {
    if module.has_flag(PREPARED) {
        return;
    }
    module.set_flag(PREPARED);
    let ignore = match options::ignore_list() {
        Ok(ignore) => ignore,
        Err(message) => {
            module.error(&message);
            return;
        }
    };
    let functions: Vec<Value> = module
        .functions()
        .into_iter()
        .filter(|function| !function.is_declaration())
        .collect();
    let front_end = options::front_end_opt_out()
        || functions
            .iter()
            .any(|function| function.has_attribute("sanitize_thread"));
    if front_end {
        module.set_flag(FRONT_END);
    }
    let early = early_functions(module);
    let main_file = module.source_file();
    let whole = ignore.ignores_main_file(&main_file);
    for function in functions {
        let opted_out = front_end && !function.has_attribute("sanitize_thread");
        if whole || opted_out || early.contains(&function) || is_listed(&ignore, function) {
            function.add_string_attribute(OPT_OUT);
        }
        if takes_part(function) {
            function.add_attribute("sanitize_thread");
        } else {
            function.remove_attribute("sanitize_thread");
        }
    }
    atomic_pointers::strengthen(module);
    library_caches::hide(module);
    if module_pass::is_target(&module.triple()) && options::loops() {
        sync_loops::run(module, analysis);
    }
}

/// Whether the front end also schedules ThreadSanitizer's own pass.
pub(crate) fn has_front_end_pass(module: &Module) -> bool {
    module.has_flag(FRONT_END)
}

fn is_listed(ignore: &IgnoreList, function: Value) -> bool {
    !ignore.is_empty()
        && (ignore.ignores_function(&function.name())
            || function
                .source_file()
                .is_some_and(|file| ignore.ignores_source(&file)))
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
            if instruction.kind() == Kind::Call {
                pending.extend(instruction.callee().as_function());
            }
        }
    }
    seen
}
