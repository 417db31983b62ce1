//! The pass over a module: one function after the other, first looking, then
//! changing.

use crate::access::{self, Escapes};
use crate::llvm::analysis::Analysis;
use crate::llvm::builder::Builder;
use crate::llvm::module::Module;
use crate::llvm::value::Value;
use crate::runtime::Runtime;
use crate::{atomics, check, frames, inline_asm, masked, meminst, prepare};

/// Set on modules that have been instrumented: the pass is offered them again
/// when they are linked.
const INSTRUMENTED: &str = "racert.instrumented";
/// Name of the function that introduces the module to the runtime.
const CONSTRUCTOR: &str = "racert.module_ctor";
/// Before every constructor a program can ask for.
const CONSTRUCTOR_PRIORITY: i32 = 0;

/// Instruments a module. Returns whether it was changed.
pub(crate) fn run(module: &Module, analysis: &Analysis) -> bool {
    if module.has_flag(INSTRUMENTED) {
        return false;
    }
    let triple = module.triple();
    if !triple.starts_with("x86_64") || triple.contains("windows") || triple.contains("apple") {
        // A compilation for a GPU beside the program's own is not an error.
        if !["nvptx", "amdgcn", "spir"]
            .iter()
            .any(|gpu| triple.starts_with(gpu))
        {
            module.error(&format!(
                "racert: target '{triple}' is not supported, only 64-bit x86 Linux is"
            ));
        }
        return false;
    }
    prepare::run(module);
    module.set_flag(INSTRUMENTED);
    let runtime = Runtime::new(module);
    let functions = module.functions();
    let mut changed = false;
    for function in functions
        .iter()
        .copied()
        .filter(|f| prepare::takes_part(*f))
    {
        analysis.enter(function);
        changed |= instrument_function(&runtime, analysis, function);
    }
    if changed {
        add_constructor(&runtime);
    }
    leave_to_no_other(module, &functions);
    true
}

/// Keeps ThreadSanitizer's own pass, which the front end schedules when it is
/// asked to honour `no_sanitize("thread")`, off the module.
fn leave_to_no_other(module: &Module, functions: &[Value]) {
    for function in functions.iter().filter(|f| !f.is_declaration()) {
        function.remove_attribute("sanitize_thread");
        function.add_attribute("disable_sanitizer_instrumentation");
    }
    if !module.has_flag("nosanitize_thread") {
        module.set_flag("nosanitize_thread");
    }
}

fn instrument_function(runtime: &Runtime<'_>, analysis: &Analysis, function: Value) -> bool {
    let mut escapes = Escapes::default();
    let mut found = access::collect(runtime.module, function);
    let plans: Vec<_> = found
        .accesses
        .iter()
        .map(|access| check::plan(analysis, access))
        .collect();
    let copies: Vec<_> = found
        .memory_intrinsics
        .iter()
        .filter_map(|i| Some((*i, meminst::plan(analysis, *i, &mut escapes)?)))
        .collect();
    found
        .masked
        .retain(|i| masked::can_race_at_all(*i, &mut escapes));
    let assembly: Vec<_> = found
        .assembly
        .iter()
        .map(|call| {
            (
                *call,
                inline_asm::plan(runtime, analysis, *call, &mut escapes),
            )
        })
        .filter(|(_, effects)| !effects.is_empty())
        .collect();
    let byval: Vec<_> = found
        .byval_calls
        .iter()
        .flat_map(|call| meminst::byval_reads(runtime, analysis, *call, &mut escapes))
        .collect();
    found.memory_intrinsics = copies.iter().map(|(i, _)| *i).collect();
    found.assembly = assembly.iter().map(|(i, _)| *i).collect();
    if !found.needs_frame() {
        return false;
    }

    function.gather_allocas();
    // From the last to the first: splitting a block then moves only what lies
    // between two accesses.
    for (access, plan) in found.accesses.iter().zip(&plans).rev() {
        check::emit(runtime, access, *plan);
    }
    for (access, plan) in byval.iter().rev() {
        check::emit(runtime, access, *plan);
    }
    for (instruction, rewrite) in copies.into_iter().rev() {
        meminst::rewrite(runtime, instruction, rewrite);
    }
    for instruction in found.masked.iter().rev() {
        masked::instrument(runtime, *instruction);
    }
    for (call, effects) in assembly.iter().rev() {
        inline_asm::instrument(runtime, *call, effects);
    }
    for instruction in found.atomics.iter().rev() {
        atomics::instrument(runtime, function, *instruction);
    }
    frames::instrument(runtime, function, &found);
    function.drop_inferred_attributes();
    true
}

fn add_constructor(runtime: &Runtime<'_>) {
    let module = runtime.module;
    let constructor = module.add_internal_function(CONSTRUCTOR);
    let builder = Builder::new_body(module, constructor);
    let version = module
        .types
        .i32
        .constant(u64::from(racert_abi::ABI_VERSION));
    builder.call(runtime.init(), &[version]);
    builder.return_void();
    module.append_constructor(constructor, CONSTRUCTOR_PRIORITY);
}
