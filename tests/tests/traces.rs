//! Random traces through the whole detector: the tests in the code, the entry
//! points and their assembly, the engine. Up to the first finding it has to say
//! what the definitions say.

#[path = "../../runtime/src/engine/traces.rs"]
mod traces;

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
        let before = reference.clone();
        let (line, found) = take(&mut reference, step);
        if found != Found::Nothing && spared > 0 {
            (reference, spared) = (before, spared - 1);
            continue;
        }
        text.extend(line.map(|line| line + "\n"));
        if found != Found::Nothing {
            return (text, found);
        }
    }
    (text, Found::Nothing)
}

/// The step as a line, unless it is left out, and what it finds.
fn take(reference: &mut Reference, step: &Step) -> (Option<String>, Found) {
    match *step {
        Step::Access {
            thread,
            touch: Touch { atomic: true, .. },
            ..
        }
        | Step::Release { thread, .. }
        | Step::Acquire { thread, .. }
            if reference.holds_any(thread) =>
        {
            (None, Found::Nothing)
        }
        Step::Access {
            thread,
            granule,
            touch,
            site,
        } => {
            let (what, offset) = (letter(touch), touch.bytes.trailing_zeros());
            let size = touch.bytes.count_ones();
            let line = format!("{thread} {what} {granule} {offset} {size} {site}");
            (Some(line), reference.access(thread, granule, touch))
        }
        Step::Range {
            thread,
            from,
            to,
            write,
            site,
        } => {
            let (what, size) = (if write { 'W' } else { 'R' }, 8 * (to - from));
            let line = format!("{thread} {what} {from} 0 {size} {site}");
            (Some(line), reference.range(thread, from..to, write))
        }
        Step::Renew { thread, site } => {
            let line = format!("{thread} f 0 0 0 {site}");
            (Some(line), reference.renew(thread))
        }
        Step::Toggle { thread, lock } => {
            let line = reference.toggle(thread, lock).map(|takes| {
                let what = if takes { 'l' } else { 'u' };
                format!("{thread} {what} {lock}")
            });
            (line, Found::Nothing)
        }
        Step::Release { thread, flag } => {
            reference.release(thread, flag);
            (Some(format!("{thread} s {flag}")), Found::Nothing)
        }
        Step::Acquire { thread, flag } => {
            reference.acquire(thread, flag);
            (Some(format!("{thread} q {flag}")), Found::Nothing)
        }
    }
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
    let possible = format!("step {last}: possible-data-race");
    let starts = match found {
        Found::Nothing => vec!["nothing\n".to_owned()],
        Found::Possible => vec![possible],
        // One access may meet several; which is told is free.
        Found::Proven => vec![format!("step {last}: data-race"), possible],
    };
    assert!(
        starts.iter().any(|start| outcome.stdout.starts_with(start)),
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
