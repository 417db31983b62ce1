//! Threads.

/// A thread.
pub struct Thread;
