//! A read followed by a write of the same bytes, as in `x++`: one write check
//! in the place of the read serves for both.

use super::barrier::{Barriers, Position};
use super::location::Location;
use crate::access::{Access, Vtable};
use crate::llvm::value::Block;
use crate::runtime::{Direction, Runtime};
use std::collections::{HashMap, HashSet};

/// Merges such pairs.
pub(crate) fn merge(
    runtime: &Runtime<'_>,
    barriers: &Barriers,
    mut accesses: Vec<Access>,
) -> Vec<Access> {
    // The first read of each location in each stretch.
    let mut reads: HashMap<(Block, u32, Location), usize> = HashMap::new();
    let mut dropped = HashSet::new();
    for index in 0..accesses.len() {
        let access = accesses[index];
        if access.vtable != Vtable::No {
            continue;
        }
        let Some(location) = Location::of(&access) else {
            continue;
        };
        let Position { stretch, .. } = barriers.position(access.place);
        let key = (access.place.block(), stretch, location);
        match access.direction {
            Direction::Read => {
                reads.entry(key).or_insert(index);
            }
            Direction::Write => {
                // A later write finds the check that this pair became.
                if let Some(read) = reads.remove(&key) {
                    let read = &mut accesses[read];
                    read.direction = Direction::Write;
                    read.origin = access.origin;
                    dropped.insert(index);
                    runtime.stats.read_before_write.increment();
                }
            }
        }
    }
    keep(accesses, |index, _| !dropped.contains(&index))
}

/// The accesses for which `wanted` says so.
pub(super) fn keep(accesses: Vec<Access>, wanted: impl Fn(usize, &Access) -> bool) -> Vec<Access> {
    accesses
        .into_iter()
        .enumerate()
        .filter(|(index, access)| wanted(*index, access))
        .map(|(_, access)| access)
        .collect()
}
