//! Findings to test with, and one golden file a format.

use super::command::{Format, render};
use super::merge::{self, Group};
use super::model::{
    Access, Certainty, Created, Declared, Excerpt, Finding, Frame, InModule, Place, SCHEMA, Stack,
    Thread,
};
use super::paths::Root;
use super::read::{Damage, Input};

fn frame(function: &str, line: u32) -> Frame {
    Frame {
        function: Some(function.into()),
        file: Some("/src/app.c".into()),
        line: Some(line),
        column: Some(5),
        module: Some("/bin/app".into()),
        offset: Some(format!("{:#x}", line * 16)),
        build_id: Some("c0ffee".into()),
        ..Frame::default()
    }
}

fn stack(frames: Vec<Frame>) -> Stack {
    Stack {
        frames,
        callers_lost: false,
    }
}

/// A race on the global `name`.
pub(super) fn sample(name: &str) -> Finding {
    let thread = |number, created| Thread {
        number,
        os_id: 100 + number,
        name: (number == 2).then(|| "worker".into()),
        running: number != 2,
        created,
    };
    let created = Created {
        by: 0,
        stack: stack(vec![frame("main", 40)]),
    };
    Finding {
        schema: SCHEMA,
        record: "finding".into(),
        pid: 7,
        time: "2026-01-02T03:04:05.678Z".into(),
        program: Some("/bin/app".into()),
        kind: "data-race".into(),
        certainty: Certainty::Proven,
        title: "data race".into(),
        fingerprint: format!("{:0>32}", hex(name)),
        fingerprint_without_local: None,
        message: format!("Thread T2 (name \"worker\") writes global '{name}' in bump (app.c:12)."),
        suggestion: Some(format!(
            "guard both accesses to '{name}' with the same lock"
        )),
        accesses: vec![
            Access {
                operation: "write".into(),
                message: None,
                address: "0x4000".into(),
                size: 4,
                thread: 2,
                stack: stack(vec![frame("bump", 12), frame("work", 20)]),
                source: Some(Excerpt {
                    frame: 0,
                    first_line: 11,
                    lines: vec!["{".into(), "    x++; // <&>".into(), "}".into()],
                }),
                last_lock: None,
                last_sync: None,
                locks_known: None,
                locks: vec![],
            },
            Access {
                operation: "atomic-read".into(),
                message: None,
                address: "0x4000".into(),
                size: 4,
                thread: 0,
                stack: stack(vec![frame("main", 30)]),
                source: None,
                last_lock: None,
                last_sync: None,
                locks_known: None,
                locks: vec![],
            },
        ],
        place: Place {
            kind: "global".into(),
            name: Some(name.into()),
            address: "0x4000".into(),
            size: Some(4),
            offset: Some(0),
            declared: Some(Declared {
                file: "/src/app.c".into(),
                line: Some(3),
                column: None,
            }),
            module: Some(InModule {
                module: "/bin/app".into(),
                offset: "0x3000".into(),
                build_id: Some("c0ffee".into()),
            }),
            thread: None,
            thread_pointer: None,
            call: None,
            number: None,
            freed: None,
            part: None,
            stack: None,
        },
        threads: vec![thread(0, None), thread(2, Some(created))],
        locks: vec![],
        ordered_by: vec![],
    }
}

fn hex(name: &str) -> String {
    name.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// A race with `free` in code without debug information.
fn nameless() -> Finding {
    let mut finding = sample("nameless");
    finding.kind = "data-race-with-free".into();
    finding.title = "data race with free".into();
    finding.suggestion = None;
    finding.accesses[0].operation = "free".into();
    for access in &mut finding.accesses {
        access.source = None;
        access.stack = stack(vec![Frame {
            module: Some("/lib/lib x.so".into()),
            offset: Some("0x10".into()),
            ..Frame::default()
        }]);
    }
    finding.accesses[1].stack.callers_lost = true;
    finding.place = Place {
        kind: "heap".into(),
        name: None,
        size: Some(64),
        offset: Some(8),
        declared: None,
        module: None,
        thread: Some(2),
        freed: Some(true),
        stack: Some(stack(vec![frame("make", 50)])),
        ..finding.place
    };
    finding
}

/// One of every kind and state.
fn groups() -> Vec<Group> {
    let mut shifted = sample("counter");
    shifted.accesses[0].stack.frames[0].line = Some(13);
    let mut possible = sample("maybe");
    possible.certainty = Certainty::Possible;
    possible.title = "possible data race".into();
    let now = vec![sample("counter"), shifted, possible, nameless()];
    let old = vec![sample("maybe"), sample("old")];
    merge::compare(merge::groups(now), merge::groups(old), true)
}

fn damage() -> Vec<Damage> {
    vec![Damage {
        file: "races/1.json".into(),
        line: 3,
        why: "cut short after 10 bytes".into(),
    }]
}

fn golden(format: Format, name: &str) -> String {
    let root = Root::new("/src".into());
    let mut got = render(format, &groups(), &damage(), &root);
    if format == Format::Sarif {
        let log: serde_json::Value = serde_json::from_str(&got).unwrap();
        got = serde_json::to_string_pretty(&log).unwrap() + "\n";
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("RACERT_BLESS").is_some() {
        std::fs::write(&path, &got).unwrap();
    }
    let want = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; RACERT_BLESS=1 writes it", path.display()));
    assert!(got == want, "differs from {}:\n{got}", path.display());
    got
}

#[test]
fn text() {
    golden(Format::Text, "report.txt");
}

#[test]
fn github() {
    golden(Format::Github, "report.github");
}

#[test]
fn junit() {
    golden(Format::Junit, "report.junit.xml");
}

#[test]
fn json_is_records_again() {
    let text = golden(Format::Json, "report.json");
    keep_to_the_schema(&text);
}

/// The examples are what the runtime writes, by a test of its own.
#[test]
fn what_the_runtime_writes_keeps_to_the_schema_and_can_be_read() {
    let text = include_str!("../../../../docs/report-examples.jsonl");
    keep_to_the_schema(text);
    let mut input = Input::default();
    input.read("examples".as_ref(), text.as_bytes());
    assert!(input.damage.is_empty(), "{:?}", input.damage);
    assert_eq!(input.findings.len() + 1, text.lines().count());
    assert_eq!(input.ended.len(), 1);
    let groups = merge::groups(input.findings);
    for format in <Format as clap::ValueEnum>::value_variants() {
        let report = render(*format, &groups, &[], &Root::new("/src".into()));
        assert!(report.contains("app.c"), "{format:?}");
    }
}

#[test]
fn a_certainty_of_a_later_version_fails_nothing() {
    let text = include_str!("../../../../docs/report-examples.jsonl");
    let line = text.lines().next().unwrap();
    let line = line.replace("\"certainty\":\"proven\"", "\"certainty\":\"likely\"");
    let mut input = Input::default();
    input.read("later".as_ref(), line.as_bytes());
    assert_eq!(input.findings.len(), 1, "{:?}", input.damage);
    let groups = merge::groups(input.findings);
    let shown = |format| render(format, &groups, &[], &Root::new("/src".into()));
    assert!(shown(Format::Junit).contains("failures=\"0\""));
    assert!(shown(Format::Github).starts_with("::notice "));
    assert!(
        shown(Format::Sarif)
            .replace(' ', "")
            .contains("\"level\":\"note\"")
    );
    assert!(shown(Format::Html).contains("\"certainty\":\"advice\""));
}

fn keep_to_the_schema(text: &str) {
    let schema = include_str!("../../../../docs/report.schema.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    for line in text.lines() {
        let value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn sarif_keeps_to_the_official_schema() {
    let text = golden(Format::Sarif, "report.sarif");
    let log = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&official_schema()).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&log)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
        assert_eq!(flows.len(), 2);
        assert!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].is_string());
    }
}

#[test]
fn an_empty_log_is_valid_too() {
    let text = render(Format::Sarif, &[], &[], &Root::new("/".into()));
    let log = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::is_valid(&official_schema(), &log));
    let junit = render(Format::Junit, &[], &[], &Root::new("/".into()));
    assert!(junit.contains("tests=\"1\" failures=\"0\""));
}

/// The schema that the crate `serde-sarif` was made from.
fn official_schema() -> serde_json::Value {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages
        .iter()
        .find(|p| p["name"] == "serde-sarif")
        .unwrap();
    let manifest = std::path::Path::new(package["manifest_path"].as_str().unwrap());
    let schema = std::fs::read(manifest.with_file_name("src").join("schema.json")).unwrap();
    let mut schema: serde_json::Value = serde_json::from_slice(&schema).unwrap();
    // A stray bracket: not a regular expression. The logs name no language.
    for owner in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][owner]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern").unwrap();
    }
    schema
}
