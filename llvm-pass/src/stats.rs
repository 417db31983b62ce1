//! Counts for `-mllvm -racert-stats`.

use std::cell::Cell;
use std::fmt;

/// Why an access is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// A local object whose address never leaves the function.
    Local,
    /// Memory that is never written.
    Constant,
    /// Another address space.
    AddressSpace,
    /// The front end or an ignore list asked for it.
    Ignored,
    /// Counters of the compiler's own instrumentation.
    Compiler,
}

/// One counter.
#[derive(Default)]
pub(crate) struct Counter(Cell<u64>);

impl Counter {
    /// Adds one.
    pub(crate) fn increment(&self) {
        self.0.set(self.0.get() + 1);
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.get().fmt(f)
    }
}

/// What was done to one module.
#[derive(Default)]
pub(crate) struct Stats {
    /// Functions instrumented.
    pub(crate) functions: Counter,
    /// Functions left alone.
    pub(crate) functions_ignored: Counter,
    /// Plain loads and stores seen.
    pub(crate) accesses: Counter,
    skipped: [Counter; 5],
    /// Covered by another check on every path.
    pub(crate) redundant: Counter,
    /// Read checks that became the check of the write that follows.
    pub(crate) read_before_write: Counter,
    /// Merged with neighbours into a check of a whole granule.
    pub(crate) adjacent: Counter,
    /// Tested together with other elements of an array.
    pub(crate) elements: Counter,
    /// Tested together with another field of the same object.
    pub(crate) together: Counter,
    /// Moved in front of a loop.
    pub(crate) hoisted: Counter,
    /// Replaced by a range check in front of a loop.
    pub(crate) in_ranges: Counter,
    /// Range checks in front of loops.
    pub(crate) ranges: Counter,
    /// Inlined tests emitted.
    pub(crate) inline_checks: Counter,
    /// Checks that are calls.
    pub(crate) called_checks: Counter,
    /// Atomic operations and fences.
    pub(crate) atomics: Counter,
    /// Copies and fills.
    pub(crate) copies: Counter,
    /// Functions without a frame unless a check misses.
    pub(crate) leaves: Counter,
}

impl Stats {
    /// Counts a skipped access.
    pub(crate) fn skip(&self, reason: Skip) {
        self.skipped[reason as usize].increment();
    }

    /// Prints everything as one block.
    pub(crate) fn print(&self, source: &str) {
        let [local, constant, address_space, ignored, compiler] = &self.skipped;
        eprintln!(
            "racert: {source}: {} functions instrumented ({} leaves), {} left alone\n\
             racert:   {} accesses; skipped: {local} local, {constant} constant, {address_space} \
             in other address spaces, {ignored} ignored, {compiler} of the compiler\n\
             racert:   dropped: {} redundant, {} read before write, {} adjacent; {} hoisted, {} in \
             {} ranges\n\
             racert:   emitted: {} inlined ({} share a branch, {} \
             more elements in a row), {} called; {} atomics, {} copies",
            self.functions,
            self.leaves,
            self.functions_ignored,
            self.accesses,
            self.redundant,
            self.read_before_write,
            self.adjacent,
            self.hoisted,
            self.in_ranges,
            self.ranges,
            self.inline_checks,
            self.together,
            self.elements,
            self.called_checks,
            self.atomics,
            self.copies,
        );
    }
}
