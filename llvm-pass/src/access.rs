//! What a function does to memory, collected before anything is changed.

use crate::llvm::module::Module;
use crate::llvm::value::{Kind, Value};
use crate::runtime::Direction;

/// A plain load or store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// The instruction in front of which the check goes.
    pub(crate) instruction: Value,
    /// The first byte touched.
    pub(crate) pointer: Value,
    /// Bytes touched.
    pub(crate) size: u64,
    /// Known alignment of `pointer`.
    pub(crate) alignment: u64,
    /// Reading or writing.
    pub(crate) direction: Direction,
    /// Whether the bytes are a vtable pointer, and which one is stored.
    pub(crate) vtable: Vtable,
}

/// Whether an access touches a vtable pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vtable {
    /// It does not.
    No,
    /// It loads one.
    Load,
    /// It stores this one.
    Store(Value),
}

/// Everything in a function that the pass has to touch.
#[derive(Default)]
pub(crate) struct Collected {
    /// Plain loads and stores, in program order.
    pub(crate) accesses: Vec<Access>,
    /// Atomic operations and fences.
    pub(crate) atomics: Vec<Value>,
    /// Copies and fills, as intrinsics or library calls.
    pub(crate) memory_intrinsics: Vec<Value>,
    /// Masked loads and stores, gathers and scatters.
    pub(crate) masked: Vec<Value>,
    /// Inline assembly.
    pub(crate) assembly: Vec<Value>,
    /// Calls with arguments that the call copies.
    pub(crate) byval_calls: Vec<Value>,
    /// Calls after which the frame pointer must be restored.
    pub(crate) returns_twice: Vec<Value>,
    /// Landing pads.
    pub(crate) landing_pads: Vec<Value>,
    /// Instructions that leave the function.
    pub(crate) exits: Vec<Value>,
    /// Whether code that may be instrumented or intercepted is called.
    pub(crate) has_calls: bool,
}

impl Collected {
    /// Whether the function needs a frame on the shadow call stack.
    pub(crate) fn needs_frame(&self) -> bool {
        self.has_calls
            || !self.accesses.is_empty()
            || !self.atomics.is_empty()
            || !self.memory_intrinsics.is_empty()
            || !self.masked.is_empty()
            || !self.assembly.is_empty()
            || !self.byval_calls.is_empty()
    }
}

/// Collects what `function` does to memory.
pub(crate) fn collect(module: &Module, function: Value) -> Collected {
    let mut found = Collected::default();
    let mut escapes = Escapes::default();
    for block in function.blocks() {
        for instruction in block.instructions() {
            visit(module, instruction, &mut escapes, &mut found);
        }
    }
    found
}

fn visit(module: &Module, instruction: Value, escapes: &mut Escapes, found: &mut Collected) {
    match instruction.kind() {
        Kind::Load | Kind::Store if !instruction.is_atomic() => {
            if let Some(access) = plain_access(module, instruction, escapes) {
                found.accesses.push(access);
            }
        }
        Kind::Load | Kind::Store | Kind::CompareExchange | Kind::AtomicRmw => {
            if !instruction.is_single_thread()
                && !instruction.has_nosanitize()
                && can_race(instruction.pointer_operand(), escapes)
            {
                found.atomics.push(instruction);
            }
        }
        Kind::Fence => {
            if !instruction.is_single_thread() {
                found.atomics.push(instruction);
            }
        }
        Kind::MemCpy | Kind::MemMove | Kind::MemSet | Kind::MemSetPattern => {
            if !instruction.has_nosanitize() {
                found.memory_intrinsics.push(instruction);
            }
        }
        Kind::MaskedLoad
        | Kind::MaskedStore
        | Kind::Gather
        | Kind::Scatter
        | Kind::ExpandLoad
        | Kind::CompressStore => {
            if !instruction.has_nosanitize() {
                found.masked.push(instruction);
            }
        }
        Kind::InlineAsm => {
            if !instruction.has_nosanitize() {
                found.assembly.push(instruction);
            }
        }
        Kind::Call => visit_call(instruction, found),
        Kind::Intrinsic => found.has_calls = true,
        Kind::LandingPad => found.landing_pads.push(instruction),
        // What follows a musttail call must be the return itself: such a
        // function is left at the call.
        Kind::Return if follows_musttail(instruction, found) => {}
        Kind::Return | Kind::Resume | Kind::UnwindExit => found.exits.push(instruction),
        Kind::Other | Kind::QuietIntrinsic | Kind::Unreachable | Kind::Lifetime => {}
    }
}

fn follows_musttail(exit: Value, found: &Collected) -> bool {
    found
        .exits
        .last()
        .is_some_and(|last| last.is_musttail() && last.block() == exit.block())
}

fn visit_call(call: Value, found: &mut Collected) {
    found.has_calls = true;
    if crate::meminst::is_library_copy_or_fill(call) {
        found.memory_intrinsics.push(call);
        return;
    }
    if call.is_musttail() {
        found.exits.push(call);
    }
    if call.returns_twice() {
        found.returns_twice.push(call);
    }
    if (0..call.argument_count()).any(|index| call.byval_type(index).is_some()) {
        found.byval_calls.push(call);
    }
}

fn plain_access(module: &Module, instruction: Value, escapes: &mut Escapes) -> Option<Access> {
    let is_store = instruction.kind() == Kind::Store;
    let pointer = instruction.pointer_operand();
    if instruction.has_nosanitize()
        || (!is_store && instruction.is_invariant_load())
        || !can_race(pointer, escapes)
    {
        return None;
    }
    let stored = instruction.operand(0);
    let ty = if is_store {
        stored.ty()
    } else {
        instruction.ty()
    };
    let size = module.types.store_size(ty);
    if size == 0 {
        return None;
    }
    let vtable = match (instruction.is_vtable_access(), is_store) {
        (false, _) => Vtable::No,
        (true, false) => Vtable::Load,
        (true, true) if ty.is_pointer() => Vtable::Store(stored),
        (true, true) => Vtable::No,
    };
    Some(Access {
        instruction,
        pointer,
        size,
        alignment: instruction.alignment().max(1),
        direction: if is_store {
            Direction::Write
        } else {
            Direction::Read
        },
        vtable,
    })
}

/// Remembers which local objects stay local.
#[derive(Default)]
pub(crate) struct Escapes {
    allocas: std::collections::HashMap<Value, bool>,
}

/// Whether another thread could touch what `pointer` points to.
pub(crate) fn can_race(pointer: Value, escapes: &mut Escapes) -> bool {
    if pointer.address_space() != 0 || pointer.is_swift_error() {
        return false;
    }
    let object = pointer.underlying_object();
    if object.is_alloca() {
        return *escapes
            .allocas
            .entry(object)
            .or_insert_with(|| object.may_be_captured());
    }
    if object.is_global_variable() {
        return !object.is_global_constant() && !is_compiler_internal(object);
    }
    true
}

/// Counters and tables that LLVM's own instrumentation adds: profiles,
/// coverage. They race by design.
fn is_compiler_internal(global: Value) -> bool {
    let name = global.name();
    name.starts_with("llvm.")
        || name.starts_with("__llvm_")
        || name.starts_with("__prof")
        || global.section().starts_with("__llvm_")
        || global.section().starts_with("__sancov_")
}
