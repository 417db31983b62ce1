//! An order of the locks that agrees with the edges between them.
//!
//! Every lock has a rank; edges that lead to a higher rank cannot close a
//! circle, so adding one costs nothing more. For one that leads to a lower
//! rank the locks in between are searched, and if it closes no circle they get
//! new ranks (Pearce and Kelly, "A dynamic topological sort algorithm for
//! directed acyclic graphs", 2007). Edges that do close one ("backward") take
//! no part in the sorting.
//!
//! A search follows links from node to node and looks at nothing but them and
//! the ranks, so that it stays within few cache lines however much is known of
//! the edges.

use super::super::{LockId, record};
use super::heights::Heights;
use alloc::vec::Vec;

/// The number of a lock's node.
pub(super) type NodeId = u32;

/// One end of an edge, as the node at the other end sees it: that node, and
/// [`BACKWARD`].
#[derive(Clone, Copy)]
pub(super) struct Link(u32);

/// In a [`Link`]: the edge closes a circle.
const BACKWARD: u32 = 1 << 31;

impl Link {
    fn new(node: NodeId, backward: bool) -> Link {
        Link(node | if backward { BACKWARD } else { 0 })
    }

    fn is_backward(self) -> bool {
        self.0 & BACKWARD != 0
    }

    fn node(self) -> NodeId {
        self.0 & !BACKWARD
    }
}

/// A direction along edges.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Out,
    In,
}

struct Node {
    lock: LockId,
    outgoing: Vec<Link>,
    incoming: Vec<Link>,
}

impl Node {
    fn links(&self, way: Way) -> &Vec<Link> {
        match way {
            Way::Out => &self.outgoing,
            Way::In => &self.incoming,
        }
    }

    fn links_mut(&mut self, way: Way) -> &mut Vec<Link> {
        match way {
            Way::Out => &mut self.outgoing,
            Way::In => &mut self.incoming,
        }
    }
}

/// See the module's description.
pub(super) struct Ranks {
    /// Where everybody sees the ranks.
    heights: &'static Heights,
    nodes: Vec<Node>,
    /// The rank of each: a search asks for those of many nodes, and for little
    /// else of most of them.
    ranks: Vec<i64>,
    /// The search that came last to each.
    reached_by: Vec<u64>,
    vacant: Vec<NodeId>,
    /// By number of the lock: its node's number plus one, 0 without one.
    by_lock: Vec<u32>,
    lowest: i64,
    highest: i64,
    searches: u64,
    /// What the last two searches reached, kept for their memory.
    after: Vec<NodeId>,
    before: Vec<NodeId>,
    sorted: Vec<i64>,
}

impl Ranks {
    pub(super) const fn new(heights: &'static Heights) -> Ranks {
        Ranks {
            heights,
            nodes: Vec::new(),
            ranks: Vec::new(),
            reached_by: Vec::new(),
            vacant: Vec::new(),
            by_lock: Vec::new(),
            lowest: 0,
            highest: LockId::LIMIT as i64,
            searches: 0,
            after: Vec::new(),
            before: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// The node of a lock, if it has one.
    pub(super) fn find(&self, lock: LockId) -> Option<NodeId> {
        self.by_lock.get(lock.number() as usize)?.checked_sub(1)
    }

    /// The nodes of the ends of an edge. Locks without a rank get one that
    /// suits the edge: locks made one after another, as those of an array, are
    /// mostly taken in that order.
    pub(super) fn ends(&mut self, from: LockId, to: LockId) -> (NodeId, NodeId) {
        let made = |lock: LockId| i64::from(lock.number());
        let upper = match self.find(to) {
            Some(node) => self.rank(node),
            None => made(to),
        };
        let from = self.find(from).unwrap_or_else(|| {
            let rank = if made(from) < upper {
                made(from)
            } else {
                self.lowest -= 1;
                self.lowest
            };
            self.add(from, rank)
        });
        let lower = self.rank(from);
        let to = self.find(to).unwrap_or_else(|| {
            let rank = if lower < made(to) {
                made(to)
            } else {
                self.highest += 1;
                self.highest
            };
            self.add(to, rank)
        });
        (from, to)
    }

    fn add(&mut self, lock: LockId, rank: i64) -> NodeId {
        let node = Node {
            lock,
            outgoing: Vec::new(),
            incoming: Vec::new(),
        };
        let number = match self.vacant.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                self.ranks[number as usize] = rank;
                number
            }
            None => {
                self.nodes.push(node);
                self.ranks.push(rank);
                self.reached_by.push(0);
                self.nodes.len() as NodeId - 1
            }
        };
        let index = lock.number() as usize;
        if self.by_lock.len() <= index {
            self.by_lock.resize(index + 1, 0);
        }
        self.by_lock[index] = number + 1;
        self.heights.set(lock, Some(rank));
        record::set_ordered(lock);
        number
    }

    /// Takes a lock's node away: what it was linked to, out and in.
    pub(super) fn remove(&mut self, lock: LockId) -> Option<(Vec<Link>, Vec<Link>)> {
        let node = self.find(lock)?;
        self.by_lock[lock.number() as usize] = 0;
        self.heights.set(lock, None);
        self.vacant.push(node);
        let node = &mut self.nodes[node as usize];
        let outgoing = core::mem::take(&mut node.outgoing);
        Some((outgoing, core::mem::take(&mut node.incoming)))
    }

    fn rank(&self, node: NodeId) -> i64 {
        self.ranks[node as usize]
    }

    /// The memory of a node.
    pub(super) fn memory(&self, node: NodeId) -> *const u8 {
        core::ptr::from_ref(&self.nodes[node as usize]).cast()
    }

    /// The links of a node.
    pub(super) fn links(&self, node: NodeId, way: Way) -> &[Link] {
        self.nodes[node as usize].links(way)
    }

    /// The lock at the other end.
    pub(super) fn lock(&self, link: Link) -> LockId {
        self.nodes[link.node() as usize].lock
    }

    /// Links two nodes by an edge: its places in their lists, out and in.
    pub(super) fn link(&mut self, from: NodeId, to: NodeId, backward: bool) -> (u32, u32) {
        let mut put = |node: NodeId, other: NodeId, way: Way| {
            let list = self.nodes[node as usize].links_mut(way);
            list.push(Link::new(other, backward));
            list.len() as u32 - 1
        };
        (put(from, to, Way::Out), put(to, from, Way::In))
    }

    /// Removes a link of a lock, if it still has a node: the lock whose link is
    /// now at that place of the list.
    pub(super) fn unlink(&mut self, lock: LockId, way: Way, place: u32) -> Option<LockId> {
        let node = self.find(lock)?;
        let list = self.nodes[node as usize].links_mut(way);
        list.swap_remove(place as usize);
        let moved = list.get(place as usize).copied()?;
        Some(self.lock(moved))
    }

    /// Makes the rank of `from` lower than that of `to`; `false` if `from` can
    /// be reached from `to`.
    pub(super) fn sort(&mut self, from: NodeId, to: NodeId) -> bool {
        let (upper, lower) = (self.rank(from), self.rank(to));
        if upper < lower {
            return true;
        }
        let mut after = core::mem::take(&mut self.after);
        let mut before = core::mem::take(&mut self.before);
        let is_free = self.region((to, Way::Out), |rank| rank <= upper, from, &mut after)
            && self.region((from, Way::In), |rank| rank >= lower, to, &mut before);
        if is_free {
            self.give_ranks(&mut before, &mut after);
        }
        (self.after, self.before) = (after, before);
        is_free
    }

    /// Gives the ranks of `before` and `after` to them in this order.
    fn give_ranks(&mut self, before: &mut [NodeId], after: &mut [NodeId]) {
        before.sort_unstable_by_key(|node| self.rank(*node));
        after.sort_unstable_by_key(|node| self.rank(*node));
        let mut ranks = core::mem::take(&mut self.sorted);
        ranks.clear();
        let nodes = || before.iter().chain(after.iter());
        ranks.extend(nodes().map(|node| self.rank(*node)));
        ranks.sort_unstable();
        for (node, rank) in nodes().zip(&ranks) {
            self.ranks[*node as usize] = *rank;
            let lock = self.nodes[*node as usize].lock;
            self.heights.set(lock, Some(*rank));
        }
        self.sorted = ranks;
    }

    /// Fills `reached` with the nodes reached from `start` within the ranks;
    /// `false` if `stop` is among them.
    fn region(
        &mut self,
        (start, way): (NodeId, Way),
        within: impl Fn(i64) -> bool,
        stop: NodeId,
        reached: &mut Vec<NodeId>,
    ) -> bool {
        self.searches += 1;
        reached.clear();
        reached.push(start);
        self.reached_by[start as usize] = self.searches;
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for link in self.nodes[at as usize].links(way) {
                let node = link.node();
                if link.is_backward() || !within(self.ranks[node as usize]) {
                    continue;
                }
                if node == stop {
                    return false;
                }
                let reached_by = &mut self.reached_by[node as usize];
                if *reached_by != self.searches {
                    *reached_by = self.searches;
                    reached.push(node);
                }
            }
        }
        true
    }
}
