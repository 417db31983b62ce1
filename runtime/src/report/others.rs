//! Accesses that earlier findings were about: to the same memory, from other
//! places.
//!
//! If all of them hold a lock that an access of the next finding lacks, what to
//! change is clear.

use super::explain::short_source;
use super::frames::{Line, culprit};
use super::locks::NamedLock;
use crate::finding::{Access, Finding};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Memory of which accesses are kept, and accesses kept of each.
const MOST_MEMORY: usize = 4096;
const MOST_ACCESSES: usize = 16;

/// An access of an earlier finding.
#[derive(Clone)]
pub(super) struct Other {
    /// `deposit at bank.c:12`
    pub(super) place: String,
    /// The locks it held: address and name.
    pub(super) locks: Vec<(u64, String)>,
}

impl Other {
    /// Did it hold the lock at `address`?
    pub(super) fn holds(&self, address: u64) -> bool {
        self.locks.iter().any(|(lock, _)| *lock == address)
    }
}

/// All of them, by the first byte that both accesses of their finding touch.
pub(super) struct Others {
    by_memory: BTreeMap<u64, Vec<Other>>,
}

impl Others {
    /// None yet.
    pub(super) const fn new() -> Others {
        Others {
            by_memory: BTreeMap::new(),
        }
    }

    /// Those to `address` from other places than `accesses`.
    pub(super) fn of(&self, address: u64, accesses: &[Vec<Line>; 2]) -> Vec<Other> {
        let these = accesses.each_ref().map(|lines| place(lines));
        let known = self.by_memory.get(&address).into_iter().flatten();
        known
            .filter(|other| !these.iter().flatten().any(|place| *place == other.place))
            .cloned()
            .collect()
    }

    /// Keeps the accesses of `finding` to `address`.
    pub(super) fn note(
        &mut self,
        address: u64,
        finding: &Finding,
        accesses: &[Vec<Line>; 2],
        locks: &[NamedLock],
    ) {
        if self.by_memory.len() >= MOST_MEMORY && !self.by_memory.contains_key(&address) {
            return;
        }
        let kept = self.by_memory.entry(address).or_default();
        for (access, lines) in finding.accesses.iter().zip(accesses) {
            let (Some(place), Some(held)) = (place(lines), held(access, finding, locks)) else {
                continue;
            };
            let same = kept.iter().position(|other| other.place == place);
            match same {
                // What it does not always hold does not count.
                Some(same) => kept[same].locks.retain(|lock| held.contains(lock)),
                None if kept.len() < MOST_ACCESSES => kept.push(Other { place, locks: held }),
                None => {}
            }
        }
    }
}

/// The locks of an access; `None` if they are not known.
fn held(access: &Access, finding: &Finding, locks: &[NamedLock]) -> Option<Vec<(u64, String)>> {
    let held = access.locks.as_ref()?.iter();
    let named = held.filter_map(|held| {
        let info = finding.locks.get(held.lock)?;
        Some((info.address, locks.get(held.lock)?.name.clone()))
    });
    Some(named.collect())
}

fn place(lines: &[Line]) -> Option<String> {
    culprit(lines).and_then(place_of)
}

fn place_of(line: &Line) -> Option<String> {
    let source = short_source(line)?;
    Some(match line.shown() {
        Some(function) => format!("{function} at {source}"),
        None => source,
    })
}

/// `f at a.c:3, g at a.c:9 and h at a.c:12`: `first`, then `others`.
pub(super) fn listed(first: Option<&Line>, others: &[Other]) -> String {
    let first = first.and_then(place_of);
    let others = others.iter().map(|other| other.place.clone());
    let places: Vec<String> = first.into_iter().chain(others).collect();
    match places.split_last() {
        None => String::new(),
        Some((last, [])) => last.to_string(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
