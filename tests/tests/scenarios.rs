//! Runs the scenario corpus: one named test for each case.
//!
//! `RACERT_PREFIX` is the installed racert (default `target/racert`),
//! `RACERT_TEST_REPEAT` the number of runs of each program, all of which must
//! come out right (default 3), `RACERT_TEST_FULL=1` runs every level in every
//! order and language, `RACERT_TEST_MODE=hb` runs all of it in that mode,
//! `RACERT_TEST_PEER=tsan` asks ThreadSanitizer
//! instead and prints a table of where it disagrees with the corpus.

use std::collections::BTreeMap;
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use racert_tests::compile::{compile, missing};
use racert_tests::detector::Detector;
use racert_tests::execute;
use racert_tests::header::KnownDifference;
use racert_tests::matrix::{self, Case};
use racert_tests::verdict::{self, Difference};

/// Runs that disagreed with the corpus, by case: how many, and the last one.
type Disagreements = Arc<Mutex<BTreeMap<String, (usize, Difference, bool)>>>;

fn repeats() -> Result<usize, String> {
    match std::env::var("RACERT_TEST_REPEAT") {
        Ok(text) => text
            .parse()
            .map_err(|error| format!("RACERT_TEST_REPEAT={text}: {error}")),
        Err(_) => Ok(3),
    }
}

/// Compiles a case and runs it `repeats` times; every run counts.
fn run_case(
    detector: &Detector,
    case: &Case,
    repeats: usize,
    disagreements: &Disagreements,
) -> Result<(), Failed> {
    let known = match detector {
        Detector::Racert(_) => None,
        Detector::Tsan => case.scenario.header.tsan,
    };
    if known == Some(KnownDifference::Skip) {
        return Ok(());
    }
    let program = match compile(detector, case) {
        Ok(program) => program,
        Err(error) => {
            let header = missing(detector, case).ok_or(error)?;
            println!("{}: skipped, {header} is not installed", case.name());
            return Ok(());
        }
    };
    let limit = Duration::from_secs(case.scenario.header.timeout);
    let mut wrong = 0;
    let mut unexplained = None;
    for _ in 0..repeats {
        let mut command = Command::new(&program.executable);
        command.args(&case.order);
        detector.configure(&mut command, case);
        let outcome = execute::run(&mut command, limit)?;
        let Err(difference) = verdict::check(detector, case, &outcome) else {
            continue;
        };
        wrong += 1;
        let explained = difference.is_known(known);
        let mut all = disagreements
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        all.insert(case.name(), (wrong, difference.clone(), explained));
        let hung = outcome.timed_out;
        if !explained {
            unexplained = Some((difference, outcome));
        }
        if hung {
            break;
        }
    }
    match unexplained {
        None => Ok(()),
        Some((difference, outcome)) => Err(format!(
            "{wrong} of {repeats} runs wrong: {difference}\n{}\n{}",
            program.executable.display(),
            outcome.describe()
        )
        .into()),
    }
}

fn print_disagreements(detector: &Detector, repeats: usize, disagreements: &Disagreements) {
    let all = disagreements
        .lock()
        .unwrap_or_else(|poison| poison.into_inner());
    println!(
        "{} disagrees with the corpus in {} cases",
        detector.name(),
        all.len()
    );
    for (name, (wrong, difference, explained)) in all.iter() {
        let known = if *explained { "known" } else { "UNKNOWN" };
        println!("{known:8} {wrong:3}/{repeats:<3} {name}: {difference}");
    }
}

fn run() -> Result<ExitCode, String> {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let detector = Detector::from_env()?;
    let repeats = repeats()?;
    let extent = matrix::Extent::from_env();
    let disagreements = Disagreements::default();
    let root = racert_tests::scenarios_dir();
    // nextest asks for each case in a process of its own.
    let scenarios = match &arguments.filter {
        Some(name) if arguments.exact => matrix::load_one(&root, name)?,
        _ => matrix::load(&root)?,
    };
    let trials = scenarios
        .into_iter()
        .flat_map(matrix::cases)
        .filter(|case| extent.includes(case))
        .map(|case| {
            let (detector, disagreements) = (detector.clone(), disagreements.clone());
            Trial::test(case.name(), move || {
                run_case(&detector, &case, repeats, &disagreements)
            })
        })
        .collect();
    let list_only = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if matches!(detector, Detector::Tsan) && !list_only {
        print_disagreements(&detector, repeats, &disagreements);
    }
    Ok(conclusion.exit_code())
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
