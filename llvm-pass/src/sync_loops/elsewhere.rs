//! Functions of other files that wait.
//!
//! A file is compiled without knowing what functions of other files do. If the
//! program is optimised as a whole when it is linked, files tell each other by
//! symbols: one that defines a function which waits on behalf of its callers
//! defines a byte named after it, and one with a loop that calls a function of
//! another file asks whether there is such a byte. If there is, the loop waits;
//! if not, the linker puts null in its place, and what the exits of the loop
//! would have told is passed over.
//!
//! Which condition variable is meant is known to the runtime, once the loop has
//! waited. What orders is the memory that the exit depends on.

use super::wait_loop::{self, WaitLoop};
use super::{Finder, known};
use crate::llvm::analysis::Loop;
use crate::llvm::builder::Builder;
use crate::llvm::module::Module;
use crate::llvm::value::{Block, Kind, Value};
use racert_abi::sync_loop;

/// Set by the front end on modules that are optimised when they are linked.
const LINKED_LATER: &str = "EnableSplitLTOUnit";
/// Functions of other files in a loop that waits, at most.
const CALLEES: usize = 8;

/// Whether files can tell each other.
pub(crate) fn is_possible(module: &Module) -> bool {
    module.has_flag(LINKED_LATER)
}

/// Tells other files which functions of this one wait.
pub(crate) fn tell(finder: &Finder<'_>) {
    for function in finder.waits.exported() {
        let module = finder.module;
        module.define_byte(&symbol(function), function);
    }
}

fn symbol(function: Value) -> String {
    format!("{}{}", sync_loop::WAITS, function.name())
}

/// Whether one of the functions waits, as code that asks.
pub(crate) fn any_waits(functions: &[Value], builder: &Builder<'_>, module: &Module) -> Value {
    let asked = functions.iter().map(|function| {
        let byte = module.weak_byte(&symbol(*function));
        builder.not_equal(byte, module.types.ptr.null())
    });
    asked
        .reduce(|all, one| builder.or(all, one))
        .expect("a loop that depends on a function")
}

/// The loops of a function that wait if functions of other files do; the
/// analysis has entered it.
pub(crate) fn find(finder: &Finder<'_>, function: Value) -> Vec<WaitLoop> {
    let mut loops: Vec<(Loop, Vec<Value>)> = Vec::new();
    let mut seen: Vec<(Loop, Option<Loop>)> = Vec::new();
    let instructions = function.blocks().flat_map(Block::instructions);
    for call in instructions.filter(|call| may_wait(finder, *call)) {
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
        match loops.iter_mut().find(|(other, _)| *other == each) {
            Some((_, calls)) => calls.push(call),
            None => loops.push((each, vec![call])),
        }
    }
    let waits = |each: &Loop| {
        let mut all = each.blocks().into_iter().flat_map(Block::instructions);
        all.any(|instruction| finder.waits.is_wait(instruction))
    };
    loops.retain(|(each, _)| !waits(each));
    let described = loops.into_iter().filter_map(|(each, calls)| {
        let mut callees: Vec<Value> = calls.iter().filter_map(|c| c.called_function()).collect();
        callees.sort_unstable();
        callees.dedup();
        (callees.len() <= CALLEES).then(|| WaitLoop {
            header: Some(each.header()),
            last_look: None,
            if_waits: callees,
            ..wait_loop::describe(finder, each, calls)
        })
    });
    described.filter(|each| !each.exits.is_empty()).collect()
}

/// Whether an instruction calls a function of another file of which nothing is
/// known.
fn may_wait(finder: &Finder<'_>, call: Value) -> bool {
    call.kind() == Kind::Call
        && call
            .called_function()
            .is_some_and(|f| is_unknown(finder, f))
}

/// Whether a function is another file's, and nothing is known of it.
pub(crate) fn is_unknown(finder: &Finder<'_>, function: Value) -> bool {
    let name = function.name();
    function.is_declaration()
        && !finder.waits.contains(function)
        && !name.starts_with("llvm.")
        && !name.starts_with("__racert")
        && !known::is_lock(&name)
        && !known::gives_back(&name)
        && !known::is_clock(&name)
        && !known::is_errno(&name)
        && !known::passes_time(&name)
}
