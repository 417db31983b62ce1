//! The inlined same-segment test in front of an access.
//!
//! The shadow word of a granule that this thread has already covered in its
//! current segment differs from the thread's current word only in the bits
//! that do not matter (see `racert_abi::word`). The test is therefore one
//! load, one subtraction and one bit test; everything else is the runtime's.

use crate::access::{Access, Vtable};
use crate::llvm::analysis::Analysis;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::{Direction, Runtime};
use racert_abi::{GRANULE, SHADOW_XOR, word};

/// The largest access whose granules are all tested inline.
const LARGEST_INLINE: u64 = 64;

/// How the test of one access is done. Decided while the analyses are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Within one granule at a known offset.
    KnownOffset(u32),
    /// Within one granule at an offset only known when it runs.
    OneGranule,
    /// Whole granules, the first of them aligned.
    Granules,
    /// At least one granule long, a multiple of it, but not aligned to it.
    Straddling,
    /// Not tested inline.
    Call,
}

/// Chooses how to test an access.
pub(crate) fn plan(analysis: &Analysis, access: &Access) -> Plan {
    let Access {
        size, alignment, ..
    } = *access;
    let known = analysis.offset_in_granule(access.pointer, access.instruction);
    let offset = if alignment >= GRANULE { Some(0) } else { known };
    match (size, offset) {
        (1 | 2 | 4 | 8, Some(offset)) if u64::from(offset) + size <= GRANULE => {
            Plan::KnownOffset(offset)
        }
        (1 | 2 | 4, None) if alignment >= size => Plan::OneGranule,
        (8.., Some(0)) if size.is_multiple_of(GRANULE) && size <= LARGEST_INLINE => Plan::Granules,
        (8.., _) if size.is_multiple_of(GRANULE) && size <= LARGEST_INLINE => Plan::Straddling,
        (3 | 5 | 6 | 7, Some(offset)) if u64::from(offset) + size <= GRANULE => {
            Plan::KnownOffset(offset)
        }
        _ => Plan::Call,
    }
}

/// Emits the check of an access in front of its instruction.
pub(crate) fn emit(runtime: &Runtime<'_>, access: &Access, plan: Plan) {
    let builder = Builder::before(runtime.module, access.instruction);
    emit_with(runtime, &builder, access, plan);
}

/// Emits the check of an access where `builder` stands, which must be in front
/// of the access's instruction.
fn emit_with(runtime: &Runtime<'_>, builder: &Builder<'_>, access: &Access, plan: Plan) {
    if plan == Plan::Call {
        emit_call(runtime, builder, access);
        return;
    }
    let uncovered = Test { runtime, builder }.uncovered(access, plan);
    let zero = runtime.module.types.i64.constant(0);
    let missed = builder.not_equal(uncovered, zero);
    let slow = builder.if_then(missed, access.instruction, true);
    emit_call(runtime, &slow, access);
}

/// The call of the runtime for an access.
fn emit_call(runtime: &Runtime<'_>, builder: &Builder<'_>, access: &Access) {
    let pointer = access.pointer;
    match (access.vtable, access.size) {
        (Vtable::Load, _) => builder.call(runtime.vptr_read(), &[pointer]),
        (Vtable::Store(new), _) => builder.call(runtime.vptr_write(), &[pointer, new]),
        (Vtable::No, 1 | 2 | 4 | 8 | 16) => {
            builder.call(runtime.access(access.direction, access.size), &[pointer])
        }
        (Vtable::No, size) => {
            let size = runtime.module.types.i64.constant(size);
            builder.call(runtime.range(access.direction), &[pointer, size])
        }
    };
}

/// Code that computes the bits an access still needs.
struct Test<'a, 'm> {
    runtime: &'a Runtime<'m>,
    builder: &'a Builder<'m>,
}

impl Test<'_, '_> {
    fn constant(&self, value: u64) -> Value {
        self.runtime.module.types.i64.constant(value)
    }

    /// Non-zero unless the access is covered.
    fn uncovered(&self, access: &Access, plan: Plan) -> Value {
        let address = self.builder.address(access.pointer);
        let current = self.runtime.load_current(self.builder);
        let size = u32::try_from(access.size).expect("inline tests are short");
        let write = access.direction == Direction::Write;
        match plan {
            Plan::KnownOffset(offset) => {
                let granule = match offset {
                    0 => address,
                    _ => self.builder.sub(address, self.constant(u64::from(offset))),
                };
                let mask = self.constant(word::covered_mask(size, offset, write));
                self.builder.and(self.difference(granule, current), mask)
            }
            Plan::OneGranule => {
                let granule = self.builder.and(address, self.constant(!(GRANULE - 1)));
                let offset = self.builder.and(address, self.constant(GRANULE - 1));
                let bytes = low_mask(size, write);
                let bytes = self.builder.shl(self.constant(bytes), offset);
                let mask = self.builder.or(bytes, self.constant(word::SAME_SEGMENT));
                self.builder.and(self.difference(granule, current), mask)
            }
            Plan::Granules => {
                let sum = self.or_of_differences(address, 0..access.size / GRANULE, current);
                let mask = self.constant(word::covered_mask(GRANULE as u32, 0, write));
                self.builder.and(sum.expect("at least one granule"), mask)
            }
            Plan::Straddling => self.straddling(address, access.size, write, current),
            Plan::Call => unreachable!("a call needs no test"),
        }
    }

    /// First and last granule by the bytes touched in them, whole ones
    /// between. The last one is where the last byte is, so an access that
    /// happens to be aligned looks at nothing behind its end.
    fn straddling(&self, address: Value, size: u64, write: bool, current: Value) -> Value {
        let builder = self.builder;
        let shift = if write {
            word::WRITTEN_SHIFT
        } else {
            word::ACCESSED_SHIFT
        };
        let all = self.constant(0xff << shift);
        let segment = self.constant(word::SAME_SEGMENT);
        let in_granule = self.constant(GRANULE - 1);
        let start_mask = self.constant(!(GRANULE - 1));

        let first = builder.and(address, start_mask);
        let first_bytes = builder.and(builder.shl(all, builder.and(address, in_granule)), all);
        let first_mask = builder.or(first_bytes, segment);
        let mut sum = builder.and(self.difference(first, current), first_mask);

        if let Some(whole) = self.or_of_differences(first, 1..size / GRANULE, current) {
            let mask = builder.or(all, segment);
            sum = builder.or(sum, builder.and(whole, mask));
        }

        let end = builder.add(address, self.constant(size - 1));
        let last = builder.and(end, start_mask);
        let missing = builder.sub(in_granule, builder.and(end, in_granule));
        let last_bytes = builder.and(builder.lshr(all, missing), all);
        let last_mask = builder.or(last_bytes, segment);
        builder.or(sum, builder.and(self.difference(last, current), last_mask))
    }

    /// The differences of several granules, or'ed.
    fn or_of_differences(
        &self,
        first: Value,
        granules: std::ops::Range<u64>,
        current: Value,
    ) -> Option<Value> {
        granules
            .map(|index| {
                let granule = match index {
                    0 => first,
                    _ => self.builder.add(first, self.constant(index * GRANULE)),
                };
                self.difference(granule, current)
            })
            .reduce(|a, b| self.builder.or(a, b))
    }

    /// Shadow word of a granule minus the current word.
    fn difference(&self, granule: Value, current: Value) -> Value {
        let shadow = self
            .builder
            .pointer(self.builder.xor(granule, self.constant(SHADOW_XOR)));
        let shadow = self
            .builder
            .load_relaxed(self.runtime.module.types.i64, shadow);
        self.builder.sub(shadow, current)
    }
}

/// The bits of `size` bytes at offset 0.
fn low_mask(size: u32, write: bool) -> u64 {
    word::covered_mask(size, 0, write) & !word::SAME_SEGMENT
}
