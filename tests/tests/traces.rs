//! Random traces through the whole detector: the tests in the code, the entry
//! points and their assembly, the engine. Up to the first finding it has to say
//! what the definitions say.

#[path = "../../runtime/src/engine/traces.rs"]
mod traces;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use proptest::prelude::*;
use racert_tests::program::{compile_file, run};
use traces::{Found, Reference, Step, Touch, section, step};

/// The program that plays a trace.
fn player() -> &'static Path {
    static PLAYER: OnceLock<tempfile::TempDir> = OnceLock::new();
    static PATH: OnceLock<std::path::PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let folder = PLAYER.get_or_init(|| tempfile::tempdir().unwrap());
        let program = folder.path().join("traces");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/traces.c");
        let outcome = run(&mut compile_file(&source, &["-g", "-O1"], &program));
        assert_eq!(outcome.code, 0, "{}", outcome.describe());
        program
    })
}

/// The steps as the program reads them, and what is to be found at the last one.
/// The first `spared` accesses that would find something are left out, and so
/// is what threads that hold a lock would do to atomic variables: it counts as a
/// conflict of critical sections only while it is the last that was done there,
/// which the reference does not know.
fn told(steps: &[Step], mut spared: usize) -> (String, Found) {
    let (mut reference, mut text) = (Reference::new(), String::new());
    for step in steps {
        match *step {
            Step::Access {
                thread,
                touch: Touch { atomic: true, .. },
                ..
            }
            | Step::Release { thread, .. }
            | Step::Acquire { thread, .. }
                if reference.holds_any(thread) => {}
            Step::Access {
                thread,
                granule,
                touch,
                site,
            } => {
                let before = reference.clone();
                let found = reference.access(thread, granule, touch);
                if found != Found::Nothing && spared > 0 {
                    (reference, spared) = (before, spared - 1);
                    continue;
                }
                let (what, offset) = (letter(touch), touch.bytes.trailing_zeros());
                let size = touch.bytes.count_ones();
                writeln!(text, "{thread} {what} {granule} {offset} {size} {site}").unwrap();
                if found != Found::Nothing {
                    return (text, found);
                }
            }
            Step::Toggle { thread, lock } => {
                if let Some(takes) = reference.toggle(thread, lock) {
                    let what = if takes { 'l' } else { 'u' };
                    writeln!(text, "{thread} {what} {lock}").unwrap();
                }
            }
            Step::Release { thread, flag } => {
                writeln!(text, "{thread} s {flag}").unwrap();
                reference.release(thread, flag);
            }
            Step::Acquire { thread, flag } => {
                writeln!(text, "{thread} q {flag}").unwrap();
                reference.acquire(thread, flag);
            }
        }
    }
    (text, Found::Nothing)
}

fn letter(touch: Touch) -> char {
    match (touch.atomic, touch.write) {
        (false, false) => 'r',
        (false, true) => 'w',
        (true, false) => 'a',
        (true, true) => 'A',
    }
}

fn compare(steps: &[Step], spared: usize) {
    let (text, found) = told(steps, spared);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    std::fs::write(&file, &text).unwrap();
    let mut command = Command::new(player());
    let outcome = run(command
        .arg(&file)
        .env("RACERT_OPTIONS", "log_path=/dev/null"));
    let last = text.lines().count().saturating_sub(1);
    let possible = format!("step {last}: possible-data-race\n");
    let wanted = match found {
        Found::Nothing => vec!["nothing\n".to_owned()],
        Found::Possible => vec![possible],
        // One access may meet several; which is told is free.
        Found::Proven => vec![format!("step {last}: data-race\n"), possible],
    };
    assert!(
        wanted.contains(&outcome.stdout),
        "{found:?} at the end of\n{text}{}",
        outcome.describe()
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn single_steps(steps in prop::collection::vec(step(), 1..60)) {
        compare(&steps, 0);
    }

    #[test]
    fn critical_sections(sections in prop::collection::vec(section(), 1..40)) {
        compare(&sections.concat(), 0);
    }

    #[test]
    fn many_single_steps(steps in prop::collection::vec(step(), 1..600), spared in 0..60usize) {
        compare(&steps, spared);
    }

    #[test]
    fn many_critical_sections(
        sections in prop::collection::vec(section(), 1..200),
        spared in 0..40usize,
    ) {
        compare(&sections.concat(), spared);
    }
}
