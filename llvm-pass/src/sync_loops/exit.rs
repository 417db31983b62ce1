//! Why a loop is left.
//!
//! `while (!ready && rc == 0)` has one edge out of the loop and two reasons to
//! take it. The front end joins them in a phi node; each way into it is a
//! reason of its own, with its own slice, so that a timeout is told from a
//! condition that came true.

use super::known::Answer;
use super::slice::{Read, Slice, Slicer};
use crate::llvm::flow::Operation;
use crate::llvm::value::{Block, Value};

/// What ended the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// Memory that was read, or a predicate.
    Condition,
    /// A wait that was woken, with nothing else looked at.
    Woken,
    /// A wait that was not woken in time, or the time itself.
    TimedOut,
    /// Something of the loop's own, such as a count of attempts.
    Own,
}

/// One reason to take an exit.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    /// What ended the loop.
    pub(crate) reason: Reason,
    /// What it depends on.
    pub(crate) slice: Slice,
    /// The condition itself and the truth value that ends the loop; `None`
    /// where the choice is among more than two.
    pub(crate) decided: Option<(Value, bool)>,
}

/// An edge out of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// The branch.
    pub(crate) branch: Value,
    /// Where it goes.
    pub(crate) target: Block,
    /// The phi node that joins the causes; with it, one cause for each of its
    /// values, `None` where that value does not lead out of the loop.
    pub(crate) joined: Option<Value>,
    /// The causes.
    pub(crate) causes: Vec<Option<Cause>>,
}

impl Exit {
    /// The causes there are.
    pub(crate) fn causes(&self) -> impl Iterator<Item = &Cause> {
        self.causes.iter().flatten()
    }

    /// Everything that was read.
    pub(crate) fn reads(&self) -> impl Iterator<Item = &Read> {
        self.causes().flat_map(|cause| &cause.slice.reads)
    }
}

impl Slicer<'_> {
    /// Why control goes from `branch` to `target`.
    pub(crate) fn exit(&self, branch: Value, target: Block) -> Exit {
        let mut exit = Exit {
            branch,
            target,
            joined: None,
            causes: Vec::new(),
        };
        let Some(condition) = branch.decides_by() else {
            return exit;
        };
        let decisive = (branch.branch_target(true) == Some(target))
            != (branch.branch_target(false) == Some(target));
        let leaves_on = decisive.then(|| branch.branch_target(true) == Some(target));
        let (value, leaves_on) = strip(condition, leaves_on);
        let is_join = value
            .as_instruction()
            .is_some_and(|i| i.operation() == Operation::Phi && i.block() == branch.block());
        match leaves_on {
            Some(leaves_on) if is_join => {
                exit.joined = Some(value);
                exit.causes = value
                    .incoming()
                    .into_iter()
                    .map(|(value, from)| self.joined(value, from, branch.block(), leaves_on))
                    .collect();
            }
            _ => exit.causes.push(Some(self.cause(value, leaves_on))),
        }
        exit
    }

    /// As [`Slicer::exit`]; what had to hold on the way to the branch counts
    /// too. `if (a) if (b) break;` is left because of both.
    pub(crate) fn exit_with_way(&self, branch: Value, target: Block) -> Exit {
        let mut exit = self.exit(branch, target);
        let is_condition = |cause: &&mut Cause| cause.reason == Reason::Condition;
        let mut causes = exit.causes.iter_mut().flatten().filter(is_condition);
        if let Some(first) = causes.next() {
            let way: Vec<Slice> = self.way_to(branch.block()).map(|v| self.slice(v)).collect();
            for cause in std::iter::once(first).chain(causes) {
                way.iter().for_each(|slice| cause.slice.add(slice));
            }
        }
        exit
    }

    /// The cause that a value of a joining phi node stands for.
    fn joined(&self, value: Value, from: Block, to: Block, leaves_on: bool) -> Option<Cause> {
        let Some(constant) = value.as_constant_int() else {
            let (value, leaves_on) = strip(value, Some(leaves_on));
            return Some(self.cause(value, leaves_on));
        };
        if (constant != 0) != leaves_on {
            return None;
        }
        // What decides is the branch that led here.
        let branch = from.terminator()?;
        match branch.decides_by() {
            Some(condition) => {
                let decisive = branch.branch_target(true) != branch.branch_target(false);
                let on = decisive.then(|| branch.branch_target(true) == Some(to));
                let (condition, on) = strip(condition, on);
                Some(self.cause(condition, on))
            }
            None => self
                .leads_to(from)
                .map(|condition| self.cause(condition, None)),
        }
    }

    fn cause(&self, value: Value, leaves_on: Option<bool>) -> Cause {
        let slice = self.slice(value);
        let reason = if slice.is_condition() {
            Reason::Condition
        } else if let Some(wait) = slice.waits.first() {
            match leaves_on.and_then(|on| self.was_woken(value, on, *wait)) {
                Some(true) => Reason::Woken,
                Some(false) | None => Reason::TimedOut,
            }
        } else if slice.clock {
            Reason::TimedOut
        } else {
            Reason::Own
        };
        Cause {
            reason,
            slice,
            decided: leaves_on.map(|on| (value, on)),
        }
    }

    /// Whether `wait` was woken if `value` is `truth`, going by its result.
    fn was_woken(&self, value: Value, truth: bool, wait: Value) -> Option<bool> {
        let instruction = value.as_instruction()?;
        let is_zero = match instruction.operation() {
            Operation::Equality(equality) => {
                let (result, constant) = (instruction.operand(0), instruction.operand(1));
                let constant = constant.as_constant_int()?;
                if !self.is_result(result, wait) {
                    let (inner, inner_truth) = (strip(result, None).0, equality == truth);
                    // `(rc == 0) != 0`
                    return (constant == 0)
                        .then(|| self.was_woken(inner, !inner_truth, wait))
                        .flatten();
                }
                match (constant, equality == truth) {
                    (0, is_equal) => is_equal,
                    (_, true) => false,
                    // Not this error: none, or another one that is rarer.
                    (_, false) => true,
                }
            }
            _ if self.is_result(value, wait) => !truth,
            _ => return None,
        };
        match self.waits.answer(wait) {
            Answer::ZeroIsWoken => Some(is_zero),
            Answer::ZeroIsTimeout => Some(!is_zero),
            Answer::Unknown => None,
        }
    }

    /// Whether a value is what `wait` returned.
    fn is_result(&self, value: Value, wait: Value) -> bool {
        let (value, _) = strip(value, None);
        if value == wait {
            return true;
        }
        let Some(load) = value.as_instruction() else {
            return false;
        };
        if load.operation() != Operation::Load {
            return false;
        }
        let stores = self.locals.stores(load.pointer_operand());
        stores.is_some_and(|stores| {
            stores
                .iter()
                .any(|store| strip(store.operand(0), None).0 == wait)
        })
    }
}

/// Takes off negations and casts.
fn strip(mut value: Value, mut truth: Option<bool>) -> (Value, Option<bool>) {
    loop {
        if let Some(inner) = value.negated() {
            value = inner;
            truth = truth.map(|truth| !truth);
        } else if let Some(inner) = value.cast_operand() {
            value = inner;
        } else {
            return (value, truth);
        }
    }
}
