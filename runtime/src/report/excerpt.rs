//! The source lines around an access.
//!
//! Reading is bounded: a plain file, its beginning up to [`FURTHEST`], and
//! lines cut at [`WIDEST`]. Whatever is missing or odd gives no excerpt.
//! Findings come in bursts about the same few files, so where the lines of
//! those are is remembered.

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
/// Bytes read at a time; the places of lines are known to the chunk.
const CHUNK: usize = 4 << 10;
/// Files remembered, of at most `FURTHEST / CHUNK` = 1024 numbers each.
const REMEMBERED: usize = 16;

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

/// Files looked at, and where their lines are.
pub(super) struct Sources {
    /// The file looked at last is the last one.
    files: Vec<Index>,
}

/// How many lines end before each chunk of a file.
struct Index {
    file: String,
    ends: Vec<u32>,
}

impl Sources {
    /// Nothing looked at yet.
    pub(super) const fn new() -> Sources {
        Sources { files: Vec::new() }
    }

    /// The lines around `place`.
    pub(super) fn excerpt(&mut self, place: &SourceLine) -> Option<Excerpt> {
        if place.line == 0 || !place.file.starts_with('/') {
            return None;
        }
        let first = place.line.saturating_sub(1).max(1);
        let file = os::open_plain(place.file.as_bytes())?;
        let raw = self
            .index(&place.file)
            .lines(&file, first, place.line.checked_add(1)?)?;
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

    fn index(&mut self, file: &str) -> &mut Index {
        let known = self.files.iter().position(|index| index.file == file);
        let index = match known {
            Some(position) => self.files.remove(position),
            None => Index {
                file: file.to_string(),
                ends: vec![0],
            },
        };
        if self.files.len() == REMEMBERED {
            self.files.remove(0);
        }
        self.files.push(index);
        let last = self.files.len() - 1;
        &mut self.files[last]
    }
}

impl Index {
    /// Lines `first` to `last` of `file`, both included, without line ends.
    fn lines(&mut self, file: &os::File, first: u32, last: u32) -> Option<Vec<Vec<u8>>> {
        // The last chunk before which line `first` has not begun.
        let known = self.ends.partition_point(|ends| *ends < first - 1);
        let mut number = known.saturating_sub(1);
        let mut room = vec![0u8; CHUNK];
        let mut out = Lines::new(first, last);
        while number < (FURTHEST / CHUNK as u64) as usize {
            let chunk = fill(file, (number * CHUNK) as u64, &mut room)?;
            let before = self.ends[number];
            if self.ends.len() == number + 1 {
                let ends = chunk.iter().filter(|byte| **byte == b'\n').count() as u32;
                self.ends.push(before + ends);
            }
            if self.ends[number + 1] + 1 >= first && out.take(chunk, before + 1) {
                return Some(out.done);
            }
            if chunk.len() < CHUNK {
                return Some(out.at_end());
            }
            number += 1;
        }
        None
    }
}

/// As much of `room` as the file has at `offset`.
fn fill<'a>(file: &os::File, offset: u64, room: &'a mut [u8]) -> Option<&'a [u8]> {
    let mut filled = 0;
    while filled < room.len() {
        match file.read_at(offset + filled as u64, &mut room[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(_) => return None,
        }
    }
    Some(&room[..filled])
}

/// Lines being put together from chunks.
struct Lines {
    first: u32,
    last: u32,
    done: Vec<Vec<u8>>,
    current: Vec<u8>,
}

impl Lines {
    fn new(first: u32, last: u32) -> Lines {
        Lines {
            first,
            last,
            done: Vec::new(),
            current: Vec::new(),
        }
    }

    /// Takes what is wanted of a chunk that begins in line `number`. `true` if
    /// that was all.
    fn take(&mut self, chunk: &[u8], mut number: u32) -> bool {
        let mut pieces = chunk.split(|byte| *byte == b'\n');
        let mut piece = pieces.next();
        while let Some(text) = piece {
            if number >= self.first {
                let room = WIDEST - self.current.len();
                self.current
                    .extend_from_slice(&text[..text.len().min(room)]);
            }
            piece = pieces.next();
            // Only behind a line end is there another piece.
            if piece.is_some() && number >= self.first {
                self.done.push(core::mem::take(&mut self.current));
                if number >= self.last {
                    return true;
                }
            }
            number += 1;
        }
        false
    }

    /// The file ends here; its last line may lack an end.
    fn at_end(mut self) -> Vec<Vec<u8>> {
        if !self.current.is_empty() {
            self.done.push(self.current);
        }
        self.done
    }
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

    fn read(place: &SourceLine) -> Option<Excerpt> {
        Sources::new().excerpt(place)
    }

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
    fn lines_are_found_again_in_any_order() {
        let text: String = (1..=6000)
            .map(|n| format!("line {n}{}\n", "x".repeat(n % 50)))
            .collect();
        let mut place = file("again", text.as_bytes());
        let mut sources = Sources::new();
        let wanted: Vec<&str> = text.lines().collect();
        let lines = (2..6000).step_by(97).chain((2..6000).rev().step_by(89));
        for line in lines {
            place.line = line as u32;
            let excerpt = sources.excerpt(&place).unwrap();
            assert_eq!(excerpt.lines, wanted[line - 2..=line], "{line}");
        }
        assert!(text.len() > 10 * CHUNK);
        for n in 0..2 * REMEMBERED {
            sources.index(&n.to_string());
        }
        assert_eq!(sources.files.len(), REMEMBERED);
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
