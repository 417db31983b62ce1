//! Findings as JSON lines, for `json=PATH`.
//!
//! [`record`] turns a finding into one line with the help of [`writer`], and
//! [`sink`] appends it to the file. `docs/report-schema.md` describes the
//! records for those who read them.

mod record;
mod sink;
#[cfg(test)]
mod tests;
mod writer;

pub(super) use record::{Context, finding, lock_finding, notice, summary};
pub(super) use sink::Sink;
