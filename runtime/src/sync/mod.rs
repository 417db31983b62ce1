//! Synchronisation: which operations order what.
//!
//! One file a primitive, each a few calls that an interceptor or an
//! instrumented atomic makes. [`table`] finds the object behind an address.

pub mod atomic;
pub mod barrier;
pub mod channel;
pub mod condvar;
pub mod events;
pub mod mutex;
pub mod once;
pub mod opaque;
pub mod order;
pub mod rwlock;
pub mod semaphore;
pub mod table;
mod youth;
