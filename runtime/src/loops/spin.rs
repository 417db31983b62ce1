//! Loops that watch memory until another thread changes it.

use super::noting::Read;
use crate::access;
use crate::clock::Known;
use crate::engine::writers;
use crate::finding::Kind;
use crate::report_race;
use crate::slot;
use crate::thread::{Thread, registry};

/// How the watched bytes were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    /// Without being atomic.
    Plain,
    /// Atomically, without acquiring.
    Relaxed,
}

/// `me` has left a loop at `read.pc` because of what is now in the bytes that
/// it read there: it is ordered after whoever wrote them.
///
/// The loop's own loads have not been checked, or they were relaxed ones.
pub(super) fn left(me: &mut Thread, read: Read, load: Load) {
    if !me.recorder.follows_flags() {
        return left_otherwise(me, read, load);
    }
    let Read { addr, size, pc } = read;
    let writers = writers::unordered(&me.recorder, addr, size);
    if writers.is_empty() {
        for (slot, pos) in writers::followed(&me.recorder, addr, size) {
            let known = known(slot, pos);
            me.recorder.order_after_write(slot, pos, &known);
        }
    }
    for writer in writers {
        let known = known(writer.slot, writer.entry.pos);
        let site = me.site(pc);
        if load == Load::Relaxed && writer.entry.touch.atomic {
            let deferred = &mut me.loops.deferred;
            deferred.add_flag((addr, size), site, writer, known);
            continue;
        }
        let recorder = &mut me.recorder;
        recorder.order_after_write(writer.slot, writer.entry.pos, &known);
        // What a relaxed load has met was reported when it was made.
        if load == Load::Plain {
            report_race::report_flag(me, Kind::AdHocSync, (addr, size), &site, writer);
        }
    }
}

/// `me` has left a loop that watched the bytes for another reason, or what
/// loops watch orders nothing: the loads were like any others.
pub(super) fn left_otherwise(me: &mut Thread, read: Read, load: Load) {
    if load == Load::Plain {
        access::plain_in(me, read.addr, read.size, false, read.pc);
    }
}

/// `me` is about to write bytes of the kind that loops watch.
pub(super) fn writing(me: &mut Thread, read: Read) {
    let follows = me.recorder.follows_flags();
    if follows {
        me.recorder.before_flag();
    }
    access::plain_in(me, read.addr, read.size, true, read.pc);
    if follows {
        me.recorder.after_flag();
    }
}

/// `me` has set a relaxed variable that a loop may watch: what comes next is not
/// handed over with it.
pub(super) fn written(me: &mut Thread) {
    if me.recorder.follows_flags() {
        me.recorder.before_flag();
    }
}

/// What the writer at `pos` knew, or knows by now.
fn known(slot: u16, pos: u64) -> Known {
    slot::left_behind(slot, pos)
        .or_else(|| registry::known_now(slot))
        .unwrap_or_default()
}
