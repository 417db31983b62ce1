//! SARIF 2.1.0, as code scanning services take it.
//!
//! One result a finding: the first access is its location, the other one, the
//! allocation and the creation of the threads are related locations, and the
//! code flow has one thread flow for each of the two threads, from where the
//! thread was created through its calls to the access. Files below the root
//! are relative to `SRCROOT`.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::merge::{Group, Status};
use super::model::{Access, Excerpt, Finding, Frame};
use super::paths::{Root, uri};
use super::read::Damage;
use super::rules;
use super::text::capitalised;

/// Results of one run that GitHub takes.
const MOST_RESULTS: usize = 25_000;
/// Frames of one stack; two flows of them stay below GitHub's 1,000 shown
/// locations of a result.
const MOST_FRAMES: usize = 400;
/// Name of the fingerprint; its number is the version of how it is made.
const FINGERPRINT: &str = "racert/v1";
const BASE: &str = "SRCROOT";

/// The log.
pub(crate) fn render(groups: &[Group], damage: &[Damage], root: &Root) -> String {
    let shown = &groups[..groups.len().min(MOST_RESULTS)];
    let mut notes: Vec<Value> = damage
        .iter()
        .map(|damage| json!({ "level": "error", "message": { "text": damage.to_string() } }))
        .collect();
    if shown.len() < groups.len() {
        let text = format!(
            "{} findings are not in this log, which holds {MOST_RESULTS} at most",
            groups.len() - shown.len()
        );
        notes.push(json!({ "level": "warning", "message": { "text": text } }));
    }
    let mut top = uri(&root.top().to_string_lossy());
    if !top.ends_with('/') {
        top.push('/');
    }
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: json!({ "driver": {
                "name": "racert",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules::of(shown),
            }}),
            original_uri_base_ids: json!({ BASE: { "uri": top } }),
            column_kind: "utf16CodeUnits",
            invocations: json!([{
                "executionSuccessful": damage.is_empty(),
                "toolExecutionNotifications": notes,
            }]),
            results: Results(shown, Writer { root }),
        }],
    };
    let mut text = serde_json::to_string(&log).expect("plain data");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    original_uri_base_ids: Value,
    column_kind: &'a str,
    invocations: Value,
    results: Results<'a>,
}

/// Thousands of results are never in memory as values all at once.
struct Results<'a>(&'a [Group], Writer<'a>);

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|group| self.1.result(group)))
    }
}

struct Writer<'a> {
    root: &'a Root,
}

impl Writer<'_> {
    fn result(&self, group: &Group) -> Value {
        let finding = &group.finding;
        let primary = finding.primary();
        let mut text = finding.message.clone();
        if let Some(suggestion) = &finding.suggestion {
            text += &format!(" Suggestion: {suggestion}.");
        }
        let mut result = json!({
            "ruleId": finding.kind,
            "level": rules::level(finding.certainty),
            "message": { "text": text },
            "locations": [self.culprit(finding, primary)],
            "relatedLocations": self.related(finding, primary),
            "codeFlows": [{
                "message": { "text": "The threads" },
                "threadFlows": self.flows(finding),
            }],
            "partialFingerprints": { FINGERPRINT: finding.fingerprint },
            "occurrenceCount": group.occurrences,
        });
        let state = match group.status {
            Some(Status::New) => "new",
            Some(Status::Known) => "unchanged",
            Some(Status::Gone) => "absent",
            None => return result,
        };
        result["baselineState"] = state.into();
        result
    }

    /// Where an access happened.
    fn culprit(&self, finding: &Finding, access: &Access) -> Value {
        let what = what(finding, access);
        match access.culprit() {
            Some(frame) => {
                let mut location = self.location(frame, access.source.as_ref(), &what);
                if location.get("physicalLocation").is_none() {
                    // Services drop results without a file.
                    let module = frame.module.as_deref().unwrap_or("unknown");
                    location["physicalLocation"] = json!({
                        "artifactLocation": self.artifact(module),
                        "region": { "startLine": 1 },
                    });
                }
                location
            }
            None => json!({ "message": { "text": what } }),
        }
    }

    fn related(&self, finding: &Finding, primary: &Access) -> Vec<Value> {
        let mut related = Vec::new();
        for access in &finding.accesses {
            if !std::ptr::eq(access, primary) && access.culprit().is_some() {
                related.push(self.culprit(finding, access));
            }
        }
        let allocation = finding.place.stack.as_ref().and_then(|s| s.frames.first());
        if let Some(frame) = allocation {
            related.push(self.location(frame, None, "the block was allocated here"));
        }
        for thread in &finding.threads {
            let created = thread.created.as_ref();
            if let Some(frame) = created.and_then(|created| created.stack.frames.first()) {
                let name = finding.thread_name(thread.number);
                related.push(self.location(frame, None, &format!("{name} was created here")));
            }
        }
        for (id, location) in related.iter_mut().enumerate() {
            location["id"] = (id + 1).into();
        }
        related
    }

    fn flows(&self, finding: &Finding) -> Vec<Value> {
        let accesses = finding.accesses.iter();
        accesses.map(|access| self.flow(finding, access)).collect()
    }

    /// One thread, from its creation to its access.
    fn flow(&self, finding: &Finding, access: &Access) -> Value {
        let mut steps = Vec::new();
        let thread = finding.thread(access.thread);
        let created = thread.and_then(|thread| thread.created.as_ref());
        let name = finding.thread_name(access.thread);
        if let Some(frame) = created.and_then(|created| created.stack.frames.first()) {
            let text = format!("{name} is created");
            steps.push(json!({
                "location": self.location(frame, None, &text),
                "importance": "important",
                "nestingLevel": 0,
            }));
        }
        let frames: Vec<(usize, &Frame)> = access
            .stack
            .frames
            .iter()
            .enumerate()
            .take(MOST_FRAMES)
            .collect();
        for (depth, (index, frame)) in frames.into_iter().rev().enumerate() {
            let source = access.source.as_ref().filter(|s| s.frame == index);
            let (text, importance) = if index == 0 {
                (what(finding, access), "essential")
            } else {
                let function = frame.function.as_deref().unwrap_or("unknown code");
                (format!("{function} calls"), "unimportant")
            };
            steps.push(json!({
                "location": self.location(frame, source, &text),
                "importance": importance,
                "nestingLevel": depth + 1,
            }));
        }
        if steps.is_empty() {
            steps.push(json!({ "location": { "message": { "text": what(finding, access) } } }));
        }
        json!({
            "id": format!("T{}", access.thread),
            "message": { "text": capitalised(&name) },
            "locations": steps,
        })
    }

    fn location(&self, frame: &Frame, source: Option<&Excerpt>, text: &str) -> Value {
        let mut location = json!({ "message": { "text": text } });
        if let Some(file) = &frame.file {
            let mut physical = json!({ "artifactLocation": self.artifact(file) });
            if let Some(line) = frame.line {
                let mut region = json!({ "startLine": line });
                if let Some(column) = frame.column {
                    region["startColumn"] = utf16_column(source, line, column).into();
                }
                physical["region"] = region;
                if let Some(source) = source {
                    physical["contextRegion"] = json!({
                        "startLine": source.first_line,
                        "endLine": source.first_line as usize + source.lines.len().max(1) - 1,
                        "snippet": { "text": source.lines.join("\n") },
                    });
                }
            }
            location["physicalLocation"] = physical;
        }
        if let Some(function) = &frame.function {
            location["logicalLocations"] =
                json!([{ "fullyQualifiedName": function, "kind": "function" }]);
        }
        location
    }

    fn artifact(&self, file: &str) -> Value {
        let relative = self.root.relative(file);
        if relative.starts_with('/') {
            json!({ "uri": uri(relative) })
        } else {
            json!({ "uri": uri(relative), "uriBaseId": BASE })
        }
    }
}

/// `write of 4 bytes by thread T2`
fn what(finding: &Finding, access: &Access) -> String {
    if access.message.is_some() {
        return access.noun();
    }
    format!(
        "{} of {} bytes by {}",
        access.noun(),
        access.size,
        finding.thread_name(access.thread)
    )
}

/// Columns of records count bytes.
fn utf16_column(source: Option<&Excerpt>, line: u32, column: u32) -> usize {
    let bytes = column as usize;
    let text = source.and_then(|source| {
        let index = line.checked_sub(source.first_line)?;
        source.lines.get(index as usize)
    });
    match text.and_then(|text| text.get(..bytes.checked_sub(1)?)) {
        Some(before) => before.encode_utf16().count() + 1,
        None => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_in_the_units_of_the_log() {
        let source = Excerpt {
            frame: 0,
            first_line: 4,
            lines: vec!["é🦀x".into()],
        };
        assert_eq!(utf16_column(Some(&source), 4, 7), 4);
        assert_eq!(utf16_column(Some(&source), 5, 7), 7);
        assert_eq!(utf16_column(None, 5, 7), 7);
    }
}
