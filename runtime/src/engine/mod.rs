//! The detector proper.
//!
//! [`hb`] decides what an access means for one granule, [`shared`] for one that
//! several threads use, [`marks`] for one that the heap has handed out or taken
//! back, [`hybrid`] what locks mean for it; [`walk`] goes over the granules of an
//! access.

pub mod hb;
mod hybrid;
#[cfg(test)]
mod hybrid_tests;
mod marks;
mod shared;
#[cfg(test)]
mod tests;
mod walk;

pub use hb::Conflict;
pub use marks::{given_back, handed_out};
pub use walk::{How, Met, access, is_range_recorded, is_recorded, range};
