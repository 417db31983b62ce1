//! Reports without colours.

use alloc::string::String;

/// `text` without escape sequences.
pub(super) fn without_colors(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain: String = parts.next().unwrap_or("").into();
    for part in parts {
        // Names that programs chose have no control characters: what is left
        // are the report's own colours.
        plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::without_colors;

    #[test]
    fn colors_go_and_text_stays() {
        assert_eq!(without_colors("plain"), "plain");
        assert_eq!(
            without_colors("\x1b[1;31mred\x1b[0m [m] \x1b[0m"),
            "red [m] "
        );
    }
}
