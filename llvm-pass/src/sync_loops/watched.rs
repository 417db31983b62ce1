//! Stores to what loops of the module watch.
//!
//! All that a thread did before it set a flag comes before what is done behind
//! the loop that watches the flag; what it does afterwards does not. To tell
//! the two apart the runtime has to know of the store when it happens, and not
//! just that it did. Flags are told by the variable, or by the member of the
//! type that they are.

use super::slice::Read;
use crate::llvm::analysis::Analysis;
use crate::llvm::types::Type;
use crate::llvm::value::{Block, Kind, Value};
use std::collections::HashSet;

/// Instructions of a predicate that does more than look at a flag.
const LARGE: usize = 64;

/// What is watched, as far as the module tells.
#[derive(PartialEq, Eq, Hash)]
enum Flag {
    /// At this distance from the beginning of a global variable.
    Global(Value, i64),
    /// A member of a type.
    Member(Type, Vec<Option<u64>>),
}

/// The flags of a module.
#[derive(Default)]
pub(crate) struct Watched {
    /// Read by loads that are not atomic.
    plain: HashSet<Flag>,
    /// Read by atomic ones, which do not acquire.
    relaxed: HashSet<Flag>,
}

impl Watched {
    /// Adds what reads of a loop watch.
    pub(crate) fn add<'r>(&mut self, analysis: &Analysis, reads: impl Iterator<Item = &'r Read>) {
        for read in reads {
            self.add_load(analysis, read.instruction, read.pointer);
        }
    }

    /// Adds what a predicate of a loop reads, if it is a small one.
    pub(crate) fn add_predicate(&mut self, analysis: &Analysis, predicate: Value) {
        let instructions = || predicate.blocks().flat_map(Block::instructions);
        if instructions().nth(LARGE).is_some() {
            return;
        }
        for load in instructions().filter(|each| each.kind() == Kind::Load) {
            self.add_load(analysis, load, load.pointer_operand());
        }
    }

    fn add_load(&mut self, analysis: &Analysis, load: Value, pointer: Value) {
        if is_plain(load, Kind::Load) {
            self.plain.extend(flag(analysis, pointer));
        } else if is_relaxed(load, Kind::Load) {
            self.relaxed.extend(flag(analysis, pointer));
        }
    }

    /// The plain stores to flags in a function that the analysis has entered.
    pub(crate) fn stores(&self, analysis: &Analysis, function: Value) -> Vec<Value> {
        let is_store = |each: &Value| is_plain(*each, Kind::Store) && !each.has_nosanitize();
        stores_to(&self.plain, analysis, function, is_store)
    }

    /// The relaxed ones to flags that are read so.
    pub(crate) fn relaxed_stores(&self, analysis: &Analysis, function: Value) -> Vec<Value> {
        let is_store = |each: &Value| is_relaxed(*each, Kind::Store);
        stores_to(&self.relaxed, analysis, function, is_store)
    }
}

/// The stores of a function to these flags.
fn stores_to(
    flags: &HashSet<Flag>,
    analysis: &Analysis,
    function: Value,
    is_store: impl Fn(&Value) -> bool,
) -> Vec<Value> {
    if flags.is_empty() {
        return Vec::new();
    }
    let instructions = function.blocks().flat_map(Block::instructions);
    instructions
        .filter(is_store)
        .filter(|store| {
            flag(analysis, store.pointer_operand()).is_some_and(|flag| flags.contains(&flag))
        })
        .collect()
}

fn is_relaxed(access: Value, kind: Kind) -> bool {
    access.kind() == kind && access.is_atomic() && access.order() == 0
}

fn is_plain(access: Value, kind: Kind) -> bool {
    access.kind() == kind && !access.is_atomic()
}

fn flag(analysis: &Analysis, pointer: Value) -> Option<Flag> {
    let (base, offset) = analysis.base_and_offset(pointer);
    if base.is_global_variable() {
        return Some(Flag::Global(base, offset));
    }
    let (of, path) = pointer.member()?;
    Some(Flag::Member(of, path))
}
