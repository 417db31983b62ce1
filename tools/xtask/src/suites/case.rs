//! A case of a suite and what became of it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::args::Suite;
use super::class::Class;
use super::group::Group;
use super::program::Ended;
use super::reviewed;

/// One thing a suite expects.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Case {
    /// The suite.
    pub(super) suite: Suite,
    /// The test's name, with the number of its run if it has several.
    pub(super) name: String,
    /// What it is about.
    pub(super) group: Group,
    /// The class of report it expects; `None`: no report at all.
    pub(super) expected: Option<Class>,
    /// What came out.
    pub(super) verdict: Verdict,
}

/// What became of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "outcome", content = "why")]
pub(super) enum Verdict {
    /// As the suite expects.
    Right,
    /// Not so, and why.
    Wrong(String),
    /// Otherwise than the suite expects, on purpose, and why.
    Differs(String),
    /// Not judged, and why.
    LeftOut(String),
}

/// What a run of a program showed.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    /// The classes of its reports.
    pub(super) reported: BTreeSet<Class>,
    /// How it ended.
    pub(super) ended: Ended,
    /// Words of the program's own that should have been printed and were not.
    pub(super) missing_words: Option<String>,
    /// Whether the suite wants an exit status of 0.
    pub(super) clean_exit: bool,
}

impl Observed {
    /// Judges the run against a case that expects `class`, in a test that
    /// expects all of `classes`. Classes in `beyond` are ones the suite's own
    /// tool does not know; it says nothing about them.
    pub(super) fn judge(
        &self,
        class: Option<Class>,
        classes: &BTreeSet<Class>,
        beyond: &[Class],
    ) -> Verdict {
        if let Some(trouble) = self.ended.trouble() {
            return Verdict::Wrong(trouble);
        }
        if let Some(class) = class
            && !self.has(class)
        {
            return Verdict::Wrong(format!("missed: {}", class.name()));
        }
        let unexpected: Vec<&str> = self
            .reported
            .iter()
            .filter(|class| !classes.contains(class) && !beyond.contains(class))
            .filter(|class| classes.is_empty() || matches!(class, Class::Race | Class::Possible))
            .filter(|class| !(**class == Class::Possible && classes.contains(&Class::Race)))
            .map(|class| class.name())
            .collect();
        if !unexpected.is_empty() {
            return Verdict::Wrong(format!("false alarm: {}", unexpected.join(", ")));
        }
        if let Some(words) = &self.missing_words {
            return Verdict::Wrong(format!("does not print {words:?}"));
        }
        match &self.ended {
            Ended::Code(code) if self.clean_exit && *code != 0 && self.reported.is_empty() => {
                Verdict::Wrong(format!("ends with {code}"))
            }
            _ => Verdict::Right,
        }
    }

    /// Judges the run against what racert means to report instead, if that is
    /// another thing than the suite expects.
    pub(super) fn judge_different(
        &self,
        suite: Suite,
        name: &str,
        beyond: &[Class],
    ) -> Option<Verdict> {
        let (class, why) = reviewed::different(suite, name)?;
        let ours = Observed {
            missing_words: None,
            clean_exit: false,
            ..self.clone()
        };
        Some(
            match ours.judge(class, &class.into_iter().collect(), beyond) {
                Verdict::Right => Verdict::Differs(why.to_owned()),
                other => other,
            },
        )
    }

    fn has(&self, class: Class) -> bool {
        self.reported.contains(&class)
            || (class == Class::Race && self.reported.contains(&Class::Possible))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(reported: &[Class]) -> Observed {
        Observed {
            reported: reported.iter().copied().collect(),
            ended: Ended::Code(0),
            missing_words: None,
            clean_exit: true,
        }
    }

    #[test]
    fn silence_where_silence_is_due() {
        let none = BTreeSet::new();
        assert_eq!(observed(&[]).judge(None, &none, &[]), Verdict::Right);
        assert_eq!(
            observed(&[Class::Race]).judge(None, &none, &[]),
            Verdict::Wrong("false alarm: race".into())
        );
        assert_eq!(
            observed(&[Class::Deadlock]).judge(None, &none, &[Class::Deadlock]),
            Verdict::Right
        );
    }

    #[test]
    fn the_class_must_be_right() {
        let race = BTreeSet::from([Class::Race]);
        let misuse = BTreeSet::from([Class::Misuse]);
        assert_eq!(
            observed(&[Class::Race]).judge(Some(Class::Race), &race, &[]),
            Verdict::Right
        );
        assert_eq!(
            observed(&[]).judge(Some(Class::Race), &race, &[]),
            Verdict::Wrong("missed: race".into())
        );
        assert_eq!(
            observed(&[Class::Misuse, Class::Race]).judge(Some(Class::Misuse), &misuse, &[]),
            Verdict::Wrong("false alarm: race".into())
        );
    }

    #[test]
    fn a_crash_is_wrong_whatever_was_said() {
        let race = BTreeSet::from([Class::Race]);
        let mut run = observed(&[Class::Race]);
        run.ended = Ended::Signal(11);
        assert!(matches!(
            run.judge(Some(Class::Race), &race, &[]),
            Verdict::Wrong(_)
        ));
    }
}
