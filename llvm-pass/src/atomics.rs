//! Atomic operations and fences.
//!
//! An operation the runtime has an entry point for becomes a call: the runtime
//! performs it together with its effect on the clocks. Others (minimum,
//! floating-point addition, ...) stay and are bracketed by two calls.

use crate::llvm::builder::{Builder, Callee, Convention};
use crate::llvm::types::Type;
use crate::llvm::value::{Kind, Value};
use crate::runtime::Runtime;
use racert_abi::entry;

/// Names of the read-modify-write entry points, by LLVM's numbering.
const RMW_NAMES: [&str; 7] = [
    "exchange",
    "fetch_add",
    "fetch_sub",
    "fetch_and",
    "fetch_nand",
    "fetch_or",
    "fetch_xor",
];

/// `memory_order_acquire`
const ACQUIRE: i32 = 2;
/// `memory_order_release`
const RELEASE: i32 = 3;

/// Instruments one atomic operation or fence of `function`.
pub(crate) fn instrument(runtime: &Runtime<'_>, function: Value, instruction: Value) {
    if instruction.kind() == Kind::Fence {
        let builder = Builder::before(runtime.module, instruction);
        let order = order_constant(runtime, instruction.order());
        builder.call(runtime.fence(), &[order]);
        drop(builder);
        instruction.replace_and_erase(None);
        return;
    }
    let ty = value_type(instruction);
    let size = runtime.module.types.store_size(ty);
    let has_entry_point = match size {
        1 | 2 | 4 | 8 => instruction.alignment() >= size,
        16 => instruction.alignment() >= 16 && has_cx16(function),
        _ => false,
    };
    let operation = match instruction.kind() {
        Kind::AtomicRmw => usize::try_from(instruction.rmw_operation())
            .ok()
            .and_then(|operation| RMW_NAMES.get(operation)),
        Kind::CompareExchange => Some(&"compare_exchange"),
        Kind::Store => Some(&"store"),
        _ => Some(&"load"),
    };
    match operation {
        Some(name) if has_entry_point => replace(runtime, instruction, ty, name),
        _ => bracket(
            runtime,
            instruction,
            instruction.pointer_operand(),
            size,
            instruction.order(),
        ),
    }
}

/// The type of the value in memory.
fn value_type(instruction: Value) -> Type {
    match instruction.kind() {
        Kind::Store => instruction.operand(0).ty(),
        Kind::AtomicRmw | Kind::CompareExchange => instruction.operand(1).ty(),
        _ => instruction.ty(),
    }
}

/// Whether the function may use the 16-byte compare-exchange. Without it a
/// 16-byte atomic is a call of libatomic, which may take a lock.
fn has_cx16(function: Value) -> bool {
    function
        .string_attribute("target-features")
        .is_some_and(|features| features.split(',').any(|feature| feature == "+cx16"))
}

/// The integer with as many bits as a `ty` in memory.
fn int_like(runtime: &Runtime<'_>, ty: Type) -> Type {
    let types = runtime.module.types;
    let bits = u32::try_from(types.store_size(ty) * 8).expect("at most 128");
    types.int(bits)
}

fn entry_point(
    runtime: &Runtime<'_>,
    int: Type,
    name: &str,
    result: Type,
    parameters: &[Type],
) -> Callee {
    let bits = runtime.module.types.store_size(int) * 8;
    let name = format!("{}{bits}_{name}", entry::ATOMIC);
    runtime
        .module
        .entry(&name, result, parameters, Convention::C)
}

/// Puts an acquiring load in the place of `instruction`.
pub(crate) fn load_instead(runtime: &Runtime<'_>, instruction: Value, pointer: Value) {
    let types = runtime.module.types;
    let ty = instruction.ty();
    let int = int_like(runtime, ty);
    let callee = entry_point(runtime, int, "load", int, &[types.ptr, types.i32]);
    let builder = Builder::before(runtime.module, instruction);
    let value = builder.call(callee, &[pointer, order_constant(runtime, ACQUIRE)]);
    let value = from_int(&builder, value, ty);
    drop(builder);
    instruction.replace_and_erase(Some(value));
}

/// Puts a releasing store of `value` in the place of `instruction`.
pub(crate) fn store_instead(
    runtime: &Runtime<'_>,
    instruction: Value,
    pointer: Value,
    value: Value,
) {
    let types = runtime.module.types;
    let int = int_like(runtime, value.ty());
    let parameters = [types.ptr, int, types.i32];
    let callee = entry_point(runtime, int, "store", types.void, &parameters);
    let builder = Builder::before(runtime.module, instruction);
    let value = to_int(&builder, value, int);
    builder.call(callee, &[pointer, value, order_constant(runtime, RELEASE)]);
    drop(builder);
    instruction.replace_and_erase(None);
}

fn replace(runtime: &Runtime<'_>, instruction: Value, ty: Type, name: &str) {
    let types = runtime.module.types;
    let int = int_like(runtime, ty);
    let entry_point =
        |result, parameters: &[Type]| entry_point(runtime, int, name, result, parameters);
    let builder = Builder::before(runtime.module, instruction);
    let pointer = instruction.pointer_operand();
    let order = order_constant(runtime, instruction.order());
    let result = match instruction.kind() {
        Kind::Store => {
            let value = to_int(&builder, instruction.operand(0), int);
            let callee = entry_point(types.void, &[types.ptr, int, types.i32]);
            builder.call(callee, &[pointer, value, order]);
            None
        }
        Kind::Load => {
            let old = builder.call(entry_point(int, &[types.ptr, types.i32]), &[pointer, order]);
            Some(from_int(&builder, old, ty))
        }
        Kind::AtomicRmw => {
            let value = to_int(&builder, instruction.operand(1), int);
            let callee = entry_point(int, &[types.ptr, int, types.i32]);
            let old = builder.call(callee, &[pointer, value, order]);
            Some(from_int(&builder, old, ty))
        }
        _ => {
            let expected = to_int(&builder, instruction.operand(1), int);
            let desired = to_int(&builder, instruction.operand(2), int);
            let failure = order_constant(runtime, instruction.failure_order());
            let callee = entry_point(int, &[types.ptr, int, int, types.i32, types.i32]);
            let old = builder.call(callee, &[pointer, expected, desired, order, failure]);
            let success = builder.equal(old, expected);
            let old = from_int(&builder, old, ty);
            let pair = builder.insert_value(instruction.ty().poison(), old, 0);
            Some(builder.insert_value(pair, success, 1))
        }
    };
    drop(builder);
    instruction.replace_and_erase(result);
}

/// Brackets an operation on `size` bytes at `pointer` that stays in the
/// program.
pub(crate) fn bracket(
    runtime: &Runtime<'_>,
    instruction: Value,
    pointer: Value,
    size: u64,
    order: i32,
) {
    let types = runtime.module.types;
    let arguments = [
        pointer,
        types.i32.constant(size),
        order_constant(runtime, order),
    ];
    let Some(after) = instruction.after() else {
        return;
    };
    let location = instruction.debug_location();
    Builder::before(runtime.module, instruction).call(runtime.rmw_bracket(true), &arguments);
    Builder::before_at(runtime.module, after, location)
        .call(runtime.rmw_bracket(false), &arguments);
}

fn order_constant(runtime: &Runtime<'_>, order: i32) -> Value {
    let order = u64::try_from(order).expect("C11 orders are not negative");
    runtime.module.types.i32.constant(order)
}

/// The bits of any value of the size of `int`; narrower integers (`i1`) are
/// extended.
fn to_int(builder: &Builder<'_>, value: Value, int: Type) -> Value {
    if value.ty().is_integer() {
        return builder.int_cast(value, int);
    }
    builder.reinterpret(value, int)
}

fn from_int(builder: &Builder<'_>, value: Value, ty: Type) -> Value {
    if ty.is_integer() {
        return builder.int_cast(value, ty);
    }
    builder.reinterpret(value, ty)
}
