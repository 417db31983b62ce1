//! The modes of racert and the other detectors, asked about one case.

use std::fs;
use std::hash::DefaultHasher;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Case;
use crate::compile;
use crate::detector::Detector;
use crate::execute;
use crate::matrix::Language;

/// racert's modes: how the table calls them, and their options.
pub const MODES: &[(&str, &str)] = &[
    ("hybrid", "mode=hybrid"),
    ("conflict_edges=0", "mode=hybrid:conflict_edges=0"),
    ("hb", "mode=hb"),
    ("fast", "mode=fast"),
    ("msm-short", "mode=msm-short"),
    ("msm-long", "mode=msm-long"),
    ("eraser", "mode=eraser"),
];

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// racert: the name of the mode and its options.
    Racert(&'static str, &'static str),
    /// valgrind with this tool.
    Valgrind(&'static str),
    /// ThreadSanitizer.
    Tsan,
}

impl Tool {
    /// Everybody.
    pub fn all() -> Vec<Tool> {
        let modes = MODES.iter().map(|(name, o)| Tool::Racert(name, o));
        let others = [
            Tool::Valgrind("helgrind"),
            Tool::Valgrind("drd"),
            Tool::Tsan,
        ];
        modes.chain(others).collect()
    }

    /// What the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Racert(name, _) => name,
            Tool::Valgrind(name) => name,
            Tool::Tsan => "ThreadSanitizer",
        }
    }
}

/// What came of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing was said.
    Silent,
    /// A race that is not proven.
    Possible,
    /// A race.
    Race,
    /// The run did not come to its end.
    Failed,
}

impl Answer {
    /// Was anything said?
    pub fn is_report(self) -> bool {
        matches!(self, Answer::Possible | Answer::Race)
    }
}

/// Valgrind's suppressions for reports about what forces the order, which it
/// can see.
fn suppressions() -> String {
    let kinds = ["Helgrind:Race", "drd:ConflictingAccess"];
    let functions = ["invisible_load", "invisible_futex", "take_step"];
    let pairs = kinds.iter().flat_map(|kind| functions.map(|f| (kind, f)));
    pairs
        .map(|(kind, function)| format!("{{\n  order\n  {kind}\n  fun:{function}\n}}\n"))
        .collect()
}

/// Asks `tool` about `case`.
pub fn ask(tool: Tool, case: &Case) -> Result<Answer, String> {
    let program = build(tool, &case.source, &case.class)?;
    let mut command = match tool {
        Tool::Valgrind(name) => {
            let file = crate::target_dir().join("classified.supp");
            fs::write(&file, suppressions()).map_err(|error| error.to_string())?;
            let mut command = Command::new("valgrind");
            command.arg(format!("--tool={name}"));
            command.args(["-q", "--fair-sched=yes"]);
            command.arg(format!("--suppressions={}", file.display()));
            command.arg(&program);
            command
        }
        _ => Command::new(&program),
    };
    command
        .arg(&case.name)
        .env_remove("RACERT_OPTIONS")
        .env_remove("TSAN_OPTIONS");
    if let Tool::Racert(_, options) = tool {
        command.env("RACERT_OPTIONS", options);
    }
    let outcome = execute::run(&mut command, execute::HUNG).map_err(|error| error.to_string())?;
    if outcome.timed_out || outcome.code >= 128 {
        return Ok(Answer::Failed);
    }
    Ok(read(tool, &outcome.stderr))
}

/// What a report says.
fn read(tool: Tool, text: &str) -> Answer {
    let has = |word: &str| text.contains(word);
    let race = match tool {
        Tool::Valgrind("helgrind") => has("Possible data race"),
        Tool::Valgrind(_) => has("Conflicting load") || has("Conflicting store"),
        Tool::Tsan => has("WARNING: ThreadSanitizer: "),
        Tool::Racert(..) => {
            let mut kinds = text
                .lines()
                .filter_map(|l| l.strip_prefix("WARNING: racert: "));
            kinds.any(|kind| !kind.starts_with("possible"))
        }
    };
    if race {
        Answer::Race
    } else if has("WARNING: racert: possible data race") {
        Answer::Possible
    } else {
        Answer::Silent
    }
}

fn build(tool: Tool, source: &Path, class: &str) -> Result<PathBuf, String> {
    let language = match source.extension() {
        Some(extension) if extension == "cc" => Language::Cxx,
        _ => Language::C,
    };
    let racert = match Detector::from_env()? {
        Detector::Tsan => return Err("unset RACERT_TEST_PEER".into()),
        racert => racert,
    };
    let (compiler, hasher, extra) = match tool {
        Tool::Racert(..) => {
            let hasher = compile::hash_common(&racert)?;
            (racert.compiler(language), hasher, "-O1")
        }
        Tool::Tsan => {
            let compiler = Detector::Tsan.compiler(language);
            (compiler, DefaultHasher::new(), "-fsanitize=thread")
        }
        // Valgrind does not read newer debug information.
        Tool::Valgrind(_) => {
            let compiler = Detector::Tsan.compiler(language);
            (compiler, DefaultHasher::new(), "-gdwarf-4")
        }
    };
    let mut flags: Vec<String> = ["-O1", "-g", "-pthread", "-D_GNU_SOURCE", extra]
        .map(String::from)
        .to_vec();
    flags.push(format!("-I{}", crate::scenarios_dir().display()));
    let header = super::folder().join("classified.h");
    let stem = format!("classified-{class}");
    compile::build(&compiler, &flags, &[source], &[&header], hasher, &stem)
}

/// The three detectors that the paper on C++ servers compares: what the table
/// calls them, and their options.
pub const SERVER: [(&str, &str); 3] = [
    ("Original", "mode=eraser:bus_lock=mutex:delete_marks=0"),
    ("HWLC", "mode=eraser:delete_marks=0"),
    ("HWLC+DR", "mode=eraser"),
];

/// How many findings the server's test case `number` has, under each of
/// [`SERVER`].
pub fn server(number: usize) -> Result<[usize; 3], String> {
    let tool = Tool::Racert("eraser", "mode=eraser");
    let source = super::folder().join("server/server.cc");
    let program = build(tool, &source, "server")?;
    let mut counts = [0; 3];
    for (count, (_, options)) in counts.iter_mut().zip(SERVER) {
        let mut command = Command::new(&program);
        command.arg(number.to_string());
        command.env("RACERT_OPTIONS", options);
        let outcome =
            execute::run(&mut command, execute::HUNG).map_err(|error| error.to_string())?;
        if outcome.timed_out || outcome.code >= 128 {
            return Err(outcome.describe());
        }
        let warnings = outcome.stderr.lines();
        *count = warnings
            .filter(|l| l.starts_with("WARNING: racert: "))
            .count();
    }
    Ok(counts)
}
