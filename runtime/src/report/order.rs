//! Why two accesses are not ordered: the locks of each, and the lock order that
//! hides a possible race.

use super::explain::short_source;
use super::frames::{Line, culprit};
use super::locks::NamedLock;
use super::names::{Names, capitalised};
use crate::finding::{Finding, Handover, HeldLock};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Which locks the two hold, in a sentence; `None` if that is not known of
/// both.
pub(super) fn locks_held(
    finding: &Finding,
    locks: &[NamedLock],
    names: &Names<'_>,
) -> Option<String> {
    let [now, before] = &finding.accesses;
    let (ours, theirs) = (now.locks.as_ref()?, before.locks.as_ref()?);
    let who = [now, before].map(|access| names.in_a_sentence(access.thread));
    let [one, other] = [ours, theirs].map(|held| listed(held, locks));
    let shared = ours.iter().find(|held| {
        let same = theirs.iter().any(|other| other.lock == held.lock);
        same && !held.write
    });
    Some(match (one, other) {
        (None, None) => "Neither holds a lock.".to_string(),
        (Some(one), None) => sentence(&who[0], &one, &who[1]),
        (None, Some(other)) => sentence(&who[1], &other, &who[0]),
        (Some(_), Some(_)) if let Some(lock) = shared.and_then(|held| locks.get(held.lock)) => {
            format!(
                "Both hold {} for reading, which does not keep them apart.",
                lock.name
            )
        }
        (Some(one), Some(other)) => format!(
            "{} holds {one}, {} holds {other}: no lock in common.",
            capitalised(&who[0]),
            who[1]
        ),
    })
}

fn sentence(who: &str, locks: &str, other: &str) -> String {
    format!("{} holds {locks}, {other} holds none.", capitalised(who))
}

/// `mutex 'm' and read-write lock 'table' for reading`; `None` if none is held.
pub(super) fn listed(held: &[HeldLock], locks: &[NamedLock]) -> Option<String> {
    let named = held.iter().filter_map(|held| {
        let lock = locks.get(held.lock)?;
        let mode = if held.write { "" } else { " for reading" };
        Some(format!("{}{mode}", lock.name))
    });
    let all: Vec<String> = named.collect();
    match all.split_last()? {
        (last, []) => Some(last.clone()),
        (last, rest) => Some(format!("{} and {last}", rest.join(", "))),
    }
}

/// Which lock order hides a possible race, and how to say that it is meant.
pub(super) fn hidden_by(
    finding: &Finding,
    taken: &[Vec<Line>],
    locks: &[NamedLock],
    names: &Names<'_>,
) -> String {
    let steps = finding.handovers.iter().zip(taken);
    let steps: Vec<String> = steps
        .filter_map(|(step, lines)| handover(step, lines, locks, names))
        .collect();
    let because = match steps.as_slice() {
        [] => "of the order in which the threads happened to take other locks, or to set a flag \
               and to see it"
            .to_string(),
        steps => steps.join(", and "),
    };
    format!(
        "Ordered in this run only because {because}; the other way round, the two can happen at \
         the same time: a possible race. {}",
        remedy(finding, locks)
    )
}

fn handover(
    step: &Handover,
    lines: &[Line],
    locks: &[NamedLock],
    names: &Names<'_>,
) -> Option<String> {
    let lock = locks.get(step.lock)?;
    let place = culprit(lines).and_then(short_source);
    let place = place.map_or_else(String::new, |place| format!(" ({place})"));
    Some(format!(
        "{} took {}{place} after {} had released it",
        names.in_a_sentence(step.to),
        lock.name,
        names.in_a_sentence(step.from)
    ))
}

fn remedy(finding: &Finding, locks: &[NamedLock]) -> String {
    const BY_HAND: &str = "ANNOTATE_HAPPENS_BEFORE and ANNOTATE_HAPPENS_AFTER say so.";
    let steps = finding.handovers.iter();
    let annotations: Vec<String> = steps
        .filter_map(|step| locks.get(step.lock))
        .map(|lock| lock.expression().unwrap_or_else(|| "the lock".to_string()))
        .map(|operand| format!("ANNOTATE_PURE_HAPPENS_BEFORE_MUTEX({operand})"))
        .collect();
    let say = if annotations.len() == 1 {
        "says"
    } else {
        "say"
    };
    match annotations.is_empty() {
        true => format!("If something else orders the two, {BY_HAND}"),
        false => format!(
            "If that order is meant, {} {say} so; if something else orders the two, {BY_HAND}",
            annotations.join(" and ")
        ),
    }
}
