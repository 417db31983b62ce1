//! What a valgrind test expects, by outcome: the classes of the messages in
//! its expected output.

use std::collections::BTreeSet;
use std::path::Path;

use crate::suites::class::{self, Class};
use crate::suites::program::read_lossy;

/// Endings of expected outputs written for other systems.
const OTHER_SYSTEMS: [&str; 9] = [
    "darwin",
    "freebsd",
    "solaris",
    "mips",
    "ppc",
    "powerpc",
    "s390",
    "32bit",
    "linuxthreads",
];

/// What a test expects.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Expectation {
    /// Classes that must be reported.
    pub(super) required: BTreeSet<Class>,
    /// Classes that may be.
    pub(super) allowed: BTreeSet<Class>,
}

/// What the test `name` in `folder` expects; `None` if it has no expected
/// output. Where there are several, one for each version of the C library,
/// what all of them report is required, what one of them reports is allowed.
pub(super) fn of(folder: &Path, name: &str) -> Option<Expectation> {
    let start = format!("{name}.stderr.exp");
    let mut alternatives = Vec::new();
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        let Some(ending) = file.strip_prefix(&start) else {
            continue;
        };
        if !OTHER_SYSTEMS.iter().any(|system| ending.contains(system)) {
            alternatives.push(classes(&read_lossy(&entry.path())));
        }
    }
    combine(&alternatives)
}

fn combine(alternatives: &[BTreeSet<Class>]) -> Option<Expectation> {
    let (first, rest) = alternatives.split_first()?;
    Some(rest.iter().fold(
        Expectation {
            required: first.clone(),
            allowed: first.clone(),
        },
        |so_far, other| Expectation {
            required: so_far.required.intersection(other).copied().collect(),
            allowed: so_far.allowed.union(other).copied().collect(),
        },
    ))
}

/// The classes of the messages in an expected output.
fn classes(text: &str) -> BTreeSet<Class> {
    let mut found: BTreeSet<Class> = text.lines().filter_map(class::of_valgrind_line).collect();
    if found.is_empty() && counts_errors(text) {
        found.insert(Class::Race);
    }
    found
}

/// A summary that counts errors without showing them. The suites use that for
/// races only, of which one run has more than another.
fn counts_errors(text: &str) -> bool {
    text.lines().any(|line| {
        line.split_once("ERROR SUMMARY: ")
            .is_some_and(|(_, rest)| !rest.starts_with("0 errors"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_require_what_they_agree_on() {
        let both = classes("Mutex not locked: x\nConflicting load by thread 2\n");
        let one = classes("Mutex not locked: x\n");
        let expected = combine(&[both.clone(), one.clone()]).expect("there are two");
        assert_eq!(expected.required, one);
        assert_eq!(expected.allowed, both);
    }

    #[test]
    fn a_bare_count_of_errors_means_races() {
        assert_eq!(
            classes("ERROR SUMMARY: 7 errors from 2 contexts"),
            BTreeSet::from([Class::Race])
        );
        assert!(classes("ERROR SUMMARY: 0 errors from 0 contexts").is_empty());
    }
}
