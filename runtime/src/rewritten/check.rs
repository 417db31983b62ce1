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

use crate::engine::How;
use crate::sync::table;
use crate::thread::{self, Thread};
use crate::{access, tls};
use core::arch::{asm, global_asm};
use racert_abi::rewritten::{SITE, kind};

/// The largest access that the engine takes at once.
const AT_ONCE: u32 = 16;

global_asm!(
    ".section .tbss.__racert_rewritten,\"awT\",@nobits",
    ".hidden __racert_rewritten",
    ".globl __racert_rewritten",
    ".type __racert_rewritten, @object",
    ".size __racert_rewritten, 8",
    ".p2align 3",
    "__racert_rewritten:",
    ".zero 8",
    ".text",
);

/// This thread's sync variable to be acquired once more; 0 if there is none.
fn pending() -> &'static mut usize {
    let p: *mut usize;
    // SAFETY: reads the thread pointer and a link-time constant; only this
    // thread uses what is there, and no reference outlives its statement.
    unsafe {
        asm!(
            "mov {p}, qword ptr fs:0",
            "add {p}, qword ptr [rip + __racert_rewritten@gottpoff]",
            p = out(reg) p,
            options(pure, readonly, nostack),
        );
        &mut *p
    }
}

/// A check that the rewritten code could not settle itself; it returns to
/// `site`, behind which is the distance to the original instruction's end.
#[cfg_attr(test, expect(dead_code, reason = "entered by assembly only"))]
pub(super) extern "C" fn check(addr: usize, len: usize, code: u32, site: usize) {
    // SAFETY: every call of a check is followed by these bytes.
    let distance = unsafe { ((site + SITE.len()) as *const i32).read_unaligned() };
    let pc = site.wrapping_add_signed(distance as isize);
    let (operation, size) = kind::parts(code);
    match operation {
        kind::READ | kind::WRITE => plain(addr, size, operation == kind::WRITE, pc),
        kind::READ_RANGE | kind::WRITE_RANGE => {
            inside(|_| range(addr, len, operation == kind::WRITE_RANGE, pc));
        }
        kind::ATOMIC_BEGIN => inside(|me| {
            record(me, addr, size, true, pc);
            publish(me, addr);
        }),
        kind::ATOMIC_END => inside(|me| learn(me, addr)),
        _ => {}
    }
}

/// Runs `f` inside the runtime, with what was read before made known.
fn inside(f: impl FnOnce(&mut Thread)) {
    let Some(_inside) = tls::enter() else { return };
    let Some(me) = thread::current() else { return };
    let read = core::mem::take(pending());
    if read != 0 {
        learn(me, read);
    }
    f(me);
}

fn plain(addr: usize, size: u32, write: bool, pc: usize) {
    let mut settled = false;
    inside(|me| {
        settled = size > AT_ONCE || (size <= 8 && table::find(addr).is_some());
        if size > AT_ONCE {
            range(addr, size as usize, write, pc);
        } else if settled {
            record(me, addr, size, write, pc);
            if write {
                publish(me, addr);
            } else {
                learn(me, addr);
                *pending() = addr;
            }
        }
    });
    if !settled {
        access::plain(addr, size as usize, write, pc);
    }
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

fn record(me: &mut Thread, addr: usize, size: u32, write: bool, pc: usize) {
    let how = How {
        write,
        atomic: true,
    };
    access::atomic(me, addr, size as usize, how, pc);
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
