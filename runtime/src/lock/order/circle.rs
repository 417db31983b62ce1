//! Circles in the graph that can become a deadlock.

use super::super::LockId;
use super::graph::{Edge, Graph, Instance};
use crate::lockset;
use crate::options;
use crate::thread::registry;
use alloc::collections::BTreeSet;
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
const LONGEST: usize = 64;
/// Edges looked at for one new edge. A program with many locks taken in all
/// orders has its short circles found long before.
const EFFORT: usize = 20_000;
/// Edges looked at in all, and so many more for every new edge: looking for ever
/// new circles must not become all that a program does.
const RESERVE: usize = 100 * EFFORT;
const MORE: usize = 64;

/// What looking for circles may still cost.
pub(super) struct Means {
    left: usize,
    /// Threads that have made edges.
    threads: BTreeSet<u32>,
}

impl Means {
    pub(super) const fn new() -> Means {
        Means {
            left: RESERVE,
            threads: BTreeSet::new(),
        }
    }

    /// The thread makes an edge.
    pub(super) fn note(&mut self, thread: u32) {
        if self.threads.len() < LONGEST {
            self.threads.insert(thread);
        }
    }

    /// How long a circle can be.
    fn longest(&self) -> usize {
        match options::get().single_thread_inversions {
            true => LONGEST,
            false => self.threads.len(),
        }
    }
}

/// The shortest circle through the newest instance of the edge that can become
/// a deadlock, if it was not found before.
pub(super) fn through(graph: &mut Graph, from: LockId, to: LockId) -> Option<Vec<Step>> {
    let instance = *graph.edge(from, to)?.instances().last()?;
    let first = Step { from, to, instance };
    let means = graph.means.left.saturating_add(MORE).min(RESERVE);
    let given = means.min(EFFORT);
    let mut effort = given;
    let circle = (2..=graph.means.longest()).find_map(|length| {
        let mut steps = vec![first];
        close(graph, &mut steps, length, &mut effort).then_some(steps)
    });
    graph.means.left = means - (given - effort);
    let circle = circle?;
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
    if steps.len() + 1 == length {
        *effort = effort.saturating_sub(1);
        let last = graph.edge(at, start);
        return last.is_some_and(|edge| go_on(graph, steps, edge, length, effort));
    }
    for edge in graph.outgoing(at) {
        if *effort == 0 {
            return false;
        }
        *effort -= 1;
        let passed = edge.to == start || steps.iter().any(|step| step.to == edge.to);
        if !passed && go_on(graph, steps, edge, length, effort) {
            return true;
        }
    }
    false
}

/// Tries all instances of `edge` that can happen together with `steps`.
fn go_on(
    graph: &Graph,
    steps: &mut Vec<Step>,
    edge: &Edge,
    length: usize,
    effort: &mut usize,
) -> bool {
    let (from, to) = (edge.from, edge.to);
    for instance in edge.instances().iter().copied() {
        if !fits(steps, to, &instance) {
            continue;
        }
        steps.push(Step { from, to, instance });
        if steps.len() == length || close(graph, steps, length, effort) {
            return true;
        }
        steps.pop();
    }
    false
}

/// Can `new`, which takes `to`, happen together with `steps` and come after
/// them?
fn fits(steps: &[Step], to: LockId, new: &Instance) -> bool {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return false;
    };
    let waits = last.instance.to_mode.excludes(new.from_mode);
    let closes = first.from != to || new.to_mode.excludes(first.instance.from_mode);
    waits && closes && steps.iter().all(|step| together(&step.instance, new))
}

/// Can the two be at their places at the same time?
fn together(one: &Instance, other: &Instance) -> bool {
    let is_possible = match one.thread == other.thread {
        true => options::get().single_thread_inversions,
        false => !registry::ordered((one.thread, one.time), (other.thread, other.time)),
    };
    is_possible && lockset::common(one.held, other.held).is_none()
}
