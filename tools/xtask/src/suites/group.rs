//! The rows of the table: what a case is about.

use serde::Serialize;

use super::class::Class;

/// What a case is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Group {
    /// A race has to be reported.
    Race,
    /// Correct programs: nothing may be reported.
    NoRace,
    /// Deadlocks and orders of locks.
    Deadlock,
    /// Wrong use of synchronisation.
    Misuse,
    /// Threads nobody waits for.
    Leak,
    /// Signal handlers.
    Signal,
    /// fork, vfork, clone.
    Fork,
    /// Suppressions and ignore lists.
    Suppression,
    /// Annotations and ThreadSanitizer's interface.
    Annotation,
}

impl Group {
    /// All groups in the order of the table.
    pub(super) const ALL: [Group; 9] = [
        Group::Race,
        Group::NoRace,
        Group::Deadlock,
        Group::Misuse,
        Group::Leak,
        Group::Signal,
        Group::Fork,
        Group::Suppression,
        Group::Annotation,
    ];

    /// In the table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Group::Race => "race",
            Group::NoRace => "no race",
            Group::Deadlock => "deadlock",
            Group::Misuse => "misuse",
            Group::Leak => "thread leak",
            Group::Signal => "signal",
            Group::Fork => "fork",
            Group::Suppression => "suppression",
            Group::Annotation => "annotation",
        }
    }

    /// The group of a case that expects `class` (nothing if `None`), judged by
    /// its command line and the source of its program.
    pub(super) fn of(class: Option<Class>, name: &str, command: &str, source: &str) -> Self {
        match class {
            Some(Class::Deadlock) => return Group::Deadlock,
            Some(Class::Misuse) => return Group::Misuse,
            Some(Class::Leak) => return Group::Leak,
            Some(Class::Signal) => return Group::Signal,
            Some(Class::Annotation) => return Group::Annotation,
            Some(Class::Race | Class::Possible) | None => {}
        }
        let any = |text: &str, parts: &[&str]| parts.iter().any(|part| text.contains(part));
        if any(command, &["suppressions=", "ignorelist"]) {
            Group::Suppression
        } else if any(source, &["fork()", "clone("]) {
            Group::Fork
        } else if annotated(source) {
            Group::Annotation
        } else if any(source, &["sigaction(", "signal(SIG", "setitimer("]) {
            Group::Signal
        } else if class.is_some() {
            Group::Race
        } else if any(name, &["deadlock", "laog", "lock_inversion"]) {
            Group::Deadlock
        } else {
            Group::NoRace
        }
    }
}

/// Does the program tell its detector something?
fn annotated(source: &str) -> bool {
    let words = source.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.into_iter().any(|word| {
        word.starts_with("ANNOTATE_")
            || word.starts_with("Annotate")
            || word.starts_with("U_ANNOTATE_")
            || word.starts_with("VALGRIND_HG_")
            || word.starts_with("DRD_")
            || (word.starts_with("__tsan_") && !word.starts_with("__tsan_testonly"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_its_own_kind_decides() {
        let group = Group::of(Some(Class::Deadlock), "x", "suppressions=a", "fork()");
        assert_eq!(group, Group::Deadlock);
    }

    #[test]
    fn the_command_comes_before_the_source() {
        let group = Group::of(None, "x", "env TSAN_OPTIONS=suppressions=a ./x", "fork()");
        assert_eq!(group, Group::Suppression);
        assert_eq!(Group::of(None, "x", "./x", "a = fork();"), Group::Fork);
    }

    #[test]
    fn calls_of_the_test_barrier_are_no_annotations() {
        let source = "__tsan_testonly_barrier_init(&b, 2);";
        assert_eq!(Group::of(None, "x", "", source), Group::NoRace);
        assert_eq!(
            Group::of(None, "x", "", "__tsan_acquire(p);"),
            Group::Annotation
        );
    }
}
