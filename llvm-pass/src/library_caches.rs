//! What a C++ library remembers in its headers without a lock.
//!
//! `std::ctype<char>::narrow` of libstdc++ fills a table in the locale when it
//! is first asked for a character; `std::regex`, for one, asks. Threads that
//! find the place empty all store the same byte there, and no program can do
//! anything about it. So nobody looks at those loads and stores, wherever they
//! are inlined.

use crate::llvm::module::Module;
use crate::llvm::value::Kind;

/// `std::ctype<char>::narrow(char, char) const`.
const NARROW: &str = "_ZNKSt5ctypeIcE6narrowEcc";

/// Hides the caches of a module, before the functions are inlined.
pub(crate) fn hide(module: &Module) {
    let Some(function) = module
        .functions()
        .into_iter()
        .find(|function| !function.is_declaration() && function.name() == NARROW)
    else {
        return;
    };
    for instruction in function.blocks().flat_map(|block| block.instructions()) {
        if matches!(instruction.kind(), Kind::Load | Kind::Store) {
            instruction.set_nosanitize();
        }
    }
}
