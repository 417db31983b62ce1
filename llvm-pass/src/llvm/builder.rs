//! Building instructions in front of an existing one.

use super::call;
use super::module::Module;
use super::shim::{racert_set_nosanitize, racert_split_if};
use super::sys::core::*;
use super::sys::prelude::{LLVMBuilderRef, LLVMValueRef};
use super::sys::{LLVMAtomicOrdering, LLVMIntPredicate};
use super::types::{Type, Types};
use super::value::{Block, DebugLocation, Value};

/// A runtime entry point declared in the module.
#[derive(Clone, Copy)]
pub(crate) struct Callee {
    /// The declaration.
    pub(crate) function: Value,
    /// Its type.
    pub(crate) ty: Type,
    /// The calling convention both sides agreed on.
    pub(crate) convention: Convention,
}

/// Calling conventions of runtime entry points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Convention {
    /// The platform's C convention.
    C,
    /// The callee saves all registers but r11: the caller's fast path
    /// spills nothing.
    PreserveMost,
}

impl Convention {
    pub(super) fn number(self) -> u32 {
        match self {
            Convention::C => 0,
            Convention::PreserveMost => 14,
        }
    }
}

/// Builds in front of one instruction, with that instruction's debug location.
pub(crate) struct Builder<'m> {
    raw: LLVMBuilderRef,
    /// The module's types.
    pub(crate) types: Types,
    module: &'m Module,
    before: Value,
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        call!(LLVMDisposeBuilder(self.raw));
    }
}

impl<'m> Builder<'m> {
    /// A builder in front of `instruction`.
    pub(crate) fn before(module: &'m Module, instruction: Value) -> Builder<'m> {
        Builder::before_at(module, instruction, instruction.debug_location())
    }

    /// A builder in front of `instruction` with another debug location.
    pub(crate) fn before_at(
        module: &'m Module,
        instruction: Value,
        location: DebugLocation,
    ) -> Builder<'m> {
        let raw = call!(LLVMCreateBuilderInContext(module.context()));
        call!(LLVMPositionBuilderBefore(raw, instruction.0));
        call!(LLVMSetCurrentDebugLocation2(raw, location.0));
        Builder {
            raw,
            types: module.types,
            module,
            before: instruction,
        }
    }

    /// A builder in a new function's only block, in front of its return.
    pub(crate) fn new_body(module: &'m Module, function: Value) -> Builder<'m> {
        let raw = call!(LLVMCreateBuilderInContext(module.context()));
        let block = call!(LLVMAppendBasicBlockInContext(
            module.context(),
            function.0,
            c"".as_ptr()
        ));
        call!(LLVMPositionBuilderAtEnd(raw, block));
        let end = Value(call!(LLVMBuildRetVoid(raw)));
        call!(LLVMPositionBuilderBefore(raw, end.0));
        Builder {
            raw,
            types: module.types,
            module,
            before: end,
        }
    }

    /// Puts `if (condition) { ... }` at the builder's place and returns a
    /// builder inside the braces.
    pub(crate) fn if_then(&self, condition: Value, cold: bool) -> Builder<'m> {
        let location = DebugLocation(call!(LLVMGetCurrentDebugLocation2(self.raw)));
        let end = Value(call!(racert_split_if(condition.0, self.before.0, cold)));
        // The old position is now in the middle of the function: go on in
        // front of the same instruction.
        call!(LLVMPositionBuilderBefore(self.raw, self.before.0));
        call!(LLVMSetCurrentDebugLocation2(self.raw, location.0));
        Builder::before_at(self.module, end, location)
    }

    /// Gives what is built from now on another debug location.
    pub(crate) fn set_location(&self, location: DebugLocation) {
        call!(LLVMSetCurrentDebugLocation2(self.raw, location.0));
    }

    fn binary(
        &self,
        build: unsafe extern "C" fn(
            LLVMBuilderRef,
            LLVMValueRef,
            LLVMValueRef,
            *const std::ffi::c_char,
        ) -> LLVMValueRef,
        a: Value,
        b: Value,
    ) -> Value {
        Value(call!(build(self.raw, a.0, b.0, c"".as_ptr())))
    }

    /// `a & b`
    pub(crate) fn and(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMBuildAnd, a, b)
    }

    /// `a | b`
    pub(crate) fn or(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMBuildOr, a, b)
    }

    /// `a ^ b`
    pub(crate) fn xor(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMBuildXor, a, b)
    }

    /// `a + b`
    pub(crate) fn add(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMBuildAdd, a, b)
    }

    /// `a - b`
    pub(crate) fn sub(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMBuildSub, a, b)
    }

    /// `a * b`
    pub(crate) fn mul(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMBuildMul, a, b)
    }

    /// `a << b`
    pub(crate) fn shl(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMBuildShl, a, b)
    }

    /// `a >> b`, filling with zeros
    pub(crate) fn lshr(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMBuildLShr, a, b)
    }

    /// `a == b`
    pub(crate) fn equal(&self, a: Value, b: Value) -> Value {
        Value(call!(LLVMBuildICmp(
            self.raw,
            LLVMIntPredicate::LLVMIntEQ,
            a.0,
            b.0,
            c"".as_ptr()
        )))
    }

    /// `a != b`
    pub(crate) fn not_equal(&self, a: Value, b: Value) -> Value {
        Value(call!(LLVMBuildICmp(
            self.raw,
            LLVMIntPredicate::LLVMIntNE,
            a.0,
            b.0,
            c"".as_ptr()
        )))
    }

    /// The address a pointer holds, as an `i64`.
    pub(crate) fn address(&self, pointer: Value) -> Value {
        Value(call!(LLVMBuildPtrToInt(
            self.raw,
            pointer.0,
            self.types.i64.0,
            c"".as_ptr()
        )))
    }

    /// The pointer that holds an address.
    pub(crate) fn pointer(&self, address: Value) -> Value {
        Value(call!(LLVMBuildIntToPtr(
            self.raw,
            address.0,
            self.types.ptr.0,
            c"".as_ptr()
        )))
    }

    /// `value` zero-extended or truncated to an integer type.
    pub(crate) fn int_cast(&self, value: Value, ty: Type) -> Value {
        Value(call!(LLVMBuildIntCast2(
            self.raw,
            value.0,
            ty.0,
            0,
            c"".as_ptr()
        )))
    }

    /// The same bits in a type of the same size.
    pub(crate) fn reinterpret(&self, value: Value, ty: Type) -> Value {
        let from = value.ty();
        if from == ty {
            return value;
        }
        let name = c"".as_ptr();
        Value(if from.is_pointer() {
            call!(LLVMBuildPtrToInt(self.raw, value.0, ty.0, name))
        } else if ty.is_pointer() {
            call!(LLVMBuildIntToPtr(self.raw, value.0, ty.0, name))
        } else {
            call!(LLVMBuildBitCast(self.raw, value.0, ty.0, name))
        })
    }

    /// `pointer + offset` bytes.
    pub(crate) fn offset(&self, pointer: Value, offset: Value) -> Value {
        let byte = call!(LLVMInt8TypeInContext(self.module.context()));
        let mut index = [offset.0];
        Value(call!(LLVMBuildGEP2(
            self.raw,
            byte,
            pointer.0,
            index.as_mut_ptr(),
            1,
            c"".as_ptr()
        )))
    }

    /// A load that other instrumentation leaves alone.
    pub(crate) fn load(&self, ty: Type, pointer: Value) -> Value {
        let load = call!(LLVMBuildLoad2(self.raw, ty.0, pointer.0, c"".as_ptr()));
        call!(racert_set_nosanitize(load));
        Value(load)
    }

    /// A variable of the function, reserved where the builder stands.
    pub(crate) fn alloca(&self, ty: Type) -> Value {
        Value(call!(LLVMBuildAlloca(self.raw, ty.0, c"".as_ptr())))
    }

    /// As [`Builder::alloca`], with an alignment.
    pub(crate) fn alloca_aligned(&self, ty: Type, alignment: u32) -> Value {
        let variable = self.alloca(ty);
        call!(LLVMSetAlignment(variable.0, alignment));
        variable
    }

    /// A store that other instrumentation leaves alone.
    pub(crate) fn store(&self, value: Value, pointer: Value) {
        let store = call!(LLVMBuildStore(self.raw, value.0, pointer.0));
        call!(racert_set_nosanitize(store));
    }

    /// `condition ? a : b`
    pub(crate) fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        Value(call!(LLVMBuildSelect(
            self.raw,
            condition.0,
            a.0,
            b.0,
            c"".as_ptr()
        )))
    }

    /// A copy of an instruction with other operands.
    pub(crate) fn again(&self, instruction: Value, operands: &[Value]) -> Value {
        let copy = call!(LLVMInstructionClone(instruction.0));
        for (index, operand) in (0..).zip(operands) {
            call!(LLVMSetOperand(copy, index, operand.0));
        }
        call!(LLVMInsertIntoBuilder(self.raw, copy));
        Value(copy)
    }

    /// A relaxed atomic load: another thread may write the word meanwhile.
    pub(crate) fn load_relaxed(&self, ty: Type, pointer: Value) -> Value {
        let load = self.load(ty, pointer);
        call!(LLVMSetOrdering(
            load.0,
            LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic
        ));
        call!(LLVMSetAlignment(load.0, 8));
        load
    }

    /// A store of 8 bytes that keeps its place among its like, so that a
    /// signal handler never sees one without those before it.
    pub(crate) fn store_in_order(&self, value: Value, pointer: Value) {
        let store = call!(LLVMBuildStore(self.raw, value.0, pointer.0));
        call!(LLVMSetVolatile(store, 1));
        call!(LLVMSetAlignment(store, 8));
        call!(racert_set_nosanitize(store));
    }

    /// The block the builder stands in.
    pub(crate) fn current_block(&self) -> Block {
        Block(call!(LLVMGetInsertBlock(self.raw)))
    }

    /// A phi node at the builder's place.
    pub(crate) fn phi(&self, ty: Type, incoming: &[(Value, Block)]) -> Value {
        let phi = call!(LLVMBuildPhi(self.raw, ty.0, c"".as_ptr()));
        for (value, block) in incoming {
            let (mut value, mut block) = (value.0, block.0);
            call!(LLVMAddIncoming(phi, &mut value, &mut block, 1));
        }
        Value(phi)
    }

    /// Element `index` of a vector.
    pub(crate) fn extract_element(&self, vector: Value, index: u32) -> Value {
        let index = self.types.i32.constant(u64::from(index));
        Value(call!(LLVMBuildExtractElement(
            self.raw,
            vector.0,
            index.0,
            c"".as_ptr()
        )))
    }

    /// `aggregate` with `value` as its member `index`.
    pub(crate) fn insert_value(&self, aggregate: Value, value: Value, index: u32) -> Value {
        Value(call!(LLVMBuildInsertValue(
            self.raw,
            aggregate.0,
            value.0,
            index,
            c"".as_ptr()
        )))
    }

    /// A call of a runtime entry point.
    pub(crate) fn call(&self, callee: Callee, arguments: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = arguments.iter().map(|v| v.0).collect();
        let count = u32::try_from(raw.len()).expect("argument count");
        let call = call!(LLVMBuildCall2(
            self.raw,
            callee.ty.0,
            callee.function.0,
            raw.as_mut_ptr(),
            count,
            c"".as_ptr()
        ));
        call!(LLVMSetInstructionCallConv(call, callee.convention.number()));
        self.module.mark_runtime_call(call);
        Value(call)
    }

    /// A call of the intrinsic `name`, overloaded on `overloads`.
    pub(crate) fn call_intrinsic(
        &self,
        name: &str,
        overloads: &[Type],
        arguments: &[Value],
    ) -> Value {
        let callee = self.module.intrinsic(name, overloads);
        let mut raw: Vec<LLVMValueRef> = arguments.iter().map(|v| v.0).collect();
        let count = u32::try_from(raw.len()).expect("argument count");
        Value(call!(LLVMBuildCall2(
            self.raw,
            callee.ty.0,
            callee.function.0,
            raw.as_mut_ptr(),
            count,
            c"".as_ptr()
        )))
    }
}
