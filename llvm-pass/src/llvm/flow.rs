//! How values and blocks hang together: operands and users, branches and what
//! they depend on.

use super::call;
use super::module::Module;
use super::shim::*;
use super::sys::core::*;
use super::sys::prelude::LLVMValueRef;
use super::sys::{LLVMIntPredicate, LLVMOpcode};
use super::value::{Block, Value};
use std::ffi::{c_char, c_void};

/// What an instruction computes, as far as following values goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    /// Reserves memory in the frame.
    Alloca,
    /// Reads memory.
    Load,
    /// Chooses by the way control came.
    Phi,
    /// Address arithmetic.
    Address,
    /// Compares integers: `true` if for equality, `false` if for inequality.
    Equality(bool),
    /// A computation that depends on its operands alone and cannot trap.
    Pure,
    /// Calls something.
    Call,
    /// Anything else.
    Other,
}

impl Value {
    /// This value as an instruction, if it is one.
    pub(crate) fn as_instruction(self) -> Option<Value> {
        Value::option(call!(LLVMIsAInstruction(self.0)))
    }

    /// Whether this is a constant, an address of a global included.
    pub(crate) fn is_constant(self) -> bool {
        call!(LLVMIsConstant(self.0)) != 0
    }

    /// Whether this is a parameter of a function.
    pub(crate) fn is_argument(self) -> bool {
        !call!(LLVMIsAArgument(self.0)).is_null()
    }

    /// What an instruction computes.
    pub(crate) fn operation(self) -> Operation {
        use LLVMOpcode::*;
        match call!(LLVMGetInstructionOpcode(self.0)) {
            LLVMAlloca => Operation::Alloca,
            LLVMLoad => Operation::Load,
            LLVMPHI => Operation::Phi,
            LLVMGetElementPtr => Operation::Address,
            LLVMCall | LLVMInvoke => Operation::Call,
            LLVMICmp => match call!(LLVMGetICmpPredicate(self.0)) {
                LLVMIntPredicate::LLVMIntEQ => Operation::Equality(true),
                LLVMIntPredicate::LLVMIntNE => Operation::Equality(false),
                _ => Operation::Pure,
            },
            LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr
            | LLVMXor | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr
            | LLVMBitCast | LLVMSelect | LLVMFreeze => Operation::Pure,
            _ => Operation::Other,
        }
    }

    /// Whether this is `!operand`, and of what.
    pub(crate) fn negated(self) -> Option<Value> {
        let instruction = self.as_instruction()?;
        let is_xor = call!(LLVMGetInstructionOpcode(instruction.0)) == LLVMOpcode::LLVMXor;
        (is_xor && self.operand(1).as_constant_int() == Some(1) && self.ty().is_bit())
            .then(|| self.operand(0))
    }

    /// Whether a cast keeps a truth value: what it casts.
    pub(crate) fn cast_operand(self) -> Option<Value> {
        use LLVMOpcode::*;
        let instruction = self.as_instruction()?;
        let opcode = call!(LLVMGetInstructionOpcode(instruction.0));
        matches!(opcode, LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFreeze).then(|| self.operand(0))
    }

    /// The operands of an instruction.
    pub(crate) fn operands(self) -> Vec<Value> {
        let count = u32::try_from(call!(LLVMGetNumOperands(self.0))).unwrap_or(0);
        (0..count).map(|index| self.operand(index)).collect()
    }

    /// The arguments of a call.
    pub(crate) fn arguments(self) -> Vec<Value> {
        (0..self.argument_count())
            .map(|index| self.operand(index))
            .collect()
    }

    /// The function a call surely calls.
    pub(crate) fn called_function(self) -> Option<Value> {
        self.callee().as_function()
    }

    /// The parameters of a function.
    pub(crate) fn parameters(self) -> Vec<Value> {
        let count = call!(LLVMCountParams(self.0));
        (0..count)
            .map(|index| Value(call!(LLVMGetParam(self.0, index))))
            .collect()
    }

    /// The values a phi node chooses from and the blocks they come with.
    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        (0..call!(LLVMCountIncoming(self.0)))
            .map(|index| {
                let value = Value(call!(LLVMGetIncomingValue(self.0, index)));
                (value, Block(call!(LLVMGetIncomingBlock(self.0, index))))
            })
            .collect()
    }

    /// Whoever has this value as an operand.
    pub(crate) fn users(self) -> Vec<Value> {
        let first = call!(LLVMGetFirstUse(self.0));
        std::iter::successors((!first.is_null()).then_some(first), |r#use| {
            let next = call!(LLVMGetNextUse(*r#use));
            (!next.is_null()).then_some(next)
        })
        .map(|r#use| Value(call!(LLVMGetUser(r#use))))
        .collect()
    }

    /// What a conditional branch or a switch decides by.
    pub(crate) fn decides_by(self) -> Option<Value> {
        use LLVMOpcode::*;
        match call!(LLVMGetInstructionOpcode(self.0)) {
            LLVMBr => (call!(LLVMIsConditional(self.0)) != 0)
                .then(|| Value(call!(LLVMGetCondition(self.0)))),
            LLVMSwitch => Some(self.operand(0)),
            _ => None,
        }
    }

    /// Where a branch on `condition` goes; `None` for anything but a branch.
    pub(crate) fn branch_target(self, condition: bool) -> Option<Block> {
        let is_branch = call!(LLVMGetInstructionOpcode(self.0)) == LLVMOpcode::LLVMBr;
        is_branch.then(|| Block(call!(LLVMGetSuccessor(self.0, u32::from(!condition)))))
    }

    /// The function an instruction is in.
    pub(crate) fn function(self) -> Value {
        Value(call!(LLVMGetBasicBlockParent(LLVMGetInstructionParent(
            self.0
        ))))
    }

    /// Whether two instructions do the same to operands of the same types.
    pub(crate) fn is_same_operation(self, other: Value) -> bool {
        call!(racert_is_same_operation(self.0, other.0))
    }

    /// File and line of an instruction, if it has debug information.
    pub(crate) fn place(self) -> Option<(String, u32)> {
        let mut length = 0;
        let start = call!(LLVMGetDebugLocFilename(self.0, &mut length));
        let file = super::value::bytes_to_string(start.cast(), length as usize);
        let line = call!(LLVMGetDebugLocLine(self.0));
        (!file.is_empty() && line != 0).then_some((file, line))
    }

    /// Whether another definition may take a function's place at link time.
    pub(crate) fn is_interposable(self) -> bool {
        call!(racert_is_interposable(self.0))
    }

    /// Whether `size` bytes at `self + offset` can be read wherever this
    /// pointer is known.
    pub(crate) fn is_readable(self, module: &Module, offset: i64, size: u64) -> bool {
        call!(racert_is_readable(self.0, module.raw(), offset, size))
    }

    /// Promises that a call keeps no copy of a pointer argument.
    pub(crate) fn set_nocapture(self, index: u32) {
        call!(racert_set_nocapture(self.0, index));
    }
}

impl Block {
    /// The instruction that ends the block.
    pub(crate) fn terminator(self) -> Option<Value> {
        Value::option(call!(LLVMGetBasicBlockTerminator(self.0)))
    }

    /// The blocks that come before this one, each as often as it has edges
    /// here.
    pub(crate) fn predecessors(self) -> Vec<Block> {
        Value(call!(LLVMBasicBlockAsValue(self.0)))
            .users()
            .into_iter()
            .filter(|user| user.as_instruction().is_some())
            .map(Value::block)
            .collect()
    }

    /// The only block that comes before this one.
    pub(crate) fn only_predecessor(self) -> Option<Block> {
        let all = self.predecessors();
        let first = *all.first()?;
        all.iter().all(|block| *block == first).then_some(first)
    }

    /// Whether the block does nothing but go on.
    pub(crate) fn is_forwarder(self) -> bool {
        call!(racert_is_forwarder(self.0))
    }

    /// A place for code that runs when control goes from a terminator to this
    /// block and not otherwise.
    pub(crate) fn edge_from(self, terminator: Value) -> Option<Value> {
        Value::option(call!(racert_edge_insertion_point(terminator.0, self.0)))
    }
}

impl Module {
    /// The functions that the source annotates, and the text.
    pub(crate) fn annotations(&self) -> Vec<(Value, String)> {
        extern "C" fn visit(
            found: *mut c_void,
            function: LLVMValueRef,
            text: *const c_char,
            length: usize,
        ) {
            let text = super::value::bytes_to_string(text.cast(), length);
            // SAFETY: the shim hands back the vector it was given below.
            unsafe { &mut *found.cast::<Vec<(Value, String)>>() }.push((Value(function), text));
        }
        let mut found: Vec<(Value, String)> = Vec::new();
        call!(racert_for_each_annotation(
            self.raw(),
            visit,
            (&raw mut found).cast()
        ));
        found
    }
}
