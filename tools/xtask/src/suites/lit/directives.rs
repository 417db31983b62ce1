//! The comment lines of a lit test that say how to run it and what to check.

/// A lit test, read from its source.
#[derive(Debug, Clone, Default)]
pub(super) struct Directives {
    /// `RUN:` lines, continuations joined.
    pub(super) runs: Vec<String>,
    /// `REQUIRES:` lines.
    pub(super) requires: Vec<String>,
    /// `UNSUPPORTED:` lines.
    pub(super) unsupported: Vec<String>,
    /// `XFAIL:` lines.
    pub(super) expected_to_fail: Vec<String>,
}

impl Directives {
    /// Those in `source`.
    pub(super) fn parse(source: &str) -> Self {
        let mut found = Self::default();
        let mut continued = false;
        for line in source.lines() {
            if let Some(text) = after(line, "RUN:") {
                let more = text.ends_with('\\');
                let text = text.trim_end_matches('\\').trim();
                match found.runs.last_mut() {
                    Some(last) if continued => {
                        last.push(' ');
                        last.push_str(text);
                    }
                    _ => found.runs.push(text.to_owned()),
                }
                continued = more;
            } else if let Some(text) = after(line, "REQUIRES:") {
                found.requires.push(text.to_owned());
            } else if let Some(text) = after(line, "UNSUPPORTED:") {
                found.unsupported.push(text.to_owned());
            } else if let Some(text) = after(line, "XFAIL:") {
                found.expected_to_fail.push(text.to_owned());
            }
        }
        found
    }
}

/// What follows `word` in `line`, if `word` does not end another word there.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let at = line.find(word)?;
    let before = line[..at].chars().next_back();
    let joined = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    (!joined).then(|| line[at + word.len()..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn continued_lines_are_one_run() {
        let source = "// RUN: a && \\\n// RUN:   b\n// RUN: c\n// UNSUPPORTED: darwin\n";
        let found = Directives::parse(source);
        assert_eq!(found.runs, ["a && b", "c"]);
        assert_eq!(found.unsupported, ["darwin"]);
    }
}
