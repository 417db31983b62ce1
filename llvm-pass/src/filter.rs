//! Which memory another thread could touch at all.

use crate::ignorelist::IgnoreList;
use crate::llvm::value::Value;
use crate::stats::{Skip, Stats};
use std::collections::HashMap;

/// Decides about the memory a function touches; remembers what it found out
/// about the function's local objects.
pub(crate) struct Filter<'a> {
    ignore: &'a IgnoreList,
    stats: &'a Stats,
    escaping: HashMap<Value, bool>,
}

impl<'a> Filter<'a> {
    /// A filter for one function.
    pub(crate) fn new(ignore: &'a IgnoreList, stats: &'a Stats) -> Filter<'a> {
        Filter {
            ignore,
            stats,
            escaping: HashMap::new(),
        }
    }

    /// Whether another thread could touch what `pointer` points to.
    pub(crate) fn can_race(&mut self, pointer: Value) -> bool {
        let skip = self.reason_to_skip(pointer);
        if let Some(reason) = skip {
            self.stats.skip(reason);
        }
        skip.is_none()
    }

    fn reason_to_skip(&mut self, pointer: Value) -> Option<Skip> {
        if pointer.address_space() != 0 || pointer.is_swift_error() {
            return Some(Skip::AddressSpace);
        }
        let object = pointer.underlying_object();
        if object.is_alloca() || object.is_fresh_allocation() {
            let escapes = self
                .escaping
                .entry(object)
                .or_insert_with(|| object.may_be_captured());
            return (!*escapes).then_some(Skip::Local);
        }
        if object.is_global_variable() {
            if object.is_global_constant() {
                return Some(Skip::Constant);
            }
            let name = object.name();
            if is_compiler_internal(&name, &object.section()) {
                return Some(Skip::Compiler);
            }
            if self.ignore.ignores_global(&name) {
                return Some(Skip::Ignored);
            }
        }
        None
    }

    /// Whether the instruction itself says that it needs no check.
    pub(crate) fn is_exempt(&self, instruction: Value) -> bool {
        let reason = if instruction.has_nosanitize() {
            Skip::Ignored
        } else if instruction.is_invariant_load() {
            Skip::Constant
        } else {
            return false;
        };
        self.stats.skip(reason);
        true
    }
}

/// Counters and tables that LLVM's own instrumentation adds: profiles,
/// coverage. They race by design.
fn is_compiler_internal(name: &str, section: &str) -> bool {
    name.starts_with("llvm.")
        || name.starts_with("__llvm_")
        || name.starts_with("__prof")
        || section.starts_with("__llvm_")
        || section.starts_with("__sancov_")
}
