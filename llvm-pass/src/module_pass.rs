//! The pass over a module: one function after the other, first looking, then
//! changing.

use crate::access::{self, Access, Collected};
use crate::eliminate::together::Group;
use crate::filter::Filter;
use crate::ignorelist::IgnoreList;
use crate::inline_asm::Effects;
use crate::llvm::analysis::Analysis;
use crate::llvm::builder::Builder;
use crate::llvm::module::Module;
use crate::llvm::value::Value;
use crate::meminst::Rewrite;
use crate::runtime::Runtime;
use crate::{
    atomics, check, eliminate, frames, inline_asm, library_calls, loading, masked, meminst,
    options, pipelines, prepare, unseen,
};

/// Set on modules that have been instrumented: the pass is offered them again
/// when they are linked.
const INSTRUMENTED: &str = "racert.instrumented";
/// Name of the function that introduces the module to the runtime.
const CONSTRUCTOR: &str = "racert.module_ctor";
/// The name under which ThreadSanitizer's pass looks for its own constructor:
/// with one of that name in place it adds none.
const FRONT_END_CONSTRUCTOR: &str = "tsan.module_ctor";
/// Before every constructor a program can ask for.
const CONSTRUCTOR_PRIORITY: i32 = 0;

/// Instruments a module. Returns whether it was changed.
pub(crate) fn run(module: &Module, analysis: &Analysis) -> bool {
    if module.has_flag(INSTRUMENTED) || !is_supported(module) {
        return false;
    }
    prepare::run(module, analysis);
    module.set_flag(INSTRUMENTED);
    // What is wrong with a list has been said by `prepare`.
    let ignore = options::ignore_list().unwrap_or_default();
    let runtime = Runtime::new(module);
    let functions: Vec<Value> = module
        .functions()
        .into_iter()
        .filter(|function| !function.is_declaration())
        .collect();
    let mut changed = Vec::new();
    for function in functions.iter().copied() {
        if !prepare::takes_part(function) {
            runtime.stats.functions_ignored.increment();
            continue;
        }
        analysis.enter(function);
        if instrument_function(&runtime, analysis, &ignore, function) {
            runtime.stats.functions.increment();
            changed.push(function);
        }
    }
    // Only now: callers were judged by what their callees do by themselves.
    for function in &changed {
        function.drop_inferred_attributes();
    }
    let front_end_pass = prepare::has_front_end_pass(module);
    if !changed.is_empty() || front_end_pass {
        loading::instrument_structors(&runtime);
        add_constructor(&runtime, front_end_pass);
        library_calls::rename(module);
    }
    for function in functions {
        // Keeps ThreadSanitizer's pass off them.
        function.remove_attribute("sanitize_thread");
        function.add_attribute("disable_sanitizer_instrumentation");
    }
    if options::stats() {
        runtime.stats.print(&module.source_file());
    }
    true
}

/// Whether a target is one the runtime exists for.
pub(crate) fn is_target(triple: &str) -> bool {
    triple.starts_with("x86_64") && triple.contains("linux") && !triple.contains("gnux32")
}

/// Whether code for the module's target can be instrumented.
fn is_supported(module: &Module) -> bool {
    let triple = module.triple();
    if is_target(&triple) {
        return true;
    }
    // A compilation for a GPU beside the program's own is not an error.
    if !["nvptx", "amdgcn", "spir"]
        .iter()
        .any(|gpu| triple.starts_with(gpu))
    {
        module.error(&format!(
            "racert: target '{triple}' is not supported, only 64-bit x86 Linux is"
        ));
    }
    false
}

/// What is to be done in a function, decided before anything is changed.
struct Work {
    groups: Vec<Group>,
    copies: Vec<(Value, Rewrite)>,
    assembly: Vec<(Value, Effects)>,
    byval: Vec<Access>,
    found: Collected,
}

impl Work {
    fn decide(
        runtime: &Runtime<'_>,
        analysis: &Analysis,
        ignore: &IgnoreList,
        function: Value,
    ) -> Work {
        let mut filter = Filter::new(ignore, &runtime.stats);
        let mut found = access::collect(runtime, analysis, &mut filter, function);
        found
            .masked
            .retain(|i| masked::can_race_at_all(*i, &mut filter));
        let copies = found
            .memory_intrinsics
            .iter()
            .filter_map(|i| Some((*i, meminst::plan(analysis, *i, &mut filter)?)))
            .collect();
        let assembly = found
            .assembly
            .iter()
            .map(|call| {
                (
                    *call,
                    inline_asm::plan(runtime, analysis, *call, &mut filter),
                )
            })
            .filter(|(_, effects)| !effects.is_empty())
            .collect();
        let byval = found
            .byval_calls
            .iter()
            .flat_map(|call| meminst::byval_reads(runtime, analysis, *call, &mut filter))
            .collect();
        let accesses = std::mem::take(&mut found.accesses);
        let groups = eliminate::run(runtime, analysis, function, accesses);
        Work {
            groups,
            copies,
            assembly,
            byval,
            found,
        }
    }

    /// Whether there is nothing to do.
    fn is_empty(&self) -> bool {
        !self.found.has_calls
            && self.groups.is_empty()
            && self.copies.is_empty()
            && self.assembly.is_empty()
            && self.byval.is_empty()
            && self.found.masked.is_empty()
            && self.found.atomics.is_empty()
    }

    /// Whether the runtime is called only when a test misses, and nothing
    /// else is called.
    fn is_leaf(&self) -> bool {
        !self.found.has_calls
            && self.found.masked.is_empty()
            && self.found.atomics.is_empty()
            && self.assembly.is_empty()
            && self.copies.iter().all(|(_, rewrite)| rewrite.is_inline())
    }
}

fn instrument_function(
    runtime: &Runtime<'_>,
    analysis: &Analysis,
    ignore: &IgnoreList,
    function: Value,
) -> bool {
    function.generalise_intrinsics();
    analysis.expand_element_copies(function);
    let work = Work::decide(runtime, analysis, ignore, function);
    if work.is_empty() {
        return false;
    }
    let stage = pipelines::is_stage(&function.name());
    let leaf = work.is_leaf() && !stage;
    function.gather_allocas();
    // From the last to the first: splitting a block then moves only what lies
    // between two accesses.
    for group in work.groups.iter().rev() {
        check::emit_group(runtime, group, leaf);
    }
    for access in work.byval.iter().rev() {
        check::emit(runtime, access, leaf);
    }
    for (instruction, rewrite) in work.copies.into_iter().rev() {
        meminst::rewrite(runtime, instruction, rewrite, leaf);
    }
    for instruction in work.found.masked.iter().rev() {
        masked::instrument(runtime, *instruction);
    }
    for (call, effects) in work.assembly.iter().rev() {
        inline_asm::instrument(runtime, *call, effects);
    }
    for instruction in work.found.atomics.iter().rev() {
        runtime.stats.atomics.increment();
        atomics::instrument(runtime, function, *instruction);
    }
    loading::instrument_calls(runtime, &work.found.opens);
    if leaf {
        runtime.stats.leaves.increment();
    } else {
        if unseen::is_one(&function.name()) {
            unseen::instrument(runtime, function, &work.found);
        }
        if stage {
            pipelines::instrument(runtime, function, &work.found);
        }
        frames::instrument(runtime, function, &work.found);
    }
    true
}

fn add_constructor(runtime: &Runtime<'_>, front_end_pass: bool) {
    let module = runtime.module;
    let name = if front_end_pass {
        FRONT_END_CONSTRUCTOR
    } else {
        CONSTRUCTOR
    };
    let constructor = module.add_internal_function(name);
    let builder = Builder::new_body(module, constructor);
    let version = module
        .types
        .i32
        .constant(u64::from(racert_abi::ABI_VERSION));
    builder.call(runtime.init(), &[version]);
    module.append_constructor(constructor, CONSTRUCTOR_PRIORITY);
}
