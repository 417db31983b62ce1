//! What cannot be read from the suites: cases reviewed by hand.

use super::args::Suite::{self, Drd, Helgrind, Tsan};
use super::class::Class;

/// Cases that say nothing about a detector other than the suite's own: suite,
/// test (`NAME#N` is one run of it), reason.
const LEFT_OUT: &[(Suite, &str, &str)] = &[
    (
        Tsan,
        "Linux/user_fopen.cpp",
        "calls an interceptor of the stock runtime by its internal name",
    ),
    (
        Tsan,
        "cxa_guard_acquire.cpp",
        "defines C++ functions that only the stock runtime calls",
    ),
    (
        Tsan,
        "force_background_thread.cpp",
        "about a thread that the stock runtime has for itself",
    ),
    (
        Tsan,
        "fork_multithreaded.cpp#1",
        "wants threads refused that a forked child starts",
    ),
    (
        Helgrind,
        "shmem_abits",
        "asks Helgrind for the contents of its own shadow memory",
    ),
    (
        Drd,
        "custom_alloc_fiw",
        "wants invalid arguments of a valgrind request reported; no thread is involved",
    ),
];

/// Cases whose expected output is what the suite's own tool says for lack of
/// something: what is right (`None`: silence), and why.
const EXPECTED: &[(Suite, &str, Option<Class>, &str)] = &[
    (
        Tsan,
        "debug_mutex_bad_unlock.cpp",
        Some(Class::Misuse),
        "checks single fields of the report of a bad unlock",
    ),
    (
        Tsan,
        "stack_sync_reuse.cpp",
        Some(Class::Race),
        "has a race, as its comment says, that the stock runtime does not see",
    ),
    (
        Helgrind,
        "annotate_rwlock",
        Some(Class::Race),
        "two writers may hold its lock at the same time",
    ),
    (
        Drd,
        "atomic_var",
        None,
        "ordered by an atomic variable, which DRD does not understand",
    ),
];

/// Why the case `name` is left out.
pub(super) fn left_out(suite: Suite, name: &str) -> Option<String> {
    LEFT_OUT
        .iter()
        .find(|(of, test, _)| *of == suite && names(test, name))
        .map(|(_, _, why)| (*why).to_owned())
}

/// What the case `name` should expect instead, if it was reviewed.
pub(super) fn expected(suite: Suite, name: &str) -> Option<Option<Class>> {
    EXPECTED
        .iter()
        .find(|(of, test, ..)| *of == suite && names(test, name))
        .map(|(_, _, class, _)| *class)
}

/// Does an entry for `test` speak of the case `name`?
fn names(test: &str, name: &str) -> bool {
    test == name || name.split('#').next() == Some(test)
}
