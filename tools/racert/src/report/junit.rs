//! JUnit XML, the form in which most CI systems take test results.

use super::merge::Group;
use super::model::Certainty;
use super::paths::Root;
use super::text;

/// A failed test case for each finding somebody has to act on, or one that
/// passed; advice is a test case that passed and says something.
pub(crate) fn render(groups: &[Group], root: &Root) -> String {
    let open: Vec<&Group> = groups.iter().filter(|group| group.is_open()).collect();
    let failures = open.iter().filter(|group| group.fails()).count();
    let tests = open.len().max(1);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"racert\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n  \
         <testsuite name=\"racert\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"0\">\n"
    );
    if open.is_empty() {
        out.push_str("    <testcase classname=\"racert\" name=\"no findings\"/>\n");
    }
    for group in open {
        let finding = &group.finding;
        let frame = finding.primary().culprit();
        let file = frame.and_then(|frame| frame.file.as_deref());
        let class = file.map_or("racert", |file| root.relative(file));
        let place = match (file, frame.and_then(|frame| frame.line)) {
            (Some(file), Some(line)) => {
                format!(" file=\"{}\" line=\"{line}\"", escaped(root.relative(file)))
            }
            _ => String::new(),
        };
        let mut body = String::new();
        text::report(&mut body, group);
        let body = escaped(&body);
        let failure = |certainty: &str| {
            let (kind, message) = (escaped(&finding.kind), escaped(&finding.message));
            format!("<failure type=\"{kind} {certainty}\" message=\"{message}\">{body}</failure>")
        };
        let said = match finding.certainty {
            Certainty::Proven => failure("proven"),
            Certainty::Possible => failure("possible"),
            Certainty::Advice => format!("<system-out>{body}</system-out>"),
        };
        out += &format!(
            "    <testcase classname=\"{}\" name=\"{} [{}]\"{place}>\n      {said}\n    \
             </testcase>\n",
            escaped(class),
            escaped(&finding.headline()),
            &finding.fingerprint.get(..8).unwrap_or(""),
        );
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// Text for elements and attributes. Characters that XML 1.0 cannot hold at
/// all become replacement characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_xml_cannot_hold() {
        assert_eq!(escaped("a<b>&\"\x1b\n"), "a&lt;b&gt;&amp;&quot;\u{fffd}\n");
    }
}
