//! What a decision depends on.
//!
//! Followed backwards from the condition of a branch, through the function's
//! own variables, to the memory that was read, the functions that were asked,
//! the results of waits, and what changes by itself from one iteration to the
//! next. Where a variable is set to a constant (`done = true`), what decides
//! is the branch that leads there.

use super::known;
use super::locals::Locals;
use super::waits::Waits;
use crate::llvm::analysis::Loop;
use crate::llvm::flow::Operation;
use crate::llvm::module::Module;
use crate::llvm::value::{Block, Kind, Value};
use std::collections::HashSet;

/// Larger slices are not followed to their end.
const LIMIT: usize = 400;
/// How many blocks back the branch that leads to one is looked for.
const CLIMB: usize = 8;
/// C11's `memory_order_seq_cst`.
const SEQ_CST: i32 = 5;

/// A read of memory that other threads may know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Read {
    /// The load, or the call that is one.
    pub(crate) instruction: Value,
    /// What is read.
    pub(crate) pointer: Value,
    /// How many bytes.
    pub(crate) size: u64,
    /// The memory order, 0 for plain loads.
    pub(crate) order: i32,
}

/// What a decision depends on.
#[derive(Clone, Default, Debug)]
pub(crate) struct Slice {
    /// Memory read.
    pub(crate) reads: Vec<Read>,
    /// Functions called for their result.
    pub(crate) calls: Vec<Value>,
    /// Waits whose result counts.
    pub(crate) waits: Vec<Value>,
    /// It depends on the time.
    pub(crate) clock: bool,
    /// It depends on variables that the loop itself changes.
    pub(crate) varies: bool,
    /// It is not known completely.
    pub(crate) is_cut: bool,
}

impl Slice {
    /// Whether memory or a predicate decides.
    pub(crate) fn is_condition(&self) -> bool {
        !self.reads.is_empty() || !self.calls.is_empty()
    }

    /// What `other` reads and asks counts too.
    pub(crate) fn add(&mut self, other: &Slice) {
        for read in &other.reads {
            if !self.reads.contains(read) {
                self.reads.push(*read);
            }
        }
        for call in &other.calls {
            if !self.calls.contains(call) {
                self.calls.push(*call);
            }
        }
    }
}

/// Follows values backwards.
#[derive(Clone, Copy)]
pub(crate) struct Slicer<'a> {
    pub(crate) module: &'a Module,
    pub(crate) locals: &'a Locals,
    pub(crate) waits: &'a Waits<'a>,
    /// The loop whose decisions are looked at.
    pub(crate) each: Loop,
    /// Whether what is read in front of the loop counts too.
    pub(crate) before: bool,
}

impl Slicer<'_> {
    /// What `value` depends on.
    pub(crate) fn slice(&self, value: Value) -> Slice {
        let mut walk = Walk {
            slicer: self,
            slice: Slice::default(),
            seen: HashSet::new(),
            active: HashSet::new(),
            variables: 0,
        };
        walk.follow(value);
        walk.slice
    }

    /// The condition of the branch that decides whether `block` runs.
    pub(crate) fn leads_to(&self, mut block: Block) -> Option<Value> {
        for _ in 0..CLIMB {
            let before = block.only_predecessor()?;
            if !self.each.contains(before) {
                return None;
            }
            if let Some(condition) = before.terminator()?.decides_by() {
                return Some(condition);
            }
            block = before;
        }
        None
    }

    /// The conditions of the branches that all lead to `block`, the nearest
    /// first; not those by which the loop might have been left before.
    pub(crate) fn way_to(&self, block: Block) -> impl Iterator<Item = Value> {
        let before = |block: &Block| {
            let before = block.only_predecessor()?;
            self.each.contains(before).then_some(before)
        };
        std::iter::successors(before(&block), before)
            .take(CLIMB)
            .filter(|block| block.successors().all(|next| self.each.contains(next)))
            .filter_map(|block| block.terminator()?.decides_by())
    }

    /// A call of a library function that is an atomic load.
    fn atomic_load(&self, call: Value) -> Option<Read> {
        let kind = known::is_atomic_load(&call.called_function()?.name())?;
        let order = match kind {
            known::AtomicLoad::OrderIsArgument => call
                .arguments()
                .get(1)
                .and_then(|order| order.as_constant_int())
                .and_then(|order| i32::try_from(order).ok()),
            known::AtomicLoad::SequentiallyConsistent => None,
        };
        Some(Read {
            instruction: call,
            pointer: *call.arguments().first()?,
            size: self.module.types.store_size(call.ty()),
            order: order.unwrap_or(SEQ_CST),
        })
    }
}

struct Walk<'s, 'a> {
    slicer: &'s Slicer<'a>,
    slice: Slice,
    seen: HashSet<Value>,
    /// What is being followed: to come back to it is to have gone round the
    /// loop.
    active: HashSet<Value>,
    /// How many variables that the loop sets are being followed.
    variables: usize,
}

impl Walk<'_, '_> {
    fn follow(&mut self, value: Value) {
        let Some(instruction) = value.as_instruction() else {
            return;
        };
        if !self.is_before(instruction) {
            self.visit(value, |walk| walk.instruction(instruction));
        }
    }

    /// Follows a value or a variable, unless that has been done.
    fn visit(&mut self, value: Value, follow: impl FnOnce(&mut Self)) {
        if self.active.contains(&value) {
            self.slice.varies = true;
        }
        if !self.seen.insert(value) {
            return;
        }
        if self.seen.len() > LIMIT {
            self.slice.is_cut = true;
            return;
        }
        self.active.insert(value);
        follow(self);
        self.active.remove(&value);
    }

    fn instruction(&mut self, instruction: Value) {
        match instruction.operation() {
            Operation::Load => self.load(instruction),
            Operation::Call => self.call(instruction),
            Operation::Phi => self.phi(instruction),
            Operation::Alloca => {}
            _ if matches!(instruction.kind(), Kind::CompareExchange | Kind::AtomicRmw) => {
                self.slice.varies = true;
                self.slice.is_cut = true;
            }
            _ => {
                for operand in instruction.operands() {
                    self.follow(operand);
                }
            }
        }
    }

    /// Whether an instruction runs in front of the loop, with the same result
    /// for all iterations, and is none of its business.
    fn is_before(&self, instruction: Value) -> bool {
        let slicer = self.slicer;
        !slicer.before && self.variables == 0 && !slicer.each.contains(instruction.block())
    }

    fn load(&mut self, load: Value) {
        let pointer = load.pointer_operand();
        let locals = self.slicer.locals;
        if let Some(stores) = locals.stores(pointer) {
            self.visit(pointer, |walk| walk.variable(&stores));
        } else if is_errno(pointer) {
            self.slice.varies = true;
        } else if locals.is_shared(pointer) {
            self.read(Read {
                instruction: load,
                pointer,
                size: self.slicer.module.types.store_size(load.ty()),
                order: load.order(),
            });
        } else {
            // Constants, by an index perhaps, or an aggregate of the
            // function's own, of which it is not known what is in it.
            self.slice.varies |= pointer.underlying_object().is_alloca();
            self.follow(pointer);
        }
    }

    fn read(&mut self, read: Read) {
        self.slice.reads.push(read);
        self.follow(read.pointer);
    }

    /// A variable counts only if the loop sets it.
    fn variable(&mut self, stores: &[Value]) {
        let each = self.slicer.each;
        let is_set = |store: &Value| each.contains(store.block());
        if !stores.iter().any(is_set) {
            return;
        }
        self.variables += 1;
        for store in stores {
            let stored = store.operand(0);
            if stored.is_constant() && is_set(store) {
                self.constant_from(store.block());
            }
            self.follow(stored);
        }
        self.variables -= 1;
    }

    fn phi(&mut self, phi: Value) {
        let each = self.slicer.each;
        if !each.contains(phi.block()) {
            return;
        }
        self.variables += 1;
        for (value, block) in phi.incoming() {
            if value.is_constant() && each.contains(block) {
                match block.terminator().and_then(Value::decides_by) {
                    Some(condition) => self.follow(condition),
                    None => self.constant_from(block),
                }
            }
            self.follow(value);
        }
        self.variables -= 1;
    }

    /// A constant says that control came through `block`.
    fn constant_from(&mut self, block: Block) {
        match self.slicer.leads_to(block) {
            Some(condition) => self.follow(condition),
            None => self.slice.varies = true,
        }
    }

    fn call(&mut self, call: Value) {
        match call.kind() {
            Kind::QuietIntrinsic => {
                for argument in call.arguments() {
                    self.follow(argument);
                }
                return;
            }
            Kind::Call => {}
            _ => {
                self.slice.varies = true;
                return;
            }
        }
        if self.slicer.waits.is_wait(call) {
            self.slice.waits.push(call);
            return;
        }
        let name = call.called_function().map(Value::name).unwrap_or_default();
        if known::is_clock(&name) {
            self.slice.clock = true;
        } else if known::is_errno(&name) {
            self.slice.varies = true;
        } else if let Some(read) = self.slicer.atomic_load(call) {
            self.read(read);
        } else {
            self.slice.calls.push(call);
            for argument in call.arguments() {
                self.follow(argument);
            }
        }
    }
}

fn is_errno(pointer: Value) -> bool {
    pointer.as_instruction().is_some_and(|instruction| {
        instruction.operation() == Operation::Call
            && instruction
                .called_function()
                .is_some_and(|function| known::is_errno(&function.name()))
    })
}
