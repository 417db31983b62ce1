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
pub(crate) mod location;
pub(crate) mod loops;
pub(crate) mod read_before_write;
pub(crate) mod redundant;

use crate::access::Access;
use crate::llvm::analysis::Analysis;
use crate::llvm::value::Value;
use crate::runtime::Runtime;
use barrier::Barriers;

/// Reduces the checks of a function.
pub(crate) fn run(
    runtime: &Runtime<'_>,
    analysis: &Analysis,
    function: Value,
    accesses: Vec<Access>,
) -> Vec<Access> {
    if accesses.len() < 2 && !analysis.has_loops() {
        return accesses;
    }
    let barriers = Barriers::new(function);
    let mut accesses = accesses;
    alignment::infer(analysis, &mut accesses);
    let accesses = read_before_write::merge(runtime, analysis, &barriers, accesses);
    let accesses = redundant::drop_covered(runtime, analysis, function, accesses);
    let (accesses, moved) = loops::hoist(runtime, analysis, &barriers, accesses);
    // Checks that met in front of a loop may cover each other.
    let accesses = match moved {
        true => redundant::drop_covered(runtime, analysis, function, accesses),
        false => accesses,
    };
    adjacent::merge(runtime, analysis, &barriers, accesses)
}
