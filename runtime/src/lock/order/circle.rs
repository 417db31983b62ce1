//! Circles in the graph that can become a deadlock.

use super::super::LockId;
use super::graph::{Graph, Instance};
use crate::lockset;
use crate::options;
use crate::thread::registry;
use alloc::vec;
use alloc::vec::Vec;

/// One edge of a circle, as one thread made it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) from: LockId,
    pub(super) to: LockId,
    pub(super) instance: Instance,
}

/// Longest circle looked for. Each edge needs a thread of its own.
const LONGEST: usize = 10;
/// Edges looked at for one new edge. A program with many locks taken in all
/// orders has its short circles found long before.
const EFFORT: usize = 20_000;

/// The shortest circle through the newest instance of the edge that can become
/// a deadlock, if it was not found before.
pub(super) fn through(graph: &mut Graph, from: LockId, to: LockId) -> Option<Vec<Step>> {
    let instance = *graph.edge(from, to)?.instances.last()?;
    let first = Step { from, to, instance };
    let mut effort = EFFORT;
    let circle = (2..=LONGEST).find_map(|length| {
        let mut steps = vec![first];
        close(graph, &mut steps, length, &mut effort).then_some(steps)
    })?;
    let mut locks: Vec<LockId> = circle.iter().map(|step| step.from).collect();
    locks.sort_unstable();
    graph.found.insert(locks).then_some(circle)
}

/// Extends `steps` to a circle of `length`.
fn close(graph: &Graph, steps: &mut Vec<Step>, length: usize, effort: &mut usize) -> bool {
    let (Some(start), Some(at)) = (steps.first().map(|s| s.from), steps.last().map(|s| s.to))
    else {
        return false;
    };
    let last = steps.len() + 1 == length;
    if last {
        *effort = effort.saturating_sub(1);
        return graph
            .edge(at, start)
            .is_some_and(|edge| fit(steps, at, start, &edge.instances).is_some());
    }
    for edge in graph.outgoing(at) {
        if *effort == 0 {
            return false;
        }
        *effort -= 1;
        let passed = edge.to == start || steps.iter().any(|step| step.to == edge.to);
        if !passed && let Some(count) = fit(steps, edge.from, edge.to, &edge.instances) {
            if close(graph, steps, length, effort) {
                return true;
            }
            steps.truncate(count);
        }
    }
    false
}

/// Appends the first instance that can happen together with `steps`; gives
/// their number before.
fn fit(steps: &mut Vec<Step>, from: LockId, to: LockId, instances: &[Instance]) -> Option<usize> {
    let closes = steps.first().map(|step| step.from) == Some(to);
    let instance = *instances.iter().find(|new| {
        let waits = steps
            .last()
            .is_some_and(|step| step.instance.to_mode.excludes(new.from_mode));
        let closing = !closes
            || steps
                .first()
                .is_some_and(|step| new.to_mode.excludes(step.instance.from_mode));
        waits && closing && steps.iter().all(|step| together(&step.instance, new))
    })?;
    steps.push(Step { from, to, instance });
    Some(steps.len() - 1)
}

/// Can the two be at their places at the same time?
fn together(one: &Instance, other: &Instance) -> bool {
    let is_possible = match one.thread == other.thread {
        true => options::get().single_thread_inversions,
        false => !registry::ordered((one.thread, one.time), (other.thread, other.time)),
    };
    is_possible && lockset::common(one.held, other.held).is_none()
}
