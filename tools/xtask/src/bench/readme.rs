//! The table in README.md, between two marks that nobody else writes between.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::results::{Cell, Micro, Report};
use super::stats::geometric_mean;
use super::tool::Tool;
use crate::paths;

const BEGIN: &str = "<!-- written by cargo xtask bench --readme -->";
const END: &str = "<!-- end -->";

/// The tools of the columns, as readers and the classified corpus know them.
const COLUMNS: [(Tool, &str, &str); 4] = [
    (Tool::Racert, "racert", "racert `hybrid`"),
    (Tool::Tsan, "ThreadSanitizer", "ThreadSanitizer"),
    (Tool::Helgrind, "Helgrind", "helgrind"),
    (Tool::Drd, "DRD", "drd"),
];

/// Replaces the table in README.md.
pub(super) fn write(report: &Report) -> Result<()> {
    let corpus = fs::read_to_string(paths::root().join("tests/classified/TABLE.md"))
        .context("no table of the classified corpus: run `cargo xtask modes`")?;
    let path = paths::root().join("README.md");
    let old = fs::read_to_string(&path)?;
    let new = replaced(&old, &table(report, &corpus), &path)?;
    fs::write(&path, new).with_context(|| format!("cannot write {}", path.display()))
}

fn replaced(old: &str, table: &str, path: &Path) -> Result<String> {
    let parts = old
        .split_once(BEGIN)
        .and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.with_context(|| format!("no marks in {}", path.display()))?;
    ensure!(!after.contains(BEGIN), "marks twice in {}", path.display());
    Ok(format!("{before}{BEGIN}\n\n{table}\n{END}{after}"))
}

/// One row a figure, one column a tool.
fn table(report: &Report, corpus: &str) -> String {
    let mut out = String::from("| |");
    for (_, name, _) in COLUMNS {
        out.push_str(&format!(" {name} |"));
    }
    out.push_str(&format!("\n|---|{}\n", "---|".repeat(COLUMNS.len())));
    let kernels = report.kernels.len();
    let mean = |tool, figure: fn(&Cell) -> f64| {
        let cells = report.kernels.iter().filter_map(|row| row.cell(tool));
        geometric_mean(cells.map(figure)).map(|value| format!("{value:.1}"))
    };
    let micro = |tool, figure: fn(&Micro) -> String| {
        let found = report.micro.iter().find(|micro| micro.tool == tool);
        found.map(figure)
    };
    let mut row = |what: &str, value: &dyn Fn(Tool, &str) -> Option<String>| {
        out.push_str(&format!("| {what} |"));
        for (tool, _, corpus_name) in COLUMNS {
            let text = value(tool, corpus_name).unwrap_or_else(|| "-".to_owned());
            out.push_str(&format!(" {text} |"));
        }
        out.push('\n');
    };
    row(
        &format!("CPU time, times native, mean of {kernels} kernels"),
        &|tool, _| mean(tool, |cell| cell.slowdown),
    );
    row("peak memory, times native", &|tool, _| {
        mean(tool, |cell| cell.growth)
    });
    row("uncontended lock and unlock", &|tool, _| {
        micro(tool, |m| format!("{:.0} ns", m.lock_unlock_nanoseconds))
    });
    row("memory of hello world", &|tool, _| {
        micro(tool, |m| format!("{:.1} MB", m.hello_rss_bytes / 1e6))
    });
    row("memory for one more thread", &|tool, _| {
        micro(tool, |m| format!("{:.0} KB", m.thread_bytes / 1e3))
    });
    row(
        "classified corpus: false alarms, races missed",
        &|_, name| verdicts(corpus, name),
    );
    out
}

/// False positives and false negatives of a tool, from the corpus's first table.
fn verdicts(corpus: &str, tool: &str) -> Option<String> {
    let row = corpus
        .lines()
        .find_map(|line| line.strip_prefix(&format!("| {tool} |")))?;
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    Some(format!("{}, {}", cells.first()?, cells.get(2)?))
}

#[cfg(test)]
mod tests {
    use super::super::results::sample::{report, row};
    use super::*;

    #[test]
    fn the_table_stands_between_the_marks() {
        let kernels = vec![row(
            "a",
            &[
                (Tool::Native, 1.0, 1.0),
                (Tool::Racert, 2.0, 3.0),
                (Tool::Tsan, 4.0, 5.0),
            ],
        )];
        let corpus = "| racert `hybrid` | 0 | 0 | 1 | 1 | 108 |\n| drd | 14 | - | 11 | 25 | 84 |\n";
        let text = table(&report(kernels), corpus);
        assert!(
            text.contains("mean of 1 kernels | 2.0 | 4.0 | - | - |"),
            "{text}"
        );
        assert!(text.contains("missed | 0, 1 | - | - | 14, 11 |"), "{text}");
        let old = format!("before {BEGIN} old {END} after");
        let new = replaced(&old, &text, Path::new("README.md")).unwrap();
        assert!(
            new.starts_with("before ") && new.ends_with(" after"),
            "{new}"
        );
        assert!(!new.contains("old"), "{new}");
        assert!(replaced("nothing", &text, Path::new("README.md")).is_err());
    }
}
