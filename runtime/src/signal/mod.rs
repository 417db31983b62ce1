//! The program's signal handlers.
//!
//! A handler is called by [`deliver::on_signal`], which the kernel calls in its
//! place. If the signal finds the thread inside the runtime, it is put off
//! until the thread leaves: the handler then runs like any other code, and what
//! it releases or acquires counts. Faults are not put off, for the thread
//! cannot go on.
//!
//! Whoever installs a handler or sends a signal comes before the handler. What
//! a handler must not do, because it may have interrupted the same, is
//! reported: see [`misuse`].

pub(crate) mod deliver;
pub(crate) mod misuse;

use crate::sync::channel::{self, Channel, Class};
use core::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// Signals are numbered from 1 to this.
pub(crate) const LAST: i32 = 64;
const SIZE: usize = LAST as usize + 1;

/// The program's handlers and the flags it gave for them.
static HANDLERS: [AtomicUsize; SIZE] = [const { AtomicUsize::new(0) }; SIZE];
static FLAGS: [AtomicI32; SIZE] = [const { AtomicI32::new(0) }; SIZE];

/// A handler as the program installed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handler {
    /// The function.
    pub(crate) function: usize,
    /// `SA_*`
    pub(crate) flags: i32,
}

/// What the program installed last for `signal`.
pub(crate) fn handler(signal: i32) -> Handler {
    Handler {
        function: HANDLERS[signal as usize].load(Ordering::Acquire),
        flags: FLAGS[signal as usize].load(Ordering::Acquire),
    }
}

/// Whether the program handles `signal` by a function.
pub(crate) fn is_handled(signal: i32) -> bool {
    let function = handler(signal).function;
    !matches!(function, libc::SIG_DFL | libc::SIG_IGN | libc::SIG_ERR)
}

/// Notes what the program installs for `signal`.
pub(crate) fn set_handler(signal: i32, handler: Handler) {
    FLAGS[signal as usize].store(handler.flags, Ordering::Release);
    HANDLERS[signal as usize].store(handler.function, Ordering::Release);
}

/// Stands for signals of all numbers: where nobody knows which one it will be.
const ANY: u64 = 0;

/// The calling thread is about to send `signal` or to install a handler for
/// it; 0 if it is not known which. It has entered the runtime.
pub(crate) fn sending(signal: i32) {
    channel::send(Channel::new(Class::Signal, ANY));
    if signal > 0 {
        channel::send(Channel::new(Class::Signal, signal as u64));
    }
}

/// The calling thread has received `signal`. It has entered the runtime.
pub(crate) fn received(signal: i32) {
    channel::receive(Channel::new(Class::Signal, signal as u64));
}

/// What comes out of a descriptor for signals.
pub(crate) fn any() -> Channel {
    Channel::new(Class::Signal, ANY)
}
