//! Each distinct race once.
//!
//! Three sieves, cheapest first: a small lock-free table of pairs of calling
//! contexts that threads ask before they even build a finding; the exact set of
//! pairs; and the set of source lines with what they touch, because one line
//! compiled twice (inlined, unrolled) is still one race, but two variables or
//! members on one line are two; where it is not known what they touch, the
//! columns tell them apart. A pair is the same in either order.
//!
//! What is called from everywhere, as the functions of a container are, touches
//! another variable each time; but to look at each of thousands of ways to it
//! would take long, and a few ([`WAYS`]) tell of the variables.

use super::fingerprint;
use super::frames::{Line, Resolved, culprit};
use super::hash::Hash;
use super::locks::NamedLock;
use crate::finding::{Finding, Kind, Place, Stack};
use crate::intercept;
use crate::lock::finding::LockFinding;
use crate::symbol::Data;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

impl Stack {
    /// The innermost address that is the program's, not that of an intercepted
    /// function; 0 if there is none.
    pub(super) fn innermost(&self) -> u64 {
        let own = self.addresses.iter().find(|a| !intercept::is_stub(**a));
        own.or(self.addresses.first()).copied().unwrap_or(0)
    }
}

/// Ways to one pair of code addresses that are looked at.
const WAYS: usize = 32;

/// Where an access is, as far as it can be told at once.
#[derive(Clone, Copy)]
pub struct Spot {
    /// The innermost address that is the program's.
    pub innermost: u64,
    /// The access's own address.
    pub pc: u64,
    /// The context of its function.
    pub context: u32,
}

impl Spot {
    fn way(self) -> u64 {
        mixed(self.pc ^ mixed(self.context.into()))
    }
}

/// Entries of the lock-free table: 32 KiB.
const RECENT: usize = 4096;

static TABLE: [AtomicU64; RECENT] = [const { AtomicU64::new(0) }; RECENT];

/// Were these remembered, or their code addresses, and not overwritten since?
pub(super) fn recently(kind: Kind, first: Spot, second: Spot) -> bool {
    let is_there = |mark: u64| TABLE[mark as usize % RECENT].load(Ordering::Relaxed) == mark;
    is_there(mark_of_ways(kind, first, second))
        || is_there(mark(kind as u8, first.innermost, second.innermost))
}

/// Remembers both accesses with how they were reached.
pub(super) fn remember(kind: Kind, first: Spot, second: Spot) {
    keep(mark_of_ways(kind, first, second));
}

fn keep(mark: u64) {
    TABLE[mark as usize % RECENT].store(mark, Ordering::Relaxed);
}

fn mark_of_ways(kind: Kind, first: Spot, second: Spot) -> u64 {
    const OF_WAYS: u8 = 0x80;
    mark(kind as u8 | OF_WAYS, first.way(), second.way())
}

/// 64 bits that stand for the pair. Two pairs of a program share them with a
/// chance of one in 2^64 each.
fn mark(kind: u8, first: u64, second: u64) -> u64 {
    let (low, high) = (first.min(second), first.max(second));
    // 0 is the empty entry.
    mixed(low ^ mixed(high ^ mixed(kind.into()))).max(1)
}

/// Every bit of the result depends on every bit of `word`.
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// What was reported.
pub(super) struct Seen {
    /// Pairs of code addresses, and how many ways to each were looked at.
    addresses: BTreeMap<(u8, u64, u64), usize>,
    ways: BTreeSet<u128>,
    /// The same of findings that are not about memory.
    others: BTreeMap<u128, usize>,
    sources: BTreeSet<u128>,
    full: bool,
}

impl Seen {
    /// Nothing yet.
    pub(super) const fn new() -> Seen {
        Seen {
            addresses: BTreeMap::new(),
            ways: BTreeSet::new(),
            others: BTreeMap::new(),
            sources: BTreeSet::new(),
            full: false,
        }
    }

    /// Is this the first finding for its pair of call stacks, and one of few for
    /// its pair of code addresses?
    pub(super) fn first_time_at(&mut self, finding: &Finding) -> bool {
        let kind = finding.kind as u8;
        let stacks = finding.accesses.each_ref().map(|access| &access.stack);
        let [first, second] = stacks.map(Stack::innermost);
        let key = (kind, first.min(second), first.max(second));
        let count = self.addresses.entry(key).or_default();
        if *count == WAYS || !self.ways.insert(ways(kind, stacks)) {
            return false;
        }
        *count += 1;
        if *count == WAYS {
            keep(mark(kind, first, second));
        }
        true
    }

    /// Is this the first finding for its pair of source lines and its memory?
    pub(super) fn first_time_in_source(&mut self, kind: Kind, resolved: &Resolved) -> bool {
        let is_named = is_named(resolved);
        let [first, second] = resolved.accesses.each_ref().map(|stack| {
            let mut hash = Hash::new();
            add_line(&mut hash, stack.first());
            let source = stack.first().and_then(|line| line.source.as_ref());
            if let Some(source) = source.filter(|_| !is_named) {
                hash.add(&source.column.to_le_bytes());
            }
            // A function of the C library says nothing of where it was called.
            if stack.first().is_some_and(|line| line.source.is_none()) {
                add_line(&mut hash, stack.iter().find(|line| line.source.is_some()));
            }
            hash.0
        });
        let mut hash = Hash::new();
        hash.add(&[kind as u8]);
        hash.add(&first.min(second).to_le_bytes());
        hash.add(&first.max(second).to_le_bytes());
        add_line(&mut hash, resolved.allocation.first());
        let memory = match &resolved.data {
            Data::Global(variable, _) => variable.start,
            Data::Mapping(start, ..) => *start,
            Data::Module(_) | Data::Unknown => 0,
        };
        hash.add(&memory.to_le_bytes());
        hash.add(fingerprint::memory(resolved).as_bytes());
        if let (Place::ThreadStack { .. }, None) = (&resolved.place, &resolved.local) {
            hash.add(&resolved.address.to_le_bytes());
        }
        self.sources.insert(hash.0)
    }

    /// Is this the first notice of its kind with this stack, and one of few at
    /// its innermost address?
    pub(super) fn first_notice(&mut self, title: &str, stack: &Stack) -> bool {
        let mut hash = Hash::new();
        hash.add(title.as_bytes());
        let mut place = Hash(hash.0);
        place.add(&stack.innermost().to_le_bytes());
        hash.add(&way(stack).to_le_bytes());
        self.is_one_of_few(place.0, hash.0)
    }

    /// Is this the first finding about locks with these stacks, and one of few
    /// with these code addresses? Their order does not count: which edge of a
    /// circle came last is chance.
    pub(super) fn first_time_for_locks(&mut self, finding: &LockFinding) -> bool {
        let stacks = || finding.parts.iter().map(|part| &part.stack);
        let mut tops: Vec<u64> = stacks().map(Stack::innermost).collect();
        let mut ways: Vec<u128> = stacks().map(way).collect();
        tops.sort_unstable();
        ways.sort_unstable();
        let mut hash = Hash::new();
        hash.add(finding.trouble.id().as_bytes());
        let mut place = Hash(hash.0);
        tops.iter().for_each(|top| place.add(&top.to_le_bytes()));
        ways.iter().for_each(|way| hash.add(&way.to_le_bytes()));
        self.is_one_of_few(place.0, hash.0)
    }

    fn is_one_of_few(&mut self, place: u128, way: u128) -> bool {
        let count = self.others.entry(place).or_default();
        let is_new = *count < WAYS && self.ways.insert(way);
        *count += usize::from(is_new);
        is_new
    }

    /// Is this the first finding for its source lines and its locks? What takes
    /// a lock for the program, as `std::mutex` does, takes every other, too.
    pub(super) fn first_time_in_lines(
        &mut self,
        finding: &LockFinding,
        parts: &[Vec<Line>],
        locks: &[NamedLock],
    ) -> bool {
        let line = |lines: &Vec<Line>| {
            let mut hash = Hash::new();
            add_line(&mut hash, lines.first());
            add_line(&mut hash, culprit(lines));
            hash.0
        };
        let mut lines: Vec<u128> = parts.iter().map(line).collect();
        lines.sort_unstable();
        let names = locks
            .iter()
            .map(|lock| fingerprint::without_indices(&lock.name));
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        let mut hash = Hash::new();
        hash.add(finding.trouble.id().as_bytes());
        lines.iter().for_each(|line| hash.add(&line.to_le_bytes()));
        names.iter().for_each(|name| hash.add(name.as_bytes()));
        self.sources.insert(hash.0)
    }

    /// Is this the first time that `max_findings` holds one back?
    pub(super) fn first_time_full(&mut self) -> bool {
        !core::mem::replace(&mut self.full, true)
    }
}

/// Stands for a call stack.
fn way(stack: &Stack) -> u128 {
    let mut hash = Hash::new();
    let addresses = stack.addresses.iter();
    addresses.for_each(|address| hash.add(&address.to_le_bytes()));
    hash.0
}

/// Stands for a pair of call stacks.
fn ways(kind: u8, stacks: [&Stack; 2]) -> u128 {
    let mut sides = stacks.map(way);
    sides.sort_unstable();
    let mut hash = Hash::new();
    hash.add(&[kind]);
    sides.iter().for_each(|side| hash.add(&side.to_le_bytes()));
    hash.0
}

/// Is it known which variable, or which part of a block, both touch?
fn is_named(resolved: &Resolved) -> bool {
    match &resolved.place {
        Place::Heap { .. } => resolved.part.is_some(),
        Place::ThreadStack { .. } | Place::ThreadLocal { .. } => resolved.local.is_some(),
        Place::StaticBuffer { .. } | Place::Descriptor { .. } => true,
        Place::Other => matches!(resolved.data, Data::Global(..)),
    }
}

/// Adds a line of source, or what stands for it.
fn add_line(hash: &mut Hash, line: Option<&Line>) {
    let Some(line) = line else {
        return hash.add(&[]);
    };
    hash.add(line.function.as_deref().unwrap_or("").as_bytes());
    match (&line.source, &line.module) {
        (Some(source), _) => {
            hash.add(source.file.as_bytes());
            hash.add(&source.line.to_le_bytes());
        }
        (None, Some(module)) => {
            hash.add(module.path.as_bytes());
            hash.add(&module.offset.to_le_bytes());
        }
        (None, None) => hash.add(&line.address.to_le_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(pc: u64, context: u32) -> Spot {
        Spot {
            innermost: pc,
            pc,
            context,
        }
    }

    #[test]
    fn pairs_are_unordered_and_kinds_apart() {
        let mark = |kind, first, second| mark_of_ways(kind, spot(first, 7), spot(second, 7));
        assert_eq!(mark(Kind::DataRace, 1, 2), mark(Kind::DataRace, 2, 1));
        assert_ne!(mark(Kind::DataRace, 1, 2), mark(Kind::DataRace, 1, 3));
        assert_ne!(
            mark(Kind::DataRace, 1, 2),
            mark(Kind::UseAfterFreeRace, 1, 2)
        );
    }

    #[test]
    fn the_table_remembers() {
        let (one, two) = (spot(0xabc1, 7), spot(0xabc2, 8));
        assert!(!recently(Kind::DataRace, one, two));
        remember(Kind::DataRace, one, two);
        assert!(recently(Kind::DataRace, two, one));
        assert!(!recently(Kind::UseAfterFreeRace, one, two));
        // The same code, called from elsewhere.
        assert!(!recently(Kind::DataRace, one, spot(0xabc2, 9)));
        keep(mark(Kind::DataRace as u8, 0xabc1, 0xabc2));
        assert!(recently(Kind::DataRace, one, spot(0xabc2, 9)));
    }
}
