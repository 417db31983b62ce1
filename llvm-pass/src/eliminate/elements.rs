//! Elements of an array tested together: accesses of one stretch, of one size
//! and from one place in the source, as an unrolled loop leaves them, that lie
//! one behind the other. Where in its granule the first one lies is only known
//! when the program runs; all of them share one test, and one that misses calls
//! the runtime granule by granule, if they fill whole ones, else for each.

use super::barrier::Barriers;
use super::location::Location;
use super::read_before_write::keep;
use crate::access::{Access, Extent, Vtable};
use crate::llvm::builder::Builder;
use crate::llvm::value::{Block, DebugLocation, Value};
use crate::runtime::{Direction, Runtime};
use racert_abi::GRANULE;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the members of a row have in common: stretch, base, size, direction,
/// place in the source.
type Key = (Block, u32, Value, u64, Direction, DebugLocation);

/// A miss calls the runtime for each.
const MOST: usize = 16;

/// Merges such rows.
pub(crate) fn merge(
    runtime: &Runtime<'_>,
    barriers: &Barriers,
    mut accesses: Vec<Access>,
) -> Vec<Access> {
    // By their offset from the base.
    let mut groups: Vec<(u64, BTreeMap<i64, usize>)> = Vec::new();
    let mut group_of: HashMap<Key, usize> = HashMap::new();
    for (index, access) in accesses.iter().enumerate() {
        let Some(location) = Location::of(access).filter(|_| is_element(access)) else {
            continue;
        };
        let key = (
            access.place.block(),
            barriers.position(access.place).stretch,
            location.base,
            location.size,
            access.direction,
            access.origin.debug_location(),
        );
        let group = *group_of.entry(key).or_insert_with(|| {
            groups.push((location.size, BTreeMap::new()));
            groups.len() - 1
        });
        groups[group].1.entry(location.offset).or_insert(index);
    }
    let mut dropped = HashSet::new();
    for (size, group) in groups {
        for row in rows(&group, size) {
            merge_row(runtime, barriers, &mut accesses, &row, size);
            let first = first_of(barriers, &accesses, &row);
            dropped.extend(row.into_iter().filter(|index| *index != first));
        }
    }
    keep(accesses, |index, _| !dropped.contains(&index))
}

/// Whether it is smaller than a granule and within one, but it is not known
/// where.
fn is_element(access: &Access) -> bool {
    let Extent::Fixed(size) = access.extent else {
        return false;
    };
    access.vtable == Vtable::No
        && access.granule_offset.is_none()
        && size < GRANULE
        && size.is_power_of_two()
        && access.alignment >= size
}

/// Splits a group into rows without gaps, each as long as some granules.
fn rows(group: &BTreeMap<i64, usize>, size: u64) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut end = None;
    for (offset, index) in group {
        match rows.last_mut() {
            Some(row) if end == Some(*offset) && row.len() < MOST => row.push(*index),
            _ => rows.push(vec![*index]),
        }
        end = Some(offset.wrapping_add_unsigned(size));
    }
    let in_granule = (GRANULE / size) as usize;
    for row in &mut rows {
        row.truncate(row.len() / in_granule * in_granule);
    }
    rows.retain(|row| !row.is_empty());
    rows
}

/// The member that runs first.
fn first_of(barriers: &Barriers, accesses: &[Access], row: &[usize]) -> usize {
    let position = |index: &usize| barriers.position(accesses[*index].place);
    row.iter()
        .copied()
        .min_by_key(position)
        .expect("a row has members")
}

/// Makes the first member the check of all.
fn merge_row(
    runtime: &Runtime<'_>,
    barriers: &Barriers,
    accesses: &mut [Access],
    row: &[usize],
    size: u64,
) {
    let start = accesses[row[0]].base_offset;
    let access = &mut accesses[first_of(barriers, accesses, row)];
    let bytes = start - access.base_offset;
    if bytes != 0 {
        let location = access.origin.debug_location();
        let builder = Builder::before_at(runtime.module, access.place, location);
        let distance = runtime.module.types.i64.signed_constant(bytes);
        access.pointer = builder.offset(access.pointer, distance);
        access.base_offset = start;
    }
    access.extent = Extent::Elements {
        count: row.len() as u64,
        size,
    };
    for _ in 1..row.len() {
        runtime.stats.elements.increment();
    }
}
