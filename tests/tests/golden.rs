//! Compares whole reports with the files in `tests/golden/`.
//!
//! `RACERT_BLESS=1` writes the files anew; read the difference before you
//! commit it, for it is what users will see.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use racert_tests::compile::compile;
use racert_tests::detector::Detector;
use racert_tests::execute;
use racert_tests::matrix::{self, Case};
use racert_tests::normalise::normalise;

fn golden_path(case: &str) -> PathBuf {
    let file = case.replace("::", ".").replace('/', "-");
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(format!("{file}.txt"))
}

fn find(name: &str) -> Case {
    let cases = matrix::load(&racert_tests::scenarios_dir()).unwrap();
    let mut cases = cases.into_iter().flat_map(matrix::cases);
    cases
        .find(|case| case.name() == name)
        .unwrap_or_else(|| panic!("no case {name}"))
}

/// The normalised report of a case, from a program of a fixed name, behind a
/// line with the kinds that its records have.
fn report(name: &str) -> String {
    let case = find(name);
    let detector = Detector::from_env().unwrap();
    assert!(
        matches!(detector, Detector::Racert(_)),
        "golden reports are racert's own"
    );
    let compiled = compile(&detector, &case).unwrap();
    // A link, not a copy: a file that another test's child still has open for
    // writing cannot be executed.
    let folder = tempfile::tempdir_in(racert_tests::target_dir()).unwrap();
    let program = folder.path().join("program");
    fs::hard_link(&compiled.executable, &program).unwrap();
    let mut command = Command::new(&program);
    command.args(&case.order);
    detector.configure(&mut command, &case);
    let records = folder.path().join("records.json");
    record_to(&mut command, &records);
    let outcome = execute::run(&mut command, execute::HUNG).unwrap();
    let expected = case.scenario.header.expected_exit(case.mode.as_deref());
    assert_eq!(outcome.code, expected, "{}", outcome.describe());
    let kinds = kinds(&records).join(" ");
    format!("kinds: {kinds}\n{}", normalise(&outcome.stderr))
}

/// Has `command` write its records to `path` as well.
fn record_to(command: &mut Command, path: &Path) {
    let key = "RACERT_OPTIONS";
    let set = command.get_envs().find(|(name, _)| *name == key);
    let set = set.and_then(|(_, value)| Some(value?.to_str().unwrap().to_owned()));
    let json = format!("json={}", path.display());
    let options = set.filter(|set| !set.is_empty());
    let options = options.map_or(json.clone(), |set| format!("{set}:{json}"));
    command.env(key, options);
}

/// The kinds of the findings in `records`, each once.
fn kinds(records: &Path) -> Vec<String> {
    let text = fs::read_to_string(records).unwrap_or_default();
    let mut kinds: Vec<String> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|record| Some(record["kind"].as_str()?.to_owned()))
        .collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

/// What records call the findings that are one sentence: they have no type of
/// their own, but each is made where its name is.
fn notices(folder: &Path, into: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            notices(&path, into);
        } else if !path.ends_with("tests.rs") && !path.to_str().unwrap().contains("/tests/") {
            let text = fs::read_to_string(&path).unwrap();
            let ids = text.lines().filter_map(|line| {
                let id = line.trim().strip_prefix("id: \"")?;
                Some(id.split('"').next()?.to_owned())
            });
            into.extend(ids);
        }
    }
}

#[test]
fn every_kind_of_finding_has_a_golden_report() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wanted: Vec<String> = racert_records::report::ids().map(str::to_owned).collect();
    notices(&tests.with_file_name("runtime").join("src"), &mut wanted);
    assert!(wanted.iter().any(|id| id == "thread-leak"), "{wanted:?}");
    let files = fs::read_dir(tests.join("golden")).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let golden: Vec<String> = texts
        .filter_map(|text| Some(text.lines().next()?.strip_prefix("kinds: ")?.to_owned()))
        .collect();
    let has = |id: &String| golden.iter().any(|kinds| kinds.split(' ').any(|k| k == id));
    let missing: Vec<&String> = wanted.iter().filter(|id| !has(id)).collect();
    assert!(missing.is_empty(), "no golden report of {missing:?}");
}

fn check(name: &str) {
    let got = report(name);
    let path = golden_path(name);
    if env::var_os("RACERT_BLESS").is_some() {
        fs::write(&path, got).unwrap();
        return;
    }
    let want = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; RACERT_BLESS=1 writes it", path.display()));
    assert!(
        got == want,
        "the report differs from {}\n--- expected\n{want}\n--- printed\n{got}",
        path.display()
    );
}

/// One test for each golden report.
macro_rules! golden {
    ($($test:ident: $case:literal,)*) => {
        $(#[test]
        fn $test() {
            check($case);
        })*
    };
}

golden! {
    global_write_then_read: "plain/int_race::c::O1::write-read",
    global_read_then_write: "plain/int_race::c::O1::read-write",
    part_of_a_word: "plain/partial_overlap_race::c::O1::write-read",
    heap_block: "storage/heap_race::c::O1::write-read",
    stack_variable: "storage/stack_own_race::c::O0",
    local_of_another_thread: "storage/stack_race::c::O2::write-read",
    member_of_an_element: "storage/element_race::c::O1::write-read",
    container_and_local: "storage/containers_race::c++::O1",
    vtable_pointer: "storage/vptr_race::c++::O1",
    descriptor: "descriptor/close_race::c::O1::first-second",
    plain_flag: "adhoc/plain_flag_race::c::O1::set-first::hybrid",
    relaxed_flag: "adhoc/relaxed_flag_race::c::O1::set-first::hybrid",
    call_in_a_signal_handler: "signal/unsafe_malloc_race::c::O1",
    errno_in_a_signal_handler: "signal/errno_race::c::O1",
    thread_leak: "threads/leak_race::c::O1",
    unbalanced_annotation: "annotations/unbalanced_begin_race::c::O1",
    expected_race_missing: "annotations/expect_race::c::O1",
    thread_local_variable: "storage/thread_local_race::c::O0",
    last_synchronisation: "last/acts_race::c::O1::wait",
    last_descriptor: "last/acts_race::c::O1::receive",
    class_member: "storage/member_race::c++::O1::write-read",
    free_after_use: "heap/free_race::c::O1",
    copy_of_a_range: "memory/memcpy_race::c::O1::write-read",
    one_side_locked: "mutex/normal_race::c::O1::first-second",
    lock_that_others_hold: "suggestion/others_hold_race::c::O1",
    one_side_locked_last: "mutex/normal_race::c::O1::second-first",
    hidden_by_a_lock: "hybrid/lock_order_race::c::O1::hybrid",
    hidden_by_two_locks: "hybrid/lock_chain_race::c::O1::hybrid",
    atomic_and_plain: "atomics/mixed_race::c::O1::first-second",
    lock_order_inversion: "deadlock/inversion_race::c::O1::first-second",
    lock_order_of_three: "deadlock/three_race::c::O1",
    locks_of_two_kinds: "deadlock/spin_race::c::O1::first-second",
    deadlock: "deadlock/actual_race::c::O1::first-second",
    deadlock_with_a_join: "deadlock/join_race::c::O1::first-second",
    deadlock_in_a_wait: "deadlock/condvar_race::c::O1",
    double_lock: "deadlock/self_race::c::O1",
    unlock_unlocked: "lock_misuse/unlock_unlocked_race::c::O1",
    unlock_by_another: "lock_misuse/unlock_other_race::c::O1",
    destroy_locked: "lock_misuse/destroy_locked_race::c::O1",
    use_destroyed: "lock_misuse/use_destroyed_race::c::O1::lock",
    end_locked: "lock_misuse/end_locked_race::c::O1",
    lock_where_none_should_be: "lock_misuse/none_expected_race::c::O1",
    wait_unlocked: "lock_misuse/wait_unlocked_race::c::O1",
    wait_two_mutexes: "lock_misuse/wait_two_mutexes_race::c::O1",
    condvar_destroyed: "lock_misuse/condvar_destroyed_race::c::O1",
    condvar_uninitialised: "lock_misuse/condvar_uninitialised_race::c::O1",
    barrier_destroyed: "lock_misuse/barrier_destroyed_race::c::O1",
    barrier_reinitialised: "lock_misuse/barrier_reinitialised_race::c::O1",
    read_lock_upgraded: "lock_misuse/upgrade_race::c::O1",
    rwlock_unlocked: "lock_misuse/rwlock_unlock_race::c::O1",
    rwlock_unlocked_by_another: "lock_misuse/rwlock_unlock_other_race::c::O1::write",
    annotated_lock_twice: "lock_misuse/custom_double_race::c::O1",
    annotated_lock_in_the_wrong_mode: "lock_misuse/custom_mode_race::c::O1",
    annotated_lock_unlocked: "lock_misuse/custom_unlock_race::c::O1",
    lost_wakeup: "lost_wakeup/no_look_race::c::O1",
    wait_outside_a_loop: "advice/outside_loop_race::c::O1",
    signal_without_the_mutex: "advice/signal_unlocked_race::c::O1",
    condition_without_the_mutex: "advice/condition_unlocked_race::c::O1",
    freed_with_a_lock_held: "lock_misuse/free_locked_race::c::O1",
    refused_call: "lock_misuse/semaphore_count_race::c::O1",
    use_after_free: "heap/late_use_race::c::O1",
    unprotected: "condvar/one_condvar_race::c::O1::signal-first::msm-short",
    shared_library: "library/linked_race::c::O1::first-second",
}
