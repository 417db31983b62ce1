//! Records: what they hold, and the examples in `docs/` that a test of the
//! `racert` command checks against the schema.

use super::super::details::Details;
use super::super::excerpt::Sources;
use super::super::frames::Resolved;
use super::super::locks::Named;
use super::super::notice::Notice;
use super::super::tests::{Table, finding, finding_with_locks, inversion, possible, stack};
use super::super::{frames, locks};
use super::{Context, finding as record, lock_finding, notice, summary};
use crate::finding::{Finding, Kind, Operation, Place, Stack};
use crate::lock::finding::Trouble;
use crate::options::Options;
use crate::suppress::Class;
use serde_json::{Value, json};

fn check(record: &str) -> Value {
    assert!(!record.contains('\n'));
    serde_json::from_str(record).unwrap()
}

fn context() -> Context<'static> {
    Context {
        pid: 7,
        now: 1_000_000_000,
        program: Some("/bin/app"),
    }
}

fn text_of(finding: &Finding) -> String {
    let resolved = Resolved::new(finding, &mut Table);
    let details = Details::new(finding, &resolved, &[], &mut Table, &mut Sources::new());
    record(
        &context(),
        finding,
        &resolved,
        &details,
        &Options::default(),
    )
}

fn of(finding: &Finding) -> Value {
    check(&text_of(finding))
}

#[test]
fn a_race_on_a_global() {
    let value = of(&finding(0x4004, Place::Other));
    assert_eq!(value["schema"], 1);
    assert_eq!(value["kind"], "data-race");
    assert_eq!(value["certainty"], "proven");
    assert_eq!(value["time"], "1970-01-01T00:00:01.000Z");
    assert_eq!(value["program"], "/bin/app");
    let frames = &value["accesses"][0]["stack"]["frames"];
    assert_eq!(
        frames[0],
        json!({
            "function": "bump", "file": "/src/inline.h", "line": 7, "column": 3,
            "module": "/bin/app", "offset": "0xff", "inlined": true,
        })
    );
    assert_eq!(frames[1]["inlined"], false);
    assert_eq!(value["accesses"][1]["operation"], "read");
    assert_eq!(
        value["place"],
        json!({
            "kind": "global", "name": "counters", "address": "0x4000", "size": 40, "offset": 4,
            "declared": {"file": "/src/app.c", "line": 3},
            "in": {"module": "/bin/app", "offset": "0x3000"},
        })
    );
    assert_eq!(value["threads"][1]["created"]["by"], 0);
    assert_eq!(value["threads"][1]["name"], "worker");
}

/// Each kind of memory, and the word for it.
fn places() -> [(u64, Place, &'static str); 7] {
    let heap = Place::Heap {
        start: 0x7000,
        size: 64,
        thread: 2,
        stack: stack(&[0x1200]),
        freed: true,
    };
    let local = Place::ThreadLocal {
        thread: 2,
        thread_pointer: Some(0x1000),
    };
    [
        (0x7008, heap, "heap"),
        (0x77, Place::ThreadStack { thread: 2 }, "stack"),
        (0xff8, local.clone(), "thread-local"),
        (0x77, local, "thread-local"),
        (0x5000, Place::Other, "static"),
        (0x10_0010, Place::Other, "mapping"),
        (0x77, Place::Other, "unknown"),
    ]
}

/// Nearly nothing is known, and a thread has an odd name.
fn bare() -> Finding {
    let mut finding = finding(0x77, Place::Other);
    finding.accesses[0].stack = stack(&[0xdead_0001]);
    finding.accesses[1].stack = Stack {
        addresses: vec![],
        callers_lost: true,
    };
    finding.threads[1].name = Some("a\"\\\n\u{1b}é".into());
    finding
}

#[test]
fn every_place() {
    for (address, place, kind) in places() {
        assert_eq!(of(&finding(address, place))["place"]["kind"], kind);
    }
}

#[test]
fn nothing_known_and_odd_names() {
    let value = of(&bare());
    let frames = &value["accesses"][0]["stack"]["frames"];
    assert_eq!(
        frames[0],
        json!({"address": "0xdead0000", "inlined": false})
    );
    assert_eq!(value["accesses"][1]["stack"]["callers_lost"], true);
    assert_eq!(value["threads"][1]["name"], "a\"\\\n\u{1b}é");
}

/// A thread that nobody joined.
fn leak() -> String {
    let leak = Notice {
        id: "thread-leak",
        title: "thread leak",
        said: "Thread T2 has ended and was neither joined nor detached, created by main thread at:",
        thread: 2,
        stack: stack(&[0x1200]),
        suggestion: Some("join the thread"),
        class: Class::Thread,
        once: true,
    };
    let lines = frames::lines(&leak.stack, &mut Table);
    let threads = finding(0x4004, Place::Other).threads;
    let creations = locks::creations(&threads, &mut Table);
    let threads = (&threads[..], &creations[..]);
    notice(&context(), &leak, &lines, threads, &Options::default())
}

#[test]
fn one_stack() {
    let value = check(&leak());
    assert_eq!(value["kind"], "thread-leak");
    assert_eq!(
        value["message"],
        "Thread T2 has ended and was neither joined nor detached, created by main thread."
    );
    assert_eq!(
        value["accesses"][0]["stack"]["frames"][0]["function"],
        "main"
    );
    assert_eq!(value["place"]["kind"], "none");
}

fn advice() -> String {
    let mut finding = inversion();
    finding.trouble = Trouble::WaitOutsideLoop;
    let named = Named::of(&finding, &mut Table);
    lock_finding(&context(), &finding, &named, &Options::default())
}

#[test]
fn advice_is_neither_proven_nor_possible() {
    let value = check(&advice());
    assert_eq!(value["certainty"], "advice");
    assert_eq!(value["kind"], "wait-outside-loop");
}

#[test]
fn the_examples_are_what_is_written() {
    let mut records = vec![text_of(&finding(0x4004, Place::Other)), text_of(&bare())];
    for (address, place, _) in places() {
        records.push(text_of(&finding(address, place)));
    }
    for operation in [
        Operation::Read,
        Operation::AtomicRead,
        Operation::AtomicWrite,
        Operation::Free,
    ] {
        let mut finding = finding(0x4000, Place::Other);
        finding.kind = Kind::UseAfterFreeRace;
        finding.accesses[0].operation = operation;
        records.push(text_of(&finding));
    }
    records.push(text_of(&finding_with_locks()));
    records.push(text_of(&possible()));
    let inversion = inversion();
    let named = Named::of(&inversion, &mut Table);
    let options = Options::default();
    records.push(lock_finding(&context(), &inversion, &named, &options));
    records.push(advice());
    records.push(leak());
    records.push(summary(&context(), records.len() as u64, 66, false));
    let got = records.join("\n") + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/report-examples.jsonl");
    if std::env::var_os("RACERT_BLESS").is_some() {
        std::fs::write(path, &got).unwrap();
    }
    let want = std::fs::read_to_string(path).unwrap();
    assert!(got == want, "RACERT_BLESS=1 writes {path} anew:\n{got}");
}

#[test]
fn what_hid_a_possible_race() {
    let value = of(&possible());
    assert_eq!(value["certainty"], "possible");
    let step = &value["ordered_by"][0];
    assert_eq!(step["lock"], 0);
    assert_eq!(
        (&step["released_by"], &step["taken_by"]),
        (&json!(0), &json!(2))
    );
    assert_eq!(step["taken"]["frames"][0]["function"], "worker");
    assert_eq!(value["accesses"][1]["locks"][0]["lock"], 1);
    assert!(value["accesses"][1].get("locks_known").is_none());
    assert_eq!(
        of(&finding(0x4004, Place::Other))["accesses"][1]["locks_known"],
        false
    );
}

#[test]
fn the_end() {
    let value = check(&summary(&context(), 3, 66, false));
    assert_eq!(value["findings"], 3);
    assert_eq!(value["exit_status"], 66);
    assert!(value.get("checking_ended_early").is_none());
    let broken = check(&summary(&context(), 0, -1, true));
    assert_eq!(broken["exit_status"], 255);
    assert_eq!(broken["checking_ended_early"], true);
}

#[test]
fn fingerprints_survive_what_does_not_matter() {
    let print = |finding: &Finding| of(finding)["fingerprint"].clone();
    let original = finding(0x4000, Place::Other);
    let same = print(&original);

    let mut swapped = original.clone();
    swapped.accesses.reverse();
    assert_eq!(print(&swapped), same);

    let mut elsewhere = original.clone();
    elsewhere.accesses[0].address = 0x4008;
    elsewhere.accesses[1].operation = Operation::AtomicRead;
    assert_eq!(print(&elsewhere), same, "another element of the variable");

    let mut line = original.clone();
    line.accesses[1].stack = stack(&[0x1900]);
    assert_eq!(print(&line), same, "another line of the same function");

    let mut function = original.clone();
    function.accesses[1].stack = stack(&[0x1300]);
    assert_ne!(print(&function), same);

    let mut kind = original.clone();
    kind.kind = Kind::UseAfterFreeRace;
    assert_ne!(print(&kind), same);
    assert_ne!(print(&finding(0x5000, Place::Other)), same);
}
