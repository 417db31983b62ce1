//! The graph of lock orders, always sorted.
//!
//! Every lock has a rank; edges that lead to a higher rank cannot close a
//! circle, so inserting one costs nothing more. For one that leads to a lower
//! rank the locks in between are searched, and if it closes no circle they get
//! new ranks (Pearce and Kelly, "A dynamic topological sort algorithm for
//! directed acyclic graphs", 2007). Edges that do close one are kept apart
//! ("backward") and take no part in the sorting.

use super::super::held::At;
use super::super::{LockId, Mode};
use crate::lockset::{self, LocksetId};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::hash::{BuildHasherDefault, Hasher};
use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;

/// One way in which an edge came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    /// Whose.
    pub(super) thread: u32,
    /// Its time, in creations and joins.
    pub(super) time: u32,
    /// All that it held.
    pub(super) held: LocksetId,
    /// How it held the first lock.
    pub(super) from_mode: Mode,
    /// How it took the second.
    pub(super) to_mode: Mode,
    /// Where it took the first.
    pub(super) from_at: At,
    /// Where it took the second.
    pub(super) to_at: At,
}

impl Instance {
    /// Is a circle with `other` also one with this?
    fn covers(&self, other: &Instance) -> bool {
        self.thread == other.thread
            && self.time == other.time
            && self.from_mode >= other.from_mode
            && self.to_mode >= other.to_mode
            && lockset::is_subset(self.held, other.held)
    }
}

/// Instances kept of an edge: the first few and the latest. A circle needs a
/// thread of its own for each edge, so more seldom tell anything new.
const INSTANCES: usize = 8;

pub(super) struct Edge {
    pub(super) from: LockId,
    pub(super) to: LockId,
    backward: bool,
    pub(super) instances: SmallVec<[Instance; 1]>,
    /// Places in the lists of its ends.
    out_place: usize,
    in_place: usize,
}

struct Node {
    rank: i64,
    outgoing: Vec<usize>,
    incoming: Vec<usize>,
}

/// A multiplication for each number: locks are numbered by the runtime, nobody
/// can choose them to clash.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32((*byte).into()));
    }

    fn write_u32(&mut self, number: u32) {
        let mixed =
            (self.0.rotate_left(32) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

type Mixed = BuildHasherDefault<Mix>;
const MIXED: Mixed = BuildHasherDefault::new();

/// Edges kept. A program beyond that has no order of locks to speak of, and the
/// circles among those it made first are found.
const EDGES: usize = 1 << 20;

/// See the module's description.
pub(super) struct Graph {
    nodes: HashMap<LockId, Node, Mixed>,
    /// By number; freed ones are reused.
    edges: Vec<Option<Edge>>,
    vacant: Vec<usize>,
    by_ends: HashMap<(LockId, LockId), usize, Mixed>,
    lowest: i64,
    highest: i64,
    backward: usize,
    /// Sets of locks whose circle was found.
    pub(super) found: BTreeSet<Vec<LockId>>,
}

impl Graph {
    pub(super) const fn new() -> Graph {
        Graph {
            nodes: HashMap::with_hasher(MIXED),
            edges: Vec::new(),
            vacant: Vec::new(),
            by_ends: HashMap::with_hasher(MIXED),
            lowest: 0,
            highest: LockId::LIMIT as i64,
            backward: 0,
            found: BTreeSet::new(),
        }
    }

    /// Adds an instance of the edge. May there be a new circle through it?
    pub(super) fn insert(&mut self, from: LockId, to: LockId, instance: Instance) -> bool {
        let number = match self.by_ends.get(&(from, to)) {
            Some(known) => *known,
            None if self.by_ends.len() >= EDGES => return false,
            None => self.connect(from, to),
        };
        let Some(edge) = &mut self.edges[number] else {
            return false;
        };
        if edge.instances.iter().any(|known| known.covers(&instance)) {
            return false;
        }
        edge.instances.retain(|known| !instance.covers(known));
        if edge.instances.len() >= INSTANCES {
            let same = edge
                .instances
                .iter()
                .rposition(|i| i.thread == instance.thread);
            edge.instances.remove(same.unwrap_or(INSTANCES / 2));
        }
        edge.instances.push(instance);
        self.backward > 0
    }

    /// Makes the edge and keeps the ranks in order.
    fn connect(&mut self, from: LockId, to: LockId) -> usize {
        self.rank_new(from, to);
        let backward = !self.sort(from, to);
        self.backward += usize::from(backward);
        let number = self.vacant.pop().unwrap_or_else(|| {
            self.edges.push(None);
            self.edges.len() - 1
        });
        let out_place = self.attach(from, number, true);
        let in_place = self.attach(to, number, false);
        self.edges[number] = Some(Edge {
            from,
            to,
            backward,
            instances: SmallVec::new(),
            out_place,
            in_place,
        });
        self.by_ends.insert((from, to), number);
        number
    }

    fn attach(&mut self, lock: LockId, edge: usize, outgoing: bool) -> usize {
        let Some(node) = self.nodes.get_mut(&lock) else {
            return 0;
        };
        let list = if outgoing {
            &mut node.outgoing
        } else {
            &mut node.incoming
        };
        list.push(edge);
        list.len() - 1
    }

    /// Gives locks without a rank one that suits the edge. Locks made one after
    /// another, as those of an array, are mostly taken in that order.
    fn rank_new(&mut self, from: LockId, to: LockId) {
        let made = |lock: LockId| i64::from(lock.number());
        let upper = self.nodes.get(&to).map_or(made(to), |node| node.rank);
        if !self.nodes.contains_key(&from) {
            let rank = if made(from) < upper {
                made(from)
            } else {
                self.lowest -= 1;
                self.lowest
            };
            self.nodes.insert(from, Node::new(rank));
        }
        let lower = self.rank(from);
        if !self.nodes.contains_key(&to) {
            let rank = if lower < made(to) {
                made(to)
            } else {
                self.highest += 1;
                self.highest
            };
            self.nodes.insert(to, Node::new(rank));
        }
    }

    fn rank(&self, lock: LockId) -> i64 {
        self.nodes.get(&lock).map_or(0, |node| node.rank)
    }

    /// Makes the rank of `from` lower than that of `to`; `false` if `from` can
    /// be reached from `to`.
    fn sort(&mut self, from: LockId, to: LockId) -> bool {
        let (upper, lower) = (self.rank(from), self.rank(to));
        if upper < lower {
            return true;
        }
        let Some(mut after) = self.region(to, true, |rank| rank <= upper, from) else {
            return false;
        };
        let Some(mut before) = self.region(from, false, |rank| rank >= lower, to) else {
            return false;
        };
        after.sort_by_key(|lock| self.rank(*lock));
        before.sort_by_key(|lock| self.rank(*lock));
        before.append(&mut after);
        let mut ranks: Vec<i64> = before.iter().map(|lock| self.rank(*lock)).collect();
        ranks.sort_unstable();
        for (lock, rank) in before.into_iter().zip(ranks) {
            if let Some(node) = self.nodes.get_mut(&lock) {
                node.rank = rank;
            }
        }
        true
    }

    /// The locks reached from `start`, along or against the edges, within the
    /// ranks; `None` if `stop` is among them.
    fn region(
        &self,
        start: LockId,
        forward: bool,
        within: impl Fn(i64) -> bool,
        stop: LockId,
    ) -> Option<Vec<LockId>> {
        let mut seen: HashSet<LockId, Mixed> = HashSet::with_hasher(MIXED);
        seen.insert(start);
        let mut reached = alloc::vec![start];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            let Some(node) = self.nodes.get(&at) else {
                continue;
            };
            let list = if forward {
                &node.outgoing
            } else {
                &node.incoming
            };
            for edge in list
                .iter()
                .filter_map(|number| self.edges[*number].as_ref())
            {
                let lock = if forward { edge.to } else { edge.from };
                if edge.backward || !within(self.rank(lock)) {
                    continue;
                }
                if lock == stop {
                    return None;
                }
                if seen.insert(lock) {
                    reached.push(lock);
                }
            }
        }
        Some(reached)
    }

    /// The edge from one lock to another.
    pub(super) fn edge(&self, from: LockId, to: LockId) -> Option<&Edge> {
        self.edges[*self.by_ends.get(&(from, to))?].as_ref()
    }

    /// The edges that lead away from `lock`.
    pub(super) fn outgoing(&self, lock: LockId) -> impl Iterator<Item = &Edge> {
        let list = self.nodes.get(&lock).map(|node| &node.outgoing[..]);
        list.unwrap_or(&[])
            .iter()
            .filter_map(|number| self.edges[*number].as_ref())
    }

    /// Removes a lock and all its edges.
    pub(super) fn remove(&mut self, lock: LockId) {
        let Some(node) = self.nodes.remove(&lock) else {
            return;
        };
        for number in node.outgoing.into_iter().chain(node.incoming) {
            self.disconnect(number);
        }
        if !self.found.is_empty() {
            self.found.retain(|locks| !locks.contains(&lock));
        }
    }

    fn disconnect(&mut self, number: usize) {
        let Some(edge) = self.edges[number].take() else {
            return;
        };
        self.vacant.push(number);
        self.by_ends.remove(&(edge.from, edge.to));
        self.backward -= usize::from(edge.backward);
        // One of the ends is gone already.
        if let Some(node) = self.nodes.get_mut(&edge.from) {
            node.outgoing.swap_remove(edge.out_place);
            if let Some(moved) = node.outgoing.get(edge.out_place).copied()
                && let Some(moved) = &mut self.edges[moved]
            {
                moved.out_place = edge.out_place;
            }
        }
        if let Some(node) = self.nodes.get_mut(&edge.to) {
            node.incoming.swap_remove(edge.in_place);
            if let Some(moved) = node.incoming.get(edge.in_place).copied()
                && let Some(moved) = &mut self.edges[moved]
            {
                moved.in_place = edge.in_place;
            }
        }
    }
}

impl Node {
    fn new(rank: i64) -> Node {
        Node {
            rank,
            outgoing: Vec::new(),
            incoming: Vec::new(),
        }
    }
}
