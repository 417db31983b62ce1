//! Findings with one cause.
//!
//! Races on the same variable between the same two functions are mostly one
//! mistake, however many lines show it; so are those on one member of several
//! local objects. The first of them is printed in full, the others are counted,
//! and the count is printed at the end; the records of `json=` have every one.

use super::explain::short_source;
use super::fingerprint;
use super::frames::{Line, Resolved, culprit};
use super::hash::Hash;
use super::kind;
use super::names::Names;
use super::place;
use crate::finding::{Finding, Place};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};

/// The groups so far.
pub(super) struct Groups {
    by_cause: BTreeMap<u128, Group>,
    /// Groups in the order in which they were found have rising numbers.
    count: usize,
}

struct Group {
    number: usize,
    /// What its report is about, in one line.
    headline: String,
    /// Places beside the first.
    more: usize,
}

impl Groups {
    /// None yet.
    pub(super) const fn new() -> Groups {
        Groups {
            by_cause: BTreeMap::new(),
            count: 0,
        }
    }

    /// Counts `finding`. Is it the first of its group?
    pub(super) fn is_first(&mut self, finding: &Finding, resolved: &Resolved) -> bool {
        let key = key(finding, resolved);
        if let Some(group) = self.by_cause.get_mut(&key) {
            group.more += 1;
            return false;
        }
        let group = Group {
            number: self.count,
            headline: headline(finding, resolved),
            more: 0,
        };
        self.count += 1;
        self.by_cause.insert(key, group);
        true
    }

    /// The process was forked; this is the child, which has found nothing yet.
    pub(super) fn alone_in_child(&mut self) {
        for group in self.by_cause.values_mut() {
            group.more = 0;
        }
    }

    /// One line for each group that has more than one place.
    pub(super) fn summary(&self) -> String {
        let more = self.by_cause.values().filter(|group| group.more > 0);
        let mut more: alloc::vec::Vec<&Group> = more.collect();
        more.sort_by_key(|group| group.number);
        let lines = more.into_iter().map(|group| {
            let s = if group.more == 1 { "" } else { "s" };
            format!(
                "racert: {}, and {} more place{s}\n",
                group.headline, group.more
            )
        });
        lines.collect()
    }
}

/// What the findings of a group have in common.
fn key(finding: &Finding, resolved: &Resolved) -> u128 {
    let mut hash = Hash::new();
    hash.add(fingerprint::of(finding, resolved).as_bytes());
    match &resolved.place {
        // Nothing tells the members of such a block apart but where they are.
        Place::Heap { start, .. } if resolved.part.is_none() => {
            hash.add(&resolved.address.wrapping_sub(*start).to_le_bytes());
        }
        Place::ThreadStack { .. } if resolved.local.is_none() => {
            hash.add(&resolved.address.to_le_bytes());
        }
        _ => {}
    }
    hash.0
}

/// `data race on 'counter' between f (a.c:3) and g (a.c:9)`
fn headline(finding: &Finding, resolved: &Resolved) -> String {
    let names = Names(&finding.threads);
    let memory = place::memory(resolved, &names, false).what;
    let [first, second] = resolved.accesses.each_ref().map(|lines| at(lines));
    format!(
        "{} on {} between {first} and {second}",
        kind::title(finding.kind),
        memory.trim_end_matches(',')
    )
}

fn at(lines: &[Line]) -> String {
    let Some(line) = culprit(lines) else {
        return "unknown code".to_string();
    };
    match (line.shown(), short_source(line)) {
        (Some(function), Some(place)) => format!("{function} ({place})"),
        (Some(function), None) => function,
        (None, Some(place)) => place,
        (None, None) => "unknown code".to_string(),
    }
}
