//! From a finding of this very process to its log file.

use super::super::Others;
use super::*;
use crate::os;
use crate::report::{Reporter, errors_reported};
use crate::report::{excerpt::Sources, groups::Groups, json, output::Output, seen::Seen};
use crate::symbol::Symbolizer;

#[inline(never)]
fn racy_line() -> u64 {
    let address: u64;
    // SAFETY: reads the instruction pointer.
    unsafe { core::arch::asm!("lea {}, [rip]", "nop", out(reg) address) };
    address + 1
}

#[inline(never)]
fn other_line() -> u64 {
    let address: u64;
    // SAFETY: reads the instruction pointer.
    unsafe { core::arch::asm!("lea {}, [rip]", "nop", out(reg) address) };
    address + 1
}

static COUNTER: u32 = 5;

fn real(first: u64, second: u64) -> Finding {
    let mut finding = finding(&raw const COUNTER as u64, Place::Other);
    finding.accesses[0].stack = stack(&[first]);
    finding.accesses[1].stack = stack(&[second]);
    finding.threads.clear();
    finding
}

fn reporter() -> Reporter {
    Reporter {
        symbolizer: Symbolizer::new(),
        seen: Seen::new(),
        output: Output::new(),
        sources: Sources::new(),
        json: json::Sink::new(),
        groups: Groups::new(),
        others: Others::new(),
        reported: 0,
        advised: 0,
        told: None,
    }
}

/// Reports `findings`, gives the log and how many were counted.
fn log_of(name: &str, options: Options, findings: &[Finding]) -> (String, usize) {
    let base = std::env::temp_dir().join(format!("racert-{name}"));
    let options = Options {
        log_path: base.to_str().unwrap().into(),
        ..options
    };
    let mut reporter = reporter();
    os::on_fresh_stack(|| {
        for finding in findings {
            reporter.report(finding, &options);
        }
    });
    let path = format!("{}.{}", options.log_path, std::process::id());
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    (text, reporter.reported)
}

/// Two lines of one function.
#[inline(never)]
fn two_lines() -> [u64; 2] {
    let [first, second]: [u64; 2];
    // SAFETY: reads the instruction pointer.
    unsafe { core::arch::asm!("lea {}, [rip]", "nop", out(reg) first) };
    // SAFETY: as above.
    unsafe { core::arch::asm!("lea {}, [rip]", "nop", out(reg) second) };
    [first + 1, second + 1]
}

#[test]
fn places_of_one_cause_are_counted() {
    let [first, second] = two_lines();
    let other = other_line();
    let options = Options {
        log_path: "/dev/null/none".into(),
        ..Options::default()
    };
    let mut reporter = reporter();
    let mut printed = Vec::new();
    os::on_fresh_stack(|| {
        for finding in [real(first, other), real(second, other), real(other, other)] {
            reporter.report(&finding, &options);
            printed.push(reporter.told.take().is_some());
        }
    });
    assert_eq!(printed, [true, false, true]);
    assert_eq!(reporter.reported, 2);
    let summary = reporter.groups.summary();
    assert!(
        summary.contains("racert: data race on global 'racert::report"),
        "{summary}"
    );
    assert!(summary.ends_with("), and 1 more place\n"), "{summary}");
    assert_eq!(summary.lines().count(), 1);
}

#[test]
fn named_and_once() {
    let before = errors_reported();
    let (a, b) = (racy_line(), other_line());
    let findings = [real(a, b), real(b, a), real(a, b), real(a, a)];
    let (text, count) = log_of("named", Options::default(), &findings);
    assert_eq!(count, 2);
    assert!(errors_reported() >= before + 2);
    assert_eq!(text.matches("WARNING: racert: data race").count(), 2);
    let name = "report::tests::whole::racy_line";
    assert!(text.contains(&format!("    #0 racert::{name} ")), "{text}");
    assert!(text.contains(&format!(" in racert::{name}\n")), "{text}");
    assert!(text.contains("'racert::report::tests::whole::COUNTER' (u32) of size 4"));
}

#[test]
fn a_record_of_each_and_of_the_end() {
    let path = std::env::temp_dir().join(format!("racert-whole-{}", std::process::id()));
    let options = Options {
        json: path.to_str().unwrap().into(),
        log_path: "/dev/null".into(),
        ..Options::default()
    };
    let (a, b) = (racy_line(), other_line());
    let mut reporter = reporter();
    os::on_fresh_stack(|| {
        for finding in [real(a, b), real(b, a), real(a, a)] {
            reporter.report(&finding, &options);
        }
        reporter.record_end(&options, 66);
    });
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let records: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let types: Vec<&str> = records
        .iter()
        .map(|r| r["type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["finding", "finding", "summary"]);
    assert_eq!(records[2]["findings"], 2);
    let name = "racert::report::tests::whole::COUNTER";
    assert_eq!(records[0]["place"]["name"], name);
    let source = &records[0]["accesses"][0]["source"]["lines"];
    assert!(source.to_string().contains("core::arch::asm!"), "{source}");
}

#[test]
fn without_names() {
    let (a, b) = (racy_line(), other_line());
    let options = Options {
        symbolize: false,
        ..Options::default()
    };
    let (text, _) = log_of("nameless", options, &[real(a, b)]);
    let program = std::env::current_exe().unwrap();
    let frame = format!("    #0 {}+0x", program.to_str().unwrap());
    assert_eq!(text.matches(&frame).count(), 2, "{text}");
    assert!(!text.contains("racy_line"));
}

#[test]
fn up_to_the_limit() {
    let (a, b) = (racy_line(), other_line());
    let options = Options {
        max_findings: 1,
        ..Options::default()
    };
    let findings = [real(a, b), real(a, a), real(b, b)];
    let (text, count) = log_of("limit", options, &findings);
    assert_eq!(count, 1);
    assert_eq!(text.matches("WARNING").count(), 1);
    let end = "\nracert: max_findings=1 reached, further findings are not printed\n";
    assert!(text.ends_with(end), "{text}");
}
