//! What the `CHECK` lines of a lit test expect, by outcome.

use std::collections::BTreeSet;

use crate::suites::class::{self, Class};

/// The expectation of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expectation {
    /// Classes that must be reported; none: nothing may be.
    pub(super) classes: BTreeSet<Class>,
    /// What the program itself must print.
    pub(super) words: Vec<String>,
    /// The program has to end with 0.
    pub(super) clean_exit: bool,
}

impl Expectation {
    /// Of the RUN line `run` in `source`. A run that has to fail without
    /// saying what it reports has to report a race.
    pub(super) fn of(run: &str, source: &str) -> Self {
        let prefixes = prefixes(run);
        let code = without_comments(source);
        let mut classes = BTreeSet::new();
        let mut words = Vec::new();
        for line in source.lines() {
            let Some(text) = prefixes.iter().find_map(|prefix| positive(line, prefix)) else {
                continue;
            };
            if let Some(class) = class::of_title(text) {
                classes.insert(class);
            } else if is_literal(text) && code.contains(text) {
                words.push(text.to_owned());
            }
        }
        let clean_exit = ends_cleanly(run);
        if classes.is_empty() && !clean_exit {
            classes.insert(Class::Race);
        }
        Self {
            classes,
            words,
            clean_exit,
        }
    }
}

/// The prefixes FileCheck is told to look for.
fn prefixes(run: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut words = run.split_whitespace();
    while let Some(word) = words.next() {
        let option = word.trim_start_matches('-');
        let value = match option
            .strip_prefix("check-prefixes=")
            .or_else(|| option.strip_prefix("check-prefix="))
        {
            Some(value) => value,
            None if option == "check-prefix" || option == "check-prefixes" => {
                words.next().unwrap_or_default()
            }
            None => continue,
        };
        found.extend(
            value
                .split(',')
                .map(|prefix| prefix.replace("%os", "Linux")),
        );
    }
    if found.is_empty() {
        found.push("CHECK".to_owned());
    }
    found
}

/// The text a line with this prefix wants to see.
fn positive<'a>(line: &'a str, prefix: &str) -> Option<&'a str> {
    let at = line.find(prefix)?;
    let before = line[..at].chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-') {
        return None;
    }
    let rest = &line[at + prefix.len()..];
    ["", "-NEXT", "-SAME", "-DAG", "-LABEL"]
        .iter()
        .find_map(|suffix| rest.strip_prefix(suffix)?.strip_prefix(':'))
        .map(str::trim)
}

fn is_literal(text: &str) -> bool {
    !text.is_empty() && !text.contains("{{") && !text.contains("[[")
}

/// The lines of `source` that are not comments as a whole.
fn without_comments(source: &str) -> String {
    source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.split("// CHECK").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether lit wants the program of this line to end with 0: `deflake` repeats
/// it until it fails, `not` wants a failure, and one undoes the other.
fn ends_cleanly(run: &str) -> bool {
    let program = run.rsplit("&&").next().unwrap_or(run);
    let negated = program.split_whitespace().any(|word| word == "not");
    let repeated = program.contains("%deflake");
    negated == repeated
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "int main() {\n  printf(\"DONE\\n\");\n}\n\
        // CHECK: WARNING: ThreadSanitizer: data race\n\
        // CHECK:   Write of size 4\n\
        // CHECK: DONE\n\
        // OTHER-NOT: ThreadSanitizer\n\
        // OTHER: DONE\n";

    #[test]
    fn a_race_and_the_words_of_the_program() {
        let expected = Expectation::of("%deflake %run %t | FileCheck %s", SOURCE);
        assert_eq!(expected.classes, BTreeSet::from([Class::Race]));
        assert_eq!(expected.words, ["DONE"]);
        assert!(!expected.clean_exit);
    }

    #[test]
    fn another_prefix_expects_silence() {
        let run = "%clang_tsan %s -o %t && %run %t 2>&1 | FileCheck %s --check-prefix OTHER";
        let expected = Expectation::of(run, SOURCE);
        assert_eq!(expected.classes, BTreeSet::new());
        assert!(expected.clean_exit);
    }

    #[test]
    fn deflake_negated_wants_every_run_to_succeed() {
        assert!(ends_cleanly("not %deflake %run %t"));
        assert!(!ends_cleanly("%clang_tsan %s -o %t && not %run %t"));
    }
}
