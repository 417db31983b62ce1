//! What is known of the order of locks: behind the graph's lock.

use super::circle::{self, Step};
use super::graph::{Entered, Graph};
use super::heights::Heights;
use super::log::{FIRST, Log, Made, Owner};
use super::ranks::{NodeId, Way};
use alloc::vec::Vec;

/// So many edges before its turn memory for an edge is fetched; what that leads
/// to is fetched halfway.
const AHEAD: usize = 6;

/// A circle that can become a deadlock.
pub(super) type Circle = Vec<Step>;

/// See the module's description.
pub(super) struct Inside {
    pub(super) graph: Graph,
    /// All there are.
    logs: Vec<&'static Log>,
    /// Circles that nobody was told of yet.
    pub(super) found: Vec<Circle>,
    /// Is there something in the logs that the graph does not know?
    is_behind: bool,
    /// Edges that agree with the ranks but are not linked yet.
    pub(super) pairs: Vec<(NodeId, NodeId)>,
    /// Edges for which logs have more room now, or less.
    pub(super) growth: isize,
}

impl Inside {
    /// Nothing yet; ranks are shown in `heights`.
    pub(super) const fn new(heights: &'static Heights) -> Inside {
        Inside {
            graph: Graph::new(heights),
            logs: Vec::new(),
            found: Vec::new(),
            is_behind: false,
            pairs: Vec::new(),
            growth: 0,
        }
    }

    /// Brings what was noted in the log into the order, but for edges that have
    /// to go the long way.
    pub(super) fn read(&mut self, log: &Log) -> Vec<Made> {
        let mut odd = Vec::new();
        let each = |part: &mut [Made]| {
            self.is_behind |= !part.is_empty();
            for i in 0..part.len() {
                if let Some(later) = part.get(i + 2 * AHEAD) {
                    self.graph.foresee(later.from, later.to);
                }
                if let Some(later) = part.get(i + AHEAD) {
                    self.graph.foresee_links(later.from, later.to);
                }
                let made = &mut part[i];
                let is_even = !self.graph.has_backward()
                    && !self.graph.is_full()
                    && self.graph.order_quickly(made.from, made.to);
                if !is_even {
                    odd.push(*made);
                    // Nothing to be read again.
                    made.to = made.from;
                }
            }
        };
        // SAFETY: what is here is behind the lock.
        unsafe { log.read(each) };
        odd
    }

    /// Brings what was noted in all logs into the order.
    pub(super) fn read_all(&mut self) {
        let mut odd = Vec::new();
        for i in 0..self.logs.len() {
            let log = self.logs[i];
            odd.append(&mut self.read(log));
        }
        self.add_odd(odd);
    }

    /// Sorts all locks by what the order knows and what was noted since, which
    /// it then knows, too; `false`, and all is as before, if that has a circle.
    pub(super) fn sort_logs(&mut self) -> bool {
        if self.graph.is_full() {
            return false;
        }
        let known = self.pairs.len();
        let mut has_all = true;
        let mut marks = Vec::new();
        for log in &self.logs {
            // SAFETY: what is here is behind the lock.
            unsafe {
                marks.push(log.mark());
                log.read(|part| {
                    for made in part {
                        match self.graph.ends(made.from, made.to) {
                            Some(ends) => self.pairs.push(ends),
                            None => has_all = false,
                        }
                    }
                });
            }
        }
        if has_all && self.graph.sort_all(&self.pairs) {
            self.is_behind |= self.pairs.len() > known;
            return true;
        }
        self.pairs.truncate(known);
        for (log, mark) in self.logs.iter().zip(marks) {
            // SAFETY: as above, and nothing was given back since.
            unsafe { log.read_from(mark) };
        }
        false
    }

    /// Links what the order knows but has not linked.
    pub(super) fn link_pairs(&mut self) {
        let pairs = core::mem::take(&mut self.pairs);
        for (from, to) in pairs {
            self.graph.link(from, to);
        }
    }

    /// Adds what met a change halfway, when the order knows all else.
    pub(super) fn add_odd(&mut self, odd: Vec<Made>) {
        for made in odd {
            self.add_all(core::iter::once(made));
        }
    }

    /// Adds what a thread made by taking one lock: one circle is enough.
    pub(super) fn add_all(&mut self, edges: impl Iterator<Item = Made>) {
        let before = self.found.len();
        for made in edges {
            let (from, to) = (made.from, made.to);
            let is_ordered = self.graph.edge(from, to).is_some() || self.graph.is_full();
            let is_backward = !is_ordered && self.graph.order(from, to);
            if self.graph.has_backward() {
                self.catch_up();
            }
            let entered = self.graph.enter(&made, is_backward);
            let may_close = entered != Entered::Nothing && self.graph.has_backward();
            if may_close && self.found.len() == before {
                self.found
                    .extend(circle::through(&mut self.graph, from, to));
            }
        }
    }

    /// Moves what the order knows from the logs into the graph. None of that
    /// closes a circle with what was there before.
    pub(super) fn catch_up(&mut self) {
        if !core::mem::take(&mut self.is_behind) {
            return;
        }
        let mut again = [Vec::new(), Vec::new()];
        let mut each = |part: &mut [Made]| {
            for (i, made) in part.iter().enumerate() {
                if let Some(later) = part.get(i + AHEAD) {
                    self.graph.foresee_edge(later.from, later.to);
                }
                if made.from != made.to && self.graph.enter(made, false) != Entered::Edge {
                    again[0].push(made.from);
                    again[1].push(made.to);
                }
            }
        };
        for log in &self.logs {
            // SAFETY: what is here is behind the lock.
            self.growth -= unsafe { log.read_again(&mut each) } as isize;
        }
        for (mut locks, way) in again.into_iter().zip([Way::Out, Way::In]) {
            locks.sort_unstable();
            locks.dedup();
            locks
                .into_iter()
                .for_each(|lock| self.graph.thin(lock, way));
        }
    }

    /// A log for one more thread.
    pub(super) fn owner(&mut self) -> Owner {
        let left = self.logs.iter().find_map(|log| log.claim());
        left.unwrap_or_else(|| {
            let (log, owner) = Log::new();
            self.logs.push(log);
            self.growth += FIRST as isize;
            owner
        })
    }
}
