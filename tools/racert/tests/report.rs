//! `racert report` as a user calls it.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use support::{Scratch, text};

const RACERT: &str = env!("CARGO_BIN_EXE_racert");
/// Records as the command itself writes them: two new ones, one known, one gone.
const RECORDS: &str = include_str!("golden/report.json");

/// A record of a finding on the variable `name`.
fn record(name: &str) -> String {
    let line = RECORDS
        .lines()
        .find(|line| line.contains("'counter'"))
        .expect("a record to copy");
    let print: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    line.replace("counter", name)
        .replace("000000000000000000636f756e746572", &format!("{print:0>32}"))
}

fn file(names: &[String]) -> String {
    names.iter().map(|name| record(name) + "\n").collect()
}

fn names(names: &[&str]) -> String {
    file(
        &names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>(),
    )
}

fn report(scratch: &Scratch, words: &[&str]) -> Output {
    let mut command = scratch.command(RACERT);
    command.arg("report").args(words).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

#[test]
fn shards_become_one_report() {
    let scratch = Scratch::new();
    scratch.write("shards/racert.1.json", &names(&["a", "b"]));
    scratch.write("shards/racert.2.json", &names(&["b", "c"]));
    scratch.write("shards/notes.txt", "not records");
    scratch.write("more.json", &names(&["c", "d"]));
    let output = report(&scratch, &["shards", "more.json"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
    let said = text(&output);
    assert_eq!(
        said.matches("WARNING: racert: data race").count(),
        4,
        "{said}"
    );
    assert!(said.ends_with("racert: 4 findings\n"), "{said}");
    assert_eq!(said.matches("Seen 2 times.").count(), 2, "{said}");
}

#[test]
fn a_damaged_file_is_used_up_to_the_damage_and_named() {
    let scratch = Scratch::new();
    let whole = names(&["a", "b", "c"]);
    scratch.write("cut.json", &whole[..whole.len() - 100]);
    let output = report(&scratch, &["cut.json"]);
    assert_eq!(code(&output), 2);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("cut.json:3: cut short after "), "{said}");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.ends_with("racert: 2 findings\n"), "{out}");
}

#[test]
fn a_baseline_decides_the_exit_code() {
    let scratch = Scratch::new();
    scratch.write("now.json", &names(&["a", "b"]));
    scratch.write("old.json", &names(&["b", "c"]));
    let output = report(&scratch, &["now.json", "--baseline", "old.json"]);
    assert_eq!(code(&output), 66);
    let said = text(&output);
    assert!(
        said.contains("global 'a'") && !said.contains("global 'b'"),
        "{said}"
    );
    assert!(said.ends_with("racert: 1 finding (1 new)\n"), "{said}");

    let all = report(&scratch, &["now.json", "--baseline", "old.json", "--diff"]);
    assert_eq!(code(&all), 66);
    let said = text(&all);
    assert!(
        said.ends_with("racert: 3 findings (1 new, 1 known, 1 gone)\n"),
        "{said}"
    );

    let same = report(&scratch, &["old.json", "--baseline", "old.json"]);
    assert_eq!(code(&same), 0);

    let output = report(&scratch, &["now.json", "-f", "json", "-o", "merged.json"]);
    assert_eq!(code(&output), 0);
    let again = report(&scratch, &["now.json", "--baseline", "merged.json"]);
    assert_eq!(code(&again), 0, "its own output is a baseline");
}

/// Microsoft's validator has the official schema, and the rules of GitHub's code
/// scanning: `RACERT_TEST_SARIF` names it, `Sarif.Multitool` of the npm package
/// `@microsoft/sarif-multitool-linux`.
#[test]
fn sarif_is_what_services_take() {
    let Some(validator) = std::env::var_os("RACERT_TEST_SARIF") else {
        eprintln!("skipped: RACERT_TEST_SARIF does not say where Sarif.Multitool is");
        return;
    };
    let scratch = Scratch::new();
    scratch.write(
        "all.json",
        include_str!("../../../docs/report-examples.jsonl"),
    );
    scratch.write("old.json", RECORDS);
    for (name, words) in [
        ("plain.sarif", &["all.json", "old.json"][..]),
        (
            "diff.sarif",
            &["all.json", "--diff", "--baseline", "old.json"],
        ),
        ("none.sarif", &["all.json", "--baseline", "all.json"]),
    ] {
        let made = report(&scratch, &[&["--format", "sarif"], words].concat());
        scratch.write(name, &String::from_utf8_lossy(&made.stdout));
        let output = scratch
            .command(&validator)
            .args(["validate", name, "--rule-kind", "Sarif;Ghas"])
            .output()
            .unwrap();
        let said = text(&output);
        assert!(
            said.contains("1 file scanned") || said.contains("1 files scanned"),
            "{said}"
        );
        assert!(!said.contains(": error "), "{name}: {said}");
    }
}

#[test]
fn mistakes_are_named() {
    let scratch = Scratch::new();
    let missing = report(&scratch, &["nothing.json"]);
    assert_eq!(code(&missing), 2);
    assert!(
        text(&missing).contains("cannot read nothing.json"),
        "{}",
        text(&missing)
    );
    assert_eq!(code(&report(&scratch, &[])), 2);
    assert_eq!(code(&report(&scratch, &["x.json", "--diff"])), 2);
}

/// Records of 10,000 findings.
fn many() -> Scratch {
    let scratch = Scratch::new();
    let many: Vec<String> = (0..10_000).map(|n| format!("v{n}")).collect();
    scratch.write("many.json", &file(&many));
    scratch
}

/// Writes those in a format; the processor time it took.
fn written(scratch: &Scratch, format: &str) -> Duration {
    let out = format!("many.{format}");
    let start = children_time();
    let output = report(
        scratch,
        &["many.json", "-f", format, "-o", &out, "--root", "/src"],
    );
    let taken = children_time() - start;
    assert_eq!(code(&output), 0, "{format}: {}", text(&output));
    let written = fs::read_to_string(scratch.path().join(&out)).unwrap();
    assert!(written.contains("v9999"), "{format}");
    taken
}

/// Every format of many findings, and the page in a real browser.
#[test]
fn ten_thousand_findings() {
    let scratch = many();
    for format in ["text", "json", "sarif", "html", "junit", "github"] {
        written(&scratch, format);
    }
    let Some(browser) = browser() else {
        return;
    };
    let page = shown(&browser, &scratch, "many.html");
    assert!(
        page.contains(">10000 findings<"),
        "{}",
        &page[..2000.min(page.len())]
    );
    let rows = page.matches("role=\"option\"").count();
    assert!((1..100).contains(&rows), "{rows} rows exist");
    assert_eq!(page.matches("<svg class=\"timeline\"").count(), 1);
    assert!(page.contains("nothing orders these"));
    assert_eq!(page.matches("class=\"side\"").count(), 2);
}

/// On an otherwise idle machine, with the optimised command: `cargo test
/// --profile command`.
#[test]
#[ignore = "measures"]
fn ten_thousand_findings_in_time() {
    let scratch = many();
    for format in ["text", "json", "sarif", "html", "junit", "github"] {
        let taken = written(&scratch, format);
        println!("{format}: {taken:?}");
        assert!(taken < Duration::from_secs(5), "{format}: {taken:?}");
    }
    let browser = browser().expect("chromium");
    let ready = (0..3).map(|_| ready(&browser, &scratch, "many.html")).min();
    let ready = ready.expect("it was tried");
    println!("page: {ready} ms");
    assert!(ready < 2000, "the page could be used after {ready} ms");
}

/// The drawings of the documented examples: among them are a possible race with
/// its locks, and a lock-order inversion.
#[test]
fn drawings() {
    const EXAMPLES: &str = include_str!("../../../docs/report-examples.jsonl");
    let Some(browser) = browser() else {
        return;
    };
    let scratch = Scratch::new();
    let drawn = |kind: &str| {
        let is_kind = |line: &&str| line.contains(&format!("\"kind\":\"{kind}\",\"certainty\""));
        let records: Vec<&str> = EXAMPLES.lines().filter(is_kind).collect();
        scratch.write("one.json", records.last().expect("an example"));
        let output = report(&scratch, &["one.json", "-f", "html", "-o", "one.html"]);
        assert_eq!(code(&output), 0, "{}", text(&output));
        let page = shown(&browser, &scratch, "one.html");
        let start = page.find("<svg").expect("a drawing");
        page[start..].split("</svg>").next().unwrap().to_owned()
    };
    let count = |svg: &str, class: &str| svg.matches(&format!("class=\"{class}")).count();
    let possible = drawn("possible-data-race");
    assert_eq!(count(&possible, "race"), 2, "two accesses: {possible}");
    assert_eq!(count(&possible, "missing\""), 1, "the missing edge");
    assert!(possible.contains("ordered only by chance"));
    assert_eq!(count(&possible, "bar hue"), 3, "regions of locks");
    assert_eq!(count(&possible, "edge chance"), 1, "who took it after whom");
    assert!(count(&possible, "edge ") > 1, "threads are created");
    assert!(possible.contains("posted semaphore"), "the last act");
    assert!(count(&possible, "life hot") > 1, "segments of the accesses");
    let inversion = drawn("lock-order-inversion");
    assert_eq!(count(&inversion, "bar hue"), 2, "{inversion}");
    assert_eq!(count(&inversion, "missing\""), 0);
    let leak = drawn("thread-leak");
    assert_eq!(count(&leak, "missing\""), 0, "{leak}");
}

/// What a reader does to the page, and what it then shows.
const READER: &str = r##"<script>
const seen = {};
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const chosen = () => document.querySelector(".row.chosen").textContent;
const tip = document.getElementById("tip");
press("j");
seen.next = chosen();
press("End");
seen.last = chosen();
press("/");
seen.search = document.activeElement.id;
document.activeElement.value = "gb";
document.activeElement.dispatchEvent(new Event("input", { bubbles: true }));
seen.found = document.getElementById("count").textContent;
const access = [...document.querySelectorAll("circle.race")].at(-1).parentNode;
access.dispatchEvent(new Event("mouseenter"));
seen.hover = tip.hidden ? "" : tip.textContent;
access.dispatchEvent(new Event("mouseleave"));
seen.left = tip.hidden;
access.dispatchEvent(new Event("click"));
seen.lit = document.querySelectorAll(".side.lit").length;
seen.excerpt = document.querySelector(".side.lit .code .here").textContent;
press("Escape");
press("t");
seen.theme = document.documentElement.dataset.theme;
dispatchEvent(new Event("beforeprint"));
seen.printed = document.querySelectorAll("#printed > article").length;
document.documentElement.dataset.seen = JSON.stringify(seen);
</script></body>"##;

#[test]
fn keys_filters_hover_click_and_print() {
    let Some(browser) = browser() else {
        return;
    };
    let scratch = Scratch::new();
    scratch.write("three.json", &names(&["ga", "gb", "gc"]));
    let output = report(&scratch, &["three.json", "-f", "html", "-o", "three.html"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
    let page = fs::read_to_string(scratch.path().join("three.html")).unwrap();
    scratch.write("read.html", &page.replace("</body>", READER));
    let dom = browse(&browser, &scratch, "read.html");
    let said = dom.split("data-seen=\"").nth(1).expect("the script ends");
    let said = said.split('"').next().unwrap().replace("&quot;", "\"");
    let seen: serde_json::Value = serde_json::from_str(&said).unwrap();
    let has = |key: &str, part: &str| {
        let text = seen[key].as_str().unwrap_or_default();
        assert!(text.contains(part), "{key} without {part}: {seen:#}");
    };
    has("next", "'gb'");
    has("last", "'gc'");
    has("search", "search");
    has("found", "1 of 3 findings");
    has("hover", "#0");
    assert_eq!((&seen["left"], &seen["lit"]), (&true.into(), &1.into()));
    has("excerpt", "x++;");
    assert!(seen["theme"] == "dark" || seen["theme"] == "light");
    assert_eq!(seen["printed"], 1, "as filtered");
}

/// The browser that opens pages. Without one the page is not tested, which
/// `cargo xtask test` says; `RACERT_TEST_BROWSER=1` makes it a failure.
fn browser() -> Option<String> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().find(|name| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        let wanted = std::env::var_os("RACERT_TEST_BROWSER").is_some_and(|value| value == "1");
        assert!(!wanted, "no {names:?} here");
        eprintln!("no chromium: the page is NOT TESTED");
    }
    found.map(|name| (*name).to_owned())
}

/// Milliseconds until the page could be used.
fn ready(browser: &str, scratch: &Scratch, page: &str) -> u32 {
    let dom = browse(browser, scratch, page);
    let said = dom.split("data-ready=\"").nth(1);
    let number = said.and_then(|rest| rest.split('"').next());
    number
        .and_then(|number| number.parse().ok())
        .expect("the page says when")
}

/// Processor time of the children so far.
fn children_time() -> Duration {
    // SAFETY: all fields are numbers, and the kernel fills them.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// What the page is after its script has run.
fn shown(browser: &str, scratch: &Scratch, page: &str) -> String {
    let dom = browse(browser, scratch, page);
    // The packed records and the scripts are in it, too.
    let body = dom.find("<body").unwrap_or(0);
    let data = dom.find("<script").unwrap_or(dom.len());
    dom[body..data.max(body)].to_owned()
}

/// After so many seconds a browser counts as hung.
const LONGEST: &str = "300";

/// The whole document in the browser, once its scripts have run.
fn browse(browser: &str, scratch: &Scratch, page: &str) -> String {
    let path = scratch.path().join(page);
    let profile = scratch.path().join("profile");
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", LONGEST]);
    // Who may, as root may, gives some of a browser's threads priority over all
    // else on the machine.
    let modest = ["setpriv", "--bounding-set=-sys_nice"];
    let tried = Command::new(modest[0]).args([modest[1], "true"]).output();
    if tried.is_ok_and(|output| output.status.success()) {
        command.args(modest);
    }
    let output = command
        .arg(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .args(["--disable-sync", "--disable-quic", "--window-size=1300,900"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", absolute(&path)))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(dom.contains("data-ready="), "{}", text(&output));
    dom
}

fn absolute(path: &Path) -> String {
    let path = path.canonicalize().unwrap();
    path.to_str().unwrap().to_owned()
}
