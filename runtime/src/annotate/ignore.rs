//! Checks that a thread has switched off, and since where.
//!
//! Reads and writes are left out by the checks themselves, synchronisation by
//! [`crate::thread::synchronise`]. Beginnings and ends nest and must pair up
//! within a thread; what does not is reported with its place, because a
//! forgotten end hides every race that follows.

use crate::log::site::Site;
use crate::report::{self, Notice};
use crate::stack;
use crate::suppress::Class;
use crate::thread::Thread;
use alloc::format;
use alloc::vec::Vec;

/// What can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Reads,
    Writes,
    Synchronisation,
}

impl What {
    fn in_words(self) -> &'static str {
        match self {
            What::Reads => "reads",
            What::Writes => "writes",
            What::Synchronisation => "synchronisation",
        }
    }

    fn being(self) -> &'static str {
        match self {
            What::Reads => "reads are",
            What::Writes => "writes are",
            What::Synchronisation => "synchronisation is",
        }
    }
}

/// How many times each kind of check is switched off.
#[derive(Default)]
pub struct Ignoring {
    /// Reads.
    pub reads: u32,
    /// Writes.
    pub writes: u32,
    /// Synchronisation.
    pub sync: u32,
    /// How many of these because the thread runs the code of a lock.
    in_locks: u32,
    /// Annotations that began, innermost last.
    begun: Vec<Begun>,
}

/// An annotation that began to leave something out.
struct Begun {
    what: What,
    site: Site,
    /// By the process this one was forked from, which ends it for itself.
    by_parent: bool,
}

impl Ignoring {
    fn count(&mut self, what: What) -> &mut u32 {
        match what {
            What::Reads => &mut self.reads,
            What::Writes => &mut self.writes,
            What::Synchronisation => &mut self.sync,
        }
    }
}

/// All that can be left out.
pub(super) const ALL: [What; 3] = [What::Reads, What::Writes, What::Synchronisation];

/// Begins to leave out everything: `me` enters the code of a lock.
pub(crate) fn begin_lock(me: &mut Thread) {
    ALL.into_iter().for_each(|what| begin_unplaced(me, what));
    me.ignoring.in_locks += 1;
}

/// Ends what [`begin_lock`] began.
pub(crate) fn end_lock(me: &mut Thread) {
    ALL.into_iter().for_each(|what| end_unplaced(me, what));
    me.ignoring.in_locks = me.ignoring.in_locks.saturating_sub(1);
}

/// Begins to leave out `what`, without keeping the place: for interfaces whose
/// calls cannot get out of step.
pub(crate) fn begin_unplaced(me: &mut Thread, what: What) {
    *me.ignoring.count(what) += 1;
    me.changed_ignoring();
}

impl Thread {
    /// Is synchronisation left out only because it runs the code of locks?
    pub(crate) fn is_in_lock(&self) -> bool {
        self.ignoring.sync != 0 && self.ignoring.sync == self.ignoring.in_locks
    }

    /// Runs `f` with nothing left out.
    pub(crate) fn with_all(&mut self, f: impl FnOnce()) {
        let ignoring = self.replace_ignoring([0; 3]);
        f();
        self.replace_ignoring(ignoring);
    }

    /// Leaves out reads, writes and synchronisation as many times as `new`
    /// says; as many as it was before.
    pub(crate) fn replace_ignoring(&mut self, new: [u32; 3]) -> [u32; 3] {
        let Ignoring {
            reads,
            writes,
            sync,
            ..
        } = &mut self.ignoring;
        let old = [*reads, *writes, *sync];
        [*reads, *writes, *sync] = new;
        if old != new {
            self.changed_ignoring();
        }
        old
    }

    /// What is on record in this segment would be repeated without asking
    /// whether it still counts.
    fn changed_ignoring(&mut self) {
        self.recorder.log.skip();
        self.recorder.released();
        self.publish_segment();
        self.publish_transitions();
    }
}

/// Ends what [`begin_unplaced`] began.
pub(crate) fn end_unplaced(me: &mut Thread, what: What) {
    let count = me.ignoring.count(what);
    *count = count.saturating_sub(1);
    me.publish_transitions();
}

/// An annotation at `pc` begins to leave out `what`.
pub(super) fn begin(me: &mut Thread, what: What, pc: usize) {
    let site = me.site(pc);
    me.ignoring.begun.push(Begun {
        what,
        site,
        by_parent: false,
    });
    begin_unplaced(me, what);
}

/// An annotation at `pc` ends it.
pub(super) fn end(me: &mut Thread, what: What, pc: usize) {
    let begun = &mut me.ignoring.begun;
    if let Some(last) = begun.iter().rposition(|begun| begun.what == what) {
        begun.remove(last);
        return end_unplaced(me, what);
    }
    let said = format!(
        "End of ignoring {} that was not begun, by {}:",
        what.in_words(),
        report::thread_name(me.number)
    );
    let site = me.site(pc);
    complain(&said, site);
}

/// `me` is at its end: complains about what is still left out.
pub(super) fn report_left_open(me: &mut Thread) {
    let begun = core::mem::take(&mut me.ignoring.begun);
    for Begun { what, site, .. } in begun.into_iter().filter(|begun| !begun.by_parent) {
        let said = format!(
            "At the end of {} its {} still ignored, begun at:",
            report::thread_name(me.number),
            what.being(),
        );
        complain(&said, site);
    }
}

/// The process was forked by `me`; this is the child.
pub(super) fn alone_in_child(me: &mut Thread) {
    for begun in &mut me.ignoring.begun {
        begun.by_parent = true;
    }
}

fn complain(said: &str, site: Site) {
    report::notice(&Notice {
        id: "unbalanced-annotation",
        title: "unbalanced annotation",
        said,
        thread: crate::thread::current().map_or(0, |me| me.number),
        suggestion: None,
        stack: stack::resolve(stack::intern(site.context, site.pc)),
        class: Class::Race,
        once: false,
    });
}
