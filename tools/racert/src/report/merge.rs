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
    let named = Named::of(&findings);
    let mut unnamed = Unnamed::default();
    for finding in findings {
        let lines = lines(&finding);
        let print = match named.print(&finding) {
            Some(print) => print.to_owned(),
            None => unnamed.print(&finding),
        };
        let is_named = finding.fingerprint == print;
        match index.get(&print) {
            Some(&i) => {
                groups[i].occurrences += 1;
                let is_new = places[i].insert(lines);
                let stands = &groups[i].finding;
                let is_better = match (stands.fingerprint == print, is_named) {
                    (true, false) => false,
                    (false, true) => true,
                    _ => is_new && rank(&finding) < rank(stands),
                };
                if is_better {
                    groups[i].finding = finding;
                }
            }
            None => {
                index.insert(print, groups.len());
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

/// Races on local variables that have names, by what they are without: a
/// variable that has none is taken for the only one of them, and for none if
/// there are several.
struct Named(HashMap<String, Option<String>>);

impl Named {
    fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Named {
        let mut named: HashMap<String, Option<String>> = HashMap::new();
        for finding in findings {
            if let Some(without) = &finding.fingerprint_without_local {
                let only = Some(finding.fingerprint.clone());
                let known = named.entry(without.clone()).or_insert(only.clone());
                if *known != only {
                    *known = None;
                }
            }
        }
        Named(named)
    }

    /// The fingerprint of the group that a finding belongs to, unless it is on
    /// a local variable that nothing but its address tells apart from others.
    fn print<'a>(&'a self, finding: &'a Finding) -> Option<&'a str> {
        match self.0.get(&finding.fingerprint) {
            Some(only) => only.as_deref(),
            None if finding.is_on_unnamed_local() => None,
            None => Some(&finding.fingerprint),
        }
    }
}

/// Races on local variables without names. Those of one process at different
/// addresses are different; the first of each process are taken for one, so
/// are the second, and so on.
#[derive(Default)]
struct Unnamed(HashMap<(String, u32), Vec<String>>);

impl Unnamed {
    fn print(&mut self, finding: &Finding) -> String {
        let process = (finding.fingerprint.clone(), finding.pid);
        let address = &finding.place.address;
        let known = self.0.entry(process).or_default();
        let number = known.iter().position(|other| other == address);
        let number = number.unwrap_or_else(|| {
            known.push(address.clone());
            known.len() - 1
        });
        match number {
            0 => finding.fingerprint.clone(),
            number => format!("{} {number}", finding.fingerprint),
        }
    }
}

/// Fingerprints of findings; those of local variables with and without names.
struct Prints<'a> {
    own: HashSet<&'a str>,
    without_local: HashSet<&'a str>,
}

impl<'a> Prints<'a> {
    fn of(groups: &'a [Group]) -> Prints<'a> {
        let findings = || groups.iter().map(|group| &group.finding);
        Prints {
            own: findings().map(|f| &*f.fingerprint).collect(),
            without_local: findings()
                .filter_map(|f| f.fingerprint_without_local.as_deref())
                .collect(),
        }
    }

    /// Is `finding` one of them, or may it be, as far as names are known?
    fn contain(&self, finding: &Finding) -> bool {
        let without = finding.fingerprint_without_local.as_deref();
        self.own.contains(&*finding.fingerprint)
            || self.without_local.contains(&*finding.fingerprint)
            || without.is_some_and(|print| self.own.contains(print))
    }
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
    let now = Prints::of(&groups);
    let gone: Vec<Group> = baseline
        .iter()
        .filter(|group| !now.contain(&group.finding))
        .map(|group| Group {
            status: Some(Status::Gone),
            ..group.clone()
        })
        .collect();
    let old = Prints::of(&baseline);
    let mut all: Vec<Group> = groups
        .into_iter()
        .map(|mut group| {
            let known = old.contain(&group.finding);
            group.status = Some(if known { Status::Known } else { Status::New });
            group
        })
        .collect();
    if !with_gone {
        all.retain(|group| group.status == Some(Status::New));
        return all;
    }
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

    /// A race on a local variable, and on one whose name was not found out.
    fn local(name: &str) -> Finding {
        let mut finding = sample(name);
        finding.fingerprint_without_local = Some("0".repeat(32));
        finding
    }

    fn unnamed() -> Finding {
        let mut finding = sample("?");
        finding.fingerprint = "0".repeat(32);
        finding
    }

    #[test]
    fn local_variables_without_names() {
        let at = |address: &str, pid: u32| {
            let mut finding = unnamed();
            finding.place.kind = "stack".into();
            finding.place.address = address.into();
            finding.place.name = None;
            finding.pid = pid;
            finding
        };
        let both = groups(vec![at("0x10", 1), at("0x20", 1), at("0x10", 1)]);
        assert_eq!(both.len(), 2);
        let runs = [at("0x10", 1), at("0x20", 1), at("0x18", 2), at("0x28", 2)];
        assert_eq!(
            groups(runs.to_vec()).len(),
            2,
            "the same two in another run"
        );
    }

    #[test]
    fn local_variables_with_and_without_names() {
        let one = groups(vec![unnamed(), local("a"), unnamed()]);
        assert_eq!((one.len(), one[0].occurrences), (1, 3), "the only one");
        assert_eq!(prints(&one), ["'a'"]);
        let one = groups(vec![unnamed(), local("a"), unnamed(), local("b")]);
        let other = groups(vec![local("b"), local("a"), unnamed(), unnamed()]);
        assert_eq!(
            (one.len(), other.len()),
            (3, 3),
            "one of the two, or neither"
        );
        assert_eq!(prints(&other), prints(&one));

        let new = |now: Vec<Finding>, old: Vec<Finding>| {
            prints(&compare(groups(now), groups(old), false)).len()
        };
        assert_eq!(new(vec![local("a")], vec![unnamed()]), 0);
        assert_eq!(new(vec![unnamed()], vec![local("a")]), 0);
        assert_eq!(new(vec![local("b")], vec![local("a")]), 1, "another one");
        let all = compare(groups(vec![unnamed()]), groups(vec![local("a")]), true);
        assert_eq!(all.len(), 1, "nothing is gone");
    }
}
