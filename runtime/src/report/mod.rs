//! Reports.

use crate::finding::Finding;

/// Placeholder until the report module lands.
pub fn already_reported(_kind: crate::finding::Kind, _a: u64, _b: u64) -> bool {
    false
}

/// Reports.
pub fn report(_finding: &Finding) {}

/// Ends.
pub fn finish(code: i32) -> i32 {
    code
}
