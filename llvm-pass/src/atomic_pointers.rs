//! `std::atomic` of `std::shared_ptr` and `std::weak_ptr` in libstdc++.
//!
//! They hide a lock in the lowest bit of a word. libstdc++ 12 gives it back in
//! whatever order the caller asked for, relaxed when it only read the pointer
//! that the lock guards: by the letter of the memory model, the next owner's
//! write to it races with that read. No processor lets a read-modify-write
//! overtake it, and no program can do anything about it. So here giving the
//! lock back is a release, as newer versions have it.

use crate::llvm::module::Module;
use crate::llvm::value::{Kind, Value};

/// `memory_order_acq_rel`.
const ACQUIRE_RELEASE: u64 = 4;
/// Which argument of `fetch_sub` is its order.
const ORDER: u32 = 2;

/// Strengthens the unlocks of a module, before they are inlined.
pub(crate) fn strengthen(module: &Module) {
    for function in module.functions() {
        if function.is_declaration() || !gives_back(&function.name()) {
            continue;
        }
        let instructions = function.blocks().flat_map(|block| block.instructions());
        for call in instructions.filter(|instruction| is_subtraction(*instruction)) {
            call.set_constant_operand(ORDER, ACQUIRE_RELEASE);
        }
    }
}

/// Is it `std::_Sp_atomic<T>::_Atomic_count::unlock` or `_M_wait_unlock`?
fn gives_back(name: &str) -> bool {
    ["_ZNKSt10_Sp_atomicI", "_ZNSt10_Sp_atomicI"]
        .iter()
        .any(|class| name.starts_with(class))
        && [
            "13_Atomic_count6unlockE",
            "13_Atomic_count14_M_wait_unlockE",
        ]
        .iter()
        .any(|member| name.contains(member))
}

fn is_subtraction(instruction: Value) -> bool {
    instruction.kind() == Kind::Call
        && instruction.argument_count() == ORDER + 1
        && instruction.callee().as_function().is_some_and(|callee| {
            let name = callee.name();
            name.starts_with("_ZNSt13__atomic_base") && name.contains("9fetch_subE")
        })
}
