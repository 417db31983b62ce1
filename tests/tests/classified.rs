//! The classified corpus in every mode of racert, one named test for each case
//! and mode. What other detectors say is in its table (`cargo xtask modes`).

use std::collections::BTreeSet;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use racert_tests::classified::tool::{self, Answer, MODES, Tool};
use racert_tests::classified::{self, Case};

fn check(case: &Case, name: &'static str, options: &'static str) -> Result<(), Failed> {
    let answer = tool::ask(Tool::Racert(name, options), case)?;
    if answer == Answer::Failed {
        return Err("the run failed".into());
    }
    if answer.is_report() != case.is_reported_by(name) {
        return Err(format!("{answer:?} of {}", case.source.display()).into());
    }
    // Whatever the mode: what is called proven is true.
    if !case.race && answer == Answer::Race {
        return Err("a race that is none was called proven".into());
    }
    Ok(())
}

fn run() -> Result<ExitCode, String> {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let cases = classified::load()?;
    let names: BTreeSet<String> = cases.iter().map(Case::title).collect();
    if names.len() != cases.len() || cases.len() < 80 {
        return Err(format!("{} names for {} cases", names.len(), cases.len()));
    }
    let mut trials = Vec::new();
    for case in cases {
        for &(name, options) in MODES {
            let case = case.clone();
            let title = format!("{}::{name}", case.title());
            trials.push(Trial::test(title, move || check(&case, name, options)));
        }
    }
    trials.push(Trial::test("server", || {
        for number in 1..=8 {
            let [original, corrected, marked] = tool::server(number)?;
            // As soon as two requests meet, one of the real mistakes shows.
            let real = usize::from(number > 3);
            if !(original > corrected && corrected > marked && marked >= real) {
                let counts = format!("T{number}: {original}, {corrected}, {marked}");
                return Err(counts.into());
            }
        }
        Ok(())
    }));
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
