//! One line that tells a person at a terminal how far the run is.

use std::io::{IsTerminal as _, Write as _, stderr};

/// A progress line on standard error; silent when that is not a terminal.
#[derive(Debug)]
pub(super) struct Progress {
    shown: bool,
    done: usize,
    total: usize,
}

impl Progress {
    /// Progress over `total` steps.
    pub(super) fn new(total: usize) -> Self {
        Self {
            shown: stderr().is_terminal(),
            done: 0,
            total,
        }
    }

    /// Says what is being done now, and counts it.
    pub(super) fn step(&mut self, what: &str) {
        self.done += 1;
        if self.shown {
            eprint!(
                "\r\x1b[2K[{}/{}] {what}",
                self.done,
                self.total.max(self.done)
            );
            let _ = stderr().flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\x1b[2K");
            let _ = stderr().flush();
        }
    }
}
