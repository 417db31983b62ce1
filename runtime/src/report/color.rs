//! Colours of a report on a terminal.

/// The escape sequences, or nothing.
pub(super) struct Colors {
    /// The first line.
    pub(super) warning: &'static str,
    /// What happened to the memory.
    pub(super) access: &'static str,
    /// What the memory is.
    pub(super) place: &'static str,
    /// Who.
    pub(super) thread: &'static str,
    /// The last line.
    pub(super) summary: &'static str,
    /// Back to normal.
    pub(super) end: &'static str,
}

impl Colors {
    /// Colours, if `on`.
    pub(super) fn new(on: bool) -> Colors {
        let code = |code| if on { code } else { "" };
        Colors {
            warning: code("\x1b[1;31m"),
            access: code("\x1b[1;34m"),
            place: code("\x1b[1;32m"),
            thread: code("\x1b[1;36m"),
            summary: code("\x1b[1m"),
            end: code("\x1b[0m"),
        }
    }
}
