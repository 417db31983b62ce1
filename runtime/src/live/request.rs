//! A signal that asks for a dump.
//!
//! There is a handler only if `dump_signal` names a signal, for a handler is
//! something a program can notice: the default action of most signals ends it,
//! and some system calls return early when a handler ran. The handler is not
//! the program's, so its own questions are answered as if it were not there,
//! and whatever the program installs for that signal takes its place.
//!
//! Who sends the signal with `sigqueue` gets the answer in a file: the value
//! is a descriptor of the sender (`racert ctl PID dump` does that). Else it
//! goes where reports go.

use crate::os::{self, File};
use crate::report::dump;
use crate::signal::deliver::{self, WAITING};
use crate::symbol::unwind::Position;
use crate::tls;
use alloc::format;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering};
use libc::{siginfo_t, ucontext_t};

/// One dump at a time.
static BUSY: AtomicBool = AtomicBool::new(false);

/// What the kernel calls.
pub(crate) unsafe extern "C" fn on_request(
    signal: c_int,
    info: *mut siginfo_t,
    context: *mut c_void,
) {
    let context: *mut ucontext_t = context.cast();
    // SAFETY: this thread's own block.
    if unsafe { (*tls::block()).inside } & !WAITING == 1 {
        // SAFETY: as the kernel passed them.
        return unsafe { deliver::put_off(signal, info, context) };
    }
    tls::section(|| {
        if BUSY.swap(true, Ordering::Acquire) {
            return;
        }
        // SAFETY: the kernel's descriptions.
        let (at, to) = unsafe {
            let registers = &(*context).uc_mcontext.gregs;
            let register = |number: c_int| registers[number as usize] as u64;
            let at = Position::new(register(libc::REG_RIP), register(libc::REG_RSP))
                .with_base(register(libc::REG_RBP));
            (at, destination(&*info))
        };
        let _signals = os::block_signals();
        os::on_fresh_stack(|| dump::write(at, to));
        BUSY.store(false, Ordering::Release);
    });
}

/// The file that the sender wants the answer in.
fn destination(info: &siginfo_t) -> Option<File> {
    if info.si_code != libc::SI_QUEUE {
        return None;
    }
    // SAFETY: a queued signal has a sender and a value.
    let (sender, value) = unsafe { (info.si_pid(), info.si_value().sival_ptr.addr()) };
    let path = format!("/proc/{sender}/fd/{}", value as i32);
    File::append_to(path.as_bytes()).ok()
}

/// In a forked child, where nobody writes the dump that the parent writes.
pub(crate) fn alone_in_child() {
    BUSY.store(false, Ordering::Relaxed);
}
