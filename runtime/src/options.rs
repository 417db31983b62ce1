//! Options of the runtime.
