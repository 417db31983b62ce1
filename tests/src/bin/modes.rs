//! Puts the classified corpus to every mode and every other detector, and
//! writes `tests/classified/TABLE.md`.

use std::fs;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use racert_tests::classified::table::{self, Row};
use racert_tests::classified::tool::{self, Tool};
use racert_tests::classified::{self, Case};

fn row(tools: &[Tool], case: &Case) -> Result<Row, String> {
    let answers: Result<_, _> = tools.iter().map(|tool| tool::ask(*tool, case)).collect();
    Ok((case.clone(), answers?))
}

/// All rows, two cases at a time, in the order of the cases.
fn rows(tools: &[Tool], cases: &[Case]) -> Result<Vec<Row>, String> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some((i, case)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            cases.get(i).map(|case| (i, case))
        } {
            let row = row(tools, case);
            eprintln!("{}", case.title());
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((i, row));
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, row)| row).collect()
}

fn run() -> Result<(), String> {
    let tools = Tool::all();
    let rows = rows(&tools, &classified::load()?)?;
    let path = classified::folder().join("TABLE.md");
    let server: Result<Vec<_>, _> = (1..=8).map(tool::server).collect();
    let text = table::document(&tools, &rows) + &table::server(&server?);
    let summary = text.lines().skip_while(|line| !line.starts_with('|'));
    for line in summary.take_while(|line| line.starts_with('|')) {
        println!("{line}");
    }
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
