//! Inline assembly: its memory operands are accesses, a `lock` prefix or an
//! `xchg` with memory makes it an atomic operation.

use crate::access::{Access, Escapes, Vtable, can_race};
use crate::asm_constraints::{self, Operand};
use crate::atomics;
use crate::check::{self, Plan};
use crate::llvm::analysis::Analysis;
use crate::llvm::value::Value;
use crate::runtime::{Direction, Runtime};

/// `memory_order_seq_cst`
const SEQ_CST: i32 = 5;

/// What inline assembly does to memory.
#[derive(Default)]
pub(crate) struct Effects {
    /// Ordinary accesses in front of it.
    checks: Vec<(Access, Plan)>,
    /// Operands it changes atomically, with their sizes.
    atomic: Vec<(Value, u64)>,
}

impl Effects {
    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.checks.is_empty() && self.atomic.is_empty()
    }
}

/// Finds out what the assembly called by `call` does to memory.
pub(crate) fn plan(
    runtime: &Runtime<'_>,
    analysis: &Analysis,
    call: Value,
    escapes: &mut Escapes,
) -> Effects {
    let assembly = call.callee();
    let atomic = asm_constraints::is_atomic_template(&assembly.asm_template());
    let mut effects = Effects::default();
    let mut argument = 0;
    for operand in asm_constraints::parse(&assembly.asm_constraints()) {
        let index = argument;
        argument += u32::from(operand.takes_argument());
        let Operand::Memory { read, write } = operand else {
            continue;
        };
        let Some(ty) = call.argument_element_type(index) else {
            continue;
        };
        let pointer = call.operand(index);
        let size = runtime.module.types.store_size(ty);
        if size == 0 || !can_race(pointer, escapes) {
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
        let access = Access {
            instruction: call,
            pointer,
            size,
            alignment: 1,
            direction,
            vtable: Vtable::No,
        };
        debug_assert!(read || write, "a memory operand is read or written");
        effects
            .checks
            .push((access, check::plan(analysis, &access)));
    }
    // `"=*m"(x) : "*m"(x)` names one atomic operand twice.
    let atomic = &effects.atomic;
    effects
        .checks
        .retain(|(access, _)| !atomic.contains(&(access.pointer, access.size)));
    effects
}

/// Emits the checks and brackets.
pub(crate) fn instrument(runtime: &Runtime<'_>, call: Value, effects: &Effects) {
    for (access, plan) in &effects.checks {
        check::emit(runtime, access, *plan);
    }
    for (pointer, size) in &effects.atomic {
        atomics::bracket(runtime, call, *pointer, *size, SEQ_CST);
    }
}
