//! The test in front of a loop that tests at its end.
//!
//! `if (!ready) do wait(); while (!ready);` is the same as `while (!ready)
//! wait();`, and so is what loop rotation makes of the latter: the way round
//! the loop is one of its exits.

use super::exit::{Exit, Reason};
use super::slice::{Read, Slicer};
use crate::llvm::analysis::Loop;
use crate::llvm::flow::Operation;
use crate::llvm::value::{Block, Value};

/// How many blocks lie between the test and the loop at most, and behind the
/// loop where the ways meet.
const STEPS: usize = 4;

/// The way round the loop, if the test in front of it reads what one of its
/// exits reads and the two ways meet at once.
pub(crate) fn find(slicer: &Slicer<'_>, each: Loop, exits: &[Exit]) -> Option<Exit> {
    let (branch, into) = test_before(each)?;
    let condition = branch.decides_by()?;
    let round = branch
        .block()
        .successors()
        .find(|block| *block != into && !each.contains(*block))?;
    let mut exit = slicer.exit(branch, round);
    let outside = Slicer {
        before: true,
        ..*slicer
    }
    .slice(condition);
    let same_condition = exits.iter().any(|other| {
        meets(other.target, round)
            && other.causes().any(|cause| {
                cause.reason == Reason::Condition
                    && (shares_read(&cause.slice.reads, &outside.reads)
                        || shares_callee(&cause.slice.calls, &outside.calls))
            })
    });
    let only = exit.causes.len() == 1 && exit.joined.is_none();
    if !same_condition || !only {
        return None;
    }
    let cause = exit.causes.first_mut()?.as_mut()?;
    cause.slice = outside;
    cause.reason = Reason::Condition;
    Some(exit)
}

/// The branch that decides whether the loop is entered, and the block it goes
/// to for that.
fn test_before(each: Loop) -> Option<(Value, Block)> {
    let header = each.header();
    let mut outside = header
        .predecessors()
        .into_iter()
        .filter(|block| !each.contains(*block));
    let (mut from, mut to) = (outside.next()?, header);
    if outside.any(|other| other != from) {
        return None;
    }
    for _ in 0..STEPS {
        let end = from.terminator()?;
        if end.decides_by().is_some() {
            return Some((end, to));
        }
        to = from;
        from = to.only_predecessor()?;
    }
    None
}

/// Whether two ways come together before anything happens on either.
fn meets(from_loop: Block, round: Block) -> bool {
    let way = |start: Block| {
        std::iter::successors(Some(start), |block| {
            block
                .is_forwarder()
                .then(|| block.successors().next())
                .flatten()
        })
        .take(STEPS)
        .collect::<Vec<_>>()
    };
    let round = way(round);
    way(from_loop).iter().any(|block| round.contains(block))
}

fn shares_read(some: &[Read], others: &[Read]) -> bool {
    some.iter()
        .any(|a| others.iter().any(|b| is_same(a.pointer, b.pointer, STEPS)))
}

fn shares_callee(some: &[Value], others: &[Value]) -> bool {
    some.iter().any(|a| {
        let callee = a.called_function();
        callee.is_some() && others.iter().any(|b| b.called_function() == callee)
    })
}

/// Whether two addresses are computed in the same way from the same values.
fn is_same(a: Value, b: Value, depth: usize) -> bool {
    if a == b {
        return true;
    }
    let (Some(first), Some(second)) = (a.as_instruction(), b.as_instruction()) else {
        return false;
    };
    let operation = first.operation();
    if depth == 0
        || operation != second.operation()
        || !matches!(
            operation,
            Operation::Load | Operation::Address | Operation::Pure
        )
    {
        return false;
    }
    let (mine, theirs) = (first.operands(), second.operands());
    mine.len() == theirs.len()
        && mine
            .iter()
            .zip(&theirs)
            .all(|(mine, theirs)| is_same(*mine, *theirs, depth - 1))
}
