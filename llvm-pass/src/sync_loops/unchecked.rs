//! Waits after which nobody looks at the condition again.
//!
//! `if (!ready) wait(); use(payload);` goes on whatever the wait was ended by.
//! That is worth advice, but only where it is certain: a function that merely
//! waits may be called in a loop, a wait with a time limit is a way to sleep,
//! and any branch or call behind the wait may be the second look. So what is
//! left are functions that go straight from the wait to their end and use
//! shared memory on the way.

use super::Finder;
use super::known;
use super::wait_loop::{Loose, NotUnderstood};
use crate::llvm::value::{Block, Kind, Value};

/// How many blocks behind the wait are looked at.
const STEPS: usize = 16;

/// What an instruction behind a wait tells.
enum Evidence {
    /// Nothing.
    None,
    /// The function uses shared memory.
    Uses,
    /// It may look again.
    Looks,
    /// It is over.
    Ends,
}

/// Whether advice is due; the analysis has entered the function, which locks
/// the mutex itself.
pub(crate) fn is_unchecked(finder: &Finder<'_>, loose: &Loose) -> bool {
    let untimed = loose
        .wait
        .called_function()
        .is_some_and(|function| known::is_untimed_wait(&function.name()));
    loose.why == NotUnderstood::NoLoop && untimed && relies(finder, loose.wait)
}

/// Whether shared memory is used behind `wait` and nothing is decided.
fn relies(finder: &Finder<'_>, wait: Value) -> bool {
    let mut block = wait.block();
    let mut uses = false;
    let mut rest: Vec<Value> = block
        .instructions()
        .skip_while(|instruction| *instruction != wait)
        .skip(1)
        .collect();
    for _ in 0..STEPS {
        for instruction in rest {
            match evidence(finder, instruction) {
                Evidence::None => {}
                Evidence::Uses => uses = true,
                Evidence::Looks => return false,
                Evidence::Ends => return uses,
            }
        }
        let branches = block.terminator().and_then(Value::decides_by).is_some();
        let mut next = block.successors().filter(|next| !is_landing_pad(*next));
        match (next.next(), next.next()) {
            (Some(only), None) if !branches => block = only,
            _ => return false,
        }
        rest = block.instructions().collect();
    }
    false
}

fn is_landing_pad(block: Block) -> bool {
    let mut instructions = block.instructions();
    instructions.any(|instruction| instruction.kind() == Kind::LandingPad)
}

fn evidence(finder: &Finder<'_>, instruction: Value) -> Evidence {
    let is_shared = |pointer: Value| {
        finder.locals.stores(pointer).is_none() && finder.locals.is_shared(pointer)
    };
    match instruction.kind() {
        // Pointers are loaded to get at something, perhaps the mutex.
        Kind::Load if instruction.ty().is_pointer() => Evidence::None,
        Kind::Load | Kind::Store if is_shared(instruction.pointer_operand()) => Evidence::Uses,
        Kind::Call => match instruction.called_function() {
            Some(function) if known::gives_back(&function.name()) => Evidence::None,
            Some(_) if instruction.ty().is_pointer() => Evidence::None,
            _ => Evidence::Looks,
        },
        Kind::Return => Evidence::Ends,
        _ => Evidence::None,
    }
}

impl Finder<'_> {
    /// Whether a function of the module calls `function` in a loop, which may
    /// look at the condition.
    pub(crate) fn is_called_in_loop(&self, function: Value) -> bool {
        let calls = function
            .users()
            .into_iter()
            .filter_map(Value::as_instruction);
        let mut calls = calls.filter(|call| call.called_function() == Some(function));
        calls.any(|call| {
            self.analysis.enter(call.function());
            self.analysis.loop_of(call.block()).is_some()
        })
    }
}
