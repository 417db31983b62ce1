//! The documents keep what they say: their commands are run and print what is
//! written below them, their links lead somewhere, the book has all its pages,
//! and what is made from the code is up to date.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use mdbook_driver::MDBook;
use racert_tests::document::{Document, Use};
use racert_tests::program::prefix;
use tempfile::TempDir;

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    here.canonicalize().expect("the source tree")
}

/// All documents, by their paths from the root.
fn documents() -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the source tree") {
            let entry = entry.unwrap();
            let (name, path) = (entry.file_name(), entry.path());
            if entry.file_type().unwrap().is_dir() {
                let is_source = name != "target" && !name.as_encoded_bytes().starts_with(b".");
                folders.extend(is_source.then_some(path));
            } else if path.extension().is_some_and(|end| end == "md") {
                let text = fs::read_to_string(&path).unwrap();
                let inside = path.strip_prefix(root()).unwrap();
                out.push((inside.display().to_string(), text));
            }
        }
    }
    out.sort();
    out
}

/// A place for the commands of one document: a folder that has the source
/// tree's folders in it, and the installed racert in `PATH`.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for name in ["examples", "docs", "tests"] {
            symlink(root().join(name), folder.path().join(name)).unwrap();
        }
        Desk { folder }
    }

    fn run(&self, script: &str) -> Output {
        let prefix = prefix();
        let mut path = prefix.join("bin").into_os_string();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR"));
        Command::new("bash")
            .args(["-euo", "pipefail", "-c"])
            // Both streams in one, as in a terminal.
            .arg(format!("exec 2>&1\n{}", for_this_llvm(script)))
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("CMAKE_PREFIX_PATH", &prefix)
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
            .env("PREFIX", &prefix)
            .env("RACERT_CACHE", kept.join("cache"))
            // Libraries as this racert rewrites them, not one of another build.
            .env("XDG_CACHE_HOME", self.folder.path().join(".cache"))
            .env("CARGO_TARGET_DIR", kept.join("documents"))
            .env_remove("RACERT_OPTIONS")
            .env_remove("CARGO")
            .stdin(Stdio::null())
            .output()
            .expect("bash starts")
    }

    /// Runs commands that must end with `status`; gives what they print.
    fn run_to(&self, place: &str, script: &str, status: i32) -> String {
        let output = self.run(script);
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(status), "{place}: {printed}");
        printed
    }
}

/// Documents speak of clang 22; there may only be another.
fn for_this_llvm(script: &str) -> String {
    let staged = |version: &&str| {
        let plugin = format!("lib/libracert_pass-{version}.so");
        prefix().join(plugin).is_file()
    };
    let version = ["22", "19", "18"].into_iter().find(staged).unwrap_or("22");
    script
        .replace("clang-22", &format!("clang-{version}"))
        .replace("clang++-22", &format!("clang++-{version}"))
}

/// A line without what differs from run to run and machine to machine; which of
/// the first two threads was faster does, too.
fn plain(line: &str) -> String {
    let line = line.replace("running)", "finished)").replace("T2", "T1");
    let mut before = "";
    let mut plain = Vec::new();
    for word in line.split_whitespace() {
        let number = word.trim_end_matches(',').parse::<u64>();
        let changes = word.contains("0x")
            || word.contains("pid=")
            || word.starts_with('(') && word.contains('/')
            // Numbers of threads begin anew when they have become too large.
            || number.is_ok_and(|n| n > 999 || before == "id");
        plain.push(if changes { "*" } else { word });
        before = word;
    }
    plain.join(" ")
}

#[test]
fn numbers_of_threads_do_not_count() {
    let of = |id: u32| plain(&format!("  Thread T1 (os id {id}, running) created"));
    assert_eq!(of(461), of(31665));
    assert_ne!(plain("line 461"), plain("line 462"));
}

/// Whether `wanted`'s lines are in `printed`, in this order.
fn missing_line<'a>(printed: &str, wanted: &'a str) -> Option<&'a str> {
    let mut lines = printed.lines().map(plain);
    wanted.lines().find(|line| {
        let skipped = line.trim().is_empty() || line.trim() == "...";
        !skipped && !lines.any(|printed| printed == plain(line))
    })
}

/// How often commands are run until they print what is written: which thread
/// comes first is not for the documents to decide.
const TRIES: usize = 10;

fn run_document(path: &str, text: &str) {
    let desk = Desk::new();
    let mut last: Option<(String, i32)> = None;
    let mut printed = String::new();
    for block in Document::parse(text).blocks {
        let place = format!("{path}:{}", block.line);
        match block.to_do {
            Use::Run(status) => {
                printed = desk.run_to(&place, &block.text, status);
                last = Some((block.text, status));
            }
            Use::Output => {
                let (script, status) = last.as_ref().expect("commands before their output");
                let mut tries = 1;
                while let Some(missing) = missing_line(&printed, &block.text) {
                    assert!(tries < TRIES, "{place}: not printed: {missing}\n{printed}");
                    printed = desk.run_to(&place, script, *status);
                    tries += 1;
                }
            }
            Use::Leave | Use::Other => {}
            Use::Unmarked => panic!("{place}: say `sh run` or `sh norun`"),
        }
    }
}

#[test]
fn commands_of_the_book() {
    for (path, text) in documents() {
        if path.starts_with("docs/") {
            run_document(&path, &text);
        }
    }
}

#[test]
fn commands_of_the_examples() {
    for (path, text) in documents() {
        if path.starts_with("examples/") {
            run_document(&path, &text);
        }
    }
}

#[test]
fn commands_of_the_other_documents() {
    for (path, text) in documents() {
        if !path.starts_with("docs/") && !path.starts_with("examples/") {
            run_document(&path, &text);
        }
    }
}

/// What a command in a sentence, a table or a block that cannot be run calls:
/// the words that ask for its help, and the options it gives.
fn call(command: &str) -> Option<(Vec<String>, Vec<String>)> {
    let command = command.split(" # ").next()?;
    let words: Vec<_> = command
        .split_whitespace()
        .take_while(|word| *word != "--" && *word != "|")
        .collect();
    let named = |word: &&&str| {
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        !word.starts_with('-') && word.chars().all(plain)
    };
    let (asked, rest) = match words.as_slice() {
        ["cargo", "xtask", name, rest @ ..] if named(&name) => {
            (vec!["cargo", "xtask", name, "--help"], rest)
        }
        // What follows `racert cargo` is cargo's.
        ["racert", "cargo", ..] => (vec!["racert", "help", "cargo"], &[][..]),
        ["racert", name, rest @ ..] if named(&name) => (vec!["racert", "help", name], rest),
        _ => return None,
    };
    let options = rest.iter().filter_map(|word| {
        let option = word.trim_matches(['[', ']']);
        let option = option.split('=').next()?;
        option.starts_with("--").then(|| option.to_owned())
    });
    Some((
        asked.into_iter().map(str::to_owned).collect(),
        options.collect(),
    ))
}

/// Commands that no test runs name subcommands and options that exist.
#[test]
fn commands_in_passing_are_known() {
    let desk = Desk::new();
    let mut unknown = Vec::new();
    let mut answers: BTreeMap<Vec<String>, String> = BTreeMap::new();
    for (path, text) in documents() {
        let document = Document::parse(&text);
        let left = document
            .blocks
            .iter()
            .filter(|block| block.to_do == Use::Leave)
            .flat_map(|block| block.text.lines().map(|line| (block.line, line.to_owned())));
        for (line, code) in document.code.iter().cloned().chain(left) {
            for (asked, options) in code.split("&&").filter_map(call) {
                let answer = answers.entry(asked.clone()).or_insert_with(|| {
                    let tree = root().display().to_string();
                    let script = format!("cd {tree} && {}", asked.join(" "));
                    String::from_utf8_lossy(&desk.run(&script).stdout).into_owned()
                });
                let missing = options.iter().find(|option| !answer.contains(*option));
                if !answer.contains("Usage:") || missing.is_some() {
                    unknown.push(format!("{path}:{line}: {code}"));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(answers.len() > 10, "commands are found: {answers:?}");
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for (path, text) in documents() {
        let folder = root().join(&path).parent().unwrap().to_owned();
        for (line, link) in Document::parse(&text).links {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => root().join(&path),
                file => folder.join(file),
            };
            let found = target.exists()
                && (anchor.is_empty()
                    || fs::read_to_string(&target).is_ok_and(|text| {
                        Document::parse(&text).anchors.iter().any(|a| a == anchor)
                    }));
            if !found {
                broken.push(format!("{path}:{line}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_book_has_all_its_pages() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let listed: Vec<_> = Document::parse(&summary)
        .links
        .into_iter()
        .map(|(_, link)| format!("docs/{link}"))
        .collect();
    for (path, _) in documents() {
        let is_page = path.starts_with("docs/") && path != "docs/SUMMARY.md";
        assert!(
            !is_page || listed.contains(&path),
            "{path} is not in SUMMARY.md"
        );
    }
    assert!(root().join("docs/book.toml").is_file());
}

#[test]
fn the_book_builds() {
    let out = tempfile::tempdir().unwrap();
    let mut book = MDBook::load(root().join("docs")).expect("mdBook reads docs/");
    book.config.build.build_dir = out.path().to_owned();
    book.build().expect("mdBook builds docs/");
    let page = fs::read_to_string(out.path().join("getting-started.html")).unwrap();
    assert!(page.contains("<h1 id=\"getting-started\">"), "{page}");
    assert!(out.path().join("real-programs.html").is_file());
}

/// `cargo xtask docs` writes them; here they are only compared.
#[test]
fn references_are_up_to_date() {
    let mut xtask = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let output = xtask
        .args(["xtask", "docs", "--check"])
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
