//! What a function writes: whether calling it in a loop can end the loop.

use super::Finder;
use super::expression::Expression;
use super::known;
use crate::llvm::flow::Operation;
use crate::llvm::value::{Block, Kind, Value};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// The parameters through which a function writes; `None` if it may write
/// anything else but its own variables.
pub(crate) type Writes = Option<BTreeSet<usize>>;

/// What functions write, found when asked for.
#[derive(Default)]
pub(crate) struct Effects {
    known: RefCell<HashMap<Value, Writes>>,
}

/// What an instruction writes besides the function's own variables.
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// What these pointers point to.
    Writes(Vec<Value>),
    /// Anything.
    Unknown,
}

impl Finder<'_> {
    /// What an instruction writes.
    pub(crate) fn effect(&self, instruction: Value) -> Effect {
        match instruction.kind() {
            Kind::Store if !instruction.is_atomic() => {
                Effect::Writes(vec![instruction.pointer_operand()])
            }
            Kind::MemCpy | Kind::MemMove | Kind::MemSet => {
                Effect::Writes(vec![instruction.operand(0)])
            }
            Kind::Call => self.call_effect(instruction),
            Kind::Intrinsic => match instruction.called_function() {
                Some(function) if known::passes_time(&function.name()) => Effect::None,
                _ => Effect::Unknown,
            },
            Kind::InlineAsm if known::is_idle_assembly(&instruction.callee().asm_template()) => {
                Effect::None
            }
            Kind::Load | Kind::Fence | Kind::Other | Kind::Return | Kind::LandingPad => {
                Effect::None
            }
            Kind::QuietIntrinsic | Kind::Lifetime | Kind::Resume | Kind::Unreachable => {
                Effect::None
            }
            _ => Effect::Unknown,
        }
    }

    fn call_effect(&self, call: Value) -> Effect {
        let Some(function) = call.called_function() else {
            return Effect::Unknown;
        };
        if self.waits.contains(function) {
            return Effect::Unknown;
        }
        let name = function.name();
        if known::passes_time(&name) || known::is_atomic_load(&name).is_some() {
            return Effect::None;
        }
        match self.writes(function) {
            None => Effect::Unknown,
            Some(parameters) => {
                let arguments = call.arguments();
                Effect::Writes(
                    parameters
                        .iter()
                        .filter_map(|index| arguments.get(*index).copied())
                        .collect(),
                )
            }
        }
    }

    /// What a function of the module writes.
    fn writes(&self, function: Value) -> Writes {
        if let Some(known) = self.effects.known.borrow().get(&function) {
            return known.clone();
        }
        if function.is_declaration() || function.is_interposable() {
            return None;
        }
        // A function that calls itself finds this.
        self.effects.known.borrow_mut().insert(function, None);
        let writes = self.collect(function);
        self.effects
            .known
            .borrow_mut()
            .insert(function, writes.clone());
        writes
    }

    fn collect(&self, function: Value) -> Writes {
        let parameters = function.parameters();
        let mut written = BTreeSet::new();
        // What leads nowhere reports a broken promise and ends the program.
        for instruction in function
            .blocks()
            .filter(|block| !leads_nowhere(*block))
            .flat_map(Block::instructions)
        {
            match self.effect(instruction) {
                Effect::None => {}
                Effect::Unknown => return None,
                Effect::Writes(pointers) => {
                    for pointer in pointers {
                        if pointer.underlying_object().is_alloca() {
                            continue;
                        }
                        let base = self.base(pointer)?;
                        written.insert(parameters.iter().position(|p| *p == base)?);
                    }
                }
            }
        }
        Some(written)
    }

    /// The parameter that a pointer is computed from without any load.
    fn base(&self, pointer: Value) -> Option<Value> {
        match self.expressions.from_parameters(pointer)? {
            Expression::Known(value) => Some(value),
            Expression::Offset(base, _) => match &*base {
                Expression::Known(value) => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a block ends the program.
pub(crate) fn leads_nowhere(block: Block) -> bool {
    block
        .terminator()
        .is_some_and(|end| end.kind() == Kind::Unreachable && end.operation() == Operation::Other)
}
