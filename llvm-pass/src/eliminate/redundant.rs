//! Checks that are covered by an earlier one on every path.
//!
//! The textbook analysis of available expressions, with checks in the place
//! of expressions: a check is available where every path from the entry made
//! it and no path met a barrier since, nor ran the definition of the value
//! its address is computed from a second time.

use super::barrier::is_barrier;
use super::location::{Location, direction_covers};
use super::read_before_write::keep;
use crate::access::Access;
use crate::llvm::value::{Block, Value};
use crate::runtime::{Direction, Runtime};
use std::collections::{HashMap, HashSet};

/// Above this many bits in all sets of a function together the analysis is
/// done block by block.
const MAX_BITS: usize = 1 << 27;

/// Drops the checks that are covered.
pub(crate) fn drop_covered(
    runtime: &Runtime<'_>,
    function: Value,
    accesses: Vec<Access>,
) -> Vec<Access> {
    let facts = Facts::new(&accesses);
    if facts.list.is_empty() {
        return accesses;
    }
    let flow = Flow::new(function, &accesses, &facts);
    let dropped = flow.covered(&facts);
    for _ in &dropped {
        runtime.stats.redundant.increment();
    }
    keep(accesses, |index, _| !dropped.contains(&index))
}

/// Everything that can be known to have been checked.
struct Facts {
    list: Vec<(Location, Direction)>,
    /// Which fact an access establishes.
    of_access: Vec<Option<usize>>,
    /// Which facts make an access needless.
    covering: Vec<Vec<usize>>,
    /// Which facts lapse when a value is defined again.
    by_base: HashMap<Value, Vec<usize>>,
}

impl Facts {
    fn new(accesses: &[Access]) -> Facts {
        let locations: Vec<Option<Location>> = accesses.iter().map(Location::of).collect();
        let mut uses: HashMap<Value, usize> = HashMap::new();
        for location in locations.iter().flatten() {
            *uses.entry(location.base).or_default() += 1;
        }
        let mut facts = Facts {
            list: Vec::new(),
            of_access: Vec::with_capacity(accesses.len()),
            covering: Vec::new(),
            by_base: HashMap::new(),
        };
        let mut numbers = HashMap::new();
        for (access, location) in accesses.iter().zip(&locations) {
            let number = location
                .filter(|location| uses[&location.base] > 1)
                .map(|location| {
                    *numbers
                        .entry((location, access.direction))
                        .or_insert_with(|| {
                            facts.list.push((location, access.direction));
                            facts
                                .by_base
                                .entry(location.base)
                                .or_default()
                                .push(facts.list.len() - 1);
                            facts.list.len() - 1
                        })
                });
            facts.of_access.push(number);
        }
        facts.covering = (0..facts.list.len())
            .map(|fact| facts.that_cover(fact))
            .collect();
        facts
    }

    fn that_cover(&self, fact: usize) -> Vec<usize> {
        let (location, direction) = self.list[fact];
        let same_base = &self.by_base[&location.base];
        same_base
            .iter()
            .copied()
            .filter(|other| {
                let (strong, strong_direction) = self.list[*other];
                strong.contains(&location) && direction_covers(strong_direction, direction)
            })
            .collect()
    }
}

/// Something that happens in a block.
enum Event {
    Check { access: usize, fact: usize },
    Barrier,
    Define(Value),
}

struct Flow {
    events: Vec<Vec<Event>>,
    predecessors: Vec<Vec<usize>>,
    global: bool,
}

impl Flow {
    fn new(function: Value, accesses: &[Access], facts: &Facts) -> Flow {
        let blocks: Vec<Block> = function.blocks().collect();
        let numbers: HashMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            for successor in block.successors() {
                predecessors[numbers[&successor]].push(number);
            }
        }
        let mut at_place: HashMap<Value, Vec<usize>> = HashMap::new();
        for (index, access) in accesses.iter().enumerate() {
            at_place.entry(access.place).or_default().push(index);
        }
        let events = blocks
            .iter()
            .map(|block| events(*block, &at_place, facts))
            .collect();
        let global = facts.list.len() * blocks.len() <= MAX_BITS;
        Flow {
            events,
            predecessors,
            global,
        }
    }

    /// The accesses that need no check.
    fn covered(&self, facts: &Facts) -> HashSet<usize> {
        let count = facts.list.len();
        let mut at_end: Vec<Option<Bits>> = vec![None; self.events.len()];
        let mut changed = self.global;
        while changed {
            changed = false;
            for block in 0..self.events.len() {
                let mut bits = self.at_start(block, &at_end, count);
                for event in &self.events[block] {
                    bits.apply(event, facts);
                }
                if at_end[block].as_ref() != Some(&bits) {
                    at_end[block] = Some(bits);
                    changed = true;
                }
            }
        }
        let mut dropped = HashSet::new();
        for block in 0..self.events.len() {
            let mut bits = match self.global {
                true => self.at_start(block, &at_end, count),
                false => Bits::none(count),
            };
            for event in &self.events[block] {
                if let Event::Check { access, fact } = event
                    && facts.covering[*fact].iter().any(|fact| bits.has(*fact))
                {
                    dropped.insert(*access);
                }
                bits.apply(event, facts);
            }
        }
        dropped
    }

    /// What every predecessor has checked. Blocks not yet visited are
    /// supposed to have checked everything; the iteration corrects that.
    fn at_start(&self, block: usize, at_end: &[Option<Bits>], count: usize) -> Bits {
        if block == 0 {
            return Bits::none(count);
        }
        let mut known = self.predecessors[block]
            .iter()
            .filter_map(|p| at_end[*p].as_ref());
        let Some(first) = known.next() else {
            return Bits::none(count);
        };
        let mut bits = first.clone();
        for other in known {
            bits.intersect(other);
        }
        bits
    }
}

fn events(block: Block, at_place: &HashMap<Value, Vec<usize>>, facts: &Facts) -> Vec<Event> {
    let mut events = Vec::new();
    for instruction in block.instructions() {
        let barrier = is_barrier(instruction);
        for access in at_place.get(&instruction).into_iter().flatten() {
            if let Some(fact) = facts.of_access[*access] {
                events.push(Event::Check {
                    access: *access,
                    fact,
                });
            }
        }
        if barrier {
            events.push(Event::Barrier);
        }
        if facts.by_base.contains_key(&instruction) {
            events.push(Event::Define(instruction));
        }
    }
    events
}

#[derive(Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn has(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn intersect(&mut self, other: &Bits) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
    }

    fn apply(&mut self, event: &Event, facts: &Facts) {
        match event {
            Event::Check { fact, .. } => self.0[fact / 64] |= 1 << (fact % 64),
            Event::Barrier => self.0.fill(0),
            Event::Define(base) => {
                for fact in &facts.by_base[base] {
                    self.0[fact / 64] &= !(1 << (fact % 64));
                }
            }
        }
    }
}
