//! The line at the bottom of the terminal, and the box at the end.
//!
//! The line has the last row to itself: the rest of the terminal is made the
//! region that scrolls, so what the program prints does not run into it.

use std::env;
use std::io::{self, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::status::Sample;

/// Nothing is shown of programs that end before.
pub(super) const FIRST: Duration = Duration::from_secs(1);

/// Is the standard error output a terminal on which a line can be kept?
pub(super) fn is_wanted() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let capable = env::var("TERM").is_ok_and(|term| term != "dumb" && !term.is_empty());
    capable && !set("CI") && size().is_some_and(|(rows, columns)| rows >= 4 && columns >= 40)
}

/// Does the terminal belong to this job, and not to a shell that put it into
/// the background?
fn is_in_front() -> bool {
    // SAFETY: ask the kernel, change nothing.
    let (front, own) = unsafe { (libc::tcgetpgrp(libc::STDERR_FILENO), libc::getpgrp()) };
    front == own || front < 0
}

/// Rows and columns of the terminal.
fn size() -> Option<(u16, u16)> {
    // SAFETY: all fields are numbers, and the kernel fills them.
    let mut size: libc::winsize = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    let known = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    (known == 0 && size.ws_row > 0).then_some((size.ws_row, size.ws_col))
}

/// The terminal's last row.
pub(super) struct Line {
    /// Rows of the terminal, while the last one is ours.
    taken: Option<u16>,
    color: bool,
    last: Option<(Duration, u64)>,
}

impl Line {
    /// Nothing shown yet.
    pub(super) fn new() -> Line {
        let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Line {
            taken: None,
            color: !plain,
            last: None,
        }
    }

    /// Shows how things stand.
    pub(super) fn show(&mut self, elapsed: Duration, sample: &Sample) {
        let Some((rows, columns)) = size().filter(|_| is_in_front()) else {
            return self.end();
        };
        let rate = self.rate(elapsed, sample);
        let text = cut(&status(elapsed, sample, rate), columns as usize - 1);
        let style = match (self.color, sample.findings) {
            (false, _) => Style::new(),
            (true, 0) => Style::new().dimmed(),
            (true, _) => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
        };
        let mut out = String::new();
        if self.taken != Some(rows) {
            // One line up, so that the last row is free; the region comes with
            // the cursor at the top, so it is kept.
            out += &format!("\n\x1b7\x1b[1;{}r\x1b8\x1b[1A", rows - 1);
            self.taken = Some(rows);
        }
        out += &format!("\x1b7\x1b[{rows};1H{style}{text}{style:#}\x1b[K\x1b8");
        put(&out);
    }

    /// Gives the row back.
    pub(super) fn end(&mut self) {
        if let Some(rows) = self.taken.take() {
            put(&format!("\x1b7\x1b[r\x1b[{rows};1H\x1b[K\x1b8"));
        }
    }

    fn rate(&mut self, elapsed: Duration, sample: &Sample) -> Option<f64> {
        let now = sample.recorded?;
        let (then, before) = self.last.replace((elapsed, now))?;
        let seconds = (elapsed.checked_sub(then)?).as_secs_f64();
        (seconds > 0.0).then(|| now.saturating_sub(before) as f64 / seconds)
    }
}

fn put(text: &str) {
    // A terminal that is gone shows nothing.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// `racert 00:12 | 8 threads | 1.2 M recorded/s | 2 findings | 340 MB`
fn status(elapsed: Duration, sample: &Sample, rate: Option<f64>) -> String {
    let mut parts = vec![format!("racert {}", clock(elapsed))];
    if sample.processes == 0 {
        parts.push("no instrumented program yet".to_owned());
    } else {
        parts.push(counted(sample.threads.into(), "thread"));
        parts.extend(rate.map(|rate| format!("{} recorded/s", short(rate))));
        parts.push(counted(sample.findings, "finding"));
        parts.push(format!("{} MB", sample.memory >> 20));
    }
    parts.join(" | ")
}

/// What the box says.
pub(super) struct Ending<'a> {
    pub(super) program: &'a str,
    /// `ended with 66`
    pub(super) how: &'a str,
    pub(super) elapsed: Duration,
    /// Bytes at most in memory.
    pub(super) peak: u64,
    pub(super) sample: &'a Sample,
}

/// Prints the box.
pub(super) fn summary(ending: &Ending<'_>) {
    let columns = size().map_or(80, |(_, columns)| columns as usize);
    put(&boxed(&lines(ending), columns, is_utf8()));
}

fn lines(ending: &Ending<'_>) -> Vec<String> {
    let sample = ending.sample;
    let mut lines = vec![format!(
        "{} {} after {}",
        ending.program,
        ending.how,
        clock(ending.elapsed)
    )];
    if sample.processes == 0 {
        lines.push("nothing was checked: no process of it was built with racert".to_owned());
        return lines;
    }
    let mut found = match sample.findings {
        0 => "no findings".to_owned(),
        n => counted(n, "finding"),
    };
    if sample.possible > 0 {
        found += &format!(", {} of them not proven by this run", sample.possible);
    }
    lines.push(found);
    let mut costs = vec![counted(sample.processes as u64, "process")];
    if let Some(recorded) = sample.recorded.filter(|recorded| *recorded > 0) {
        costs.push(format!("{} accesses recorded", short(recorded as f64)));
    }
    costs.push(format!("at most {} MB in memory", ending.peak >> 20));
    lines.push(costs.join(", "));
    lines
}

fn boxed(lines: &[String], columns: usize, utf8: bool) -> String {
    let [horizontal, vertical, a, b, c, d] = match utf8 {
        true => [
            "\u{2500}", "\u{2502}", "\u{256d}", "\u{256e}", "\u{2570}", "\u{256f}",
        ],
        false => ["-", "|", "+", "+", "+", "+"],
    };
    let room = columns.saturating_sub(4).max(20);
    let lines: Vec<String> = lines.iter().map(|line| cut(line, room)).collect();
    let width = lines.iter().map(|line| line.chars().count()).max();
    let width = width.unwrap_or(0).max(12);
    let mut out = format!(
        "{a}{horizontal} racert {}{b}\n",
        horizontal.repeat(width - 7)
    );
    for line in lines {
        out += &format!("{vertical} {line:width$} {vertical}\n");
    }
    out += &format!("{c}{}{d}\n", horizontal.repeat(width + 2));
    out
}

fn is_utf8() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    set.is_some_and(|value| {
        let value = value.to_ascii_uppercase();
        value.contains("UTF-8") || value.contains("UTF8")
    })
}

/// At most `room` characters, none of which the terminal obeys.
fn cut(text: &str, room: usize) -> String {
    let letters = text.chars().map(|c| if c.is_control() { '?' } else { c });
    letters.take(room).collect()
}

/// `1 thread`, `2 processes`
fn counted(count: u64, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "process") => format!("{count} processes"),
        _ => format!("{count} {noun}s"),
    }
}

/// `01:12`, `3:01:12`
fn clock(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match hours {
        0 => format!("{minutes:02}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

/// `12`, `3.4 k`, `1.2 M`
fn short(number: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.iter().find(|(size, _)| number >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", number / size),
        None => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: Sample = Sample {
        processes: 2,
        threads: 8,
        findings: 1,
        possible: 1,
        recorded: Some(1_234_567),
        memory: 300 << 20,
    };

    #[test]
    fn the_line() {
        let line = status(Duration::from_secs(72), &SAMPLE, Some(3456.0));
        assert_eq!(
            line,
            "racert 01:12 | 8 threads | 3.5 k recorded/s | 1 finding | 300 MB"
        );
        let line = status(Duration::from_secs(3601), &SAMPLE, None);
        assert_eq!(line, "racert 1:00:01 | 8 threads | 1 finding | 300 MB");
        let line = status(Duration::from_secs(2), &Sample::default(), None);
        assert_eq!(line, "racert 00:02 | no instrumented program yet");
    }

    #[test]
    fn the_box() {
        let ending = Ending {
            program: "./app",
            how: "ended with 66",
            elapsed: Duration::from_secs(5),
            peak: 400 << 20,
            sample: &SAMPLE,
        };
        let text = boxed(&lines(&ending), 80, false);
        let wanted = "\
+- racert -------------------------------------------------------------+
| ./app ended with 66 after 00:05                                      |
| 1 finding, 1 of them not proven by this run                          |
| 2 processes, 1.2 M accesses recorded, at most 400 MB in memory       |
+----------------------------------------------------------------------+
";
        let trimmed = |text: &str| -> Vec<String> {
            let words = text
                .lines()
                .map(|line| line.split_whitespace().collect::<Vec<_>>());
            words
                .map(|words| words.join(" ").replace('-', ""))
                .collect()
        };
        assert_eq!(trimmed(&text), trimmed(wanted));
        let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
        let narrow = boxed(&lines(&ending), 40, true);
        assert!(
            narrow.lines().all(|line| line.chars().count() <= 40),
            "{narrow}"
        );
    }
}
