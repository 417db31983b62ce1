//! Compares what a detector printed with what the scenario expects.

use crate::detector::Detector;
use crate::execute::Outcome;
use crate::header::KnownDifference;
use crate::matrix::Case;

/// How an answer differs from the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A finding was expected, none was printed.
    Missed,
    /// No finding was expected, one was printed.
    FalseAlarm,
    /// The number of findings is right in kind but the rest is not: this is why.
    Other(String),
}

impl Difference {
    /// Whether the header says so of ThreadSanitizer.
    pub fn is_known(&self, known: Option<KnownDifference>) -> bool {
        matches!(
            (self, known),
            (Difference::Missed, Some(KnownDifference::Misses))
                | (Difference::FalseAlarm, Some(KnownDifference::FalseAlarm))
        )
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Difference::Missed => f.write_str("missed: no report"),
            Difference::FalseAlarm => f.write_str("false alarm"),
            Difference::Other(why) => f.write_str(why),
        }
    }
}

fn other(why: impl Into<String>) -> Result<(), Difference> {
    Err(Difference::Other(why.into()))
}

/// Checks one run of racert; strict about everything the header says.
fn check_racert(case: &Case, outcome: &Outcome) -> Result<(), Difference> {
    let header = &case.scenario.header;
    let warnings: Vec<&str> = outcome
        .stderr
        .lines()
        .filter(|line| line.starts_with("WARNING: racert: "))
        .collect();
    let mode = case.mode.as_deref();
    let expected = header.expected(mode);
    if header.stderr_closed {
        return check_exit(case, outcome);
    }
    check_advice(case, outcome)?;
    if expected.is_empty() {
        if !warnings.is_empty() {
            return Err(Difference::FalseAlarm);
        }
        check_exit(case, outcome)?;
        if !header.advice.is_empty() {
            return check_content(case, outcome);
        }
        if !outcome.stderr.is_empty() {
            return other("standard error is not empty");
        }
        return Ok(());
    }
    if warnings.is_empty() {
        return Err(Difference::Missed);
    }
    for kind in expected {
        let first = format!("WARNING: racert: {kind} (pid=");
        let last = format!("SUMMARY: racert: {kind} ");
        if !warnings.iter().any(|line| line.starts_with(&first)) {
            return other(format!("no line starts with '{first}'"));
        }
        if !outcome.stderr.lines().any(|line| line.starts_with(&last)) {
            return other(format!("no line starts with '{last}'"));
        }
    }
    let reports = header.expected_reports(mode);
    if reports.is_some_and(|count| count != warnings.len()) {
        return other(format!("{} reports", warnings.len()));
    }
    check_content(case, outcome)?;
    check_exit(case, outcome)
}

/// What the header wants to be advised of, each once and nothing else.
fn check_advice(case: &Case, outcome: &Outcome) -> Result<(), Difference> {
    let given: Vec<&str> = outcome
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("ADVICE: racert: "))
        .filter_map(|line| line.rsplit_once(" (pid="))
        .map(|(title, _)| title)
        .collect();
    let wanted = &case.scenario.header.advice;
    if given.len() != wanted.len() || given.iter().any(|title| !wanted.contains(&(*title).into())) {
        return other(format!("advice given: {given:?}"));
    }
    Ok(())
}

/// Lines and names that the report must contain.
fn check_content(case: &Case, outcome: &Outcome) -> Result<(), Difference> {
    let file = case
        .scenario
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    for marker in &case.scenario.header.markers {
        let applies = marker.orders.is_empty()
            || case
                .order
                .as_ref()
                .is_some_and(|order| marker.orders.contains(order));
        let place = format!("/{file}:{}", marker.line);
        let named = outcome.stderr.match_indices(&place).any(|(at, _)| {
            !outcome.stderr[at + place.len()..].starts_with(|next: char| next.is_ascii_digit())
        });
        if applies && !named {
            return other(format!("the report does not name {place}"));
        }
    }
    for name in &case.scenario.header.names {
        if !outcome.stderr.contains(name.as_str()) {
            return other(format!("the report does not contain '{name}'"));
        }
    }
    Ok(())
}

fn check_exit(case: &Case, outcome: &Outcome) -> Result<(), Difference> {
    let expected = case.scenario.header.expected_exit(case.mode.as_deref());
    if outcome.code != expected {
        return other(format!("exit code {} instead of {expected}", outcome.code));
    }
    Ok(())
}

/// Checks one run of ThreadSanitizer: whether it reports, where, and the exit code.
fn check_tsan(case: &Case, outcome: &Outcome) -> Result<(), Difference> {
    let header = &case.scenario.header;
    let reported = outcome.stderr.contains("WARNING: ThreadSanitizer: ");
    let expected = header.expected(case.mode.as_deref());
    match (expected.is_empty(), reported) {
        _ if header.stderr_closed => check_exit(case, outcome),
        (true, true) => Err(Difference::FalseAlarm),
        (false, false) => Err(Difference::Missed),
        (true, false) => check_exit(case, outcome),
        (false, true) => {
            check_content(case, outcome)?;
            check_exit(case, outcome)
        }
    }
}

/// Checks one run.
pub fn check(detector: &Detector, case: &Case, outcome: &Outcome) -> Result<(), Difference> {
    if outcome.timed_out {
        return other("killed at the time limit");
    }
    match detector {
        Detector::Racert(_) => check_racert(case, outcome),
        Detector::Tsan => check_tsan(case, outcome),
    }
}
