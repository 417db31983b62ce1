//! Patterns for names.
//!
//! As in ThreadSanitizer's files: `*` stands for anything, `^` and `$` tie the
//! pattern to the beginning and the end; without them it may match anywhere.

use alloc::string::String;
use alloc::vec::Vec;

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob {
    /// What has to follow one another, with anything between.
    parts: Vec<String>,
    from_start: bool,
    to_end: bool,
}

impl Glob {
    /// Any text is a pattern.
    pub(super) fn new(text: &str) -> Glob {
        let (from_start, text) = match text.strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (to_end, text) = match text.strip_suffix('$') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        Glob {
            parts: text.split('*').map(String::from).collect(),
            from_start,
            to_end,
        }
    }

    /// Does it match `name`?
    pub(super) fn matches(&self, name: &str) -> bool {
        let Some((last, parts)) = self.parts.split_last() else {
            return true;
        };
        let mut rest = name;
        let mut tied = self.from_start;
        for part in parts {
            let at = match tied {
                true if rest.starts_with(part.as_str()) => 0,
                true => return false,
                false => match rest.find(part.as_str()) {
                    Some(at) => at,
                    None => return false,
                },
            };
            rest = &rest[at + part.len()..];
            tied = false;
        }
        match (tied, self.to_end) {
            (true, true) => rest == last,
            (true, false) => rest.starts_with(last.as_str()),
            (false, true) => rest.ends_with(last.as_str()),
            (false, false) => rest.contains(last.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn patterns() {
        let cases = [
            ("foo", "xfooy", true),
            ("foo", "fo", false),
            ("^foo", "xfoo", false),
            ("^foo", "foox", true),
            ("foo$", "foox", false),
            ("foo$", "xfoo", true),
            ("^foo$", "foo", true),
            ("^foo$", "foofoo", false),
            ("a*b", "xaxxbx", true),
            ("a*b", "ba", false),
            ("^a*b$", "aab", true),
            ("^a*b$", "abc", false),
            ("^a*a$", "a", false),
            ("*", "", true),
            ("^std::*::lock", "std::mutex::lock()", true),
            ("libz.so*", "/usr/lib/libz.so.1.2", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(
                Glob::new(pattern).matches(name),
                expected,
                "{pattern} {name}"
            );
        }
    }
}
