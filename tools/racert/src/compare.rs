//! `racert run --mode all`: one program in every mode, and one table.
//!
//! Each mode is a `racert run` of its own whose findings go to a file. The
//! table has a row for each pair of places that some mode reports, and one for
//! how each run ended.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, fs, io, process};

use serde_json::Value;

use crate::cli::RunArgs;
use crate::error::{self, Error, Result};

/// All modes, the default first.
pub(crate) const MODES: [&str; 6] = ["hybrid", "hb", "fast", "msm-short", "msm-long", "eraser"];

/// What one mode found, by place: how many, and whether one is proven.
type Findings = BTreeMap<String, bool>;

struct Outcome {
    findings: Findings,
    code: Option<i32>,
    seconds: f64,
}

/// Runs the program in every mode and prints the table.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let folder = env::temp_dir().join(format!("racert-modes-{}", process::id()));
    let outcomes = fs::create_dir(&folder).and_then(|()| {
        let outcomes = MODES.iter().map(|mode| run_one(args, mode, &folder));
        outcomes.collect::<io::Result<Vec<Outcome>>>()
    });
    // Leftovers of a temporary folder harm nobody.
    let _ = fs::remove_dir_all(&folder);
    let outcomes = outcomes.map_err(|error| {
        let what = args.program[0].to_string_lossy();
        Error::new(error::UNUSABLE, format!("cannot run {what}: {error}"))
    })?;
    print!("{}", table(&outcomes));
    Ok(ExitCode::SUCCESS)
}

fn run_one(args: &RunArgs, mode: &str, folder: &Path) -> io::Result<Outcome> {
    let records = folder.join(format!("{mode}.json"));
    let mut command = Command::new(env::current_exe()?);
    command.arg("run");
    for option in &args.options {
        command.args(["-o", option]);
    }
    command.args(["-o", &format!("mode={mode}")]);
    for (key, path) in [("json", &records), ("log_path", &folder.join(mode))] {
        command.args(["-o", &format!("{key}={}", path.display())]);
    }
    if args.preload {
        command.arg("--preload");
    }
    if let Some(libraries) = &args.libs {
        let mut option = OsString::from("--libs=");
        option.push(libraries.to_string());
        command.arg(option);
    }
    command.arg("--").args(&args.program);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.stderr(Stdio::null()).status()?;
    Ok(Outcome {
        findings: read(&records),
        code: status.code(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The findings of a file of records; none if the program wrote none.
fn read(records: &PathBuf) -> Findings {
    let text = fs::read_to_string(records).unwrap_or_default();
    let mut findings = Findings::new();
    for record in text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
    {
        let record: Value = record;
        if record["type"] == "finding" && record["certainty"] != "advice" {
            let proven = record["certainty"] == "proven";
            *findings.entry(places(&record)).or_default() |= proven;
        }
    }
    findings
}

/// Where it is: the innermost places with a source, in a fixed order. Races by
/// their places alone, whatever a mode calls them; other findings by their
/// title too.
fn places(finding: &Value) -> String {
    let place = |access: &Value| {
        let frames = access["stack"]["frames"].as_array()?;
        let frame = frames.iter().find(|frame| frame["file"].is_string());
        let frame = frame.or(frames.first())?;
        let function = frame["function"].as_str().unwrap_or("?");
        let file = frame["file"]
            .as_str()
            .and_then(|file| file.rsplit('/').next());
        Some(match file {
            Some(file) => format!("{file}:{} {function}", frame["line"]),
            None => function.to_owned(),
        })
    };
    let accesses = finding["accesses"].as_array().into_iter().flatten();
    let places: BTreeSet<String> = accesses.filter_map(place).collect();
    let places = places.into_iter().collect::<Vec<_>>().join(", ");
    let title = finding["title"].as_str().unwrap_or("finding");
    match title {
        "data race" | "possible data race" => places,
        _ => format!("{places} ({title})"),
    }
}

fn table(outcomes: &[Outcome]) -> String {
    let all: BTreeSet<&String> = outcomes.iter().flat_map(|o| o.findings.keys()).collect();
    let widths = MODES.map(|mode| mode.len().max(8));
    let line = |cells: Vec<String>, last: &str| {
        let mut line: String = cells
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:<width$}  "))
            .collect();
        line.push_str(last);
        line.trim_end().to_owned() + "\n"
    };
    let of_all = |f: &dyn Fn(&Outcome) -> String| outcomes.iter().map(f).collect();
    let mut out = line(MODES.map(str::to_owned).to_vec(), "");
    for finding in all {
        let mark = |outcome: &Outcome| match outcome.findings.get(finding) {
            Some(true) => "proven".to_owned(),
            Some(false) => "possible".to_owned(),
            None => "-".to_owned(),
        };
        out += &line(of_all(&mark), finding);
    }
    let count = |wanted: bool| {
        move |outcome: &Outcome| {
            let kinds = outcome.findings.values();
            kinds
                .filter(|proven| **proven == wanted)
                .count()
                .to_string()
        }
    };
    out += &line(of_all(&count(true)), "proven");
    out += &line(of_all(&count(false)), "possible");
    let exit = |outcome: &Outcome| match outcome.code {
        Some(code) => code.to_string(),
        None => "signal".to_owned(),
    };
    out += &line(of_all(&exit), "exit status");
    let seconds = |outcome: &Outcome| format!("{:.2}", outcome.seconds);
    out + &line(of_all(&seconds), "seconds")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn finding(title: &str, functions: [&str; 2]) -> Value {
        let access = |function: &str| json!({ "stack": { "frames": [{ "function": function, "file": "/src/a.c", "line": 7 }] } });
        json!({ "type": "finding", "title": title, "accesses": functions.map(access) })
    }

    #[test]
    fn a_race_is_the_same_whichever_way_round_and_however_certain() {
        let one = places(&finding("data race", ["f", "g"]));
        assert_eq!(one, places(&finding("possible data race", ["g", "f"])));
        assert_eq!(one, "a.c:7 f, a.c:7 g");
        assert_ne!(one, places(&finding("deadlock", ["f", "g"])));
    }

    #[test]
    fn every_mode_has_its_column() {
        let outcome = |place: Option<(&str, bool)>| Outcome {
            findings: place.into_iter().map(|(p, c)| (p.to_owned(), c)).collect(),
            code: Some(0),
            seconds: 0.5,
        };
        let mut outcomes: Vec<Outcome> = MODES.iter().map(|_| outcome(None)).collect();
        outcomes[0] = outcome(Some(("here", true)));
        outcomes[5] = outcome(Some(("here", false)));
        let text = table(&outcomes);
        assert!(
            text.contains("proven    -         -         -          -         possible  here\n")
        );
        assert!(
            text.ends_with(
                "0.50      0.50      0.50      0.50       0.50      0.50      seconds\n"
            )
        );
    }
}
