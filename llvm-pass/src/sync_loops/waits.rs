//! Which functions of a module wait on a condition variable.
//!
//! Those known by name, those the source annotates, and, found step by step
//! from callee to caller, those that wait on behalf of their callers: they
//! call one of the others outside any loop that looks at a condition, without
//! having locked the mutex themselves.

use super::expression::{Expression, Expressions, Place};
use super::known::{self, Answer, MutexArgument, WaitFunction};
use crate::llvm::module::Module;
use crate::llvm::value::{Kind, Value};
use std::cell::RefCell;
use std::collections::HashMap;

/// How a function waits, in terms of its parameters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Wait {
    /// The condition variable.
    pub(crate) condvar: Option<Expression>,
    /// The mutex.
    pub(crate) mutex: Option<Expression>,
    /// What the function returns.
    pub(crate) answer: Answer,
}

/// The functions that wait.
pub(crate) struct Waits<'a> {
    expressions: &'a Expressions<'a>,
    known: RefCell<HashMap<Value, Wait>>,
}

impl<'a> Waits<'a> {
    /// Those known by name or annotation.
    pub(crate) fn new(module: &Module, expressions: &'a Expressions<'a>) -> Waits<'a> {
        let named = module
            .functions()
            .into_iter()
            .filter_map(|function| Some((function, WaitFunction::by_name(&function.name())?)));
        let annotated = module
            .annotations()
            .into_iter()
            .filter_map(|(function, text)| Some((function, WaitFunction::by_annotation(&text)?)));
        let known = named
            .chain(annotated)
            .map(|(function, wait)| (function, describe(function, wait)))
            .collect();
        Waits {
            expressions,
            known: RefCell::new(known),
        }
    }

    /// All of them.
    pub(crate) fn functions(&self) -> Vec<Value> {
        self.known.borrow().keys().copied().collect()
    }

    /// Those that this module defines and others may call.
    pub(crate) fn exported(&self) -> Vec<Value> {
        let known = self.known.borrow();
        let defined = |function: &&Value| !function.is_declaration() && function.is_external();
        let mut functions: Vec<Value> = known.keys().filter(defined).copied().collect();
        functions.sort_by_key(|function| function.name());
        functions
    }

    /// Whether a function waits.
    pub(crate) fn contains(&self, function: Value) -> bool {
        self.known.borrow().contains_key(&function)
    }

    /// Adds a function that waits for its caller.
    pub(crate) fn add(&self, function: Value, wait: Wait) {
        self.known.borrow_mut().insert(function, wait);
    }

    /// Whether an instruction is a call that waits.
    pub(crate) fn is_wait(&self, instruction: Value) -> bool {
        instruction.kind() == Kind::Call
            && instruction
                .called_function()
                .is_some_and(|function| self.contains(function))
    }

    /// What the result of a wait says.
    pub(crate) fn answer(&self, wait: Value) -> Answer {
        let function = wait.called_function();
        function
            .and_then(|function| Some(self.known.borrow().get(&function)?.answer))
            .unwrap_or(Answer::Unknown)
    }

    /// Condition variable and mutex of a call that waits: at a place, or in
    /// terms of the parameters of the function that the call is in.
    pub(crate) fn arguments(
        &self,
        wait: Value,
        place: Option<Place>,
    ) -> (Option<Expression>, Option<Expression>) {
        let described = wait
            .called_function()
            .and_then(|function| self.known.borrow().get(&function).cloned());
        let Some(described) = described else {
            return (None, None);
        };
        let passed = |expression: &Option<Expression>| {
            self.expressions
                .in_caller(expression.as_ref()?, wait, place)
        };
        let mutex = passed(&described.mutex).or_else(|| {
            let guarded = self.guarded(described.mutex.as_ref()?, wait)?;
            match place {
                Some(place) => self.expressions.at(guarded, place),
                None => self.expressions.over_parameters(guarded),
            }
        });
        (passed(&described.condvar), mutex)
    }

    /// The mutex of a lock guard that the function made for the wait.
    fn guarded(&self, mutex: &Expression, wait: Value) -> Option<Value> {
        let Expression::Load(guard) = mutex else {
            return None;
        };
        let parameters = wait.called_function()?.parameters();
        let index = parameters
            .iter()
            .position(|parameter| **guard == Expression::Known(*parameter))?;
        let guard = *wait.arguments().get(index)?;
        let mut made = guard.users().into_iter().filter_map(|user| {
            let call = user.as_instruction().filter(|i| i.kind() == Kind::Call)?;
            let is_made = known::is_guard_constructor(&call.called_function()?.name())
                && call.operand(0) == guard;
            is_made.then(|| call.arguments().get(1).copied())?
        });
        made.next().filter(|_| made.next().is_none())
    }
}

fn describe(function: Value, wait: WaitFunction) -> Wait {
    let parameters = function.parameters();
    let parameter = |index: u32| {
        let found = parameters.get(usize::try_from(index).ok()?)?;
        found.ty().is_pointer().then_some(Expression::Known(*found))
    };
    Wait {
        condvar: parameter(wait.condvar),
        mutex: match wait.mutex {
            MutexArgument::Direct(index) => parameter(index),
            MutexArgument::Held(index) => {
                parameter(index).map(|lock| Expression::Load(lock.into()))
            }
        },
        answer: wait.answer,
    }
}
