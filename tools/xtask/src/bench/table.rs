//! The tables a person reads on the terminal.

use super::results::{Cell, Micro, Report, Row};
use super::stats::geometric_mean;
use super::tool::Tool;

/// The whole report as text.
pub(super) fn render(report: &Report) -> String {
    let mut text = String::new();
    if !report.kernels.is_empty() {
        text += &section("Kernels", &report.kernels, &report.tools);
    }
    if !report.real.is_empty() {
        text += &section("Real programs", &report.real, &report.tools);
    }
    if !report.micro.is_empty() {
        text += &micro(&report.micro);
    }
    for failure in &report.failures {
        let tool = failure.tool.name();
        text += &format!(
            "FAILED {} under {tool}: {}\n",
            failure.subject, failure.reason
        );
    }
    if !report.failures.is_empty() {
        text.push('\n');
    }
    for verdict in &report.verdicts {
        let word = if verdict.kept { "PASS" } else { "FAIL" };
        text += &format!("{word}  {}: {}\n", verdict.promise, verdict.measured);
    }
    text
}

/// Slowdowns and memory of `rows`, with geometric means below.
fn section(title: &str, rows: &[Row], tools: &[Tool]) -> String {
    let peers: Vec<Tool> = tools
        .iter()
        .copied()
        .filter(|&tool| tool != Tool::Native)
        .collect();
    let compared = tools.contains(&Tool::Racert) && tools.contains(&Tool::Tsan);
    let mut head = vec![title.to_owned(), "native s".to_owned()];
    head.extend(peers.iter().map(|tool| tool.name().to_owned()));
    if compared {
        head.push("racert/tsan".to_owned());
    }
    head.push("| native MB".to_owned());
    head.extend(peers.iter().map(|tool| format!("{} MB", tool.name())));
    if compared {
        head.push("racert/tsan".to_owned());
    }
    let mut lines = vec![head];
    lines.extend(rows.iter().map(|row| line(row, &peers, compared)));
    if rows.len() > 1 {
        lines.push(means(rows, &peers, compared));
    }
    let mut text = align(&lines);
    text += "CPU time as a multiple of native";
    let reduced = rows
        .iter()
        .flat_map(|row| &row.cells)
        .find(|cell| cell.tool.is_valgrind());
    if let Some(cell) = reduced.filter(|cell| cell.percent < 100) {
        text += &format!(
            "; helgrind and drd: {} run(s) at {} % of the work, against native at the same",
            cell.reps, cell.percent
        );
    }
    text += "; * = it reported something\n\n";
    text
}

fn line(row: &Row, peers: &[Tool], compared: bool) -> Vec<String> {
    let cell = |tool| row.cell(tool);
    let slowdown = |cell: &Cell| {
        format!(
            "{}x{}",
            figure(cell.slowdown),
            if cell.reports { "*" } else { "" }
        )
    };
    let mut fields = vec![row.name.clone()];
    fields.push(or_dash(
        cell(Tool::Native).map(|cell| format!("{:.3}", cell.cpu_seconds)),
    ));
    fields.extend(peers.iter().map(|&tool| or_dash(cell(tool).map(slowdown))));
    if compared {
        fields.push(or_dash(row.time_ratio().map(|ratio| format!("{ratio:.2}"))));
    }
    let megabytes = |cell: &Cell| figure(cell.rss_bytes / 1024.0 / 1024.0);
    let native = or_dash(cell(Tool::Native).map(megabytes));
    fields.push(format!("| {native:>9}"));
    fields.extend(peers.iter().map(|&tool| or_dash(cell(tool).map(megabytes))));
    if compared {
        fields.push(or_dash(
            row.memory_ratio().map(|ratio| format!("{ratio:.2}")),
        ));
    }
    fields
}

fn means(rows: &[Row], peers: &[Tool], compared: bool) -> Vec<String> {
    let mean =
        |figure: &dyn Fn(&Row) -> Option<f64>| geometric_mean(rows.iter().filter_map(figure));
    let mut fields = vec!["geometric mean".to_owned(), String::new()];
    for &tool in peers {
        let value = mean(&|row| row.cell(tool).map(|cell| cell.slowdown));
        fields.push(or_dash(value.map(|value| format!("{}x", figure(value)))));
    }
    if compared {
        fields.push(or_dash(
            mean(&Row::time_ratio).map(|ratio| format!("{ratio:.2}")),
        ));
    }
    fields.push(format!("| {:9}", ""));
    for &tool in peers {
        let value = mean(&|row| row.cell(tool).map(|cell| cell.growth));
        fields.push(or_dash(value.map(|value| format!("{}x", figure(value)))));
    }
    if compared {
        fields.push(or_dash(
            mean(&Row::memory_ratio).map(|ratio| format!("{ratio:.2}")),
        ));
    }
    fields
}

fn micro(figures: &[Micro]) -> String {
    let head = [
        "Single costs",
        "lock+unlock",
        "hello",
        "hello MB",
        "+thread",
        "MB",
        "KB/thread",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    let megabytes = |bytes: f64| format!("{:.1}", bytes / 1024.0 / 1024.0);
    for one in figures {
        lines.push(vec![
            one.tool.name().to_owned(),
            format!("{} ns", figure(one.lock_unlock_nanoseconds)),
            format!("{:.1} ms", one.hello_seconds * 1e3),
            megabytes(one.hello_rss_bytes),
            format!("{:.1} ms", one.hello_thread_seconds * 1e3),
            megabytes(one.hello_thread_rss_bytes),
            figure(one.thread_bytes / 1024.0),
        ]);
    }
    align(&lines) + "\n"
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

/// Three significant digits, more or less.
fn figure(value: f64) -> String {
    match value {
        v if v.abs() >= 99.95 => format!("{v:.0}"),
        v if v.abs() >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// First column to the left, the rest to the right.
fn align(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            lines
                .iter()
                .filter_map(|line| line.get(column))
                .map(|s| s.chars().count())
                .max()
        })
        .map(|width| width.unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (index, (field, &width)) in line.iter().zip(&widths).enumerate() {
            if index == 0 {
                row += &format!("{field:<width$}");
            } else {
                row += &format!("  {field:>width$}");
            }
        }
        text += row.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results::sample::row;

    #[test]
    fn figures_keep_three_digits() {
        assert_eq!(figure(1.234), "1.23");
        assert_eq!(figure(12.34), "12.3");
        assert_eq!(figure(123.4), "123");
        assert_eq!(figure(9.999), "10.0");
    }

    #[test]
    fn columns_line_up() {
        let lines = [
            vec!["a".to_owned(), "1".to_owned()],
            vec!["bcd".to_owned(), "22".to_owned()],
        ];
        assert_eq!(align(&lines), "a     1\nbcd  22\n");
    }

    #[test]
    fn a_section_shows_slowdowns_ratios_and_means() {
        let tools = [Tool::Native, Tool::Racert, Tool::Tsan];
        let rows = [
            row(
                "one",
                &[
                    (Tool::Native, 0.1, 2.0),
                    (Tool::Racert, 0.2, 4.0),
                    (Tool::Tsan, 0.8, 16.0),
                ],
            ),
            row(
                "two",
                &[
                    (Tool::Native, 0.1, 2.0),
                    (Tool::Racert, 0.8, 16.0),
                    (Tool::Tsan, 0.8, 16.0),
                ],
            ),
        ];
        let text = section("Kernels", &rows, &tools);
        let words: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(words[1][..5], ["one", "0.100", "2.00x", "8.00x", "0.25"]);
        assert_eq!(
            words[3][..5],
            ["geometric", "mean", "4.00x", "8.00x", "0.50"]
        );
    }

    #[test]
    fn a_tool_that_did_not_run_is_a_dash() {
        let tools = [Tool::Native, Tool::Tsan];
        let rows = [row("one", &[(Tool::Native, 0.1, 2.0)])];
        let text = section("Kernels", &rows, &tools);
        let words: Vec<&str> = text
            .lines()
            .nth(1)
            .expect("a row")
            .split_whitespace()
            .collect();
        assert_eq!(words[..3], ["one", "0.100", "-"]);
    }
}
