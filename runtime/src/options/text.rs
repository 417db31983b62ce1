//! Splitting `key=value:key=value`.
//!
//! Separators are colons, commas and white space, as in the sanitizers, so
//! that a value which contains one is quoted with `'` or `"`. A quote counts
//! only at the start of a value: `it's` is five letters.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// One `key=value`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// Before the sign.
    pub(super) key: String,
    /// After the sign, quotes removed; `None` without a sign.
    pub(super) value: Option<String>,
}

fn separates(c: char) -> bool {
    c == ':' || c == ',' || c.is_ascii_whitespace()
}

/// All pairs of `text`, in order.
pub(super) fn pairs(text: &str) -> Result<Vec<Pair>, String> {
    let mut out = Vec::new();
    let mut rest = text.trim_start_matches(separates);
    while !rest.is_empty() {
        let end = rest
            .find(|c| c == '=' || separates(c))
            .unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        if key.is_empty() {
            return Err(format!("a key is missing before \"{after}\""));
        }
        let value;
        (value, rest) = match after.strip_prefix('=') {
            None => (None, after),
            Some(after) => {
                let (value, after) = value_of(key, after)?;
                (Some(value), after)
            }
        };
        out.push(Pair {
            key: key.to_string(),
            value,
        });
        rest = rest.trim_start_matches(separates);
    }
    Ok(out)
}

/// Splits the value off the front of `text`.
fn value_of<'a>(key: &str, text: &'a str) -> Result<(String, &'a str), String> {
    for quote in ['\'', '"'] {
        if let Some(inner) = text.strip_prefix(quote) {
            let Some((value, after)) = inner.split_once(quote) else {
                return Err(format!("the value of \"{key}\" lacks its closing {quote}"));
            };
            if after.chars().next().is_some_and(|c| !separates(c)) {
                return Err(format!(
                    "a separator is missing after the value of \"{key}\""
                ));
            }
            return Ok((value.to_string(), after));
        }
    }
    let end = text.find(separates).unwrap_or(text.len());
    Ok((text[..end].to_string(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Result<Vec<(String, Option<String>)>, String> {
        Ok(pairs(text)?.into_iter().map(|p| (p.key, p.value)).collect())
    }

    fn some(list: &[(&str, &str)]) -> Result<Vec<(String, Option<String>)>, String> {
        Ok(list
            .iter()
            .map(|(k, v)| (k.to_string(), Some(v.to_string())))
            .collect())
    }

    #[test]
    fn separators() {
        let expected = some(&[("a", "1"), ("b", "2"), ("c", "3"), ("d", "")]);
        assert_eq!(split("a=1:b=2,c=3 d="), expected);
        assert_eq!(split("::a=1\n\tb=2 ,: c=3:d=:"), expected);
        assert_eq!(split(""), some(&[]));
        assert_eq!(split(" :, "), some(&[]));
    }

    #[test]
    fn quotes() {
        assert_eq!(
            split("a='x:y z':b=\"it's\":c='':d=it's"),
            some(&[("a", "x:y z"), ("b", "it's"), ("c", ""), ("d", "it's")])
        );
        assert_eq!(
            split("a='x"),
            Err("the value of \"a\" lacks its closing '".to_string())
        );
        assert_eq!(
            split("a='x'y"),
            Err("a separator is missing after the value of \"a\"".to_string())
        );
    }

    #[test]
    fn signs() {
        assert_eq!(split("a=b=c"), some(&[("a", "b=c")]));
        assert_eq!(split("a"), Ok(vec![("a".to_string(), None)]));
        assert_eq!(
            split("=1"),
            Err("a key is missing before \"=1\"".to_string())
        );
    }

    #[test]
    fn letters_beyond_ascii() {
        assert_eq!(split("ä=ö:ß='ü é'"), some(&[("ä", "ö"), ("ß", "ü é")]));
    }
}
