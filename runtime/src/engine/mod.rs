//! The detector proper.
//!
//! [`hb`] decides what an access means for one granule, [`shared`] for one that
//! several threads use, [`hybrid`] what locks mean for it; [`walk`] goes over the granules of an
//! access. [`writers`] answers who wrote something last.

pub mod hb;
mod hybrid;
#[cfg(test)]
mod hybrid_tests;
mod shared;
#[cfg(test)]
mod tests;
mod walk;
pub mod writers;

pub use hb::Conflict;
pub use walk::{How, Met, access, is_range_recorded, is_recorded, range};
