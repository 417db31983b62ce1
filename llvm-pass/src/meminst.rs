//! Copies and fills: `memcpy`, `memmove`, `memset` as intrinsics and as calls
//! of the library, and the copies that `byval` arguments make.
//!
//! Short copies of known length keep the instruction (it becomes a few moves)
//! and get inlined tests; everything else becomes a call of the runtime, which
//! checks and copies in one go.

use crate::access::{Access, Extent};
use crate::check::{self, Plan};
use crate::eliminate::together::Group;
use crate::filter::Filter;
use crate::llvm::analysis::Analysis;
use crate::llvm::builder::Builder;
use crate::llvm::value::{Kind, Value};
use crate::pieces::pieces;
use crate::runtime::{Direction, Runtime};
use racert_abi::GRANULE;

/// Copies up to this length keep their instruction.
const LONGEST_INLINE: u64 = 64;

/// Whether `call` calls the C library's memcpy, memmove or memset.
pub(crate) fn is_library_copy_or_fill(call: Value) -> bool {
    library_function(call).is_some() && !call.is_musttail()
}

fn library_function(call: Value) -> Option<Kind> {
    let callee = call.callee().as_function()?;
    if !callee.is_declaration() || call.argument_count() != 3 {
        return None;
    }
    match callee.name().as_str() {
        "memcpy" => Some(Kind::MemCpy),
        "memmove" => Some(Kind::MemMove),
        "memset" => Some(Kind::MemSet),
        _ => None,
    }
}

impl Rewrite {
    /// Whether the runtime is called only when a test misses.
    pub(crate) fn is_inline(&self) -> bool {
        matches!(self, Rewrite::Check(_))
    }
}

/// What is done with one copy or fill.
pub(crate) enum Rewrite {
    /// The instruction stays; these accesses are checked in front of it, those
    /// of a group with one test.
    Check(Vec<Group>),
    /// The instruction stays; ranges of a length known at run time are checked.
    Ranges(Vec<(Direction, Value)>),
    /// The runtime checks and copies.
    Replace(Kind),
    /// The library call is redirected.
    Redirect(Kind),
}

/// Decides about a copy or fill while the analyses are valid. `None`: it
/// touches nothing another thread could see.
pub(crate) fn plan(
    analysis: &Analysis,
    instruction: Value,
    filter: &mut Filter<'_>,
) -> Option<Rewrite> {
    if let Some(kind) = library_function(instruction) {
        return Some(Rewrite::Redirect(kind));
    }
    let kind = instruction.kind();
    let mut sides = vec![(Direction::Write, instruction.operand(0))];
    if matches!(kind, Kind::MemCpy | Kind::MemMove) {
        sides.insert(0, (Direction::Read, instruction.operand(1)));
    }
    let all = sides.len();
    sides.retain(|(_, pointer)| filter.can_race(*pointer));
    if sides.is_empty() {
        return None;
    }
    if kind == Kind::MemSetPattern {
        return Some(Rewrite::Ranges(sides));
    }
    let length = instruction.operand(2).as_constant_int();
    if length == Some(0) {
        return None;
    }
    let other_address_space = (0..if all == 2 { 2 } else { 1 })
        .any(|index| instruction.operand(index).address_space() != 0);
    if let Some(length) = length.filter(|length| *length <= LONGEST_INLINE) {
        let side = |(direction, pointer): &(Direction, Value)| {
            let alignment = match direction {
                Direction::Read => instruction.source_alignment(),
                Direction::Write => instruction.destination_alignment(),
            };
            let access = Access::new(
                analysis,
                instruction,
                *pointer,
                length,
                alignment,
                *direction,
            );
            inlined(access)
        };
        if let Some(checks) = sides.iter().map(side).collect() {
            return Some(Rewrite::Check(checks));
        }
    }
    let must_stay = instruction.is_inline_only()
        || instruction.is_volatile()
        || instruction.is_musttail()
        || other_address_space;
    // With one side invisible to other threads, checking the other side alone
    // costs less than the runtime's check of both.
    if must_stay || sides.len() < all {
        return Some(Rewrite::Ranges(sides));
    }
    Some(Rewrite::Replace(kind))
}

/// How one side of a short copy is tested inline, if it can be.
fn inlined(access: Access) -> Option<Group> {
    if check::plan(&access) != Plan::Call {
        return Some(Group::from(access));
    }
    let (size, offset) = (access.size()?, access.granule_offset?);
    let piece = |(start, size): (u64, u64)| Access {
        base_offset: access.base_offset.wrapping_add_unsigned(start),
        granule_offset: Some(((u64::from(offset) + start) % GRANULE) as u32),
        extent: Extent::Fixed(size),
        ..access
    };
    Some(Group {
        place: access.place,
        members: pieces(u64::from(offset), size).map(piece).collect(),
    })
}

/// Carries the decision out.
pub(crate) fn rewrite(runtime: &Runtime<'_>, instruction: Value, rewrite: Rewrite, leaf: bool) {
    runtime.stats.copies.increment();
    match rewrite {
        Rewrite::Check(checks) => {
            for group in checks {
                check::emit_group(runtime, &group, leaf);
            }
        }
        Rewrite::Ranges(sides) => {
            let builder = Builder::before(runtime.module, instruction);
            let length = length_in_bytes(runtime, &builder, instruction);
            for (direction, pointer) in sides {
                builder.call(runtime.range(direction), &[pointer, length]);
            }
        }
        Rewrite::Replace(kind) => {
            let builder = Builder::before(runtime.module, instruction);
            let length = builder.int_cast(instruction.operand(2), runtime.module.types.i64);
            let (callee, second) = match kind {
                Kind::MemSet => {
                    let byte = builder.int_cast(instruction.operand(1), runtime.module.types.i32);
                    (runtime.fill(), byte)
                }
                _ => (runtime.copy(kind == Kind::MemMove), instruction.operand(1)),
            };
            builder.call(callee, &[instruction.operand(0), second, length]);
            drop(builder);
            instruction.replace_and_erase(None);
        }
        Rewrite::Redirect(kind) => {
            let callee = match kind {
                Kind::MemSet => runtime.fill(),
                _ => runtime.copy(kind == Kind::MemMove),
            };
            instruction.set_called_function(callee.function);
        }
    }
}

fn length_in_bytes(runtime: &Runtime<'_>, builder: &Builder<'_>, instruction: Value) -> Value {
    let types = runtime.module.types;
    let count = builder.int_cast(instruction.operand(2), types.i64);
    if instruction.kind() != Kind::MemSetPattern {
        return count;
    }
    let element = types.abi_size(instruction.operand(1).ty());
    builder.mul(count, types.i64.constant(element))
}

/// The reads that a call's `byval` arguments make.
pub(crate) fn byval_reads(
    runtime: &Runtime<'_>,
    analysis: &Analysis,
    call: Value,
    filter: &mut Filter<'_>,
) -> Vec<Access> {
    (0..call.argument_count())
        .filter_map(|index| {
            let ty = call.byval_type(index)?;
            let pointer = call.operand(index);
            let size = runtime.module.types.store_size(ty);
            if size == 0 || !filter.can_race(pointer) {
                return None;
            }
            let alignment = call.argument_alignment(index);
            Some(Access::new(
                analysis,
                call,
                pointer,
                size,
                alignment,
                Direction::Read,
            ))
        })
        .collect()
}
