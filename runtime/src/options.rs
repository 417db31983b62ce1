//! Options of the runtime.

/// Reads them.
pub fn init() {}
