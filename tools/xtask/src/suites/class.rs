//! What kinds of reports a detector printed, whatever its wording.

use std::collections::BTreeSet;

use serde::Serialize;

/// A kind of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Class {
    /// Two accesses that nothing orders, or an access and a free.
    Race,
    /// A race that this run does not prove.
    Possible,
    /// A deadlock, or locks taken in contradictory orders.
    Deadlock,
    /// A lock, condition variable, semaphore or barrier used against its rules.
    Misuse,
    /// A thread nobody waited for.
    Leak,
    /// A signal handler that does what it must not do.
    Signal,
    /// An annotation used against its rules.
    Annotation,
}

impl Class {
    /// In tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Class::Race => "race",
            Class::Possible => "possible race",
            Class::Deadlock => "deadlock",
            Class::Misuse => "misuse",
            Class::Leak => "leak",
            Class::Signal => "signal",
            Class::Annotation => "annotation",
        }
    }
}

/// What begins a report's title.
const BEFORE_TITLE: [&str; 3] = [
    "WARNING: racert: ",
    "WARNING: ThreadSanitizer: ",
    "ThreadSanitizer: ",
];

/// Lines of ThreadSanitizer that are not reports of their own.
const NOT_REPORTS: [&str; 7] = [
    "reported ",
    "Matched ",
    "library ",
    "called_from_lib ",
    "starting new threads",
    "memory flush",
    "failed to",
];

/// The classes of the reports in `output` of any detector.
pub(super) fn reported(output: &str) -> BTreeSet<Class> {
    output
        .lines()
        .filter(|line| !line.contains("SUMMARY: "))
        .filter_map(|line| of_title(line).or_else(|| of_valgrind_line(line)))
        .collect()
}

/// The class a title of racert's or ThreadSanitizer's belongs to.
pub(super) fn of_title(line: &str) -> Option<Class> {
    let title = BEFORE_TITLE
        .iter()
        .find_map(|before| line.split_once(before))?
        .1;
    if title.is_empty() || NOT_REPORTS.iter().any(|other| title.starts_with(other)) {
        return None;
    }
    let has = |part: &str| title.contains(part);
    Some(if has("possible data race") {
        Class::Possible
    } else if has("race")
        || has("use-after-free")
        || has("use after free")
        || has("ad-hoc synchronisation")
    {
        Class::Race
    } else if has("lock-order") || has("deadlock") {
        Class::Deadlock
    } else if has("thread leak") {
        Class::Leak
    } else if has("signal-unsafe") || has("signal handler") {
        Class::Signal
    } else if has("ignores enabled") || has("annotation") || has("ignor") {
        Class::Annotation
    } else {
        Class::Misuse
    })
}

/// Words of Helgrind's and DRD's messages. The first match counts.
const VALGRIND_WORDS: &[(&str, Class)] = &[
    ("Possible data race during", Class::Race),
    ("Conflicting load by", Class::Race),
    ("Conflicting store by", Class::Race),
    ("<kind>Race</kind>", Class::Race),
    ("<kind>ConflictingAccess</kind>", Class::Race),
    ("lock order \"", Class::Deadlock),
    ("<kind>LockOrder</kind>", Class::Deadlock),
    ("Attempt to re-lock a non-recursive lock", Class::Misuse),
    ("There is no corresponding annotate", Class::Annotation),
    ("wrong type of synchronization object", Class::Annotation),
    ("Conflicting wait call by", Class::Race),
    ("Recursive writer locking not allowed", Class::Misuse),
    ("'s call to ", Class::Misuse),
    ("Bug in libpthread", Class::Misuse),
    ("pthread_cond_{", Class::Misuse),
    ("pthread_cond_destroy: ", Class::Misuse),
    ("pthread_barrier_init: ", Class::Misuse),
    ("pthread_barrier_destroy: ", Class::Misuse),
    ("pthread_mutex_destroy of ", Class::Misuse),
    ("pthread_rwlock_destroy of ", Class::Misuse),
    ("Exiting thread still holds", Class::Misuse),
    (" unlocked a not-locked lock", Class::Misuse),
    (" unlocked an invalid lock", Class::Misuse),
    (" unlocked lock at ", Class::Misuse),
    ("is not a mutex", Class::Misuse),
    ("Mutex not locked", Class::Misuse),
    ("Mutex still locked at thread exit", Class::Misuse),
    ("Destroying locked mutex", Class::Misuse),
    ("Mutex reinitialization", Class::Misuse),
    ("Mutex type changed", Class::Misuse),
    ("Recursive locking not allowed", Class::Misuse),
    ("mutex is locked simultaneously", Class::Misuse),
    (
        "Probably a race condition: condition variable",
        Class::Misuse,
    ),
    (
        "Inconsistent association of condition variable",
        Class::Misuse,
    ),
    ("condition variable has not been initialized", Class::Misuse),
    ("initialized twice", Class::Misuse),
    ("being waited upon", Class::Misuse),
    ("destruction of condition variable", Class::Misuse),
    ("not a condition variable", Class::Misuse),
    ("Barrier reinitialization", Class::Misuse),
    ("Not a barrier", Class::Misuse),
    ("argument is zero: barrier", Class::Misuse),
    ("barrier with active waiters", Class::Misuse),
    ("number of concurrent pthread_barrier_wait", Class::Misuse),
    ("Semaphore reinitialization", Class::Misuse),
    ("Invalid semaphore", Class::Misuse),
    ("Semaphore overflow", Class::Misuse),
    ("Not a reader-writer lock", Class::Misuse),
    ("Reader-writer lock reinitialization", Class::Misuse),
    ("Reader-writer lock not locked", Class::Misuse),
    ("Attempt to use a user-defined rwlock", Class::Misuse),
    ("<kind>MutexErr</kind>", Class::Misuse),
    ("<kind>BarrierErr</kind>", Class::Misuse),
    ("<kind>CondErr</kind>", Class::Misuse),
    ("<kind>SemaphoreErr</kind>", Class::Misuse),
    ("invalid thread ID", Class::Misuse),
];

/// The class of a message of Helgrind's or DRD's.
pub(super) fn of_valgrind_line(line: &str) -> Option<Class> {
    VALGRIND_WORDS
        .iter()
        .find(|(words, _)| line.contains(words))
        .map(|&(_, class)| class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_both_runtimes() {
        let output = "WARNING: racert: data race with free (pid=1)\n\
                      WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=1)\n\
                      SUMMARY: ThreadSanitizer: thread leak x.c:1 in f\n\
                      ThreadSanitizer: reported 2 warnings\n";
        assert_eq!(
            reported(output),
            BTreeSet::from([Class::Race, Class::Deadlock])
        );
    }

    #[test]
    fn a_possible_race_is_a_class_of_its_own() {
        assert_eq!(
            of_title("WARNING: racert: possible data race (pid=7)"),
            Some(Class::Possible)
        );
    }

    #[test]
    fn messages_of_valgrind() {
        let output = "Thread #x: lock order \"0x1 before 0x2\" violated\n\
                      Mutex not locked: mutex 0x1, recursion count 0, owner 0.\n";
        assert_eq!(
            reported(output),
            BTreeSet::from([Class::Deadlock, Class::Misuse])
        );
    }
}
