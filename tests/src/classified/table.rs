//! The table of all answers, as Markdown.

use std::fmt::Write;

use super::Case;
use super::tool::{Answer, Tool};

/// One row: a case and what everybody said.
pub type Row = (Case, Vec<Answer>);

/// Cases that a tool got wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Reported without a race, as a race.
    pub false_races: usize,
    /// Reported without a race, as a possible one.
    pub false_possible: usize,
    /// Not reported.
    pub missed: usize,
    /// The run failed.
    pub broken: usize,
}

impl Score {
    fn failed(self) -> usize {
        self.false_races + self.false_possible + self.missed + self.broken
    }
}

/// How the tool in column `i` did.
pub fn score(rows: &[Row], i: usize) -> Score {
    let mut score = Score::default();
    for (case, answers) in rows {
        match (case.race, answers[i]) {
            (_, Answer::Failed) => score.broken += 1,
            (false, Answer::Race) => score.false_races += 1,
            (false, Answer::Possible) => score.false_possible += 1,
            (true, Answer::Silent) => score.missed += 1,
            _ => {}
        }
    }
    score
}

/// The whole document.
pub fn document(tools: &[Tool], rows: &[Row]) -> String {
    let races = rows.iter().filter(|(case, _)| case.race).count();
    let mut out = format!(
        "# The classified corpus\n\n\
         Written by `cargo xtask modes`. {} cases, {races} of them with a race in some schedule. \
         A false positive is a report about a case without one, a false negative silence about a \
         case with one; `conflict_edges=0` is `mode=hybrid` as in the 2009 ThreadSanitizer \
         paper. The order of accesses is forced, one run each. `fast` leaves out what the first \
         thread did and `msm-long` what happens once, which is most of what such short programs \
         do.\n\n\
         | tool | false positives | of these called possible | false negatives | failed cases | \
         passed cases |\n|---|---|---|---|---|---|\n",
        rows.len()
    );
    for (i, tool) in tools.iter().enumerate() {
        let score = score(rows, i);
        let failed = score.failed();
        let name = match tool {
            Tool::Racert(name, _) => format!("racert `{name}`"),
            _ => tool.name().to_owned(),
        };
        let possible = match tool {
            Tool::Racert(..) => score.false_possible.to_string(),
            _ => "-".into(),
        };
        let _ = writeln!(
            out,
            "| {name} | {} | {possible} | {} | {failed} | {} |",
            score.false_races + score.false_possible,
            score.missed,
            rows.len() - failed
        );
    }
    out.push_str(
        "\nR: reported as a race, P: as a possible one, -: nothing; bold where it is wrong.\n\n\
         | case | race |",
    );
    for tool in tools {
        let _ = write!(out, " {} |", tool.name());
    }
    out.push_str("\n|---|---|");
    out.push_str(&"---|".repeat(tools.len()));
    out.push('\n');
    for (case, answers) in rows {
        let _ = write!(out, "| {} | {} |", case.title(), yes(case.race));
        for answer in answers {
            let letter = match answer {
                Answer::Silent => "-",
                Answer::Possible => "P",
                Answer::Race => "R",
                Answer::Failed => "failed",
            };
            if answer.is_report() == case.race && *answer != Answer::Failed {
                let _ = write!(out, " {letter} |");
            } else {
                let _ = write!(out, " **{letter}** |");
            }
        }
        out.push('\n');
    }
    out
}

/// The findings of the server's test cases, as the paper has them.
pub fn server(counts: &[[usize; 3]]) -> String {
    let mut out = String::from(
        "\n## The lockset detector on a C++ server\n\n\
         Findings in the test cases of `server/server.cc` with `mode=eraser`: as Helgrind was \
         (`bus_lock=mutex:delete_marks=0`), with the lock of atomic instructions corrected \
         (`delete_marks=0`), and with deleted objects marked, too.\n\n\
         | test case | Original | HWLC | HWLC+DR |\n|---|---|---|---|\n",
    );
    for (i, [original, corrected, marked]) in counts.iter().enumerate() {
        let _ = writeln!(out, "| T{} | {original} | {corrected} | {marked} |", i + 1);
    }
    out
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn case(race: bool) -> Case {
        Case {
            class: "class".into(),
            name: "name".into(),
            race,
            wrong: Vec::new(),
            source: PathBuf::new(),
        }
    }

    #[test]
    fn what_is_wrong_is_counted_and_shown() {
        let tools = [Tool::Racert("hybrid", ""), Tool::Tsan];
        let rows = [
            (case(true), vec![Answer::Possible, Answer::Silent]),
            (case(false), vec![Answer::Possible, Answer::Race]),
        ];
        let hybrid = Score {
            false_possible: 1,
            ..Score::default()
        };
        assert_eq!(score(&rows, 0), hybrid);
        let text = document(&tools, &rows);
        assert!(text.contains("| racert `hybrid` | 1 | 1 | 0 | 1 | 1 |"));
        assert!(text.contains("| ThreadSanitizer | 1 | - | 1 | 2 | 0 |"));
        assert!(text.contains("| class/name | yes | P | **-** |"));
        assert!(text.contains("| class/name | no | **P** | **R** |"));
    }
}
