//! Callers through the frames of rewritten libraries.

use super::unwind::{self, Position};
use crate::stack;

/// Callers that a report shows of a deep recursion.
const DEEPEST: usize = 64;

/// Who called the function that a check is in.
#[derive(Clone, Copy)]
pub(super) struct Callers {
    /// Where it returns to.
    pub(super) return_address: u64,
    /// Its own context.
    pub(super) context: u32,
    /// The context of its caller.
    pub(super) outer: u32,
}

/// Follows the stack from `at`, where the shadow call stack ends in the context
/// `below`; `None` if there are no callers to be found.
#[cold]
pub(super) fn follow(at: Position, below: u32) -> Option<Callers> {
    let mut addresses = [0; DEEPEST];
    let mut depth = 0;
    let mut position = at;
    while depth < DEEPEST
        && let Some(caller) = unwind::caller(position)
    {
        addresses[depth] = caller.pc as u64;
        depth += 1;
        position = caller;
    }
    let (&return_address, others) = addresses[..depth].split_first()?;
    let outer = others.iter().rev();
    let outer = outer.fold(below, |context, &pc| stack::intern(context, pc));
    Some(Callers {
        return_address,
        context: stack::intern(outer, return_address),
        outer,
    })
}
