//! Functions of other files that wait.
//!
//! A file is compiled without knowing what functions of other files do. If the
//! program is optimised as a whole when it is linked, files tell each other by
//! symbols: one that defines a function which waits on behalf of its callers
//! defines a table named after it, and one with a loop that calls a function of
//! another file asks whether there is such a table. If there is, the loop
//! waits; if not, the linker puts null in its place, and what the exits of the
//! loop would have told is passed over.
//!
//! A function that hands what it was given on to a function of another file
//! waits if that one does, which may again be known only in a third file. Its
//! table lists the tables of those it calls; the runtime follows them when the
//! first loop asks. Nobody outside the program or library sees such a table, so
//! that the linker drops those which no loop asks for.
//!
//! Which condition variable is meant is known to the runtime, once the loop has
//! waited. What orders is the memory that the exit depends on.

use super::wait_loop::{self, WaitLoop};
use super::{Finder, known};
use crate::llvm::analysis::Loop;
use crate::llvm::builder::{Builder, Convention};
use crate::llvm::module::Module;
use crate::llvm::value::{Block, Kind, Value};
use racert_abi::{entry, sync_loop};
use std::collections::HashMap;

/// Set by the front end on modules that are optimised when they are linked.
const LINKED_LATER: &str = "EnableSplitLTOUnit";
/// Functions of other files in a loop that waits, or in a function that hands
/// on, at most.
const CALLEES: usize = 8;
/// Instructions of a function that does more than hand on.
const LARGE: usize = 64;
/// How many functions of this file are followed to one of another.
const DEPTH: u32 = 4;

/// A function that a loop calls, and the functions of other files by which it
/// waits if it does: itself, or those it hands on to.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) called: Value,
    by: Vec<Value>,
}

/// The functions of a module that hand on what they were given.
pub(crate) struct Elsewhere {
    /// To which others; `None`: files cannot tell each other.
    handed_on: Option<HashMap<Value, Vec<Value>>>,
}

impl Elsewhere {
    /// Those of the functions that are compiled here.
    pub(crate) fn new(finder: &Finder<'_>, functions: &[Value]) -> Elsewhere {
        if !finder.module.has_flag(LINKED_LATER) {
            return Elsewhere { handed_on: None };
        }
        let mut handed_on = HashMap::new();
        for function in functions {
            finder.analysis.enter(*function);
            let others = hands_on_to(finder, *function);
            if !others.is_empty() {
                handed_on.insert(*function, others);
            }
        }
        Elsewhere {
            handed_on: Some(handed_on),
        }
    }

    /// Tells other files which functions of this one wait.
    pub(crate) fn tell(&self, finder: &Finder<'_>) {
        let Some(handed_on) = &self.handed_on else {
            return;
        };
        let module = finder.module;
        for function in finder.waits.exported() {
            module.define_table(&symbol(function), function, &[]);
        }
        let mut functions: Vec<Value> = handed_on.keys().copied().collect();
        functions.retain(|function| function.is_external() && !finder.waits.contains(*function));
        functions.sort_by_key(|function| function.name());
        for function in functions {
            let by = self.waits_by(finder, function, DEPTH);
            let tables: Vec<Value> = by.iter().map(|other| table(module, *other)).collect();
            if !tables.is_empty() {
                module.define_table(&symbol(function), function, &tables);
            }
        }
    }

    /// The functions of other files by which `function` waits if it does; none
    /// if it does not, or if that is known already.
    fn waits_by(&self, finder: &Finder<'_>, function: Value, depth: u32) -> Vec<Value> {
        if finder.waits.contains(function) {
            return Vec::new();
        }
        if is_unknown(finder, function) {
            return vec![function];
        }
        let handed_on = self.handed_on.as_ref().and_then(|all| all.get(&function));
        let (Some(others), Some(depth)) = (handed_on, depth.checked_sub(1)) else {
            return Vec::new();
        };
        let mut by: Vec<Value> = Vec::new();
        for other in others {
            by.extend(self.waits_by(finder, *other, depth));
        }
        by.sort_by_key(|function| function.name());
        by.dedup();
        if by.len() > CALLEES { Vec::new() } else { by }
    }

    /// What a call may wait by.
    fn candidate(&self, finder: &Finder<'_>, call: Value) -> Option<Candidate> {
        let called = (call.kind() == Kind::Call).then(|| call.called_function())??;
        let by = self.waits_by(finder, called, DEPTH);
        (!by.is_empty()).then_some(Candidate { called, by })
    }

    /// The loops of a function that wait if functions of other files do; the
    /// analysis has entered it.
    pub(crate) fn find(&self, finder: &Finder<'_>, function: Value) -> Vec<WaitLoop> {
        if self.handed_on.is_none() {
            return Vec::new();
        }
        let mut loops: Vec<(Loop, Vec<Value>, Vec<Candidate>)> = Vec::new();
        let mut seen: Vec<(Loop, Option<Loop>)> = Vec::new();
        for call in function.blocks().flat_map(Block::instructions) {
            let Some(candidate) = self.candidate(finder, call) else {
                continue;
            };
            let Some(innermost) = finder.analysis.loop_of(call.block()) else {
                continue;
            };
            let known = seen.iter().find(|(each, _)| *each == innermost);
            let each = match known {
                Some((_, each)) => *each,
                None => {
                    let each = wait_loop::loop_of(finder, call).ok();
                    seen.push((innermost, each));
                    each
                }
            };
            let Some(each) = each else { continue };
            match loops.iter_mut().find(|(other, ..)| *other == each) {
                Some((_, calls, candidates)) => {
                    calls.push(call);
                    candidates.push(candidate);
                }
                None => loops.push((each, vec![call], vec![candidate])),
            }
        }
        let waits = |each: &Loop| {
            let mut all = each.blocks().into_iter().flat_map(Block::instructions);
            all.any(|instruction| finder.waits.is_wait(instruction))
        };
        loops.retain(|(each, ..)| !waits(each));
        let described = loops
            .into_iter()
            .filter_map(|(each, calls, mut candidates)| {
                candidates.sort_by_key(|candidate| candidate.called);
                candidates.dedup_by_key(|candidate| candidate.called);
                (candidates.len() <= CALLEES).then(|| WaitLoop {
                    header: Some(each.header()),
                    last_look: None,
                    if_waits: candidates,
                    ..wait_loop::describe(finder, each, calls)
                })
            });
        described.filter(|each| !each.exits.is_empty()).collect()
    }
}

/// The functions that `function`, which the analysis has entered, calls outside
/// of loops with something that it was given or that others can see too. If it
/// locks a mutex, it waits for itself; if it is large, that is not all it does.
fn hands_on_to(finder: &Finder<'_>, function: Value) -> Vec<Value> {
    let instructions = || function.blocks().flat_map(Block::instructions);
    if instructions().nth(LARGE).is_some() {
        return Vec::new();
    }
    let mut others = Vec::new();
    for call in instructions().filter(|instruction| instruction.kind() == Kind::Call) {
        let Some(called) = call.called_function() else {
            continue;
        };
        if known::is_lock(&called.name()) {
            return Vec::new();
        }
        if finder.analysis.loop_of(call.block()).is_none()
            && !others.contains(&called)
            && call.arguments().iter().any(|a| is_given(finder, *a))
        {
            others.push(called);
        }
    }
    others
}

/// Whether an argument can lead to a condition variable of the caller's.
fn is_given(finder: &Finder<'_>, argument: Value) -> bool {
    let object = argument.underlying_object();
    argument.ty().is_pointer()
        && !(object.is_global_variable() && object.is_global_constant())
        && finder.expressions.over_parameters(argument).is_some()
}

fn symbol(function: Value) -> String {
    format!("{}{}", sync_loop::WAITS, function.name())
}

fn table(module: &Module, function: Value) -> Value {
    module.weak_table(&symbol(function))
}

/// Puts `if (one of them waits) { ... }` at the builder's place and returns a
/// builder inside the braces.
pub(crate) fn if_any_waits<'m>(
    candidates: &[&Candidate],
    builder: &Builder<'m>,
    module: &'m Module,
) -> Builder<'m> {
    // Of most functions the linker knows that they do not.
    let null = module.types.ptr.null();
    let tables = tables(candidates, module);
    let exist = tables.iter().map(|table| builder.not_equal(*table, null));
    let inside = builder.if_then(any(exist, builder), true);
    let waits = any_waits(candidates, &inside, module);
    inside.if_then(waits, true)
}

/// Whether one of them waits, as code that asks the runtime.
pub(crate) fn any_waits(
    candidates: &[&Candidate],
    builder: &Builder<'_>,
    module: &Module,
) -> Value {
    let types = module.types;
    let hook = module.entry(entry::WAITS, types.i32, &[types.ptr], Convention::C);
    let tables = tables(candidates, module);
    let asked = tables.iter().map(|table| {
        let waits = builder.call(hook, &[*table]);
        builder.not_equal(waits, types.i32.constant(0))
    });
    any(asked, builder)
}

fn tables(candidates: &[&Candidate], module: &Module) -> Vec<Value> {
    let mut by: Vec<Value> = candidates.iter().flat_map(|c| c.by.clone()).collect();
    by.sort_by_key(|function| function.name());
    by.dedup();
    by.into_iter().map(|other| table(module, other)).collect()
}

fn any(conditions: impl Iterator<Item = Value>, builder: &Builder<'_>) -> Value {
    conditions
        .reduce(|all, one| builder.or(all, one))
        .expect("a loop that depends on a function")
}

/// Whether a function is another file's, and nothing is known of it.
pub(crate) fn is_unknown(finder: &Finder<'_>, function: Value) -> bool {
    let name = function.name();
    function.is_declaration()
        && !finder.waits.contains(function)
        && !name.starts_with("llvm.")
        && !name.starts_with("__racert")
        && !name.starts_with("pthread_")
        && !known::is_lock(&name)
        && !known::gives_back(&name)
        && !known::is_clock(&name)
        && !known::is_errno(&name)
        && !known::passes_time(&name)
}
