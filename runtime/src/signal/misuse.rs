//! What a signal handler must not do.
//!
//! A handler may have interrupted any function, so it may call only those that
//! can stand being interrupted by themselves, and must leave `errno` as it was.

use crate::finding::Stack;
use crate::options;
use crate::report::{self, Notice};
use crate::suppress::Class;
use crate::{stack, thread, tls};
use alloc::format;

/// A value that no function gives to `errno`.
pub(crate) const UNTOUCHED: i32 = 0x5a17;

/// Is the calling thread in a handler that interrupted it?
#[inline(always)]
pub(crate) fn in_handler() -> bool {
    thread::current().is_some_and(|me| me.handlers != 0)
}

/// A handler is about to call `function`, from `pc`, which it must not. The
/// thread has entered the runtime.
#[cold]
#[inline(never)]
pub(crate) fn unsafe_call(function: &str, pc: usize) {
    let Some(me) = thread::current() else { return };
    if !options::get().report_signal_unsafe {
        return;
    }
    let said = format!(
        "A signal handler of {} calls {function}, which it may have interrupted:",
        report::thread_name(me.number)
    );
    let site = me.site(pc);
    report::notice(&Notice {
        id: "signal-unsafe-call",
        title: "signal-unsafe call in a signal handler",
        said: &said,
        thread: me.number,
        stack: stack::resolve(stack::intern(site.context, site.pc)),
        class: Class::Signal,
        suggestion: Some(
            "let the handler set a flag or write to a pipe, and do the rest in a thread: \
             signal-safety(7) lists what a handler may call",
        ),
        once: true,
    });
}

/// The handler at `function` for `signal` has changed `errno`.
#[cold]
pub(crate) fn errno_changed(signal: i32, function: usize) {
    if !options::get().report_signal_unsafe {
        return;
    }
    tls::section(|| tell_errno_changed(signal, function));
}

fn tell_errno_changed(signal: i32, function: usize) {
    let said = format!(
        "A handler of signal {signal} changes errno, which the code it interrupted may be about \
         to read:"
    );
    report::notice(&Notice {
        id: "errno-changed-by-signal-handler",
        title: "signal handler changes errno",
        said: &said,
        thread: thread::current().map_or(0, |me| me.number),
        stack: Stack {
            // One behind what it names, as return addresses are.
            addresses: alloc::vec![function as u64 + 1],
            callers_lost: false,
        },
        class: Class::Signal,
        suggestion: Some("save errno where the handler begins and restore it where it ends"),
        once: true,
    });
}
