//! The inlined same-segment test in front of an access.
//!
//! The shadow word of a granule that this thread has already covered in its
//! current segment differs from the thread's current word only in the bits
//! that do not matter (see `racert_abi::word`). The test is therefore one
//! load, one subtraction and one bit test; everything else is the runtime's.

use crate::access::{Access, Extent, Vtable};
use crate::eliminate::together::Group;
use crate::frames;
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use crate::runtime::{Direction, Runtime};
use racert_abi::{GRANULE, SHADOW_OFFSET, SHADOW_XOR, word};

/// The largest access whose granules are all tested inline.
const LARGEST_INLINE: u64 = 64;

/// The largest access whose granules have calls of their own when the test
/// misses: what most of them need is done before a range would have begun.
const LARGEST_APART: u64 = 32;

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
pub(crate) fn plan(access: &Access) -> Plan {
    let Some(size) = access.size() else {
        return Plan::Call;
    };
    let whole = size.is_multiple_of(GRANULE) && size <= LARGEST_INLINE;
    match access.granule_offset {
        Some(offset) if u64::from(offset) + size <= GRANULE => Plan::KnownOffset(offset),
        Some(0) if whole => Plan::Granules,
        _ if whole => Plan::Straddling,
        None if size < GRANULE && size.is_power_of_two() && access.alignment >= size => {
            Plan::OneGranule
        }
        _ => Plan::Call,
    }
}

/// Emits checks that share a branch. `leaf`: the function has no frame of its
/// own on the shadow call stack, so one is pushed round the calls.
pub(crate) fn emit_group(runtime: &Runtime<'_>, group: &Group, leaf: bool) {
    let [first, rest @ ..] = group.members.as_slice() else {
        return;
    };
    if rest.is_empty() {
        emit(runtime, first, leaf);
        return;
    }
    let location = first.origin.debug_location();
    let builder = Builder::before_at(runtime.module, group.place, location);
    let test = Test::new(runtime, &builder);
    // Differences with the same mask are masked once.
    let mut sums: Vec<(u64, Value)> = Vec::new();
    for access in &group.members {
        runtime.stats.inline_checks.increment();
        let (mask, difference) = test.known(access);
        match sums.iter_mut().find(|(other, _)| *other == mask) {
            Some((_, sum)) => *sum = builder.or(*sum, difference),
            None => sums.push((mask, difference)),
        }
    }
    let uncovered = sums
        .into_iter()
        .map(|(mask, sum)| builder.and(sum, test.constant(mask)))
        .reduce(|a, b| builder.or(a, b))
        .expect("a group has members");
    let missed = builder.not_equal(uncovered, test.constant(0));
    let slow = builder.if_then(missed, true);
    let pushed = leaf.then(|| frames::push(runtime, &slow));
    for access in &group.members {
        slow.set_location(access.origin.debug_location());
        // The access's own pointer may be computed later only.
        let offset = runtime.module.types.i64.signed_constant(access.base_offset);
        let pointer = match access.base_offset {
            0 => access.base,
            _ => slow.offset(access.base, offset),
        };
        emit_call(runtime, &slow, &Access { pointer, ..*access });
    }
    if let Some(frame) = pushed {
        frames::pop(runtime, &slow, &frame);
    }
}

/// Emits the check of one access.
pub(crate) fn emit(runtime: &Runtime<'_>, access: &Access, leaf: bool) {
    let location = access.origin.debug_location();
    let builder = Builder::before_at(runtime.module, access.place, location);
    let plan = plan(access);
    let types = runtime.module.types;
    if plan == Plan::Call {
        runtime.stats.called_checks.increment();
        if let Extent::Dynamic {
            length,
            may_be_zero: true,
        } = access.extent
        {
            let any = builder.not_equal(length, types.i64.constant(0));
            let then = builder.if_then(any, false);
            emit_call_in_frame(runtime, &then, access, leaf);
        } else {
            emit_call_in_frame(runtime, &builder, access, leaf);
        }
        return;
    }
    runtime.stats.inline_checks.increment();
    let uncovered = Test::new(runtime, &builder).uncovered(access, plan);
    let missed = builder.not_equal(uncovered, types.i64.constant(0));
    let slow = builder.if_then(missed, true);
    emit_call_in_frame(runtime, &slow, access, leaf);
}

fn emit_call_in_frame(runtime: &Runtime<'_>, builder: &Builder<'_>, access: &Access, leaf: bool) {
    let pushed = leaf.then(|| frames::push(runtime, builder));
    emit_call(runtime, builder, access);
    if let Some(frame) = pushed {
        frames::pop(runtime, builder, &frame);
    }
}

/// The call of the runtime for an access.
fn emit_call(runtime: &Runtime<'_>, builder: &Builder<'_>, access: &Access) {
    let pointer = access.pointer;
    match (access.vtable, access.extent) {
        (Vtable::Load, _) => {
            builder.call(runtime.vptr_read(), &[pointer]);
        }
        (Vtable::Store(new), _) => {
            builder.call(runtime.vptr_write(), &[pointer, new]);
        }
        (Vtable::No, Extent::Fixed(size)) => match plan(access) {
            Plan::Granules if size <= LARGEST_APART => {
                emit_calls(runtime, builder, access, GRANULE, size);
            }
            Plan::Straddling if (GRANULE + 1..=LARGEST_APART).contains(&size) => {
                let [aligned, not] = if_aligned(runtime, builder, pointer);
                emit_calls(runtime, &aligned, access, GRANULE, size);
                emit_one_call(runtime, &not, access, size);
            }
            _ => emit_one_call(runtime, builder, access, size),
        },
        (Vtable::No, Extent::Dynamic { length, .. }) => {
            builder.call(runtime.range(access.direction), &[pointer, length]);
        }
        (Vtable::No, Extent::Elements { count, size }) => {
            emit_element_calls(runtime, builder, access, (count, size));
        }
    }
}

/// One call for `size` bytes.
fn emit_one_call(runtime: &Runtime<'_>, builder: &Builder<'_>, access: &Access, size: u64) {
    let (pointer, direction) = (access.pointer, access.direction);
    if matches!(size, 1 | 2 | 4 | 8 | 16) {
        builder.call(runtime.access(direction, size), &[pointer]);
    } else {
        let size = runtime.module.types.i64.constant(size);
        builder.call(runtime.range(direction), &[pointer, size]);
    }
}

/// The calls for elements: of whole granules, if that is what they are.
fn emit_element_calls(
    runtime: &Runtime<'_>,
    builder: &Builder<'_>,
    access: &Access,
    (count, size): (u64, u64),
) {
    let bytes = count * size;
    let [aligned, not] = if_aligned(runtime, builder, access.pointer);
    emit_calls(runtime, &aligned, access, GRANULE, bytes);
    emit_calls(runtime, &not, access, size, bytes);
}

/// For what is to be done if `pointer` is a granule's beginning, and if not.
fn if_aligned<'m>(
    runtime: &Runtime<'_>,
    builder: &Builder<'m>,
    pointer: Value,
) -> [Builder<'m>; 2] {
    let i64 = runtime.module.types.i64;
    let offset = builder.and(builder.address(pointer), i64.constant(GRANULE - 1));
    let aligned = builder.if_then(builder.equal(offset, i64.constant(0)), false);
    let not = builder.if_then(builder.not_equal(offset, i64.constant(0)), false);
    [aligned, not]
}

/// One call for each `size` of the `bytes` that an access touches.
fn emit_calls(
    runtime: &Runtime<'_>,
    builder: &Builder<'_>,
    access: &Access,
    size: u64,
    bytes: u64,
) {
    let callee = runtime.access(access.direction, size);
    for at in (0..bytes).step_by(size as usize) {
        let pointer = match at {
            0 => access.pointer,
            _ => builder.offset(access.pointer, runtime.module.types.i64.constant(at)),
        };
        builder.call(callee, &[pointer]);
    }
}

/// Code that computes the bits an access still needs.
struct Test<'a, 'm> {
    runtime: &'a Runtime<'m>,
    builder: &'a Builder<'m>,
    current: Value,
}

impl<'a, 'm> Test<'a, 'm> {
    fn new(runtime: &'a Runtime<'m>, builder: &'a Builder<'m>) -> Test<'a, 'm> {
        Test {
            runtime,
            builder,
            current: runtime.load_current(builder),
        }
    }

    fn constant(&self, value: u64) -> Value {
        self.runtime.module.types.i64.constant(value)
    }

    /// Non-zero unless the access is covered.
    fn uncovered(&self, access: &Access, plan: Plan) -> Value {
        let bytes = access.size().expect("inline tests have a fixed size");
        let write = access.direction == Direction::Write;
        match plan {
            Plan::KnownOffset(_) | Plan::Granules => {
                let (mask, difference) = self.known(access);
                self.builder.and(difference, self.constant(mask))
            }
            Plan::OneGranule => {
                let address = self.builder.address(access.pointer);
                let granule = self.builder.and(address, self.constant(!(GRANULE - 1)));
                let offset = self.builder.and(address, self.constant(GRANULE - 1));
                let touched = self.constant(touched_bits(bytes, 0, write) & !word::SAME_SEGMENT);
                let touched = self.builder.shl(touched, offset);
                let mask = self.builder.or(touched, self.constant(word::SAME_SEGMENT));
                self.builder
                    .and(self.difference(self.shadow(granule)), mask)
            }
            Plan::Straddling => self.straddling(access.pointer, bytes, write),
            Plan::Call => unreachable!("a call needs no test"),
        }
    }

    /// The mask and the difference of an access whose place within its
    /// granule is known. The shadow's address is computed from the object's,
    /// so that all fields of an object share it: adding a small number and
    /// flipping one high bit may change places, because nothing lies across
    /// the border where that bit changes.
    fn known(&self, access: &Access) -> (u64, Value) {
        let bytes = access.size().expect("inline tests have a fixed size");
        let offset = access
            .granule_offset
            .expect("the place in the granule is known");
        let write = access.direction == Direction::Write;
        let object = self.shadow(self.builder.address(access.base));
        let first = access.base_offset - i64::from(offset);
        if u64::from(offset) + bytes <= GRANULE {
            let difference = self.difference(self.plus(object, first));
            return (touched_bits(bytes, offset, write), difference);
        }
        let sum = self.or_of_differences(self.plus(object, first), 0..bytes / GRANULE);
        (
            touched_bits(GRANULE, 0, write),
            sum.expect("at least one granule"),
        )
    }

    fn plus(&self, address: Value, bytes: i64) -> Value {
        match bytes {
            0 => address,
            _ => {
                let bytes = self.runtime.module.types.i64.signed_constant(bytes);
                self.builder.add(address, bytes)
            }
        }
    }

    /// The address of the shadow of an address.
    fn shadow(&self, address: Value) -> Value {
        let image = self.builder.xor(address, self.constant(SHADOW_XOR));
        self.builder.add(image, self.constant(SHADOW_OFFSET))
    }

    /// First and last granule by the bytes touched in them, whole ones
    /// between. The last one is where the last byte is, so an access that
    /// happens to be aligned looks at nothing behind its end.
    fn straddling(&self, pointer: Value, size: u64, write: bool) -> Value {
        let builder = self.builder;
        let address = builder.address(pointer);
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
        let mut sum = builder.and(self.difference(self.shadow(first)), first_mask);

        if let Some(whole) = self.or_of_differences(self.shadow(first), 1..size / GRANULE) {
            let mask = builder.or(all, segment);
            sum = builder.or(sum, builder.and(whole, mask));
        }

        let end = builder.add(address, self.constant(size - 1));
        let last = builder.and(end, start_mask);
        let missing = builder.sub(in_granule, builder.and(end, in_granule));
        let last_bytes = builder.and(builder.lshr(all, missing), all);
        let last_mask = builder.or(last_bytes, segment);
        builder.or(
            sum,
            builder.and(self.difference(self.shadow(last)), last_mask),
        )
    }

    /// The differences of several granules, or'ed. `first` is the address of
    /// the first one's shadow.
    fn or_of_differences(&self, first: Value, granules: std::ops::Range<u64>) -> Option<Value> {
        granules
            .map(|index| {
                let word = match index {
                    0 => first,
                    _ => self.builder.add(first, self.constant(index * GRANULE)),
                };
                self.difference(word)
            })
            .reduce(|a, b| self.builder.or(a, b))
    }

    /// The shadow word at an address minus the current word.
    fn difference(&self, shadow: Value) -> Value {
        let shadow = self.builder.pointer(shadow);
        let word = self
            .builder
            .load_relaxed(self.runtime.module.types.i64, shadow);
        self.builder.sub(word, self.current)
    }
}

/// The bits that must be clear for an access of at most a granule.
fn touched_bits(size: u64, offset: u32, write: bool) -> u64 {
    let size = u32::try_from(size).expect("at most a granule");
    word::covered_mask(size, offset, write)
}
