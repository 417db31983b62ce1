//! Inline assembly: its memory operands are accesses, a `lock` prefix or an
//! `xchg` with memory makes it an atomic operation, and what is nothing but a
//! `mov` is one as well. The instructions valgrind
//! takes for a client request are one to racert, too: programs annotated for
//! Helgrind or DRD need no change.

use crate::access::Access;
use crate::asm_constraints::{self, Move, Operand};
use crate::atomics;
use crate::check;
use crate::filter::Filter;
use crate::llvm::analysis::Analysis;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::{Direction, Runtime};

/// `memory_order_seq_cst`
const SEQ_CST: i32 = 5;

/// What inline assembly does to memory.
#[derive(Default)]
pub(crate) struct Effects {
    /// Ordinary accesses in front of it.
    checks: Vec<Access>,
    /// Operands it changes atomically, with their sizes.
    atomic: Vec<(Value, u64)>,
    /// It is just an atomic load or store.
    moves: Option<Move>,
    /// The arguments of a valgrind client request.
    request: Option<Value>,
}

impl Effects {
    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.checks.is_empty()
            && self.atomic.is_empty()
            && self.moves.is_none()
            && self.request.is_none()
    }
}

/// Finds out what the assembly called by `call` does to memory.
pub(crate) fn plan(
    runtime: &Runtime<'_>,
    analysis: &Analysis,
    call: Value,
    filter: &mut Filter<'_>,
) -> Effects {
    let assembly = call.callee();
    let template = assembly.asm_template();
    if asm_constraints::is_client_request(&template) {
        let arguments = call.operand(0);
        return Effects {
            request: arguments.ty().is_pointer().then_some(arguments),
            ..Effects::default()
        };
    }
    let constraints = assembly.asm_constraints();
    if let Some(moves) = asm_constraints::as_move(&template, &constraints)
        && is_whole(runtime, call, moves, asm_constraints::width(&template))
        && filter.can_race(call.operand(0))
    {
        return Effects {
            moves: Some(moves),
            ..Effects::default()
        };
    }
    let atomic = asm_constraints::is_atomic_template(&template);
    let operands = asm_constraints::parse(&constraints);
    let width = only_memory(call, &operands)
        .and(asm_constraints::width(&template))
        .unwrap_or(0);
    let mut effects = Effects::default();
    let mut argument = 0;
    for operand in operands {
        let index = argument;
        argument += u32::from(operand.takes_argument());
        let Operand::Memory { write } = operand else {
            continue;
        };
        let Some(ty) = call.argument_element_type(index) else {
            continue;
        };
        let pointer = call.operand(index);
        let size = runtime.module.types.store_size(ty).max(width);
        if size == 0 || !filter.can_race(pointer) {
            continue;
        }
        if atomic && write {
            if !effects.atomic.contains(&(pointer, size)) {
                effects.atomic.push((pointer, size));
            }
            continue;
        }
        // An operand read and written appears once as an output and once as a
        // tied input; the write check covers both.
        let direction = if write {
            Direction::Write
        } else {
            Direction::Read
        };
        effects
            .checks
            .push(Access::new(analysis, call, pointer, size, 1, direction));
    }
    // `"=*m"(x) : "*m"(x)` names one atomic operand twice.
    let atomic = &effects.atomic;
    effects
        .checks
        .retain(|access| !atomic.iter().any(|(pointer, _)| *pointer == access.pointer));
    effects
}

/// The one place in memory that is an operand, however often.
fn only_memory(call: Value, operands: &[Operand]) -> Option<Value> {
    let mut places = operands
        .iter()
        .filter(|operand| operand.takes_argument())
        .zip(0..)
        .filter(|(operand, _)| matches!(operand, Operand::Memory { .. }))
        .map(|(_, index)| call.operand(index));
    let first = places.next()?;
    places.all(|place| place == first).then_some(first)
}

/// Whether all of the value in memory is moved, which the instruction says or
/// else its type, and is of a size that has atomic operations.
fn is_whole(runtime: &Runtime<'_>, call: Value, moves: Move, width: Option<u64>) -> bool {
    let types = runtime.module.types;
    let value = match moves {
        Move::Load => call.ty(),
        Move::Store => call.operand(1).ty(),
    };
    let Some(element) = call.argument_element_type(0) else {
        return false;
    };
    let element = types.store_size(element);
    let size = width.unwrap_or(element);
    types.store_size(value) == size && element <= size && matches!(size, 1 | 2 | 4 | 8)
}

/// Emits the checks and brackets.
pub(crate) fn instrument(runtime: &Runtime<'_>, call: Value, effects: &Effects) {
    if let Some(arguments) = effects.request {
        Builder::before(runtime.module, call).call(runtime.client_request(), &[arguments]);
    }
    match effects.moves {
        Some(Move::Load) => return atomics::load_instead(runtime, call, call.operand(0)),
        Some(Move::Store) => {
            return atomics::store_instead(runtime, call, call.operand(0), call.operand(1));
        }
        None => {}
    }
    for access in &effects.checks {
        check::emit(runtime, access, false);
    }
    for (pointer, size) in &effects.atomic {
        atomics::bracket(runtime, call, *pointer, *size, SEQ_CST);
    }
}
