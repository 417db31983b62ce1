//! Workflow commands of GitHub Actions: findings appear beside the code.

use super::merge::Group;
use super::model::Certainty;
use super::paths::Root;

/// One annotation a finding that somebody has to act on.
pub(crate) fn render(groups: &[Group], root: &Root) -> String {
    let mut out = String::new();
    for group in groups.iter().filter(|group| group.is_open()) {
        let finding = &group.finding;
        let command = match finding.certainty {
            Certainty::Proven => "error",
            Certainty::Possible => "warning",
            Certainty::Advice => "notice",
        };
        let mut properties = Vec::new();
        if let Some(frame) = finding.primary().culprit()
            && let Some(file) = &frame.file
        {
            properties.push(format!("file={}", property(root.relative(file))));
            if let Some(line) = frame.line {
                properties.push(format!("line={line}"));
            }
            if let Some(column) = frame.column {
                properties.push(format!("col={column}"));
            }
        }
        let title = format!("racert: {}", finding.headline());
        properties.push(format!("title={}", property(&title)));
        let mut message = finding.message.clone();
        for access in &finding.accesses {
            let at = access.culprit().map_or(String::new(), |f| f.position());
            let by = match access.message {
                Some(_) => String::new(),
                None => format!(" by {}", finding.thread_name(access.thread)),
            };
            message += &format!("\n{}{by}: {}", access.noun(), root.relative(&at));
        }
        if let Some(suggestion) = &finding.suggestion {
            message += &format!("\nSuggestion: {suggestion}.");
        }
        let properties = properties.join(",");
        out += &format!("::{command} {properties}::{}\n", data(&message));
    }
    out
}

/// Escaped as the runner undoes it.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
