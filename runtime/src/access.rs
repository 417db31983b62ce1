//! From "this thread touches that memory" to a verdict.

use crate::engine::{self, How, Met};
use crate::log::reclaim;
use crate::log::site::Site;
use crate::shadow::word::Word;
use crate::thread::{self, Thread};
use crate::{ceiling, intercept, internal_error, loops, report_race, tls};

/// A plain access by instrumented code, from [`crate::entry`]; `fresh` is its
/// record or 0.
#[inline(always)]
pub(crate) fn plain(addr: usize, size: usize, write: bool, pc: usize, fresh: u64) {
    if internal_error::is_caught() {
        plain_caught(addr, size, write, pc, fresh);
    } else if let Some(_inside) = tls::enter() {
        plain_inside(addr, size, write, pc, fresh);
    }
}

// Apart, so that what most programs do is in one place and part of its caller.
#[cold]
#[inline(never)]
fn plain_caught(addr: usize, size: usize, write: bool, pc: usize, fresh: u64) {
    tls::section(move || plain_inside(addr, size, write, pc, fresh));
}

#[inline(always)]
fn plain_inside(addr: usize, size: usize, write: bool, pc: usize, fresh: u64) {
    let Some(me) = thread::current() else { return };
    if !write && me.loops.noting.note(addr, size, pc) {
        return;
    }
    let how = How {
        write,
        atomic: false,
    };
    check(me, addr, size, how, pc, fresh);
}

/// A plain access that has no check of its own in the program's code; the
/// caller has entered the runtime.
pub(crate) fn plain_in(me: &mut Thread, addr: usize, size: usize, write: bool, pc: usize) {
    let how = How {
        write,
        atomic: false,
    };
    check(me, addr, size, how, pc, 0);
}

#[inline]
fn check(me: &mut Thread, addr: usize, size: usize, how: How, pc: usize, fresh: u64) {
    check_unless(me, (addr, size), how, pc, fresh, |_, _| false);
}

/// As [`check`], but what `excuses` says of an earlier access is not reported.
#[inline]
fn check_unless(
    me: &mut Thread,
    access: (usize, usize),
    how: How,
    pc: usize,
    fresh: u64,
    excuses: impl FnOnce(&mut Thread, &Met) -> bool,
) {
    let mut site = me.site(pc);
    site.fresh = Word(fresh);
    at_site(me, access, how, &site, excuses);
}

/// An access at `site`; what `excuses` says of an earlier one is not reported.
/// The caller has entered the runtime.
#[inline]
pub(crate) fn at_site(
    me: &mut Thread,
    (addr, size): (usize, usize),
    how: How,
    site: &Site,
    excuses: impl FnOnce(&mut Thread, &Met) -> bool,
) {
    if me.ignores(how) {
        return;
    }
    let met = engine::access(&mut me.recorder, addr, size, how, site);
    if let Some(met) = met
        && !is_explained(me, &met, (addr, size), how, site)
        && !excuses(me, &met)
    {
        report_race::report(me, addr, size, how, site, met);
    }
    upkeep(me);
}

/// Does an edge that was put off order the access after what it has met? Then
/// it is made once more: a state that it has brought about is not true.
#[cold]
fn is_explained(
    me: &mut Thread,
    met: &Met,
    (addr, len): (usize, usize),
    how: How,
    site: &Site,
) -> bool {
    let explained = loops::explains(me, met);
    if explained && engine::goes_by_states(&me.recorder) {
        engine::deleting(&mut me.recorder, addr, len);
        let mut site = *site;
        site.fresh = Word::EMPTY;
        engine::range(&mut me.recorder, addr, len, how, &site);
    }
    explained
}

/// What has to be done now and then, when no lock is held.
#[inline]
pub(crate) fn upkeep(me: &mut Thread) {
    me.renew_if_worn();
    if reclaim::is_due() {
        reclaim::run();
    }
    ceiling::passed(me);
}

/// An atomic access; the caller has entered the runtime.
#[inline]
pub(crate) fn atomic(me: &mut Thread, addr: usize, size: usize, how: How, pc: usize) {
    if !how.write {
        me.loops.noting.note_atomic(addr, size, pc);
    }
    let current = me.recorder.current();
    if me.recent.has(addr, size, how.write, current) {
        return;
    }
    if !me.recorder.is_fresh() && engine::is_recorded(&me.recorder, addr, size, how.write) {
        return me.recent.put(addr, size, how.write, current);
    }
    let mut site = me.site(pc);
    if !me.ignores(how) && engine::renew(&mut me.recorder, addr, size, how.write, &mut site) {
        return upkeep(me);
    }
    at_site(me, (addr, size), how, &site, |_, _| false);
}

fn range(addr: usize, len: usize, how: How, pc: usize) {
    if thread::alone() {
        return;
    }
    let Some(me) = thread::current() else { return };
    if me.ignores(how) {
        return;
    }
    if engine::is_range_recorded(&me.recorder, addr, len, how.write) {
        return;
    }
    let site = me.site(pc);
    let met = engine::range(&mut me.recorder, addr, len, how, &site);
    if let Some(met) = met
        && !is_explained(me, &met, (addr, len), how, &site)
    {
        report_race::report(me, addr, len, how, &site, met);
    }
    upkeep(me);
}

/// A call at `pc` reads `[addr, addr + len)`. The caller has entered the
/// runtime.
pub fn read_range(addr: usize, len: usize, pc: usize) {
    range(
        addr,
        len,
        How {
            write: false,
            atomic: false,
        },
        pc,
    );
}

/// A call at `pc` writes `[addr, addr + len)`. The caller has entered the
/// runtime.
pub fn write_range(addr: usize, len: usize, pc: usize) {
    range(
        addr,
        len,
        How {
            write: true,
            atomic: false,
        },
        pc,
    );
}

const WRITE: How = How {
    write: true,
    atomic: false,
};

/// The calling thread, if what the heap does for it counts, and the site of its
/// call at `pc`.
fn at_heap(pc: usize) -> Option<(&'static mut Thread, Site)> {
    if thread::alone() {
        return None;
    }
    let me = thread::current()?;
    if me.ignores(WRITE) {
        return None;
    }
    let mut site = me.site(pc);
    site.free = true;
    Some((me, site))
}

/// The vtable pointer at `addr` is read or written at `pc`. The caller has
/// entered the runtime.
pub(crate) fn vptr(addr: usize, write: bool, pc: usize) {
    let how = How {
        write,
        atomic: false,
    };
    let Some(me) = thread::current() else { return };
    if me.ignores(how) || engine::is_range_recorded(&me.recorder, addr, 8, write) {
        return;
    }
    let site = me.site(pc);
    let met = engine::range(&mut me.recorder, addr, 8, how, &site);
    if let Some(met) = met {
        report_race::report_vptr(me, addr, how, &site, met);
    }
    upkeep(me);
}

/// The object at `addr` is being destroyed, or made: either way it is the
/// calling thread's alone. If it has a heap block for itself, so is the block.
/// The caller has entered the runtime.
pub(crate) fn deleting(addr: usize) {
    let Some(me) = thread::current() else { return };
    if engine::marks_deleted(&me.recorder)
        && let Some(block) = intercept::find_block(addr)
        && block.start == addr
    {
        engine::deleting(&mut me.recorder, addr, block.size);
    }
}

/// A call at `pc` gives `[addr, addr + len)` back to the heap.
pub(crate) fn free_range(addr: usize, len: usize, pc: usize) {
    let Some((me, site)) = at_heap(pc) else {
        return;
    };
    let met = engine::given_back(&mut me.recorder, addr, len, &site);
    if let Some(met) = met
        && !loops::explains(me, &met)
    {
        report_race::report(me, addr, len, WRITE, &site, met);
    }
    upkeep(me);
}

/// A call at `pc` has got `[addr, addr + len)` from the heap, and nothing is
/// recorded about it.
pub(crate) fn allocated_range(addr: usize, len: usize, pc: usize) {
    if let Some((me, site)) = at_heap(pc) {
        engine::handed_out(&mut me.recorder, addr, len, &site);
        upkeep(me);
    }
}
