//! How threads and places are called.

use crate::finding::ThreadInfo;
use crate::options::Options;
use crate::symbol::{InModule, SourceLine};
use alloc::format;
use alloc::string::{String, ToString};

/// How threads are called.
pub(super) struct Names<'a>(pub(super) &'a [ThreadInfo]);

impl Names<'_> {
    /// `main thread`, `thread T2`
    pub(super) fn of(&self, number: u32) -> String {
        match number {
            0 => "main thread".to_string(),
            _ => format!("thread T{number}"),
        }
    }

    /// As [`Self::of`], with an article where a sentence needs one.
    pub(super) fn in_a_sentence(&self, number: u32) -> String {
        match number {
            0 => "the main thread".to_string(),
            _ => self.of(number),
        }
    }

    /// As [`Self::of`], with the name the program gave.
    pub(super) fn with_name(&self, number: u32) -> String {
        let thread = self.0.iter().find(|thread| thread.number == number);
        match thread.and_then(|thread| thread.name.as_deref()) {
            Some(name) if number != 0 => {
                format!("{} (name \"{}\")", self.of(number), printable(name))
            }
            _ => self.of(number),
        }
    }
}

/// The program chooses thread names and source lines: they must not write
/// escape sequences.
pub(super) fn printable(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// With a capital first letter.
pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

/// `FILE:LINE:COLUMN`, or as much of it as is known.
pub(super) fn source(place: &SourceLine, options: &Options) -> String {
    let file = stripped(&place.file, options);
    match (place.line, place.column) {
        (0, _) => file.to_string(),
        (line, 0) => format!("{file}:{line}"),
        (line, column) => format!("{file}:{line}:{column}"),
    }
}

/// A file name without the beginning that the user does not want to see.
pub(super) fn stripped<'a>(file: &'a str, options: &Options) -> &'a str {
    let prefix = options.strip_path_prefix.as_str();
    match file.strip_prefix(prefix) {
        Some(rest) if !rest.is_empty() => rest,
        _ => file,
    }
}

/// The last part of a path.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `MODULE+0xOFFSET`
pub(super) fn in_module(module: &InModule) -> String {
    format!("{}+{:#x}", module.path, module.offset)
}
