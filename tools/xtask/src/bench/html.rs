//! The report as one HTML page without anything to load: a chart, the tables
//! and the verdicts, in the light or dark colours of the reader's system.

use std::fmt::Write as _;

use super::results::{Report, Row};
use super::table;
use super::tool::Tool;

const BAR: f64 = 11.0;
const GAP: f64 = 10.0;
const LEFT: f64 = 150.0;
const WIDTH: f64 = 900.0;
const RIGHT: f64 = 60.0;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d2129; --soft: #6b7280; --line: #d9dde3;
  --paper: #ffffff; --racert: #1f6feb; --tsan: #d9822b; --helgrind: #8e6bbf; --drd: #4a9d8e;
  --pass: #1a7f37; --fail: #c1272d; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --soft: #9aa4b2; --line: #333a45; --paper: #14181f;
    --racert: #58a6ff; --tsan: #f0a45a; --helgrind: #b79ae0; --drd: #6cc7b6;
    --pass: #4ac26b; --fail: #ff7b72; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
p, figcaption { color: var(--soft); }
figure { margin: 0; overflow-x: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .axis { fill: var(--soft); } svg line { stroke: var(--line); }
pre { overflow-x: auto; font-size: 12.5px; line-height: 1.45; }
.racert { fill: var(--racert); } .tsan { fill: var(--tsan); }
.helgrind { fill: var(--helgrind); } .drd { fill: var(--drd); }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; }
.pass { color: var(--pass); } .fail { color: var(--fail); }
";

/// The whole page.
pub(super) fn page(report: &Report) -> String {
    let mut html = String::from("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    let _ = writeln!(
        html,
        "<title>racert benchmarks</title>\n<style>{STYLE}</style>"
    );
    let _ = writeln!(
        html,
        "<h1>racert beside its peers</h1>\n<p>{}, -{}, {} processors; medians of {} runs.</p>",
        escape(&report.compiler),
        escape(&report.opt),
        report.processors,
        report.reps
    );
    if !report.verdicts.is_empty() {
        html += "<ul>\n";
        for verdict in &report.verdicts {
            let (class, word) = if verdict.kept {
                ("pass", "PASS")
            } else {
                ("fail", "FAIL")
            };
            let (promise, measured) = (escape(&verdict.promise), escape(&verdict.measured));
            let _ = writeln!(
                html,
                "<li><b class=\"{class}\">{word}</b> {promise}: {measured}</li>"
            );
        }
        html += "</ul>\n";
    }
    for (title, rows) in [
        ("Kernels", &report.kernels),
        ("Real programs", &report.real),
    ] {
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(html, "<h2>{title}: CPU time as a multiple of native</h2>");
        html += &figure(rows, &report.tools, |row, tool| {
            row.cell(tool).map(|cell| cell.slowdown)
        });
        let _ = writeln!(
            html,
            "<h2>{title}: peak memory as a multiple of native</h2>"
        );
        html += &figure(rows, &report.tools, |row, tool| {
            row.cell(tool).map(|cell| cell.growth)
        });
    }
    let _ = writeln!(
        html,
        "<h2>Figures</h2>\n<pre>{}</pre>",
        escape(&table::render(report))
    );
    html += "</html>\n";
    html
}

/// Bars a row and tool, on a logarithmic scale that begins at 1.
fn figure(rows: &[Row], tools: &[Tool], value: impl Fn(&Row, Tool) -> Option<f64>) -> String {
    let tools: Vec<Tool> = tools
        .iter()
        .copied()
        .filter(|&tool| tool != Tool::Native)
        .collect();
    let values = rows
        .iter()
        .flat_map(|row| tools.iter().filter_map(|&tool| value(row, tool)));
    let top = values.fold(10.0_f64, f64::max);
    let span = WIDTH - LEFT - RIGHT;
    let x = |value: f64| LEFT + span * value.max(1.0).ln() / top.ln();
    let group = BAR * tools.len() as f64 + GAP;
    let height = group * rows.len() as f64 + 30.0;

    let mut svg = format!(
        "<figure><svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" role=\"img\" \
         aria-label=\"bar chart\">\n"
    );
    for tick in [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0] {
        if tick <= top {
            let (at, bottom) = (x(tick), height - 20.0);
            let _ = writeln!(
                svg,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{bottom}\"/>"
            );
            let _ = writeln!(
                svg,
                "<text class=\"axis\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
                height - 5.0
            );
        }
    }
    for (index, row) in rows.iter().enumerate() {
        let y = group * index as f64 + GAP / 2.0;
        let middle = y + BAR * tools.len() as f64 / 2.0 + 4.0;
        let (name, about) = (escape(&row.name), escape(&row.about));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{middle:.1}\" text-anchor=\"end\">{name}<title>{about}</title></text>",
            LEFT - 8.0
        );
        for (place, &tool) in tools.iter().enumerate() {
            let Some(value) = value(row, tool) else {
                continue;
            };
            let (top, class) = (y + BAR * place as f64, tool.name());
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{LEFT}\" y=\"{top:.1}\" width=\"{:.1}\" \
                 height=\"{}\"><title>{name} {class}: {value:.2}</title></rect>\
                 <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\">{value:.1}</text>",
                (x(value) - LEFT).max(1.0),
                BAR - 1.0,
                x(value) + 4.0,
                top + BAR - 1.0,
            );
        }
    }
    svg += "</svg>\n<figcaption>logarithmic; shorter is better";
    for tool in tools {
        let name = tool.name();
        let _ = write!(
            svg,
            "<span class=\"key\" style=\"background: var(--{name})\"></span>{name}"
        );
    }
    svg + "</figcaption></figure>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results::sample::row;

    #[test]
    fn every_measured_bar_is_drawn_and_names_are_escaped() {
        let tools = [Tool::Native, Tool::Racert, Tool::Tsan];
        let rows = [
            row(
                "a<b",
                &[
                    (Tool::Native, 0.1, 2.0),
                    (Tool::Racert, 0.2, 3.0),
                    (Tool::Tsan, 1.0, 9.0),
                ],
            ),
            row("c", &[(Tool::Native, 0.1, 2.0), (Tool::Tsan, 1.0, 9.0)]),
        ];
        let svg = figure(&rows, &tools, |row, tool| {
            row.cell(tool).map(|cell| cell.slowdown)
        });
        assert_eq!(svg.matches("<rect").count(), 3);
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b"));
    }

    #[test]
    fn a_value_below_one_still_has_a_visible_bar() {
        let rows = [row(
            "r",
            &[(Tool::Native, 1.0, 2.0), (Tool::Racert, 0.5, 3.0)],
        )];
        let svg = figure(&rows, &[Tool::Native, Tool::Racert], |row, tool| {
            row.cell(tool).map(|cell| cell.slowdown)
        });
        assert!(svg.contains("width=\"1.0\""));
    }
}
