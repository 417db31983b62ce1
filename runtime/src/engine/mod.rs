//! The detector proper.
//!
//! [`hb`] decides what an access means for one granule; this module walks an
//! access over its granules.

pub mod hb;
#[cfg(test)]
mod tests;
mod walk;

pub use hb::Conflict;
pub use walk::{How, Met, access, is_range_recorded, is_recorded, range};
