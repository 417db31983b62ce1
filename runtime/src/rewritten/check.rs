//! What a check in rewritten code means to the detector.
//!
//! Machine code does not tell an acquire load or a release store from a plain
//! one. An address that a locked instruction, or a sync operation of the
//! program, has used before counts as a sync variable: loads there acquire,
//! stores there release.
//!
//! The check runs before the load, so what the load sees may have been
//! published in between. The thread therefore acquires once more at its next
//! check: before anything it does afterwards is compared.

use super::modules;
use super::unwind::{self, Known, Position};
use crate::engine::How;
use crate::log::Entry;
use crate::sync::table;
use crate::thread::{self, Thread};
use crate::{access, stack, tls};
use core::arch::{asm, global_asm};
use racert_abi::rewritten::{SITE, depth, kind};

/// The largest access that the engine takes at once.
const AT_ONCE: u32 = 16;

global_asm!(
    ".section .tbss.__racert_rewritten,\"awT\",@nobits",
    ".hidden __racert_rewritten",
    ".globl __racert_rewritten",
    ".type __racert_rewritten, @object",
    ".size __racert_rewritten, 264",
    ".p2align 3",
    "__racert_rewritten:",
    ".zero 264",
    ".text",
);

/// What rewritten code needs of each thread.
#[repr(C)]
struct Local {
    /// The sync variable to be acquired once more; 0 if there is none.
    pending: usize,
    chains: [Known; 16],
}

const _: () = assert!(size_of::<Local>() == 264);

/// This thread's own.
fn local() -> *mut Local {
    let p: *mut Local;
    // SAFETY: reads the thread pointer and a link-time constant.
    unsafe {
        asm!(
            "mov {p}, qword ptr fs:0",
            "add {p}, qword ptr [rip + __racert_rewritten@gottpoff]",
            p = out(reg) p,
            options(pure, readonly, nostack),
        );
    }
    p
}

/// A check that the rewritten code could not settle itself; it returns to
/// `site`, with the stack at `sp` and `bp` in `rbp`.
#[cfg_attr(test, expect(dead_code, reason = "entered by assembly only"))]
pub(super) extern "C" fn check(
    addr: usize,
    len: usize,
    code: u32,
    site: usize,
    sp: usize,
    bp: usize,
) {
    let behind = (site + SITE.len()) as *const u8;
    // SAFETY: every call of a check is followed by these bytes.
    let (depth, distance) = unsafe { (*behind, behind.add(1).cast::<i32>().read_unaligned()) };
    let pc = site.wrapping_add_signed(distance as isize);
    let at = Position {
        pc,
        sp: sp + depth::bytes(depth),
        bp,
    };
    let (operation, size) = kind::parts(code);
    let Some(_inside) = tls::enter() else { return };
    let Some(me) = thread::current() else { return };
    // SAFETY: this thread's own, and it is inside the runtime only once.
    let local = unsafe { &mut *local() };
    let read = core::mem::take(&mut local.pending);
    if read != 0 {
        learn(me, read);
    }
    if operation == kind::ATOMIC_END {
        return learn(me, addr);
    }
    let Local { pending, chains } = local;
    let below = me.context();
    unwind::with_callers(at, below, chains, || match operation {
        kind::READ | kind::WRITE => {
            if plain(me, addr, size, operation == kind::WRITE, pc) {
                *pending = addr;
            }
        }
        kind::READ_RANGE | kind::WRITE_RANGE => {
            range(addr, len, operation == kind::WRITE_RANGE, pc);
        }
        _ => {
            // From here on, loads of it are atomic ones.
            let _ = table::find_or_make(addr);
            record(me, addr, size, (true, true), pc);
            publish(me, addr);
        }
    });
}

/// A plain instruction; true if its variable must be acquired once more.
fn plain(me: &mut Thread, addr: usize, size: u32, write: bool, pc: usize) -> bool {
    if size > AT_ONCE {
        range(addr, size as usize, write, pc);
    } else if size > 8 || table::find(addr).is_none() {
        if record(me, addr, size, (write, false), pc) {
            learn(me, addr);
            return true;
        }
    } else {
        record(me, addr, size, (write, true), pc);
        if !write {
            learn(me, addr);
            return true;
        }
        publish(me, addr);
    }
    false
}

fn range(addr: usize, len: usize, write: bool, pc: usize) {
    if len == 0 {
        return;
    }
    if write {
        access::write_range(addr, len, pc);
    } else {
        access::read_range(addr, len, pc);
    }
}

/// Records an access; true if it was a load that has just turned out to be an
/// atomic one.
fn record(
    me: &mut Thread,
    addr: usize,
    size: u32,
    (write, atomic): (bool, bool),
    pc: usize,
) -> bool {
    let how = How { write, atomic };
    let mut is_atomic = false;
    // Whatever the kind: the caller has entered the runtime.
    access::unless(me, (addr, size as usize), how, pc, |met| {
        let earlier = met.conflict.entry;
        if atomic {
            return is_load(&earlier);
        }
        is_atomic = !write && size <= 8 && earlier.touch.atomic && table::find(addr).is_some();
        is_atomic
    });
    is_atomic
}

/// Was it a load by rewritten code, made before anybody could know that the
/// variable is an atomic one? Atomic loads are plain instructions.
fn is_load(earlier: &Entry) -> bool {
    let is_plain = !earlier.touch.write && !earlier.touch.atomic && earlier.unit <= 8;
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
