//! What can be asked of a process while it runs.
//!
//! [`request`] takes the question, a signal that the user chose with
//! `dump_signal`; [`snapshot`] looks at every live thread without disturbing
//! it; the answer is written by [`crate::report::dump`]. [`status`] is what
//! `racert run` reads beside that, without asking.

pub(crate) mod request;
pub(crate) mod snapshot;
pub(crate) mod status;

use crate::intercept;
use crate::log::Writer;
use crate::options::{DumpSignal, Environment, Options};
use crate::thread;

/// Prepares for questions.
pub(crate) fn start(environment: &Environment, options: &Options) {
    let watched = status::start(environment);
    if watched && let Some(log) = own_log() {
        status::thread_started(log);
    }
    let signal = match options.dump_signal {
        DumpSignal::None => return,
        DumpSignal::Auto if !watched => return,
        DumpSignal::Auto => libc::SIGUSR1,
        DumpSignal::Number(signal) => signal,
    };
    intercept::listen(signal);
}

/// In a forked child.
pub(crate) fn alone_in_child() {
    request::alone_in_child();
    if let Some(log) = own_log() {
        status::alone_in_child(log);
    }
}

fn own_log() -> Option<&'static Writer> {
    thread::current().map(|me| &me.recorder.log)
}
