//! Variables of the function itself.
//!
//! The front end keeps every variable in memory. One whose address is only
//! used to load and store it is as good as a register: what a load of it
//! yields is one of the values stored.

use crate::llvm::flow::Operation;
use crate::llvm::value::{Kind, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What is stored to the variables of functions, found when asked for.
#[derive(Default)]
pub(crate) struct Locals {
    stores: RefCell<HashMap<Value, Option<Rc<[Value]>>>>,
}

impl Locals {
    /// The stores to a variable that is only loaded and stored; `None` for
    /// any other memory.
    pub(crate) fn stores(&self, pointer: Value) -> Option<Rc<[Value]>> {
        if !pointer.is_alloca() {
            return None;
        }
        self.stores
            .borrow_mut()
            .entry(pointer)
            .or_insert_with(|| find_stores(pointer))
            .clone()
    }

    /// Whether another thread could know the memory that `pointer` points to.
    pub(crate) fn is_shared(&self, pointer: Value) -> bool {
        if pointer.address_space() != 0 {
            return false;
        }
        let object = pointer.underlying_object();
        if object.is_global_variable() {
            return !object.is_global_constant();
        }
        if !object.is_alloca() {
            return true;
        }
        self.stores(object).is_none() && object.may_be_captured()
    }
}

fn find_stores(variable: Value) -> Option<Rc<[Value]>> {
    let mut stores = Vec::new();
    for user in variable.users() {
        let instruction = user.as_instruction()?;
        match instruction.kind() {
            Kind::Load if instruction.operation() == Operation::Load => {}
            Kind::Store if instruction.operand(0) != variable => stores.push(instruction),
            Kind::Lifetime => {}
            _ => return None,
        }
    }
    Some(stores.into())
}
