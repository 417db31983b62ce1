//! Findings as records again: merged, each once.

use serde::Serialize;

use super::merge::{Group, Status};
use super::model::Finding;

/// A record with what merging adds.
#[derive(Serialize)]
struct Merged<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    occurrences: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
}

/// One line each; a file of them can be read again, as a baseline for example.
pub(crate) fn render(groups: &[Group]) -> String {
    let mut out = String::new();
    for group in groups {
        let merged = Merged {
            finding: &group.finding,
            occurrences: group.occurrences,
            status: group.status,
        };
        out.push_str(&serde_json::to_string(&merged).expect("records are plain data"));
        out.push('\n');
    }
    out
}
