//! What cannot be read from the suites: cases reviewed by hand.

use super::args::Suite::{self, Drd, Helgrind, Tsan};
use super::class::Class;

const BROKEN_RWLOCK: &str =
    "its lock lets two writers in; whether they meet, and race, is left to chance";

/// Cases that say nothing about a detector other than the suite's own: suite,
/// test (`NAME#N` is one run of it), reason.
const LEFT_OUT: &[(Suite, &str, &str)] = &[
    (
        Tsan,
        "Linux/user_malloc.cpp",
        "calls an interceptor of the stock runtime by its internal name",
    ),
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
        "stack_sync_reuse.cpp",
        "has a race, as its comment says, that the stock runtime does not see",
    ),
    (
        Tsan,
        "fork_multithreaded.cpp#1",
        "wants threads refused that a forked child starts",
    ),
    (Helgrind, "annotate_rwlock", BROKEN_RWLOCK),
    (Drd, "annotate_rwlock", BROKEN_RWLOCK),
    (Drd, "annotate_rwlock_hg", BROKEN_RWLOCK),
    (
        Helgrind,
        "shmem_abits",
        "asks Helgrind for the contents of its own shadow memory",
    ),
    (
        Drd,
        "annotate_publish_hg",
        "wants a macro named that its own header does not implement",
    ),
    (
        Drd,
        "custom_alloc_fiw",
        "wants invalid arguments of a valgrind request reported; no thread is involved",
    ),
];

/// Cases of which only the class of the report counts here: suite, test, class.
const EXPECTED: &[(Suite, &str, Class)] =
    // Checks single fields of the report of a bad unlock.
    &[(Tsan, "debug_mutex_bad_unlock.cpp", Class::Misuse)];

const DESTROYED_BARRIER: &str =
    "a thread that has come through a barrier may destroy it; glibc waits for the others";

/// Cases in which racert means to differ from the suite: suite, test, what it
/// says instead (`None`: nothing), why.
const DIFFERENT: &[(Suite, &str, Option<Class>, &str)] = &[
    (
        Tsan,
        "mutex_cycle_long.c#5",
        Some(Class::Deadlock),
        "a circle of thirty locks, which is too long for ThreadSanitizer",
    ),
    (
        Tsan,
        "Linux/mutex_robust2.cpp",
        None,
        "who gets a robust lock comes after the owner that died with it; \
         the test calls the race a false positive",
    ),
    (Tsan, "race_on_barrier2.c", None, DESTROYED_BARRIER),
    (Drd, "pth_barrier_race", None, DESTROYED_BARRIER),
    (
        Tsan,
        "ignore_lib0.cpp#1",
        None,
        "ordered by atomics of a library that is not instrumented; its allocations do not count",
    ),
    (
        Tsan,
        "ignore_lib1.cpp#1",
        None,
        "ordered by atomics of a library that is not instrumented; its allocations do not count",
    ),
    (
        Tsan,
        "ignore_lib5.cpp#1",
        None,
        "ordered by atomics of a library that is not instrumented; its allocations do not count",
    ),
    (
        Tsan,
        "free_race2.c",
        None,
        "a use after free in a program with one thread, of which nothing is recorded",
    ),
    (
        Tsan,
        "ignore_lib2.cpp",
        None,
        "wants the program stopped because a suppression names two libraries, which may do so here",
    ),
    (
        Tsan,
        "ignore_lib3.cpp",
        None,
        "wants the program stopped because it unloads a library that a suppression names",
    ),
    (
        Tsan,
        "pthread_atfork_deadlock3.c",
        None,
        "who sends a signal comes before its handler",
    ),
    (
        Helgrind,
        "pth_destroy_cond",
        None,
        "a condition variable may be destroyed once its waiters were woken, says POSIX",
    ),
    (
        Drd,
        "pth_cond_race",
        None,
        "signalling a condition variable without holding its mutex is allowed",
    ),
    (
        Drd,
        "trylock",
        None,
        "trying a lock that the thread holds is allowed, and fails",
    ),
    (
        Drd,
        "pth_barrier_reinit",
        None,
        "initialised anew on the stack while no thread uses it: it may be another variable",
    ),
    (
        Drd,
        "pth_mutex_reinit",
        None,
        "initialised anew on the stack while no thread uses it: it may be another variable",
    ),
    (
        Drd,
        "std_list",
        Some(Class::Race),
        "two threads call setlocale, which is not thread-safe",
    ),
    (
        Drd,
        "annotate_smart_pointer2",
        None,
        "ordered by an atomic count of references, which DRD does not understand",
    ),
    (
        Drd,
        "annotate_hb_err",
        None,
        "an object may begin with its mutex, so that order is announced by the mutex's address",
    ),
    (
        Drd,
        "atomic_var",
        None,
        "ordered by an atomic variable, which DRD does not understand",
    ),
];

/// Tests that have more wrong with them than their suite says: suite, test,
/// what, why.
const ALSO: &[(Suite, &str, Class, &str)] = &[
    (Helgrind, "bar_bad", Class::Race, FREED_BARRIER),
    (Drd, "bar_bad", Class::Race, FREED_BARRIER),
    (Drd, "bar_bad_xml", Class::Race, FREED_BARRIER),
];

const FREED_BARRIER: &str = "frees barriers that threads wait at";

/// Why the case `name` is left out.
pub(super) fn left_out(suite: Suite, name: &str) -> Option<String> {
    LEFT_OUT
        .iter()
        .find(|(of, test, _)| *of == suite && names(test, name))
        .map(|(_, _, why)| (*why).to_owned())
}

/// The one class that counts in the case `name`, if it was reviewed.
pub(super) fn expected(suite: Suite, name: &str) -> Option<Class> {
    EXPECTED
        .iter()
        .find(|(of, test, _)| *of == suite && names(test, name))
        .map(|(.., class)| *class)
}

/// What racert means to say in the case `name` instead, and why.
pub(super) fn different(suite: Suite, name: &str) -> Option<(Option<Class>, &'static str)> {
    DIFFERENT
        .iter()
        .find(|(of, test, ..)| *of == suite && names(test, name))
        .map(|(_, _, class, why)| (*class, *why))
}

/// A class that the case `name` is rightly reported with as well.
pub(super) fn also(suite: Suite, name: &str) -> Option<Class> {
    ALSO.iter()
        .find(|(of, test, ..)| *of == suite && names(test, name))
        .map(|(_, _, class, _)| *class)
}

/// Does an entry for `test` speak of the case `name`?
fn names(test: &str, name: &str) -> bool {
    test == name || name.split('#').next() == Some(test)
}
