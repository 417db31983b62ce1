//! Findings as JSON lines, for `json=PATH`.
//!
//! [`record`] turns a finding into one line with the help of [`writer`], and
//! [`sink`] appends it to the file. `docs/report-schema.md` describes the
//! records for those who read them.

mod notice;
mod record;
mod sink;
#[cfg(test)]
mod tests;
mod writer;

pub(super) use notice::notice;
pub(super) use record::{Context, finding, lock_finding, summary};
pub(super) use sink::{Sink, written};
