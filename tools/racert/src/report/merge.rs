//! One finding out of many records of it, and what changed since a baseline.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;

use super::model::{Access, Certainty, Finding};

/// Where a finding stands compared with the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Not in the baseline.
    New,
    /// In both.
    Known,
    /// Only in the baseline.
    Gone,
}

/// Records with one fingerprint.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// The record that stands for all.
    pub(crate) finding: Finding,
    /// How many records there were.
    pub(crate) occurrences: usize,
    /// How many different pairs of lines.
    pub(crate) places: usize,
    /// Set if there is a baseline.
    pub(crate) status: Option<Status>,
}

/// Removes duplicates. The order depends on the findings alone, not on which
/// file they came from.
pub(crate) fn groups(findings: Vec<Finding>) -> Vec<Group> {
    let mut index: HashMap<String, usize> = HashMap::new();
    let mut places: Vec<BTreeSet<Vec<String>>> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    for finding in findings {
        let lines = lines(&finding);
        match index.get(&finding.fingerprint) {
            Some(&i) => {
                groups[i].occurrences += 1;
                let is_new = places[i].insert(lines);
                if is_new && rank(&finding) < rank(&groups[i].finding) {
                    groups[i].finding = finding;
                }
            }
            None => {
                index.insert(finding.fingerprint.clone(), groups.len());
                places.push(BTreeSet::from([lines]));
                groups.push(Group {
                    finding,
                    occurrences: 1,
                    places: 1,
                    status: None,
                });
            }
        }
    }
    for (group, places) in groups.iter_mut().zip(places) {
        group.places = places.len();
    }
    sort(&mut groups);
    groups
}

fn sort(groups: &mut [Group]) {
    groups.sort_by_cached_key(|group| {
        let (certainty, file, line, column) = rank(&group.finding);
        let fingerprint = group.finding.fingerprint.clone();
        (certainty, file.to_owned(), line, column, fingerprint)
    });
}

/// Proven ones first, then by place.
fn rank(finding: &Finding) -> (Certainty, &str, u32, u32) {
    let frame = finding.primary().culprit();
    (
        finding.certainty,
        frame.and_then(|f| f.file.as_deref()).unwrap_or("\u{7f}"),
        frame.and_then(|f| f.line).unwrap_or(0),
        frame.and_then(|f| f.column).unwrap_or(0),
    )
}

/// The positions, in any order.
fn lines(finding: &Finding) -> Vec<String> {
    let position = |access: &Access| access.culprit().map_or(String::new(), |f| f.position());
    let mut lines: Vec<String> = finding.accesses.iter().map(position).collect();
    lines.sort();
    lines
}

/// Marks what is new and what is known; adds what is gone if `with_gone`, else
/// keeps only what is new.
pub(crate) fn compare(groups: Vec<Group>, baseline: Vec<Group>, with_gone: bool) -> Vec<Group> {
    let old: HashSet<&str> = baseline.iter().map(|g| &*g.finding.fingerprint).collect();
    let now: HashSet<String> = groups
        .iter()
        .map(|g| g.finding.fingerprint.clone())
        .collect();
    let mut all: Vec<Group> = groups
        .into_iter()
        .map(|mut group| {
            let known = old.contains(&*group.finding.fingerprint);
            group.status = Some(if known { Status::Known } else { Status::New });
            group
        })
        .collect();
    if !with_gone {
        all.retain(|group| group.status == Some(Status::New));
        return all;
    }
    let gone = baseline
        .into_iter()
        .filter(|group| !now.contains(&group.finding.fingerprint))
        .map(|mut group| {
            group.status = Some(Status::Gone);
            group
        });
    all.extend(gone);
    sort(&mut all);
    all
}

impl Group {
    /// Is it a finding somebody has to act on: there, and not known before?
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.status, None | Some(Status::New))
    }

    /// Is it one that has to be acted on, and not just advice?
    pub(crate) fn fails(&self) -> bool {
        self.is_open() && self.finding.certainty != Certainty::Advice
    }

    /// `Seen 4 times, at 2 more places.`, if there is something to say.
    pub(crate) fn repetition(&self) -> Option<String> {
        if self.occurrences < 2 {
            return None;
        }
        let more = match self.places - 1 {
            0 => String::new(),
            1 => ", and at 1 more place".to_owned(),
            n => format!(", and at {n} more places"),
        };
        Some(format!("Seen {} times{more}.", self.occurrences))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    fn named(names: &[&str]) -> Vec<Group> {
        groups(names.iter().map(|name| sample(name)).collect())
    }

    fn prints(groups: &[Group]) -> Vec<String> {
        let of = |g: &Group| g.finding.memory();
        groups.iter().map(of).collect()
    }

    #[test]
    fn duplicates_are_counted_in_whatever_order() {
        let mut shifted = sample("a");
        shifted.accesses[1].stack.frames[0].line = Some(1);
        let one = groups(vec![sample("b"), sample("a"), shifted.clone(), sample("a")]);
        let other = groups(vec![shifted, sample("a"), sample("a"), sample("b")]);
        assert_eq!(prints(&one), ["'a'", "'b'"]);
        assert_eq!(prints(&other), prints(&one));
        assert_eq!((one[0].occurrences, one[0].places), (3, 2));
        let said = one[0].repetition().unwrap();
        assert_eq!(said, "Seen 3 times, and at 1 more place.");
        assert_eq!(one[1].repetition(), None);
    }

    #[test]
    fn against_a_baseline() {
        let new = compare(named(&["a", "b"]), named(&["b", "c"]), false);
        assert_eq!(prints(&new), ["'a'"]);
        let all = compare(named(&["a", "b"]), named(&["b", "c"]), true);
        let status: Vec<Status> = all.iter().filter_map(|g| g.status).collect();
        assert_eq!(prints(&all), ["'a'", "'b'", "'c'"]);
        assert_eq!(status, [Status::New, Status::Known, Status::Gone]);
        let open: Vec<bool> = all.iter().map(Group::is_open).collect();
        assert_eq!(open, [true, false, false]);
    }
}
