//! Calls of malloc, free, `operator new` and their like.
//!
//! A malloc that is linked into the program, tcmalloc's for instance, wins over
//! the runtime's. So the functions of the heap are called by names that always
//! lead to the runtime, which passes the call on.

use crate::llvm::module::Module;
use racert_abi::heap::{FUNCTIONS, PREFIX};

/// Gives the module's declarations of these functions the runtime's names.
pub(crate) fn rename(module: &Module) {
    for function in module.functions() {
        let name = function.name();
        if function.is_declaration() && FUNCTIONS.contains(&name.as_str()) {
            function.set_name(&format!("{PREFIX}{name}"));
        }
    }
}
