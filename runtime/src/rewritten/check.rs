//! What a check in rewritten code means to the detector.
//!
//! Machine code does not tell an acquire load or a release store from a plain
//! one. An address that a locked instruction, or a sync operation of the
//! program, has used before counts as a sync variable: loads there acquire,
//! stores there release. So does the first store behind a full fence: nothing
//! else is a fence of use for.
//!
//! The check runs before the load, so what the load sees may have been
//! published in between. The thread therefore acquires once more at its next
//! check: before anything it does afterwards is compared. If nobody knew the
//! variable for one when it was loaded, that is found out when an access
//! afterwards would be a race: what was [loaded last](Local::recent) has become
//! a sync variable then.

use super::activations::{self, Activations};
use super::callers::{self, Callers};
use super::calls::Calls;
use super::modules;
use super::places::Places;
use super::repeat;
use super::unwind::{self, Position};
use crate::engine::{self, How};
use crate::log::Entry;
use crate::log::site::Site;
use crate::shadow::word::Word;
use crate::sync::table;
use crate::thread::{self, Thread};
use crate::tls::{self, Frame};
use crate::{access, internal_error, stack};
#[cfg(not(test))]
use core::mem::offset_of;
use racert_abi::rewritten::{SITE, SITE_LEN, depth, frame, kind};

/// The largest access that the engine takes at once.
const AT_ONCE: u32 = 16;
/// Loads that may yet turn out to be of sync variables.
pub(super) const RECENT: usize = 8;

/// What rewritten code needs of each thread.
#[derive(Default)]
pub(crate) struct Local {
    /// The sync variable to be acquired once more; 0 if there is none.
    pending: usize,
    /// A fence was the last thing but loads.
    fenced: bool,
    /// Addresses loaded last, in a circle.
    recent: [usize; RECENT],
    loads: usize,
    /// The record of the access that assembly has found no place for.
    record: u64,
    pub(crate) activations: Activations,
    pub(super) places: Places,
    pub(super) calls: Calls,
}

impl Local {
    /// Where assembly finds its parts.
    #[cfg(not(test))]
    pub(super) const PENDING: usize = offset_of!(Local, pending);
    #[cfg(not(test))]
    pub(super) const FENCED: usize = offset_of!(Local, fenced);
    #[cfg(not(test))]
    pub(super) const RECENT: usize = offset_of!(Local, recent);
    #[cfg(not(test))]
    pub(super) const LOADS: usize = offset_of!(Local, loads);
    #[cfg(not(test))]
    pub(super) const RECORD: usize = offset_of!(Local, record);
    #[cfg(not(test))]
    pub(super) const PLACES: usize = offset_of!(Local, places);
    #[cfg(not(test))]
    pub(super) const CALLS: usize = offset_of!(Local, calls);

    #[inline]
    fn loaded(&mut self, addr: usize) {
        self.recent[self.loads % RECENT] = addr;
        self.loads = self.loads.wrapping_add(1);
    }
}

/// A check that the rewritten code could not settle itself; `len` is the length
/// of a range, or what code addresses are reduced by to become numbers. It
/// returns to `site`, with the stack at `sp` and `bp` in `rbp`.
#[cfg_attr(test, expect(dead_code, reason = "entered by assembly only"))]
pub(super) extern "C" fn check(
    addr: usize,
    len: usize,
    code: u32,
    site: usize,
    sp: usize,
    bp: usize,
) {
    tls::section(move || check_entered((addr, len), code, site, sp, bp));
}

/// As [`check`], but assembly has entered the runtime.
#[cfg_attr(test, expect(dead_code, reason = "entered by assembly only"))]
pub(super) extern "C" fn check_inside(
    addr: usize,
    len: usize,
    code: u32,
    site: usize,
    sp: usize,
    bp: usize,
) {
    // SAFETY: that is what the caller did.
    let _inside = unsafe { tls::entered() };
    internal_error::caught(move || check_entered((addr, len), code, site, sp, bp));
}

/// As [`check_inside`], of a plain access within a granule, no sync variable's,
/// that is not on record in this segment. Its function's activation is the
/// innermost and has a context, and its record is in [`Local`].
#[cfg_attr(test, expect(dead_code, reason = "entered by assembly only"))]
pub(super) extern "C" fn check_recorded(addr: usize, _: usize, code: u32, check: usize) {
    // SAFETY: that is what the caller did.
    let _inside = unsafe { tls::entered() };
    internal_error::caught(move || recorded(addr, code, check));
}

fn recorded(addr: usize, code: u32, check: usize) {
    let (operation, size) = kind::parts(code);
    let Some(me) = thread::current() else { return };
    let Some(callers) = activations::innermost() else {
        return;
    };
    let mut site = site_of(Behind::of(check).pc(check), callers);
    site.fresh = Word(me.rewritten.record);
    finish(me, addr, size, operation == kind::WRITE, &site);
}

/// Assembly has left the runtime and signals wait.
#[cfg_attr(test, expect(dead_code, reason = "entered by assembly only"))]
pub(super) extern "C" fn leave() {
    crate::signal::deliver::left();
}

#[inline]
fn check_entered((addr, len): (usize, usize), code: u32, check: usize, sp: usize, bp: usize) {
    let (operation, size) = kind::parts(code);
    let Some(me) = thread::current() else { return };
    let read = core::mem::take(&mut me.rewritten.pending);
    if read != 0 {
        learn(me, read);
    }
    match operation {
        kind::ATOMIC_END => return learn(me, addr),
        kind::FENCE => return fence(me),
        _ => {}
    }
    let behind = Behind::of(check);
    let pc = behind.pc(check);
    let at = Position {
        pc,
        sp: sp + depth::bytes(behind.prefix),
        bp,
    };
    let callers = find_callers(me, at, behind.frame, sp);
    let mut site = match callers {
        Some(callers) => site_of(pc, callers),
        None => me.site(pc),
    };
    match operation {
        kind::READ | kind::WRITE => {
            let write = operation == kind::WRITE;
            let is_plain = !(write && me.rewritten.fenced);
            if !is_plain || !repeat::access(me, (addr, size), write, len as u64, &mut site) {
                plain(me, addr, size, write, &site, callers);
            } else if !write {
                me.rewritten.loaded(addr);
            }
        }
        kind::READ_RANGE | kind::WRITE_RANGE => {
            range(addr, len, operation == kind::WRITE_RANGE, pc, callers);
        }
        kind::RELEASE => release(me, addr, size, &site),
        _ => {
            // From here on, loads of it are atomic ones.
            let _ = table::find_or_make(addr);
            record(me, addr, size, (true, Atomic::Locked), &site);
            publish(me, addr);
        }
    }
}

/// What is behind the call of a check; see [`SITE`].
#[derive(Clone, Copy)]
#[repr(C)]
struct Behind {
    prefix: u8,
    opcode: [u8; 3],
    frame: u8,
    distance: [u8; 4],
}

const _: () = assert!(size_of::<Behind>() == SITE_LEN);

impl Behind {
    #[inline]
    fn of(check: usize) -> Behind {
        // SAFETY: every call of a check is followed by these bytes.
        let behind = unsafe { *(check as *const Behind) };
        debug_assert_eq!(behind.opcode, SITE);
        behind
    }

    /// The end of the instruction that the check is for.
    #[inline]
    fn pc(self, check: usize) -> usize {
        check.wrapping_add_signed(i32::from_le_bytes(self.distance) as isize)
    }
}

/// Who called the function of the check at `at`, where the stack pointer is
/// `sp`.
#[inline]
fn find_callers(me: &mut Thread, at: Position, frame: u8, sp: usize) -> Option<Callers> {
    let place = match frame {
        frame::UNKNOWN => return callers::follow(at, me.context()),
        frame::BY_ROW => unwind::return_slot(at)?,
        frame::BY_RBP => at.bp.wrapping_add(8),
        words => sp + usize::from(words) * 8,
    };
    activations::find(me, at, place)
}

fn site_of(pc: usize, callers: Callers) -> Site {
    Site {
        pc: pc as u64,
        context: callers.context,
        return_address: callers.return_address,
        outer: callers.outer,
        free: false,
        fresh: Word::EMPTY,
    }
}

/// Runs `f` with `callers` on the shadow call stack. The caller has entered the
/// runtime.
fn with_callers(callers: Option<Callers>, f: impl FnOnce()) {
    let block = tls::block();
    // SAFETY: this thread's own block.
    let top = unsafe { (*block).frames };
    let Some(callers) = callers.filter(|_| !top.is_null()) else {
        return f();
    };
    // SAFETY: a shadow stack has room for at least as many frames as the real
    // one; two are borrowed until `f` is done.
    unsafe {
        top.write(Frame {
            return_address: 0,
            context: callers.outer.into(),
        });
        top.add(1).write(Frame {
            return_address: callers.return_address,
            context: callers.context.into(),
        });
        (*block).frames = top.add(2);
        f();
        (*block).frames = top;
    }
}

/// A full fence: what was loaded before counts, and the next store publishes.
fn fence(me: &mut Thread) {
    for addr in core::mem::take(&mut me.rewritten.recent) {
        learn(me, addr);
    }
    me.rewritten.fenced = true;
    // So that the next store comes here.
    me.recorder.before_flag();
    me.publish_segment();
}

/// A plain instruction.
fn plain(
    me: &mut Thread,
    addr: usize,
    size: u32,
    write: bool,
    site: &Site,
    callers: Option<Callers>,
) {
    if size > AT_ONCE {
        range(addr, size as usize, write, site.pc as usize, callers);
    } else if write && size <= 8 && core::mem::take(&mut me.rewritten.fenced) {
        release(me, addr, size, site);
    } else if size > 8 || table::find(addr).is_none() {
        if !engine::is_recorded(&me.recorder, addr, size as usize, write) {
            finish(me, addr, size, write, site);
        } else if !write {
            me.rewritten.loaded(addr);
        }
    } else {
        record(me, addr, size, (write, Atomic::Plain), site);
        if write {
            publish(me, addr);
        } else {
            learn(me, addr);
            me.rewritten.pending = addr;
        }
    }
}

/// A plain instruction on what is not known for a sync variable, and not on
/// record.
fn finish(me: &mut Thread, addr: usize, size: u32, write: bool, site: &Site) {
    if record_new(me, addr, size, (write, Atomic::Unknown), site) {
        learn(me, addr);
        me.rewritten.pending = addr;
    } else if !write {
        me.rewritten.loaded(addr);
    }
}

/// A store that publishes.
fn release(me: &mut Thread, addr: usize, size: u32, site: &Site) {
    let _ = table::find_or_make(addr);
    record(me, addr, size, (true, Atomic::Plain), site);
    publish(me, addr);
}

/// What is known of an instruction that touches memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Atomic {
    /// It may be an atomic one.
    Unknown,
    /// It is a plain instruction on a sync variable.
    Plain,
    /// It is locked.
    Locked,
}

fn range(addr: usize, len: usize, write: bool, pc: usize, callers: Option<Callers>) {
    if len == 0 {
        return;
    }
    with_callers(callers, || {
        if write {
            access::write_range(addr, len, pc);
        } else {
            access::read_range(addr, len, pc);
        }
    });
}

/// Records an access, if it is not on record.
fn record(me: &mut Thread, addr: usize, size: u32, what: (bool, Atomic), site: &Site) {
    if !engine::is_recorded(&me.recorder, addr, size as usize, what.0) {
        record_new(me, addr, size, what, site);
    }
}

/// Records an access; true if it was a load that has just turned out to be an
/// atomic one.
fn record_new(
    me: &mut Thread,
    addr: usize,
    size: u32,
    (write, atomic): (bool, Atomic),
    site: &Site,
) -> bool {
    let how = How {
        write,
        atomic: atomic != Atomic::Unknown,
    };
    let mut is_atomic = false;
    let recent = me.rewritten.recent;
    // Whatever the kind: the caller has entered the runtime.
    access::at_site(me, (addr, size as usize), how, site, |me, met| {
        let earlier = met.conflict.entry;
        match atomic {
            Atomic::Unknown => {}
            Atomic::Plain => return is_rewritten(&earlier),
            Atomic::Locked => return is_rewritten(&earlier) && !earlier.touch.write,
        }
        is_atomic = !write && size <= 8 && earlier.touch.atomic && table::find(addr).is_some();
        is_atomic || was_published(me, &recent, met.conflict.slot, earlier.pos)
    });
    is_atomic
}

/// Was the access at `pos` of `slot` made known through a variable that this
/// thread has loaded since, before anybody could know that it is atomic?
#[cold]
fn was_published(me: &mut Thread, recent: &[usize], slot: u16, pos: u64) -> bool {
    for &addr in recent.iter().filter(|addr| **addr != 0) {
        learn(me, addr);
    }
    me.recorder.clock.get(slot) > pos
}

/// Was it a plain instruction of rewritten code, made before anybody could know
/// that the variable is an atomic one? Then it may have been an atomic access,
/// too.
fn is_rewritten(earlier: &Entry) -> bool {
    let is_plain = !earlier.touch.atomic && !earlier.free && earlier.unit <= 8;
    is_plain && modules::row(stack::innermost(earlier.stack) as usize).is_some()
}

fn publish(me: &mut Thread, addr: usize) {
    if let Some(object) = table::find_or_make(addr) {
        me.recorder.release_join(&mut object.lock().released);
        me.publish_segment();
    }
}

fn learn(me: &mut Thread, addr: usize) {
    if let Some(object) = table::find(addr) {
        me.recorder.acquire(&object.lock().released);
        me.publish_segment();
    }
}
