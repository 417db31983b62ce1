//! What a function does to memory, collected before anything is changed.

use crate::filter::Filter;
use crate::llvm::analysis::Analysis;
use crate::llvm::value::{Kind, Value};
use crate::runtime::{Direction, Runtime};
use crate::{loading, meminst};
use racert_abi::GRANULE;

/// A check to be made: at first one for each plain load and store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// The load or store this came from: its debug location is the check's.
    pub(crate) origin: Value,
    /// The instruction in front of which the check goes.
    pub(crate) place: Value,
    /// The first byte touched.
    pub(crate) pointer: Value,
    /// `pointer` without its constant offsets.
    pub(crate) base: Value,
    /// Bytes from `base` to `pointer`.
    pub(crate) base_offset: i64,
    /// Bytes touched.
    pub(crate) extent: Extent,
    /// Known alignment of `pointer`.
    pub(crate) alignment: u64,
    /// `pointer & 7`, where it is always the same.
    pub(crate) granule_offset: Option<u32>,
    /// Reading or writing.
    pub(crate) direction: Direction,
    /// Whether the bytes are a vtable pointer, and which one is stored.
    pub(crate) vtable: Vtable,
}

/// How many bytes an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Always that many, at least one.
    Fixed(u64),
    /// Elements of one size, one behind the other, each an access of its own.
    Elements {
        /// How many.
        count: u64,
        /// Bytes of each.
        size: u64,
    },
    /// As many as this value says when it runs.
    Dynamic {
        /// The number of bytes.
        length: Value,
        /// Whether it may be 0.
        may_be_zero: bool,
    },
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

impl Access {
    /// An access of `size` bytes that `origin` makes.
    pub(crate) fn new(
        analysis: &Analysis,
        origin: Value,
        pointer: Value,
        size: u64,
        alignment: u64,
        direction: Direction,
    ) -> Access {
        let (base, base_offset) = analysis.base_and_offset(pointer);
        let mut access = Access {
            origin,
            place: origin,
            pointer,
            base,
            base_offset,
            extent: Extent::Fixed(size),
            alignment,
            granule_offset: Some(0),
            direction,
            vtable: Vtable::No,
        };
        if alignment < GRANULE {
            access.granule_offset = analysis.offset_in_granule(pointer, origin);
            access.alignment = alignment.max(analysis.known_alignment(pointer, origin));
        }
        access
    }

    /// The number of bytes, if it is always the same.
    pub(crate) fn size(&self) -> Option<u64> {
        match self.extent {
            Extent::Fixed(size) => Some(size),
            Extent::Elements { count, size } => Some(count * size),
            Extent::Dynamic { .. } => None,
        }
    }
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
    /// Calls that open a library.
    pub(crate) opens: Vec<Value>,
    /// Landing pads.
    pub(crate) landing_pads: Vec<Value>,
    /// Instructions that leave the function.
    pub(crate) exits: Vec<Value>,
    /// Whether code that may be instrumented or intercepted is called.
    pub(crate) has_calls: bool,
}

/// Collects what `function` does to memory.
pub(crate) fn collect(
    runtime: &Runtime<'_>,
    analysis: &Analysis,
    filter: &mut Filter<'_>,
    function: Value,
) -> Collected {
    let mut collector = Collector {
        runtime,
        analysis,
        filter,
        found: Collected::default(),
    };
    for block in function.blocks() {
        for instruction in block.instructions() {
            collector.visit(instruction);
        }
    }
    collector.found
}

struct Collector<'a, 'm, 'f> {
    runtime: &'a Runtime<'m>,
    analysis: &'a Analysis,
    filter: &'a mut Filter<'f>,
    found: Collected,
}

impl Collector<'_, '_, '_> {
    fn visit(&mut self, instruction: Value) {
        let found = &mut self.found;
        match instruction.kind() {
            Kind::Load | Kind::Store if !instruction.is_atomic() => self.plain(instruction),
            Kind::Load | Kind::Store | Kind::CompareExchange | Kind::AtomicRmw => {
                if !instruction.is_single_thread()
                    && !instruction.has_nosanitize()
                    && self.filter.can_race(instruction.pointer_operand())
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
            Kind::Call => self.call(instruction),
            Kind::Intrinsic => found.has_calls = true,
            Kind::LandingPad => found.landing_pads.push(instruction),
            // What follows a musttail call must be the return itself: such a
            // function is left at the call.
            Kind::Return if follows_musttail(instruction, found) => {}
            Kind::Return | Kind::Resume | Kind::UnwindExit => found.exits.push(instruction),
            Kind::Other | Kind::QuietIntrinsic | Kind::Unreachable | Kind::Lifetime => {}
        }
    }

    fn call(&mut self, call: Value) {
        let found = &mut self.found;
        found.has_calls = true;
        if meminst::is_library_copy_or_fill(call) {
            found.memory_intrinsics.push(call);
            return;
        }
        if call.is_musttail() {
            found.exits.push(call);
        } else if loading::opens(call) {
            found.opens.push(call);
        }
        if call.returns_twice() {
            found.returns_twice.push(call);
        }
        if (0..call.argument_count()).any(|index| call.byval_type(index).is_some()) {
            found.byval_calls.push(call);
        }
    }

    fn plain(&mut self, instruction: Value) {
        self.runtime.stats.accesses.increment();
        let is_store = instruction.kind() == Kind::Store;
        let pointer = instruction.pointer_operand();
        if self.filter.is_exempt(instruction) || !self.filter.can_race(pointer) {
            return;
        }
        let stored = instruction.operand(0);
        let ty = if is_store {
            stored.ty()
        } else {
            instruction.ty()
        };
        let size = self.runtime.module.types.store_size(ty);
        if size == 0 {
            return;
        }
        let direction = if is_store {
            Direction::Write
        } else {
            Direction::Read
        };
        let alignment = instruction.alignment().max(1);
        let mut access = Access::new(
            self.analysis,
            instruction,
            pointer,
            size,
            alignment,
            direction,
        );
        if instruction.is_vtable_access() && ty.is_pointer() {
            access.vtable = if is_store {
                Vtable::Store(stored)
            } else {
                Vtable::Load
            };
        }
        self.found.accesses.push(access);
    }
}

fn follows_musttail(exit: Value, found: &Collected) -> bool {
    found
        .exits
        .last()
        .is_some_and(|last| last.is_musttail() && last.block() == exit.block())
}
