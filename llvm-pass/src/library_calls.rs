//! Calls of malloc, free, `operator new` and their like, and of some functions
//! of the C++ library.
//!
//! A malloc that is linked into the program, tcmalloc's for instance, wins over
//! the runtime's, and so does a C++ library. So these functions are called by
//! names that always lead to the runtime, which passes the call on.

use crate::llvm::module::Module;
use racert_abi::{cxx, heap};

/// Gives the module's declarations of these functions the runtime's names.
pub(crate) fn rename(module: &Module) {
    for function in module.functions() {
        let name = function.name();
        let prefix = if heap::FUNCTIONS.contains(&name.as_str()) {
            heap::PREFIX
        } else if cxx::FUNCTIONS.contains(&name.as_str()) {
            cxx::PREFIX
        } else {
            continue;
        };
        if function.is_declaration() {
            function.set_name(&format!("{prefix}{name}"));
        }
    }
}
