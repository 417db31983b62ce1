//! The analyses of the function being instrumented.

use super::call;
use super::shim::*;
use super::sys::prelude::LLVMBasicBlockRef;
use super::sys::prelude::LLVMValueRef;
use super::value::{Block, Value};
use std::ffi::c_void;

/// LLVM's analyses of one function. Valid until the function's control flow
/// is changed: everything is asked first and changed afterwards.
pub(crate) struct Analysis {
    raw: *mut RawAnalyses,
}

/// A natural loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Loop(*mut c_void);

/// How often an instruction runs each time its loop is entered. Mirrors
/// `Executions` in `shim/loops.cpp`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Executions {
    /// Once more than the back edge is taken.
    BackEdgesPlusOne = 1,
    /// As often as the back edge is taken, perhaps never.
    BackEdges = 2,
}

impl Analysis {
    /// Wraps the shim's handle.
    pub(crate) fn new(raw: *mut RawAnalyses) -> Analysis {
        Analysis { raw }
    }

    /// Turns to another function.
    pub(crate) fn enter(&self, function: Value) {
        call!(racert_enter_function(self.raw, function.0));
    }

    /// Turns copies of elements that are atomic one by one into loops.
    pub(crate) fn expand_element_copies(&self, function: Value) {
        call!(racert_expand_element_copies(self.raw, function.0));
    }

    /// `pointer & 7`, if it is the same on every execution of `at`.
    pub(crate) fn offset_in_granule(&self, pointer: Value, at: Value) -> Option<u32> {
        let known = call!(racert_known_low_bits(self.raw, pointer.0, at.0));
        let (zero, one) = (known & 7, known >> 8 & 7);
        (zero | one == 7).then_some(one)
    }

    /// The largest power of two up to 64 known to divide `pointer`.
    pub(crate) fn known_alignment(&self, pointer: Value, at: Value) -> u64 {
        let known = call!(racert_known_low_bits(self.raw, pointer.0, at.0));
        1 << (!known).trailing_zeros().min(6)
    }

    /// A pointer without its constant offsets, and their sum.
    pub(crate) fn base_and_offset(&self, pointer: Value) -> (Value, i64) {
        let mut offset = 0;
        let base = call!(racert_base_and_offset(self.raw, pointer.0, &mut offset));
        (Value(base), offset)
    }

    /// The innermost loop around a block.
    pub(crate) fn loop_of(&self, block: Block) -> Option<Loop> {
        Loop::option(call!(racert_loop_of_block(self.raw, block.0)))
    }

    /// Whether `definition` has run whenever `at` is about to run.
    pub(crate) fn dominates(&self, definition: Value, at: Value) -> bool {
        call!(racert_dominates(self.raw, definition.0, at.0))
    }

    /// Forgets what is known about a function that was changed.
    pub(crate) fn forget(&self, function: Value) {
        call!(racert_forget_function(self.raw, function.0));
    }

    /// Whether the function has loops.
    pub(crate) fn has_loops(&self) -> bool {
        !self.loops().is_empty()
    }

    /// The loops of the function, inner ones first.
    pub(crate) fn loops(&self) -> Vec<Loop> {
        extern "C" fn visit(loops: *mut c_void, each: *mut c_void) {
            // SAFETY: the shim hands back the vector it was given below.
            unsafe { &mut *loops.cast::<Vec<Loop>>() }.push(Loop(each));
        }
        let mut loops: Vec<Loop> = Vec::new();
        call!(racert_for_each_loop(
            self.raw,
            visit,
            (&raw mut loops).cast()
        ));
        loops
    }

    /// Whether `each` is the innermost loop around a block.
    pub(crate) fn is_innermost(&self, each: Loop, block: Block) -> bool {
        call!(racert_loop_is_innermost_of(self.raw, each.0, block.0))
    }

    /// Whether an instruction runs at least once whenever its loop is entered.
    pub(crate) fn always_runs(&self, each: Loop, instruction: Value) -> bool {
        call!(racert_loop_always_runs(self.raw, each.0, instruction.0))
    }

    /// How often an instruction runs each time its loop is entered, if that
    /// can be computed beforehand.
    pub(crate) fn executions(&self, each: Loop, instruction: Value) -> Option<Executions> {
        match call!(racert_loop_executions(self.raw, each.0, instruction.0)) {
            1 => Some(Executions::BackEdgesPlusOne),
            2 => Some(Executions::BackEdges),
            _ => None,
        }
    }

    /// By how many bytes a pointer moves in each iteration.
    pub(crate) fn stride(&self, each: Loop, pointer: Value) -> Option<i64> {
        let mut stride = 0;
        call!(racert_loop_stride(self.raw, each.0, pointer.0, &mut stride)).then_some(stride)
    }

    /// The constant number of bytes from one moving pointer to another.
    pub(crate) fn distance(&self, each: Loop, from: Value, to: Value) -> Option<i64> {
        let mut distance = 0;
        call!(racert_loop_distance(
            self.raw,
            each.0,
            from.0,
            to.0,
            &mut distance
        ))
        .then_some(distance)
    }

    /// Code in front of the loop that computes the first byte and the number
    /// of bytes touched by accesses of `span` bytes at `pointer`.
    pub(crate) fn expand_range(
        &self,
        each: Loop,
        pointer: Value,
        span: u64,
        executions: Executions,
    ) -> Option<(Value, Value)> {
        let mut start = std::ptr::null_mut();
        let mut length = std::ptr::null_mut();
        call!(racert_loop_expand_range(
            self.raw,
            each.0,
            pointer.0,
            span,
            executions as i32,
            &mut start,
            &mut length
        ))
        .then_some((Value(start), Value(length)))
    }
}

impl Loop {
    fn option(raw: *mut c_void) -> Option<Loop> {
        (!raw.is_null()).then_some(Loop(raw))
    }

    /// Where the loop is entered.
    pub(crate) fn header(self) -> Block {
        Block(call!(racert_loop_header(self.0)))
    }

    /// The loop around this one.
    pub(crate) fn parent(self) -> Option<Loop> {
        Loop::option(call!(racert_loop_parent(self.0)))
    }

    /// Whether a block is in the loop.
    pub(crate) fn contains(self, block: Block) -> bool {
        call!(racert_loop_contains(self.0, block.0))
    }

    /// The edges on which the loop is left other than by unwinding: the
    /// terminator and the block it goes to.
    pub(crate) fn exits(self) -> Vec<(Value, Block)> {
        extern "C" fn visit(exits: *mut c_void, end: LLVMValueRef, target: LLVMBasicBlockRef) {
            // SAFETY: the shim hands back the vector it was given below.
            unsafe { &mut *exits.cast::<Vec<(Value, Block)>>() }.push((Value(end), Block(target)));
        }
        let mut exits: Vec<(Value, Block)> = Vec::new();
        call!(racert_loop_for_each_exit(
            self.0,
            visit,
            (&raw mut exits).cast()
        ));
        exits
    }

    /// The end of the only block from which the loop is entered.
    pub(crate) fn preheader_end(self) -> Option<Value> {
        Value::option(call!(racert_loop_preheader_end(self.0)))
    }

    /// Whether a value is the same in all iterations.
    pub(crate) fn is_invariant(self, value: Value) -> bool {
        call!(racert_loop_is_invariant(self.0, value.0))
    }

    /// The blocks of the loop, inner loops included.
    pub(crate) fn blocks(self) -> Vec<Block> {
        extern "C" fn visit(blocks: *mut c_void, block: LLVMBasicBlockRef) {
            // SAFETY: the shim hands back the vector it was given below.
            unsafe { &mut *blocks.cast::<Vec<Block>>() }.push(Block(block));
        }
        let mut blocks: Vec<Block> = Vec::new();
        call!(racert_loop_for_each_block(
            self.0,
            visit,
            (&raw mut blocks).cast()
        ));
        blocks
    }
}
