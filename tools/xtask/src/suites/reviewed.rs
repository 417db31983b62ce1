//! What cannot be read from the suites: cases reviewed by hand.

use super::args::Suite;

/// A decision about a test, with its reason.
struct Review {
    suite: Suite,
    /// The test's name; `NAME#N` is one run of it.
    name: &'static str,
    why: &'static str,
}

/// Cases that say nothing about a detector other than the suite's own.
const LEFT_OUT: &[Review] = &[
    Review {
        suite: Suite::Helgrind,
        name: "shmem_abits",
        why: "asks Helgrind for the contents of its own shadow memory",
    },
    Review {
        suite: Suite::Drd,
        name: "custom_alloc_fiw",
        why: "wants invalid arguments of a valgrind request reported; no thread is involved",
    },
];

/// Tests whose expected output is a report that the suite's own tool gives for
/// lack of something, as their comments say: silence is right.
const SILENT: &[Review] = &[Review {
    suite: Suite::Drd,
    name: "atomic_var",
    why: "ordered by an atomic variable, which DRD does not understand",
}];

/// Why the case `name` is left out.
pub(super) fn left_out(suite: Suite, name: &str) -> Option<String> {
    find(LEFT_OUT, suite, name).map(|review| review.why.to_owned())
}

/// Whether silence is right although the suite expects a report.
pub(super) fn is_silent(suite: Suite, name: &str) -> bool {
    find(SILENT, suite, name).is_some()
}

fn find(reviews: &'static [Review], suite: Suite, name: &str) -> Option<&'static Review> {
    let test = name.split('#').next().unwrap_or(name);
    reviews
        .iter()
        .find(|review| review.suite == suite && (review.name == name || review.name == test))
}
