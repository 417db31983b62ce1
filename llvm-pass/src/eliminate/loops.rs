//! Checks moved out of loops.
//!
//! In a loop without barriers, a check of an address that does not change is
//! made once in front of the loop, and the checks of accesses that walk
//! through memory without gaps become one check of the whole range. Both only
//! where the access is sure to happen, as often as the range says.

use super::barrier::{Barriers, is_barrier};
use super::read_before_write::keep;
use crate::access::{Access, Extent, Vtable};
use crate::llvm::analysis::{Analysis, Executions, Loop};
use crate::llvm::value::Value;
use crate::runtime::{Direction, Runtime};
use std::collections::HashSet;

/// Moves checks out of loops, inner loops first. Also returns whether any
/// check was moved.
pub(crate) fn hoist(
    runtime: &Runtime<'_>,
    analysis: &Analysis,
    barriers: &Barriers,
    mut accesses: Vec<Access>,
) -> (Vec<Access>, bool) {
    let mut moved = false;
    for each in analysis.loops() {
        let Some(place) = each.preheader_end() else {
            continue;
        };
        if is_barrier(place)
            || each
                .blocks()
                .into_iter()
                .any(|block| barriers.in_block(block))
        {
            continue;
        }
        let hoister = Hoister {
            runtime,
            analysis,
            each,
            place,
        };
        let mut strided = Vec::new();
        for (index, access) in accesses.iter_mut().enumerate() {
            if hoister.is_direct(access) {
                moved |= hoister.hoist_invariant(access);
                strided.extend(hoister.strided(index, access));
            }
        }
        let dropped = hoister.ranges(strided, &mut accesses);
        moved |= !dropped.is_empty();
        accesses = keep(accesses, |index, _| !dropped.contains(&index));
    }
    (accesses, moved)
}

/// An access that moves by the same distance in each iteration.
#[derive(Clone, Copy)]
struct Strided {
    index: usize,
    stride: i64,
    size: u64,
    executions: Executions,
    direction: Direction,
    pointer: Value,
}

/// Bytes from the first member's start that members of a group touch in one
/// iteration, without a gap.
struct Run {
    start: i64,
    end: i64,
    first: Strided,
    members: Vec<usize>,
}

struct Hoister<'a, 'm> {
    runtime: &'a Runtime<'m>,
    analysis: &'a Analysis,
    each: Loop,
    place: Value,
}

impl Hoister<'_, '_> {
    /// Whether the check is made in this loop and not in one inside it.
    fn is_direct(&self, access: &Access) -> bool {
        access.vtable == Vtable::No && self.analysis.is_innermost(self.each, access.place.block())
    }

    /// Moves a check of unchanging bytes in front of the loop.
    fn hoist_invariant(&self, access: &mut Access) -> bool {
        let length_fixed = match access.extent {
            Extent::Fixed(_) | Extent::Elements { .. } => true,
            Extent::Dynamic { length, .. } => self.each.is_invariant(length),
        };
        if !length_fixed
            || !self.each.is_invariant(access.pointer)
            || !self.analysis.always_runs(self.each, access.place)
        {
            return false;
        }
        access.place = self.place;
        self.runtime.stats.hoisted.increment();
        true
    }

    fn strided(&self, index: usize, access: &Access) -> Option<Strided> {
        if access.place == self.place {
            return None;
        }
        let size = access.size()?;
        let executions = self.analysis.executions(self.each, access.place)?;
        let stride = self.analysis.stride(self.each, access.pointer)?;
        (stride != 0).then_some(Strided {
            index,
            stride,
            size,
            executions,
            direction: access.direction,
            pointer: access.pointer,
        })
    }

    /// Replaces groups of strided accesses by range checks. Returns the
    /// accesses that are no longer needed.
    fn ranges(&self, mut pending: Vec<Strided>, accesses: &mut [Access]) -> HashSet<usize> {
        let mut dropped = HashSet::new();
        while let Some(leader) = pending.first().copied() {
            let mut group: Vec<(i64, Strided)> = Vec::new();
            pending.retain(|other| match self.distance(&leader, other) {
                Some(distance) => {
                    group.push((distance, *other));
                    false
                }
                None => true,
            });
            for run in runs(group) {
                self.replace(&run, accesses, &mut dropped);
            }
        }
        dropped
    }

    /// The distance between two accesses that belong to one group.
    fn distance(&self, leader: &Strided, other: &Strided) -> Option<i64> {
        if leader.index == other.index {
            return Some(0);
        }
        if leader.stride != other.stride
            || leader.executions != other.executions
            || leader.direction != other.direction
        {
            return None;
        }
        self.analysis
            .distance(self.each, leader.pointer, other.pointer)
    }

    /// Turns the first member of a run into the check of everything the run
    /// touches in all iterations, if that is one piece.
    fn replace(&self, run: &Run, accesses: &mut [Access], dropped: &mut HashSet<usize>) {
        let span = run.end.abs_diff(run.start);
        if run.first.stride.unsigned_abs() > span {
            return;
        }
        let expanded =
            self.analysis
                .expand_range(self.each, run.first.pointer, span, run.first.executions);
        let Some((start, length)) = expanded else {
            return;
        };
        let access = &mut accesses[run.first.index];
        access.place = self.place;
        access.pointer = start;
        (access.base, access.base_offset) = self.analysis.base_and_offset(start);
        access.alignment = self.analysis.known_alignment(start, self.place);
        access.granule_offset = self.analysis.offset_in_granule(start, self.place);
        access.extent = match length.as_constant_int() {
            Some(length) => Extent::Fixed(length),
            None => Extent::Dynamic {
                length,
                may_be_zero: run.first.executions == Executions::BackEdges,
            },
        };
        self.runtime.stats.ranges.increment();
        for member in &run.members {
            self.runtime.stats.in_ranges.increment();
            if *member != run.first.index {
                dropped.insert(*member);
            }
        }
    }
}

/// Joins accesses that touch or overlap.
fn runs(mut group: Vec<(i64, Strided)>) -> Vec<Run> {
    group.sort_by_key(|(distance, _)| *distance);
    let mut runs: Vec<Run> = Vec::new();
    for (start, strided) in group {
        let end = start.wrapping_add_unsigned(strided.size);
        match runs.last_mut() {
            Some(run) if start <= run.end => {
                run.end = run.end.max(end);
                run.members.push(strided.index);
            }
            _ => runs.push(Run {
                start,
                end,
                first: strided,
                members: vec![strided.index],
            }),
        }
    }
    runs
}
