//! Loops that only watch memory until another thread changes it.
//!
//! Nothing in such a loop writes what it watches, and what decides about its
//! end is the same address in every iteration: a loop that walks through an
//! array, follows a list or counts is none. Loads that acquire are
//! synchronisation already and are left to that.

use super::Finder;
use super::effects::{Effect, leads_nowhere};
use super::exit::{Cause, Exit};
use super::guard;
use super::known;
use super::slice::{Read, Slicer};
use crate::llvm::analysis::Loop;
use crate::llvm::value::{Block, Kind, Value};
use std::collections::HashSet;

/// C11's `memory_order_consume`, the weakest that acquires.
const CONSUME: i32 = 1;

/// A loop that spins.
pub(crate) struct SpinLoop {
    /// The edges on which it is left because of what it watches.
    pub(crate) exits: Vec<Exit>,
    /// Where it begins.
    pub(crate) header: Block,
    /// There is no other way out that leads anywhere.
    pub(crate) is_closed: bool,
}

/// Whether a cause is a change of the memory that is watched.
pub(crate) fn is_change(cause: &Cause) -> bool {
    let slice = &cause.slice;
    !slice.varies
        && !slice.is_cut
        && !slice.clock
        && slice.waits.is_empty()
        && slice.calls.iter().all(|call| is_predicate(*call))
        && (!slice.calls.is_empty() || slice.reads.iter().any(is_watched))
}

/// Whether a read needs an edge that it does not get as an atomic operation.
pub(crate) fn is_watched(read: &Read) -> bool {
    read.order < CONSUME
}

fn is_predicate(call: Value) -> bool {
    call.called_function()
        .is_some_and(|function| !known::passes_time(&function.name()))
}

/// The loops of a function that spin; the analysis has entered it.
pub(crate) fn find(finder: &Finder<'_>, function: Value) -> Vec<SpinLoop> {
    if !goes_back(function) {
        return Vec::new();
    }
    finder
        .analysis
        .loops()
        .into_iter()
        .filter_map(|each| recognise(finder, each))
        .collect()
}

/// Whether control may go to a block further up: without that, no loop.
fn goes_back(function: Value) -> bool {
    let mut seen = HashSet::new();
    function.blocks().any(|block| {
        seen.insert(block);
        block.successors().any(|next| seen.contains(&next))
    })
}

fn recognise(finder: &Finder<'_>, each: Loop) -> Option<SpinLoop> {
    let written = written_in(finder, each)?;
    let slicer = finder.slicer(each);
    let ways: Vec<Exit> = each
        .exits()
        .into_iter()
        .filter(|(_, target)| !leads_nowhere(*target))
        .map(|(branch, target)| slicer.exit(branch, target))
        .collect();
    let count = ways.len();
    let exits: Vec<Exit> = ways
        .into_iter()
        .filter(|exit| exit.causes().any(is_change))
        .collect();
    let is_closed = exits.len() == count;
    if exits.is_empty() || !watches_only(finder, &slicer, each) {
        return None;
    }
    let is_written = |pointer: Value| written.contains(&pointer.underlying_object());
    let watched = exits.iter().flat_map(Exit::reads).map(|read| read.pointer);
    let passed = exits
        .iter()
        .flat_map(Exit::causes)
        .flat_map(|cause| &cause.slice.calls)
        .flat_map(|call| call.arguments())
        .filter(|argument| argument.ty().is_pointer());
    if watched.chain(passed).any(is_written) {
        return None;
    }
    let round = guard::find(&slicer, each, &exits);
    Some(SpinLoop {
        exits: exits.into_iter().chain(round).collect(),
        header: each.header(),
        is_closed,
    })
}

/// The function's own variables that the loop writes; `None` if it writes
/// anything else.
fn written_in(finder: &Finder<'_>, each: Loop) -> Option<HashSet<Value>> {
    let mut written = HashSet::new();
    for instruction in each.blocks().into_iter().flat_map(Block::instructions) {
        match finder.effect(instruction) {
            Effect::None => {}
            Effect::Unknown => return None,
            Effect::Writes(pointers) => {
                for pointer in pointers {
                    let object = pointer.underlying_object();
                    if !object.is_alloca() {
                        return None;
                    }
                    written.insert(object);
                }
            }
        }
    }
    Some(written)
}

/// Whether every address read in the loop is the same in all iterations.
fn watches_only(finder: &Finder<'_>, slicer: &Slicer<'_>, each: Loop) -> bool {
    each.blocks()
        .into_iter()
        .flat_map(Block::instructions)
        .filter(|instruction| instruction.kind() == Kind::Load)
        .all(|load| {
            let pointer = load.pointer_operand();
            finder.locals.stores(pointer).is_some()
                || !finder.locals.is_shared(pointer)
                || !slicer.slice(pointer).varies
        })
}
