//! Neighbouring fields checked together: accesses of one stretch that
//! together fill 2, 4 or 8 bytes of a granule without a gap become one check.

use super::barrier::Barriers;
use super::location::Location;
use super::read_before_write::keep;
use crate::access::{Access, Extent, Vtable};
use crate::llvm::builder::Builder;
use crate::llvm::value::{Block, Value};
use crate::runtime::{Direction, Runtime};
use racert_abi::GRANULE;
use std::collections::{HashMap, HashSet};

/// What the members of a group have in common: stretch, base, the granule's
/// offset from the base, direction.
type Key = (Block, u32, Value, i64, Direction);

/// Merges neighbours.
pub(crate) fn merge(
    runtime: &Runtime<'_>,
    barriers: &Barriers,
    mut accesses: Vec<Access>,
) -> Vec<Access> {
    let mut groups: HashMap<Key, Vec<usize>> = HashMap::new();
    for (index, access) in accesses.iter().enumerate() {
        let (Some(offset), Some(location)) = (access.granule_offset, Location::of(access)) else {
            continue;
        };
        let inside = u64::from(offset) + location.size <= GRANULE && location.size < GRANULE;
        if !inside || access.vtable != Vtable::No {
            continue;
        }
        let granule = location.offset - i64::from(offset);
        let stretch = barriers.position(access.place).stretch;
        let key = (
            access.place.block(),
            stretch,
            location.base,
            granule,
            access.direction,
        );
        groups.entry(key).or_default().push(index);
    }
    let mut groups: Vec<_> = groups.into_values().filter(|all| all.len() > 1).collect();
    // The same code for the same source.
    groups.sort_unstable();
    let mut dropped = HashSet::new();
    for members in groups {
        let Some((start, size)) = filled(&accesses, &members) else {
            continue;
        };
        let first = members
            .iter()
            .copied()
            .min_by_key(|index| barriers.position(accesses[*index].place))
            .expect("a group has members");
        let access = &mut accesses[first];
        let bytes = i64::from(start) - i64::from(access.granule_offset.unwrap_or(0));
        if bytes != 0 {
            let builder =
                Builder::before_at(runtime.module, access.place, access.origin.debug_location());
            let distance = runtime.module.types.i64.signed_constant(bytes);
            access.pointer = builder.offset(access.pointer, distance);
            access.base_offset += bytes;
        }
        access.extent = Extent::Fixed(u64::from(size));
        access.granule_offset = Some(start);
        for index in members.into_iter().filter(|index| *index != first) {
            dropped.insert(index);
            runtime.stats.adjacent.increment();
        }
    }
    keep(accesses, |index, _| !dropped.contains(&index))
}

/// Start and number of the bytes that the members touch within their granule,
/// if there is no gap and the runtime has an entry point of that size.
fn filled(accesses: &[Access], members: &[usize]) -> Option<(u32, u32)> {
    let mut touched = 0u32;
    for access in members.iter().map(|index| &accesses[*index]) {
        let bits = (1u32 << access.size()?) - 1;
        touched |= bits << access.granule_offset?;
    }
    let start = touched.trailing_zeros();
    let size = touched.count_ones();
    let without_gap = touched >> start == (1u32 << size) - 1;
    (without_gap && matches!(size, 2 | 4 | 8)).then_some((start, size))
}
