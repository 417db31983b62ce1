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
pub(crate) struct Watched(HashSet<Flag>);

impl Watched {
    /// Adds what plain reads of a loop watch.
    pub(crate) fn add<'r>(&mut self, analysis: &Analysis, reads: impl Iterator<Item = &'r Read>) {
        let plain = reads.filter(|read| is_plain(read.instruction, Kind::Load));
        self.0
            .extend(plain.filter_map(|read| flag(analysis, read.pointer)));
    }

    /// Adds what a predicate of a loop reads, if it is a small one.
    pub(crate) fn add_predicate(&mut self, analysis: &Analysis, predicate: Value) {
        let instructions = || predicate.blocks().flat_map(Block::instructions);
        if instructions().nth(LARGE).is_some() {
            return;
        }
        let loads = instructions().filter(|load| is_plain(*load, Kind::Load));
        self.0
            .extend(loads.filter_map(|load| flag(analysis, load.pointer_operand())));
    }

    /// The plain stores to flags in a function that the analysis has entered.
    pub(crate) fn stores(&self, analysis: &Analysis, function: Value) -> Vec<Value> {
        if self.0.is_empty() {
            return Vec::new();
        }
        function
            .blocks()
            .flat_map(Block::instructions)
            .filter(|store| is_plain(*store, Kind::Store) && !store.has_nosanitize())
            .filter(|store| {
                flag(analysis, store.pointer_operand()).is_some_and(|flag| self.0.contains(&flag))
            })
            .collect()
    }
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
