//! The graph of lock orders: who took which lock while holding which.
//!
//! [`Ranks`] keeps its locks sorted as long as the edges allow it; edges that
//! close a circle are kept apart ("backward"). As long as there are none of
//! them nobody asks for more than the order, so that is brought up to date
//! first ([`Graph::order`]) and the rest when it is needed ([`Graph::enter`]).

use super::super::held::At;
use super::super::{LockId, Mode};
use super::circle::Means;
use super::ends::{Ends, Key};
use super::heights::Heights;
use super::log::Made;
use super::ranks::{NodeId, Ranks, Way};
use crate::lockset::{self, LocksetId};
use crate::os;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
use core::slice;

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
    // Both places, apart for their size.
    pcs: [usize; 2],
    contexts: [u32; 2],
}

impl Instance {
    /// That of a thread and its time with all that it held, which took one lock
    /// and then another, in these modes at these places.
    pub(super) fn new(
        (thread, time): (u32, u32),
        held: LocksetId,
        (from_mode, from_at): (Mode, At),
        (to_mode, to_at): (Mode, At),
    ) -> Instance {
        Instance {
            thread,
            time,
            held,
            from_mode,
            to_mode,
            pcs: [from_at.pc, to_at.pc],
            contexts: [from_at.context, to_at.context],
        }
    }

    /// Where it took the first.
    pub(super) fn first_at(&self) -> At {
        At {
            pc: self.pcs[0],
            context: self.contexts[0],
        }
    }

    /// Where it took the second.
    pub(super) fn second_at(&self) -> At {
        At {
            pc: self.pcs[1],
            context: self.contexts[1],
        }
    }

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
    /// The only instance, as long as there are no `others`.
    only: Instance,
    /// All instances, once there were several.
    #[expect(
        clippy::box_collection,
        reason = "an edge has to fit into a cache line"
    )]
    others: Option<Box<Vec<Instance>>>,
    /// It takes no part in the order.
    is_backward: bool,
}

/// Every pair of locks may have one: a cache line.
const _: () = assert!(size_of::<Option<Edge>>() == 64);

impl Edge {
    /// What it came about by, the latest last.
    pub(super) fn instances(&self) -> &[Instance] {
        match &self.others {
            Some(all) => all,
            None => slice::from_ref(&self.only),
        }
    }

    /// Adds an instance; `false` if it tells nothing new.
    fn add(&mut self, instance: Instance) -> bool {
        let known = self.instances();
        if known.iter().any(|known| known.covers(&instance)) {
            return false;
        }
        if self.others.is_none() && instance.covers(&self.only) {
            self.only = instance;
            return true;
        }
        let only = self.only;
        let all = self.others.get_or_insert_with(|| Box::new(vec![only]));
        all.retain(|known| !instance.covers(known));
        if all.len() >= INSTANCES {
            let same = all.iter().rposition(|i| i.thread == instance.thread);
            all.remove(same.unwrap_or(INSTANCES / 2));
        }
        all.push(instance);
        true
    }
}

/// Edges by number; freed numbers are used again.
///
/// In blocks that stay where they are: a list that has to move whenever it
/// grows would cost a large program more than filling it.
struct Edges {
    blocks: Vec<Vec<Option<Edge>>>,
    vacant: Vec<u32>,
}

/// Edges of a block, 64 KiB; untouched pages of it cost nothing.
const BLOCK: usize = 1024;
/// Blocks before it is sure that more will be filled.
const SURE: usize = 4;

impl Edges {
    fn get(&self, number: u32) -> Option<&Edge> {
        self.blocks[number as usize / BLOCK][number as usize % BLOCK].as_ref()
    }

    fn place(&mut self, number: u32) -> &mut Option<Edge> {
        &mut self.blocks[number as usize / BLOCK][number as usize % BLOCK]
    }

    /// A place for one more.
    fn reserve(&mut self) -> u32 {
        if let Some(number) = self.vacant.pop() {
            return number;
        }
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            let block: Vec<Option<Edge>> = Vec::with_capacity(BLOCK);
            // One that has filled some will fill this, too: all its pages at
            // once cost less.
            if self.blocks.len() >= SURE {
                os::advise_populate(block.as_ptr().addr(), BLOCK * size_of::<Option<Edge>>());
            }
            self.blocks.push(block);
        }
        let full = (self.blocks.len() - 1) * BLOCK;
        let Some(block) = self.blocks.last_mut() else {
            return 0;
        };
        block.push(None);
        (full + block.len() - 1) as u32
    }
}

/// Edges kept. A program beyond that has no order of locks to speak of, and the
/// circles among those it made first are found.
const EDGES: usize = 1 << 20;

fn prefetch(at: *const i8) {
    // SAFETY: a prefetch may be of any address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at) }
}

/// What was new.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entered {
    /// The edge itself.
    Edge,
    /// This way in which it came about.
    Instance,
    Nothing,
}

/// See the module's description.
pub(super) struct Graph {
    ranks: Ranks,
    edges: Edges,
    by_ends: Ends,
    backward: usize,
    /// Sets of locks whose circle was found.
    pub(super) found: BTreeSet<Vec<LockId>>,
    /// What looking for circles may cost.
    pub(super) means: Means,
}

impl Graph {
    /// An empty one, which shows its ranks in `heights`.
    pub(super) const fn new(heights: &'static Heights) -> Graph {
        Graph {
            ranks: Ranks::new(heights),
            edges: Edges {
                blocks: Vec::new(),
                vacant: Vec::new(),
            },
            by_ends: Ends::new(),
            backward: 0,
            found: BTreeSet::new(),
            means: Means::new(),
        }
    }

    /// Brings the order up to date with an edge: does it close a circle?
    pub(super) fn order(&mut self, from: LockId, to: LockId) -> bool {
        let (from, to) = self.ranks.ends(from, to);
        let is_backward = !self.ranks.sort(from, to);
        self.backward += usize::from(is_backward);
        self.ranks.link(from, to, is_backward);
        is_backward
    }

    /// The same for one that leads to a higher rank; `false` if it does not.
    pub(super) fn order_quickly(&mut self, from: LockId, to: LockId) -> bool {
        let ends = self.ends(from, to);
        let ends = ends.filter(|(from, to)| self.ranks.agree(*from, *to));
        ends.is_some_and(|(from, to)| {
            self.ranks.link(from, to, false);
            true
        })
    }

    /// Gives ranks to those of two locks that have none.
    pub(super) fn give_ranks(&mut self, from: LockId, to: LockId) {
        self.ranks.ends(from, to);
    }

    /// The nodes of two locks that have ranks.
    pub(super) fn ends(&self, from: LockId, to: LockId) -> Option<(NodeId, NodeId)> {
        self.ranks.find(from).zip(self.ranks.find(to))
    }

    /// As [`Ranks::sort_all`].
    pub(super) fn sort_all(&mut self, more: &[(NodeId, NodeId)]) -> bool {
        self.ranks.sort_all(more)
    }

    /// Links two locks by an edge that leads to a higher rank.
    pub(super) fn link(&mut self, from: NodeId, to: NodeId) {
        self.ranks.link(from, to, false);
    }

    /// As [`Ranks::linked`].
    pub(super) fn linked(&self) -> usize {
        self.ranks.linked()
    }

    /// Adds an instance of an edge that the order knows.
    pub(super) fn enter(&mut self, made: &Made, is_backward: bool) -> Entered {
        let Made { from, to, instance } = *made;
        self.means.note(instance.thread);
        if let Some(known) = self.number(from, to) {
            let edge = self.edges.place(known).as_mut();
            return match edge.is_some_and(|edge| edge.add(instance)) {
                true => Entered::Instance,
                false => Entered::Nothing,
            };
        }
        if self.is_full() {
            return Entered::Nothing;
        }
        let number = self.edges.reserve();
        *self.edges.place(number) = Some(Edge {
            from,
            to,
            only: instance,
            others: None,
            is_backward,
        });
        self.by_ends.insert(Key::new(from, to), number);
        Entered::Edge
    }

    /// Edges of the lock were brought into the order more than once.
    pub(super) fn thin(&mut self, lock: LockId, way: Way) {
        self.ranks.thin(lock, way);
    }

    /// Has it as many edges as are kept?
    pub(super) fn is_full(&self) -> bool {
        self.by_ends.len() >= EDGES
    }

    /// Are there edges that close a circle?
    pub(super) fn has_backward(&self) -> bool {
        self.backward > 0
    }

    /// An edge will be brought into the order soon: has memory fetched that
    /// will be read then.
    pub(super) fn foresee(&self, from: LockId, to: LockId) {
        for lock in [from, to] {
            if let Some(node) = self.ranks.find(lock) {
                prefetch(self.ranks.memory(node).cast());
            }
        }
    }

    /// The same, later: memory to which the first has led.
    pub(super) fn foresee_links(&self, from: LockId, to: LockId) {
        for (lock, way) in [(from, Way::Out), (to, Way::In)] {
            if let Some(node) = self.ranks.find(lock) {
                let end = self.ranks.links(node, way).as_ptr_range().end;
                prefetch(end.cast());
            }
        }
    }

    /// An instance of the edge will be added soon.
    pub(super) fn foresee_edge(&self, from: LockId, to: LockId) {
        prefetch(self.by_ends.memory(Key::new(from, to)).cast());
    }

    /// The edge from one lock to another.
    pub(super) fn edge(&self, from: LockId, to: LockId) -> Option<&Edge> {
        self.edges.get(self.number(from, to)?)
    }

    fn number(&self, from: LockId, to: LockId) -> Option<u32> {
        let is_it = |edge: &Edge| (edge.from, edge.to) == (from, to);
        self.by_ends.find(Key::new(from, to), |number| {
            self.edges.get(number).is_some_and(is_it)
        })
    }

    /// The edges that lead away from `lock`.
    pub(super) fn outgoing(&self, lock: LockId) -> impl Iterator<Item = &Edge> {
        let node = self.ranks.find(lock);
        let links = node.map_or(&[][..], |node| self.ranks.links(node, Way::Out));
        let to = links.iter().map(|link| self.ranks.lock(*link));
        to.filter_map(move |to| self.edge(lock, to))
    }

    /// Removes a lock and all its edges.
    pub(super) fn remove(&mut self, lock: LockId) {
        let Some([outgoing, incoming]) = self.ranks.remove(lock) else {
            return;
        };
        for to in outgoing {
            self.disconnect(lock, to);
        }
        for from in incoming {
            self.disconnect(from, lock);
        }
        if !self.found.is_empty() {
            self.found.retain(|locks| !locks.contains(&lock));
        }
    }

    fn disconnect(&mut self, from: LockId, to: LockId) {
        let Some(number) = self.number(from, to) else {
            return;
        };
        let Some(edge) = self.edges.place(number).take() else {
            return;
        };
        self.edges.vacant.push(number);
        self.by_ends.remove(Key::new(from, to), number);
        self.backward -= usize::from(edge.is_backward);
    }
}
