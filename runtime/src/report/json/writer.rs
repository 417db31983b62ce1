//! Writing JSON.

use alloc::string::String;
use core::fmt::Write;

/// A JSON text that grows. Objects and arrays are closures, so brackets always
/// match; commas come by themselves.
pub(super) struct Writer {
    out: String,
    /// The next value or key is not the first of its object or array.
    comma: bool,
}

/// Bytes that most records fit in.
const USUAL: usize = 4 << 10;

impl Writer {
    /// The text of one value that `write` writes.
    pub(super) fn text(write: impl FnOnce(&mut Writer)) -> String {
        let mut writer = Writer {
            out: String::with_capacity(USUAL),
            comma: false,
        };
        write(&mut writer);
        writer.out
    }

    fn begin_value(&mut self) {
        if self.comma {
            self.out.push(',');
        }
        self.comma = true;
    }

    fn nested(&mut self, open: char, close: char, write: impl FnOnce(&mut Writer)) {
        self.begin_value();
        self.out.push(open);
        self.comma = false;
        write(self);
        self.out.push(close);
        self.comma = true;
    }

    /// `{...}`
    pub(super) fn object(&mut self, write: impl FnOnce(&mut Writer)) {
        self.nested('{', '}', write);
    }

    /// `[...]`
    pub(super) fn array(&mut self, write: impl FnOnce(&mut Writer)) {
        self.nested('[', ']', write);
    }

    /// A string.
    pub(super) fn string(&mut self, text: &str) {
        self.begin_value();
        self.quoted(text);
    }

    /// A number.
    pub(super) fn number(&mut self, number: u64) {
        self.begin_value();
        let _ = write!(self.out, "{number}");
    }

    /// `true` or `false`.
    pub(super) fn switch(&mut self, on: bool) {
        self.begin_value();
        self.out.push_str(if on { "true" } else { "false" });
    }

    /// A key; one value must follow.
    pub(super) fn key(&mut self, key: &str) -> &mut Writer {
        self.begin_value();
        self.quoted(key);
        self.out.push(':');
        self.comma = false;
        self
    }

    /// An address: as text, since many readers hold numbers in 53 bits.
    pub(super) fn hex(&mut self, number: u64) {
        self.begin_value();
        let _ = write!(self.out, "\"{number:#x}\"");
    }

    fn quoted(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        while let Some((at, escaped)) = first_escaped(rest) {
            self.out.push_str(&rest[..at]);
            match escaped {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                _ => {
                    let _ = write!(self.out, "\\u{:04x}", escaped as u32);
                }
            }
            rest = &rest[at + escaped.len_utf8()..];
        }
        self.out.push_str(rest);
        self.out.push('"');
    }
}

/// The first character of `text` that cannot stand for itself, and where.
fn first_escaped(text: &str) -> Option<(usize, char)> {
    // The last two end a line in the eyes of some readers.
    text.char_indices().find(|(_, c)| {
        matches!(
            c,
            '"' | '\\' | '\0'..='\x1f' | '\x7f' | '\u{2028}' | '\u{2029}'
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_and_commas() {
        let text = Writer::text(|json| {
            json.object(|json| {
                json.key("a").array(|json| {
                    json.number(1);
                    json.array(|_| ());
                    json.object(|_| ());
                    json.hex(u64::MAX);
                });
                json.key("b").switch(true);
                json.key("c").string("x");
                json.key("d").switch(false);
            });
        });
        let wanted = r#"{"a":[1,[],{},"0xffffffffffffffff"],"b":true,"c":"x","d":false}"#;
        assert_eq!(text, wanted);
    }

    #[test]
    fn every_character_comes_back() {
        let all: String = ('\0'..='\u{2100}')
            .chain(['\u{fffd}', '\u{10ffff}', '🦀'])
            .collect();
        let text = Writer::text(|json| json.string(&all));
        assert!(!text.chars().any(|c| c.is_ascii_control()));
        assert!(!text.contains(['\u{2028}', '\u{2029}']));
        let back: String = serde_json::from_str(&text).unwrap();
        assert_eq!(back, all);
    }
}
