//! The source lines around an access.
//!
//! Reading is bounded: a plain file, its beginning up to [`FURTHEST`], and
//! lines cut at [`WIDEST`]. Whatever is missing or odd gives no excerpt.

use super::names::printable;
use crate::os;
use crate::symbol::SourceLine;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Bytes of a file looked at. Hand-written files are smaller; 4 MiB take about
/// a millisecond to read.
const FURTHEST: u64 = 4 << 20;
/// Bytes of a line kept.
const WIDEST: usize = 200;
/// Bytes read at a time.
const CHUNK: usize = 32 << 10;

/// Three lines of source, the middle one being the one meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// Number of the first line.
    pub(super) first: u32,
    /// The lines; tabs are the only control characters.
    pub(super) lines: Vec<String>,
    /// The line that is meant.
    pub(super) line: u32,
    /// Its column in bytes from 1; 0 is unknown.
    pub(super) column: u32,
}

/// The lines around `place`.
pub(super) fn read(place: &SourceLine) -> Option<Excerpt> {
    if place.line == 0 || !place.file.starts_with('/') {
        return None;
    }
    let first = place.line.saturating_sub(1).max(1);
    let raw = raw_lines(place.file.as_bytes(), first, place.line + 1)?;
    let lines: Vec<String> = raw.iter().map(|line| cleaned(line)).collect();
    // The file may be shorter than it was when it was compiled.
    if lines.len() <= (place.line - first) as usize {
        return None;
    }
    Some(Excerpt {
        first,
        lines,
        line: place.line,
        column: place.column,
    })
}

/// Lines `first` to `last` of a file, both included, without line ends.
fn raw_lines(path: &[u8], first: u32, last: u32) -> Option<Vec<Vec<u8>>> {
    let file = os::open_plain(path)?;
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut current = Vec::new();
    let mut number = 1;
    let mut offset = 0;
    let mut chunk = vec![0u8; CHUNK];
    while offset < FURTHEST {
        let read = file.read_at(offset, &mut chunk).ok()?;
        if read == 0 {
            if number >= first && !current.is_empty() {
                lines.push(current);
            }
            return Some(lines);
        }
        offset += read as u64;
        for byte in &chunk[..read] {
            match byte {
                b'\n' => {
                    if number >= first {
                        lines.push(core::mem::take(&mut current));
                    }
                    if number >= last {
                        return Some(lines);
                    }
                    number += 1;
                }
                _ if number >= first && current.len() < WIDEST => current.push(*byte),
                _ => {}
            }
        }
    }
    None
}

fn cleaned(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = String::from_utf8_lossy(line);
    let parts: Vec<String> = text.split('\t').map(printable).collect();
    parts.join("\t")
}

impl Excerpt {
    /// The lines with their numbers, and a mark below the column.
    pub(super) fn rows(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for (number, line) in (self.first..).zip(&self.lines) {
            let here = number == self.line;
            let arrow = if here { '>' } else { ' ' };
            rows.push(
                format!("{arrow}{number:>6} | {line}")
                    .trim_end()
                    .to_string(),
            );
            if here && let Some(blank) = self.before_column(line) {
                rows.push(format!("{:7} | {blank}^", ""));
            }
        }
        rows
    }

    /// White space as wide as what stands before the column.
    fn before_column(&self, line: &str) -> Option<String> {
        let bytes = (self.column as usize).checked_sub(1)?;
        let before = line.get(..bytes)?;
        if bytes >= line.len() {
            return None;
        }
        Some(
            before
                .chars()
                .map(|c| if c == '\t' { c } else { ' ' })
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &[u8]) -> SourceLine {
        let path = std::env::temp_dir().join(format!("racert-{name}-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        SourceLine {
            file: path.to_str().unwrap().into(),
            line: 1,
            column: 0,
        }
    }

    #[test]
    fn three_lines_and_a_mark() {
        let mut place = file(
            "excerpt",
            b"one\n\tint \xc3\xa9 = x++;\r\nthree\x1b[2J\nfour\n",
        );
        place.line = 2;
        place.column = 11;
        let rows = read(&place).unwrap().rows();
        let wanted = [
            "      1 | one",
            ">     2 | \tint é = x++;",
            "        | \t        ^",
            "      3 | three?[2J",
        ];
        assert_eq!(rows, wanted);

        (place.line, place.column) = (1, 0);
        let rows = read(&place).unwrap().rows();
        assert_eq!(rows, [">     1 | one", "      2 | \tint é = x++;"]);

        (place.line, place.column) = (4, 99);
        let rows = read(&place).unwrap().rows();
        assert_eq!(rows, ["      3 | three?[2J", ">     4 | four"]);

        place.line = 5;
        assert_eq!(read(&place), None);
        std::fs::remove_file(&place.file).unwrap();
    }

    #[test]
    fn the_last_line_needs_no_end() {
        let mut place = file("no-end", b"one\ntwo");
        place.line = 2;
        assert_eq!(read(&place).unwrap().lines, ["one", "two"]);
        std::fs::remove_file(&place.file).unwrap();
    }

    #[test]
    fn long_lines_and_long_files_are_bounded() {
        let mut text = vec![b'x'; 10_000];
        text.push(b'\n');
        let mut place = file("long", &text.repeat(500));
        assert_eq!(read(&place).unwrap().lines[0].len(), WIDEST);
        place.line = 490;
        assert_eq!(read(&place), None, "line 490 lies beyond {FURTHEST}");
        std::fs::remove_file(&place.file).unwrap();
    }

    #[test]
    fn what_is_no_source_file() {
        for name in ["/dev/zero", "/nonexistent.c", "/tmp", "relative.c"] {
            let place = SourceLine {
                file: name.into(),
                line: 1,
                column: 1,
            };
            assert_eq!(read(&place), None, "{name}");
        }
    }
}
