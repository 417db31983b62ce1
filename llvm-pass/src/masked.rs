//! Masked loads and stores, gathers and scatters: each active lane is checked
//! by itself, so that no byte is reported that the program did not touch.

use crate::access::{Escapes, can_race};
use crate::llvm::builder::Builder;
use crate::llvm::types::Type;
use crate::llvm::value::{Kind, Value};
use crate::runtime::{Direction, Runtime};

/// Whether any lane could touch what another thread sees.
pub(crate) fn can_race_at_all(instruction: Value, escapes: &mut Escapes) -> bool {
    match instruction.kind() {
        Kind::Gather | Kind::Scatter => true,
        _ => can_race(pointer_of(instruction), escapes),
    }
}

fn direction_of(instruction: Value) -> Direction {
    match instruction.kind() {
        Kind::MaskedLoad | Kind::Gather | Kind::ExpandLoad => Direction::Read,
        _ => Direction::Write,
    }
}

fn pointer_of(instruction: Value) -> Value {
    instruction.operand(match direction_of(instruction) {
        Direction::Read => 0,
        Direction::Write => 1,
    })
}

fn vector_type(instruction: Value) -> Type {
    match direction_of(instruction) {
        Direction::Read => instruction.ty(),
        Direction::Write => instruction.operand(0).ty(),
    }
}

/// Emits the checks of a masked memory intrinsic.
pub(crate) fn instrument(runtime: &Runtime<'_>, instruction: Value) {
    let types = runtime.module.types;
    let vector = vector_type(instruction);
    let (element, lanes) = (vector.element(), vector.vector_length());
    let size = types.store_size(element);
    let Some(mask) = instruction.mask() else {
        return;
    };
    let builder = Builder::before(runtime.module, instruction);
    let direction = direction_of(instruction);
    match instruction.kind() {
        // The lanes lie one behind the other: as many as the mask has bits.
        Kind::ExpandLoad | Kind::CompressStore => {
            let bits = builder.reinterpret(mask, types.int(lanes));
            let count = builder.call_intrinsic("llvm.ctpop", &[types.int(lanes)], &[bits]);
            let count = builder.int_cast(count, types.i64);
            let length = builder.mul(count, types.i64.constant(size));
            let any = builder.not_equal(length, types.i64.constant(0));
            let then = builder.if_then(any, instruction, false);
            then.call(runtime.range(direction), &[pointer_of(instruction), length]);
        }
        kind => {
            for lane in 0..lanes {
                let active = builder.extract_element(mask, lane);
                if active.as_constant_int() == Some(0) {
                    continue;
                }
                let then = builder.if_then(active, instruction, false);
                let pointer = match kind {
                    Kind::Gather | Kind::Scatter => {
                        then.extract_element(pointer_of(instruction), lane)
                    }
                    _ => {
                        let offset = u64::from(lane) * size;
                        then.offset(pointer_of(instruction), types.i64.constant(offset))
                    }
                };
                if matches!(size, 1 | 2 | 4 | 8 | 16) {
                    then.call(runtime.access(direction, size), &[pointer]);
                } else {
                    let length = types.i64.constant(size);
                    then.call(runtime.range(direction), &[pointer, length]);
                }
            }
        }
    }
}
