//! Loops that wait on a condition variable.

use super::elsewhere::Candidate;
use super::exit::{Exit, Reason};
use super::expression::{Expression, Place};
use super::known::{self, Answer};
use super::locals::Locals;
use super::slice::Slicer;
use super::waits::{Wait, Waits};
use super::{Finder, guard};
use crate::llvm::analysis::Loop;
use crate::llvm::module::Module;
use crate::llvm::value::{Block, Kind, Value};
use std::collections::HashSet;

/// A loop that waits until a condition holds.
pub(crate) struct WaitLoop {
    /// The calls that wait.
    pub(crate) waits: Vec<Value>,
    /// The edges on which it is left because of the condition.
    pub(crate) exits: Vec<WaitExit>,
    /// How many other edges there are: timeouts, attempts.
    pub(crate) other_exits: usize,
    /// The predicate asked once more after a timeout.
    pub(crate) last_look: Option<LastLook>,
    /// It does wait only if one of these functions does; empty if it is
    /// certain.
    pub(crate) if_waits: Vec<Candidate>,
    /// Where it begins, if that matters.
    pub(crate) header: Option<Block>,
}

/// An edge out of such a loop.
pub(crate) struct WaitExit {
    /// The edge.
    pub(crate) exit: Exit,
    /// How to name the condition variable there, if it can be done safely.
    pub(crate) condvar: Option<Expression>,
    /// How to name the mutex there, if it can be done safely.
    pub(crate) mutex: Option<Expression>,
}

/// `while (!p()) if (timed out) return p();`
#[derive(Clone, Copy)]
pub(crate) struct LastLook {
    /// The last call.
    pub(crate) call: Value,
    /// The result with which it counts as the condition having come true.
    pub(crate) truth: bool,
    /// The exit whose condition variable and mutex are meant.
    pub(crate) exit: usize,
}

/// Why a wait is in no loop that was understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotUnderstood {
    /// There is no loop.
    NoLoop,
    /// Control jumps into the middle of the loop.
    Irreducible,
    /// The loop has no exit.
    Endless,
    /// No exit depends on memory or a predicate.
    NoCondition,
    /// The exits depend on more than can be followed.
    TooLarge,
}

/// A wait that is in no such loop.
#[derive(Clone, Copy)]
pub(crate) struct Loose {
    /// The call.
    pub(crate) wait: Value,
    /// Why.
    pub(crate) why: NotUnderstood,
}

/// The waits of one function.
#[derive(Default)]
pub(crate) struct Found {
    /// Loops understood.
    pub(crate) loops: Vec<WaitLoop>,
    /// Waits outside of those.
    pub(crate) loose: Vec<Loose>,
    /// Whether the function locks a mutex itself.
    pub(crate) locks: bool,
}

impl Found {
    /// How the function waits on behalf of its callers, if it does.
    pub(crate) fn for_caller(&self, waits: &Waits<'_>) -> Option<Wait> {
        let endless = |loose: &Loose| loose.why == NotUnderstood::Endless;
        if self.locks || self.loose.iter().any(endless) {
            return None;
        }
        let mut each = self.loose.iter().map(|loose| {
            let (condvar, mutex) = waits.arguments(loose.wait, None);
            let answer = returned_answer(loose.wait, waits);
            Wait {
                condvar,
                mutex,
                answer,
            }
        });
        let first = each.next()?;
        let wait = each.fold(first, |all, one| Wait {
            condvar: all.condvar.filter(|c| Some(c) == one.condvar.as_ref()),
            mutex: all.mutex.filter(|m| Some(m) == one.mutex.as_ref()),
            answer: if all.answer == one.answer {
                all.answer
            } else {
                Answer::Unknown
            },
        });
        (wait.condvar.is_some() || wait.mutex.is_some()).then_some(wait)
    }
}

/// What the result of the function around `wait` says: the same, if it hands
/// on what it got.
fn returned_answer(wait: Value, waits: &Waits<'_>) -> Answer {
    let locals = Locals::default();
    let hands_on = wait
        .function()
        .blocks()
        .filter_map(Block::terminator)
        .filter(|end| end.kind() == Kind::Return)
        .all(|end| {
            let Some(result) = end.operands().first().copied() else {
                return false;
            };
            result == wait
                || result.as_instruction().is_some_and(|load| {
                    load.kind() == Kind::Load
                        && locals
                            .stores(load.pointer_operand())
                            .is_some_and(|stores| stores.iter().any(|s| s.operand(0) == wait))
                })
        });
    if hands_on {
        waits.answer(wait)
    } else {
        Answer::Unknown
    }
}

/// Looks at the waits of a function, the one the analysis has entered.
pub(crate) fn find(finder: &Finder<'_>, function: Value) -> Found {
    let mut found = Found::default();
    let mut loops: Vec<(Loop, Vec<Value>)> = Vec::new();
    for call in function
        .blocks()
        .flat_map(Block::instructions)
        .filter(|instruction| instruction.kind() == Kind::Call)
    {
        if let Some(callee) = call.called_function() {
            found.locks |= known::is_lock(&callee.name());
        }
        if !finder.waits.is_wait(call) {
            continue;
        }
        match loop_of(finder, call) {
            Ok(each) => match loops.iter_mut().find(|(other, _)| *other == each) {
                Some((_, waits)) => waits.push(call),
                None => loops.push((each, vec![call])),
            },
            Err(why) => found.loose.push(Loose { wait: call, why }),
        }
    }
    found.loops = loops
        .into_iter()
        .map(|(each, waits)| describe(finder, each, waits))
        .collect();
    found
}

/// The innermost loop around a wait that is left because of a condition.
pub(crate) fn loop_of(finder: &Finder<'_>, wait: Value) -> Result<Loop, NotUnderstood> {
    let mut next = finder.analysis.loop_of(wait.block());
    let mut why = if next.is_some() {
        NotUnderstood::Endless
    } else if is_in_cycle(wait.block()) {
        NotUnderstood::Irreducible
    } else {
        NotUnderstood::NoLoop
    };
    while let Some(each) = next {
        let slicer = finder.slicer(each);
        for (branch, target) in each.exits() {
            let exit = slicer.exit(branch, target);
            if exit.causes().any(|cause| cause.reason == Reason::Condition) {
                return Ok(each);
            }
            why = if exit.causes().any(|cause| cause.slice.is_cut) {
                NotUnderstood::TooLarge
            } else {
                NotUnderstood::NoCondition
            };
        }
        next = each.parent();
    }
    Err(why)
}

fn is_in_cycle(block: Block) -> bool {
    let mut seen = HashSet::new();
    let mut pending: Vec<Block> = block.successors().collect();
    while let Some(next) = pending.pop() {
        if next == block {
            return true;
        }
        if seen.insert(next) {
            pending.extend(next.successors());
        }
    }
    false
}

/// What is to be known of a loop that waits by these calls.
pub(crate) fn describe(finder: &Finder<'_>, each: Loop, waits: Vec<Value>) -> WaitLoop {
    let slicer = finder.slicer(each);
    let mut exits = Vec::new();
    let mut timeouts = Vec::new();
    let mut other_exits = 0;
    for (branch, target) in each.exits() {
        let exit = slicer.exit_with_way(branch, target);
        let ordered = |reason| matches!(reason, Reason::Condition | Reason::Woken);
        if exit.causes().any(|cause| ordered(cause.reason)) && !is_dead_end(target) {
            exits.push(exit);
        } else {
            other_exits += 1;
            timeouts.push(exit);
        }
    }
    exits.extend(guard::find(&slicer, each, &exits));
    let last_look = last_look(&exits, &timeouts);
    let exits = exits
        .into_iter()
        .map(|exit| with_arguments(finder, each, &waits, exit))
        .collect();
    WaitLoop {
        waits,
        exits,
        other_exits,
        last_look,
        if_waits: Vec::new(),
        header: None,
    }
}

/// Whether nothing comes after the block.
fn is_dead_end(block: Block) -> bool {
    block
        .terminator()
        .is_some_and(|end| end.kind() == Kind::Unreachable)
}

fn with_arguments(finder: &Finder<'_>, each: Loop, waits: &[Value], exit: Exit) -> WaitExit {
    let place = Place {
        each: Some(each),
        at: exit.branch,
    };
    let proven: Vec<Expression> = exit
        .reads()
        .filter(|read| finder.analysis.dominates(read.instruction, exit.branch))
        .filter_map(|read| finder.expressions.at(read.pointer, place))
        .collect();
    let module: &Module = finder.module;
    let mut all = waits
        .iter()
        .map(|wait| finder.waits.arguments(*wait, Some(place)));
    let (mut condvar, mut mutex) = all.next().unwrap_or_default();
    for (other_condvar, other_mutex) in all {
        condvar = condvar.filter(|c| Some(c) == other_condvar.as_ref());
        mutex = mutex.filter(|m| Some(m) == other_mutex.as_ref());
    }
    WaitExit {
        exit,
        condvar: condvar.filter(|c| c.is_safe(module, &proven)),
        mutex: mutex.filter(|m| m.is_safe(module, &proven)),
    }
}

/// The predicate that a timeout asks once more.
fn last_look(exits: &[Exit], timeouts: &[Exit]) -> Option<LastLook> {
    for (index, exit) in exits.iter().enumerate() {
        for cause in exit.causes() {
            let Some((asked, truth)) = cause.decided else {
                continue;
            };
            if !cause.slice.calls.contains(&asked) {
                continue;
            }
            let function = asked.called_function();
            let call = timeouts
                .iter()
                .filter(|timeout| {
                    timeout
                        .causes()
                        .all(|cause| cause.reason == Reason::TimedOut)
                })
                .find_map(|timeout| {
                    timeout.target.instructions().find(|i| {
                        i.kind() == Kind::Call
                            && function.is_some()
                            && i.called_function() == function
                            && i.ty().is_bit()
                            && timeout.target.only_predecessor() == Some(timeout.branch.block())
                    })
                });
            if let Some(call) = call {
                return Some(LastLook {
                    call,
                    truth,
                    exit: index,
                });
            }
        }
    }
    None
}

impl Finder<'_> {
    /// A slicer for decisions of a loop.
    pub(crate) fn slicer(&self, each: Loop) -> Slicer<'_> {
        Slicer {
            module: self.module,
            locals: self.locals,
            waits: self.waits,
            each,
            before: false,
        }
    }
}
