//! Fewer checks: what need not be checked because something else is.
//!
//! All of it rests on one fact: between two points of a thread with no
//! synchronisation in between, every access of another thread is ordered
//! with both or with neither. A check may therefore be left out when the same
//! bytes are checked, at least as strictly, earlier in the same stretch, and
//! it may move within the stretch as long as the access is sure to happen.
//! Never are bytes checked that the program does not touch.

pub(crate) mod adjacent;
pub(crate) mod alignment;
pub(crate) mod barrier;
pub(crate) mod elements;
pub(crate) mod location;
pub(crate) mod loops;
pub(crate) mod read_before_write;
pub(crate) mod redundant;
pub(crate) mod together;

use crate::access::Access;
use crate::llvm::analysis::Analysis;
use crate::llvm::value::Value;
use crate::runtime::Runtime;
use barrier::Barriers;
use together::Group;

/// Reduces the checks of a function.
pub(crate) fn run(
    runtime: &Runtime<'_>,
    analysis: &Analysis,
    function: Value,
    accesses: Vec<Access>,
) -> Vec<Group> {
    if accesses.len() < 2 && !analysis.has_loops() {
        return accesses.into_iter().map(Group::from).collect();
    }
    let barriers = Barriers::new(function);
    let mut accesses = accesses;
    alignment::infer(&mut accesses);
    let accesses = read_before_write::merge(runtime, &barriers, accesses);
    let accesses = redundant::drop_covered(runtime, function, accesses);
    let (accesses, moved) = loops::hoist(runtime, analysis, &barriers, accesses);
    // Checks that met in front of a loop may cover each other.
    let accesses = match moved {
        true => redundant::drop_covered(runtime, function, accesses),
        false => accesses,
    };
    let accesses = adjacent::merge(runtime, &barriers, accesses);
    let accesses = elements::merge(runtime, &barriers, accesses);
    together::group(runtime, &barriers, accesses)
}
