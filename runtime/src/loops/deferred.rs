//! Edges that are made only if something depends on them.
//!
//! A thread that was woken may have been woken for nothing: what it learns from
//! the signal is put off until it is clear whether the condition it waited for
//! tells more precisely whom it is ordered after. And a loop that watches an
//! atomic variable with relaxed loads is correct as long as nothing else is
//! handed over; if something is, the program relies on an order that nobody
//! promised it, which is worth a report, but not one for each thing handed
//! over.

use crate::clock::{Known, Released};
use crate::engine::Met;
use crate::engine::writers::Writer;
use crate::finding::Kind;
use crate::log::site::Site;
use crate::recorder::Recorder;
use crate::report_race;
use crate::thread::Thread;
use alloc::vec::Vec;

/// Flags remembered of a thread.
const FLAGS: usize = 32;

/// A relaxed variable that ended a loop.
struct Flag {
    at: (usize, usize),
    /// The loop.
    site: Site,
    writer: Writer,
    known: Known,
}

/// A wait that returned.
struct Wakeup {
    condvar: usize,
    released: Released,
    /// [`Recorder::flows`] then.
    flows: u64,
}

/// A thread's put-off edges.
#[derive(Default)]
pub(super) struct Deferred {
    flags: Vec<Flag>,
    wakeup: Option<Wakeup>,
}

impl Deferred {
    /// The thread was woken on `condvar`.
    pub(super) fn woken(&mut self, condvar: usize, released: &Released, recorder: &Recorder) {
        self.wakeup = Some(Wakeup {
            condvar,
            released: released.clone(),
            flows: recorder.flows(),
        });
    }

    /// What the thread was woken on last; 0 if that means nothing any more.
    pub(super) fn woken_on(&self) -> usize {
        self.wakeup.as_ref().map_or(0, |wakeup| wakeup.condvar)
    }

    /// It waits again, or has learnt all it waited for: being woken meant
    /// nothing.
    pub(super) fn forget_wakeup(&mut self) {
        self.wakeup = None;
    }

    /// Was it woken on `condvar`, and has no data flowed to it since?
    pub(super) fn is_in_the_dark(&self, condvar: usize, recorder: &Recorder) -> bool {
        let wakeup = self.wakeup.as_ref();
        wakeup.is_some_and(|w| w.condvar == condvar && w.flows == recorder.flows())
    }

    /// Nobody will tell more precisely.
    #[inline]
    pub(super) fn settle(&mut self, recorder: &mut Recorder) {
        if let Some(wakeup) = self.wakeup.take() {
            recorder.acquire(&wakeup.released);
        }
    }

    /// The relaxed variable `at` ended a loop at `site`.
    pub(super) fn add_flag(
        &mut self,
        at: (usize, usize),
        site: Site,
        writer: Writer,
        known: Known,
    ) {
        self.flags.retain(|flag| flag.at != at);
        if self.flags.len() == FLAGS {
            self.flags.remove(0);
        }
        self.flags.push(Flag {
            at,
            site,
            writer,
            known,
        });
    }
}

impl Flag {
    fn orders(&self, slot: u16, pos: u64) -> bool {
        pos < self.known.get(slot) || (slot == self.writer.slot && pos <= self.writer.entry.pos)
    }
}

/// Does a put-off edge of `me` order the access that it has met? Then the edge
/// is made.
#[cold]
pub fn explains(me: &mut Thread, met: &Met) -> bool {
    let (slot, pos) = (met.conflict.slot, met.conflict.entry.pos);
    let deferred = &mut me.loops.deferred;
    let is_woken = |wakeup: &Wakeup| wakeup.released.has_seen(slot, pos);
    if deferred.wakeup.as_ref().is_some_and(is_woken) {
        deferred.settle(&mut me.recorder);
        me.publish_segment();
        return true;
    }
    let flags = &mut deferred.flags;
    let Some(which) = flags.iter().position(|flag| flag.orders(slot, pos)) else {
        return false;
    };
    let flag = flags.swap_remove(which);
    let writer = flag.writer;
    let recorder = &mut me.recorder;
    recorder.order_after_write(writer.slot, writer.entry.pos, &flag.known);
    me.publish_segment();
    report_race::report_flag(me, Kind::RelaxedSync, flag.at, &flag.site, writer);
    true
}
