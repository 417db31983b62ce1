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
//! the edges. An edge may be linked several times. Links to a node that is gone
//! stay in a list until they are most of it; only then the node's number is
//! free again.

use super::super::{LockId, record};
use super::heights::Heights;
use super::sorting::sorted;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

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
    /// Nodes gone since the lists were tidied, out and in.
    gone: [u32; 2],
}

/// The rank of a node that is gone: within no bounds.
const GONE: i64 = i64::MIN;

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
    /// The links that lead to each, and all of them.
    links_to: Vec<u32>,
    links: usize,
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
            links_to: Vec::new(),
            links: 0,
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
            gone: [0; 2],
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
                self.links_to.push(0);
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

    /// Takes a lock's node away: the locks that edges led to, and from.
    pub(super) fn remove(&mut self, lock: LockId) -> Option<[Vec<LockId>; 2]> {
        let node = self.find(lock)?;
        self.by_lock[lock.number() as usize] = 0;
        self.heights.set(lock, None);
        self.ranks[node as usize] = GONE;
        // Not vacant before the end.
        self.links_to[node as usize] += 1;
        let ends = [(Way::Out, Way::In), (Way::In, Way::Out)];
        let locks = ends.map(|(way, back)| {
            let links = core::mem::take(self.nodes[node as usize].links_mut(way));
            let locks = links.iter().map(|link| self.lock(*link)).collect();
            for link in links {
                self.lose(link.node(), back);
                self.unlinked(link.node());
            }
            locks
        });
        self.links_to[node as usize] -= 1;
        self.vacate(node);
        Some(locks)
    }

    /// A link of the node leads to one that is gone.
    fn lose(&mut self, node: NodeId, way: Way) {
        let lists = &mut self.nodes[node as usize];
        lists.gone[way as usize] += 1;
        if 2 * lists.gone[way as usize] as usize > lists.links(way).len() {
            self.tidy(node, way);
        }
    }

    /// Keeps one link to each node that is there.
    fn tidy(&mut self, node: NodeId, way: Way) {
        self.nodes[node as usize].gone[way as usize] = 0;
        let mut links = core::mem::take(self.nodes[node as usize].links_mut(way));
        links.sort_unstable_by_key(|link| link.0);
        let mut last = None;
        links.retain(|link| {
            let to = link.node();
            let keep = last != Some(link.0) && self.ranks[to as usize] != GONE;
            last = Some(link.0);
            if !keep {
                self.unlinked(to);
            }
            keep
        });
        *self.nodes[node as usize].links_mut(way) = links;
    }

    /// Edges of the lock were linked more than once.
    pub(super) fn thin(&mut self, lock: LockId, way: Way) {
        if let Some(node) = self.find(lock) {
            self.tidy(node, way);
        }
    }

    /// A link to the node was taken out of a list.
    fn unlinked(&mut self, node: NodeId) {
        self.links_to[node as usize] -= 1;
        self.links -= 1;
        self.vacate(node);
    }

    /// The node's number is free if it is gone and no link leads to it.
    fn vacate(&mut self, node: NodeId) {
        if self.ranks[node as usize] == GONE && self.links_to[node as usize] == 0 {
            self.vacant.push(node);
        }
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

    /// Links two nodes by an edge.
    pub(super) fn link(&mut self, from: NodeId, to: NodeId, backward: bool) {
        for (node, other, way) in [(from, to, Way::Out), (to, from, Way::In)] {
            let list = self.nodes[node as usize].links_mut(way);
            list.push(Link::new(other, backward));
            self.links_to[other as usize] += 1;
            self.links += 1;
        }
    }

    /// How many edges are linked, about: some of them several times.
    pub(super) fn linked(&self) -> usize {
        self.links / 2
    }

    /// Gives all nodes new ranks that agree with what is linked and with more
    /// edges; `false`, and all is as before, if together they have a circle.
    pub(super) fn sort_all(&mut self, more: &[(NodeId, NodeId)]) -> bool {
        let is_there = |node: NodeId| self.rank(node) != GONE;
        let nodes = || (0..self.nodes.len() as NodeId).filter(|node| is_there(*node));
        let linked = nodes().flat_map(|from| {
            let links = self.nodes[from as usize].outgoing.iter();
            let to = links.map(|link| link.node()).filter(|to| is_there(*to));
            to.map(move |to| (from, to))
        });
        let all = linked.chain(more.iter().copied());
        let Some(mut order) = sorted(self.nodes.len(), all) else {
            return false;
        };
        order.retain(|node| is_there(*node));
        let mut ranks: Vec<i64> = order.iter().map(|node| self.rank(*node)).collect();
        ranks.sort_unstable();
        for (node, rank) in order.into_iter().zip(ranks) {
            self.set_rank(node, rank);
        }
        true
    }

    fn set_rank(&mut self, node: NodeId, rank: i64) {
        self.ranks[node as usize] = rank;
        let lock = self.nodes[node as usize].lock;
        self.heights.set(lock, Some(rank));
    }

    /// Does an edge between these lead to a higher rank?
    pub(super) fn agree(&self, from: NodeId, to: NodeId) -> bool {
        self.rank(from) < self.rank(to)
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
        let is_free = self.region((to, Way::Out), lower..=upper, from, &mut after)
            && self.region((from, Way::In), lower..=upper, to, &mut before);
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
            self.set_rank(*node, *rank);
        }
        self.sorted = ranks;
    }

    /// Fills `reached` with the nodes reached from `start` within the ranks;
    /// `false` if `stop` is among them.
    fn region(
        &mut self,
        (start, way): (NodeId, Way),
        within: RangeInclusive<i64>,
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
                if link.is_backward() || !within.contains(&self.ranks[node as usize]) {
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
