//! Inline assembly: its memory operands are accesses, a `lock` prefix or an
//! `xchg` with memory makes it an atomic operation, and what is nothing but a
//! `mov` is one as well. Atomic operations are also seen where memory is named
//! as an input only, or through a register with its address, as much old code
//! does that says the rest by a clobber; in the latter case a locked instruction
//! orders threads, but counts as no access. The instructions valgrind takes for a
//! client request are one to racert, too: programs annotated for Helgrind or DRD
//! need no change.

use crate::access::Access;
use crate::asm_constraints::{self, Move, Named, Operand};
use crate::atomics;
use crate::check;
use crate::filter::Filter;
use crate::llvm::analysis::Analysis;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::{Direction, Runtime};

/// `memory_order_seq_cst`
const SEQ_CST: i32 = 5;

/// The size of memory that no constraint names: what is done there orders, but
/// whether it is all of what the program means by that address is not known.
const ORDER_ONLY: u64 = 0;

/// What inline assembly does to memory.
#[derive(Default)]
pub(crate) struct Effects {
    /// Ordinary accesses in front of it.
    checks: Vec<Access>,
    /// Operands it changes atomically, with their sizes.
    atomic: Vec<(Value, u64)>,
    /// It is just an atomic load or store.
    moves: Option<AtomicMove>,
    /// The arguments of a valgrind client request.
    request: Option<Value>,
}

/// An atomic load or store.
enum AtomicMove {
    /// From this place into the result.
    Load(Value),
    /// To the first, of the second.
    Store(Value, Value),
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
    let operands = asm_constraints::parse(&constraints);
    let written_width = asm_constraints::width(&template);
    if let Some(moves) = asm_constraints::as_move(&template, &constraints)
        && let Some(moves) = atomic_move(runtime, call, &operands, moves, written_width, filter)
    {
        return Effects {
            moves: Some(moves),
            ..Effects::default()
        };
    }
    let atomic = asm_constraints::is_atomic_template(&template);
    let locked = asm_constraints::locked(&template);
    let width = only_memory(call, &operands).and(written_width).unwrap_or(0);
    let mut effects = Effects::default();
    let mut argument = 0;
    for (number, operand) in operands.into_iter().enumerate() {
        let index = argument;
        argument += u32::from(operand.takes_argument());
        if operand == Operand::Input && locked.contains(&Named::Through(number)) {
            let pointer = call.operand(index);
            if pointer.ty().is_pointer() && filter.can_race(pointer) {
                effects.atomic.push((pointer, ORDER_ONLY));
            }
        }
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
        let write = write || locked.contains(&Named::Operand(number));
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

/// The move as an atomic one, if all of the value in memory is moved, which the
/// instruction says or else its type, it is of a size that has atomic operations,
/// and no other memory is named.
fn atomic_move(
    runtime: &Runtime<'_>,
    call: Value,
    operands: &[Operand],
    moves: Move,
    width: Option<u64>,
    filter: &mut Filter<'_>,
) -> Option<AtomicMove> {
    let types = runtime.module.types;
    let (place, value) = match moves {
        Move::Load(place) => (place, None),
        Move::Store(place, value) => (place, Some(value)),
    };
    let (Named::Operand(number) | Named::Through(number)) = place else {
        return None;
    };
    let index = argument_of(operands, number);
    let pointer = call.operand(index);
    let others = only_memory(call, operands);
    let in_memory = matches!(place, Named::Operand(_));
    if !pointer.ty().is_pointer()
        || others != in_memory.then_some(pointer)
        || !filter.can_race(pointer)
    {
        return None;
    }
    let element = match place {
        Named::Operand(_) => Some(types.store_size(call.argument_element_type(index)?)),
        _ => None,
    };
    let value_type = match value {
        None => Some(call.ty()),
        Some(Named::Operand(number)) => Some(call.operand(argument_of(operands, number)).ty()),
        Some(_) => None,
    };
    let value_size = value_type.map(|ty| types.store_size(ty));
    let size = width.or(element).or(value_size)?;
    if !matches!(size, 1 | 2 | 4 | 8)
        || element.is_some_and(|element| element > size)
        || value_size.is_some_and(|value| value != size)
    {
        return None;
    }
    Some(match value {
        None => AtomicMove::Load(pointer),
        Some(Named::Operand(number)) => {
            AtomicMove::Store(pointer, call.operand(argument_of(operands, number)))
        }
        Some(Named::Constant(value)) => {
            let int = types.int(8 * u32::try_from(size).ok()?);
            AtomicMove::Store(pointer, int.signed_constant(value))
        }
        Some(Named::Through(_)) => return None,
    })
}

/// Which argument of the call the operand `number` is.
fn argument_of(operands: &[Operand], number: usize) -> u32 {
    let before = operands[..number].iter().filter(|o| o.takes_argument());
    u32::try_from(before.count()).expect("there are few operands")
}

/// Emits the checks and brackets.
pub(crate) fn instrument(runtime: &Runtime<'_>, call: Value, effects: &Effects) {
    if let Some(arguments) = effects.request {
        Builder::before(runtime.module, call).call(runtime.client_request(), &[arguments]);
    }
    match effects.moves {
        Some(AtomicMove::Load(from)) => return atomics::load_instead(runtime, call, from),
        Some(AtomicMove::Store(to, value)) => {
            return atomics::store_instead(runtime, call, to, value);
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
