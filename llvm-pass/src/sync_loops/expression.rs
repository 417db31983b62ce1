//! Addresses as expressions that can be computed again somewhere else.
//!
//! A condition variable is often named only inside the loop that waits on it:
//! `while (!q->ready) pthread_cond_wait(&q->condvar, &q->mutex)`. Where the
//! loop is left without having waited, the address is computed again from
//! what is known there. Accessor functions (`lock.mutex()`, `cv.operator->()`)
//! and functions that wait on behalf of their callers are seen through: their
//! results are expressions over their parameters.

use super::locals::Locals;
use crate::llvm::analysis::{Analysis, Loop};
use crate::llvm::builder::Builder;
use crate::llvm::flow::Operation;
use crate::llvm::module::Module;
use crate::llvm::value::{Kind, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How many functions deep an address is followed.
const DEPTH: u32 = 8;
/// How large an expression may become.
const SIZE: u32 = 24;

/// How to compute an address. Two are equal if they compute the same from the
/// same values.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    /// A value that is known where the expression is used.
    Known(Value),
    /// So many bytes further.
    Offset(Rc<Expression>, i64),
    /// What is stored there.
    Load(Rc<Expression>),
    /// The instruction again, with these operands.
    Again(Value, Vec<Expression>),
}

impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        use Expression::*;
        match (self, other) {
            (Known(mine), Known(theirs)) => mine == theirs,
            (Offset(mine, by), Offset(theirs, other_by)) => mine == theirs && by == other_by,
            (Load(mine), Load(theirs)) => mine == theirs,
            (Again(mine, operands), Again(theirs, other_operands)) => {
                mine.is_same_operation(*theirs) && operands == other_operands
            }
            _ => false,
        }
    }
}

impl Expression {
    /// The expression with parameters replaced by what is passed for them.
    fn substitute(&self, replace: &dyn Fn(Value) -> Option<Expression>) -> Option<Expression> {
        Some(match self {
            Expression::Known(value) if value.is_argument() => replace(*value)?,
            Expression::Known(value) => Expression::Known(*value),
            Expression::Offset(base, offset) => base.substitute(replace)?.offset(*offset),
            Expression::Load(from) => Expression::Load(from.substitute(replace)?.into()),
            Expression::Again(instruction, operands) => Expression::Again(
                *instruction,
                operands
                    .iter()
                    .map(|operand| operand.substitute(replace))
                    .collect::<Option<_>>()?,
            ),
        })
    }

    /// The address `offset` bytes further.
    pub(crate) fn offset(self, offset: i64) -> Expression {
        match self {
            base if offset == 0 => base,
            Expression::Offset(base, first) => Expression::Offset(base, first + offset),
            base => Expression::Offset(base.into(), offset),
        }
    }

    fn base(&self) -> (&Expression, i64) {
        match self {
            Expression::Offset(base, offset) => (base, *offset),
            other => (other, 0),
        }
    }

    /// Whether the loads in it cannot fault. `proven` are addresses that the
    /// program has used itself on the way: what lies beside them in the same
    /// object is there.
    pub(crate) fn is_safe(&self, module: &Module, proven: &[Expression]) -> bool {
        match self {
            Expression::Known(_) => true,
            Expression::Offset(base, _) => base.is_safe(module, proven),
            Expression::Again(_, operands) => operands
                .iter()
                .all(|operand| operand.is_safe(module, proven)),
            Expression::Load(from) => {
                let (base, offset) = from.base();
                let readable = match base {
                    Expression::Known(value) => value.is_readable(module, offset, 8),
                    _ => false,
                };
                from.is_safe(module, proven)
                    && (readable || proven.iter().any(|other| other.base().0 == base))
            }
        }
    }

    /// Emits the computation.
    pub(crate) fn emit(&self, builder: &Builder<'_>) -> Value {
        match self {
            Expression::Known(value) => *value,
            Expression::Offset(base, offset) => {
                let offset = builder.types.i64.signed_constant(*offset);
                builder.offset(base.emit(builder), offset)
            }
            Expression::Load(from) => builder.load(builder.types.ptr, from.emit(builder)),
            Expression::Again(instruction, operands) => {
                let operands: Vec<Value> = operands
                    .iter()
                    .map(|operand| operand.emit(builder))
                    .collect();
                builder.again(*instruction, &operands)
            }
        }
    }
}

/// Where an expression is to be used.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The loop whose iterations it must not depend on.
    pub(crate) each: Option<Loop>,
    /// The instruction behind which it is computed.
    pub(crate) at: Value,
}

impl Place {
    fn contains(self, instruction: Value) -> bool {
        self.each
            .is_some_and(|each| each.contains(instruction.block()))
    }
}

/// Finds expressions for values.
pub(crate) struct Expressions<'a> {
    analysis: &'a Analysis,
    locals: &'a Locals,
    /// What functions return, in terms of their parameters.
    returned: RefCell<HashMap<Value, Option<Expression>>>,
}

impl<'a> Expressions<'a> {
    /// For the functions of one module.
    pub(crate) fn new(analysis: &'a Analysis, locals: &'a Locals) -> Expressions<'a> {
        Expressions {
            analysis,
            locals,
            returned: RefCell::default(),
        }
    }

    /// How to compute `value`, which the loop computes, at `place`.
    pub(crate) fn at(&self, value: Value, place: Place) -> Option<Expression> {
        self.find(value, Some(place), DEPTH, &mut SIZE.clone())
    }

    /// How to compute `value` from its function's parameters.
    pub(crate) fn from_parameters(&self, value: Value) -> Option<Expression> {
        self.find(value, None, DEPTH, &mut SIZE.clone())
    }

    /// An expression over a called function's parameters, as one of the
    /// caller's.
    pub(crate) fn in_caller(
        &self,
        expression: &Expression,
        call: Value,
        place: Option<Place>,
    ) -> Option<Expression> {
        self.bind(expression, call, place, DEPTH, &mut SIZE.clone())
    }

    fn bind(
        &self,
        expression: &Expression,
        call: Value,
        place: Option<Place>,
        depth: u32,
        size: &mut u32,
    ) -> Option<Expression> {
        let parameters = call.called_function()?.parameters();
        let size = RefCell::new(size);
        expression.substitute(&|parameter| {
            let index = parameters.iter().position(|p| *p == parameter)?;
            let passed = *call.arguments().get(index)?;
            self.find(passed, place, depth, &mut size.borrow_mut())
        })
    }

    fn find(
        &self,
        value: Value,
        place: Option<Place>,
        depth: u32,
        size: &mut u32,
    ) -> Option<Expression> {
        *size = size.checked_sub(1)?;
        if value.is_constant() || value.is_argument() {
            return Some(Expression::Known(value));
        }
        let instruction = value.as_instruction()?;
        if let Some(place) = place
            && !place.contains(instruction)
            && self.analysis.dominates(instruction, place.at)
        {
            return Some(Expression::Known(value));
        }
        match instruction.operation() {
            Operation::Load => self.loaded(instruction, place, depth, size),
            Operation::Address => {
                let (base, offset) = self.analysis.base_and_offset(value);
                if base == value {
                    return self.again(instruction, place, depth, size);
                }
                Some(self.find(base, place, depth, size)?.offset(offset))
            }
            Operation::Call => self.called(instruction, place, depth, size),
            Operation::Pure | Operation::Equality(_) => self.again(instruction, place, depth, size),
            Operation::Alloca | Operation::Phi | Operation::Other => None,
        }
    }

    fn loaded(
        &self,
        load: Value,
        place: Option<Place>,
        depth: u32,
        size: &mut u32,
    ) -> Option<Expression> {
        let pointer = load.pointer_operand();
        if load.is_atomic() || load.is_volatile() {
            return None;
        }
        let Some(stores) = self.locals.stores(pointer) else {
            if !load.ty().is_pointer() {
                return None;
            }
            let from = self.find(pointer, place, depth, size)?;
            return Some(Expression::Load(from.into()));
        };
        if let [only] = &stores[..] {
            return self.find(only.operand(0), place, depth, size);
        }
        // Assigned to more than once: its value at the place, if the loop
        // leaves it alone.
        let place = place?;
        let changes = stores.iter().any(|store| place.contains(*store));
        (!changes).then(|| Expression::Again(load, vec![Expression::Known(pointer)]))
    }

    /// The computation repeated; only inside one function.
    fn again(
        &self,
        instruction: Value,
        place: Option<Place>,
        depth: u32,
        size: &mut u32,
    ) -> Option<Expression> {
        place?;
        let operands: Option<Vec<Expression>> = instruction
            .operands()
            .into_iter()
            .map(|operand| self.find(operand, place, depth, size))
            .collect();
        Some(Expression::Again(instruction, operands?))
    }

    fn called(
        &self,
        call: Value,
        place: Option<Place>,
        depth: u32,
        size: &mut u32,
    ) -> Option<Expression> {
        let function = call.called_function()?;
        let name = function.name();
        if name.starts_with("llvm.threadlocal.address") {
            return Some(Expression::Again(
                call,
                vec![
                    Expression::Known(call.operand(0)),
                    Expression::Known(function),
                ],
            ));
        }
        if name.starts_with("llvm.launder.") || name.starts_with("llvm.strip.") {
            return self.find(call.operand(0), place, depth, size);
        }
        let depth = depth.checked_sub(1)?;
        let returned = self.returned(function, depth)?;
        self.bind(&returned, call, place, depth, size)
    }

    fn returned(&self, function: Value, depth: u32) -> Option<Expression> {
        if let Some(known) = self.returned.borrow().get(&function) {
            return known.clone();
        }
        if function.is_declaration() || function.is_interposable() {
            return None;
        }
        // A function that calls itself finds this.
        self.returned.borrow_mut().insert(function, None);
        let mut returns = function
            .blocks()
            .filter_map(|block| block.terminator())
            .filter(|end| end.kind() == Kind::Return);
        let found = match (returns.next(), returns.next()) {
            (Some(only), None) if only.operands().len() == 1 => {
                self.find(only.operand(0), None, depth, &mut SIZE.clone())
            }
            _ => None,
        };
        self.returned.borrow_mut().insert(function, found.clone());
        found
    }
}
