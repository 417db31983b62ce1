//! ThreadSanitizer's own tests: lit tests with `RUN:` and `CHECK:` lines.

mod checks;
mod directives;
mod features;
mod substitute;

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use self::checks::Expectation;
use self::directives::Directives;
use self::features::Features;
use self::substitute::Substitutions;
use super::args::{Args, Suite};
use super::case::{Case, Observed, Verdict};
use super::class;
use super::fetch;
use super::group::Group;
use super::places::Places;
use super::pool;
use super::program::{self, Ended};
use super::reviewed;
use super::tool::Tool;

/// Folders that are not about Linux, and the one whose tests are linked with
/// the stock runtime's internals.
const OTHER_FOLDERS: [&str; 3] = ["Darwin", "libdispatch", "Unit"];

/// A run that does not end in this time never will.
const TIME_LIMIT: &str = "60";

/// Switches of ThreadSanitizer's compiler pass, which another pass lacks.
const PASS_SWITCHES: [&str; 2] = ["-mllvm -tsan-", "-fno-sanitize-thread-"];

/// What the tests of one suite share.
struct Bench<'a> {
    args: &'a Args,
    places: &'a Places,
    suite: PathBuf,
    helpers: PathBuf,
    features: Features,
}

/// Runs the suite.
pub(super) fn run(args: &Args, places: &Places) -> anyhow::Result<Vec<Case>> {
    let suite = fetch::tsan(&places.sources)?;
    let helpers = write_helpers(&places.work, args.tool)?;
    let mut tests = Vec::new();
    find(&suite, &mut tests)?;
    tests.retain(|test| {
        let name = name_of(test, &suite);
        args.filter.iter().all(|part| name.contains(part))
    });
    tests.sort();
    let bench = Bench {
        args,
        places,
        suite,
        helpers,
        features: Features::here(),
    };
    let results = pool::map("tsan", &tests, args.jobs, |test| bench.test(test));
    let cases: Vec<Vec<Case>> = results.into_iter().collect::<anyhow::Result<_>>()?;
    Ok(cases.into_iter().flatten().collect())
}

/// The stand-ins for lit's own programs. `capture` takes FileCheck's place and
/// keeps what it would have looked at.
fn write_helpers(work: &Path, tool: Tool) -> anyhow::Result<PathBuf> {
    let folder = work.join("helpers");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    program::write_helper(
        &folder,
        "capture",
        "for word; do\n  case $word in --input-file) next=1 ;; *) [ \"$next\" ] && exec cat \
         \"$word\" > \"$CASE_OUTPUT\" ;; esac\ndone\ncat > \"$CASE_OUTPUT\"",
    )?;
    program::write_helper(
        &folder,
        "launch",
        &format!(
            "timeout -k 5 {TIME_LIMIT} {} \"$@\"\nstatus=$?\necho $status >> \"$CASE_STATUS\"\n\
             exit $status",
            tool.prefix().join(" ")
        ),
    )?;
    program::write_helper(&folder, "not", "! \"$@\"")?;
    program::write_helper(
        &folder,
        "deflake",
        "for _ in 1 2 3 4 5 6 7 8 9 10; do\n  if ! out=$(\"$@\" 2>&1); then printf '%s\\n' \"$out\"; \
         exit 0; fi\ndone\nprintf '%s\\n' \"$out\"\nexit 1",
    )?;
    Ok(folder)
}

/// Collects the C and C++ files below `folder`.
fn find(folder: &Path, tests: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !OTHER_FOLDERS.contains(&&*name) {
                find(&path, tests)?;
            }
        } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
            tests.push(path);
        }
    }
    Ok(())
}

/// A test's name: its path in the suite.
fn name_of(test: &Path, suite: &Path) -> String {
    let inside = test.strip_prefix(suite).unwrap_or(test);
    inside.display().to_string()
}

impl Bench<'_> {
    /// All cases of one test.
    fn test(&self, test: &Path) -> anyhow::Result<Vec<Case>> {
        let source = program::read_lossy(test);
        let directives = Directives::parse(&source);
        let name = name_of(test, &self.suite);
        if directives.runs.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(why) = self.not_for_here(&directives) {
            return Ok(vec![left_out(&name, why)]);
        }
        let folder = self.places.work.join("tsan").join(name.replace('/', "_"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let substitutions =
            Substitutions::new(test, &self.suite, &folder, self.args.tool, self.places);
        self.runs(&name, &source, &directives, &folder, &substitutions)
    }

    /// Why the suite itself does not run this test here.
    fn not_for_here(&self, directives: &Directives) -> Option<String> {
        let Directives {
            requires,
            unsupported,
            expected_to_fail,
            ..
        } = directives;
        if let Some(list) = requires.iter().find(|list| !self.features.all(list)) {
            return Some(format!("requires {list}"));
        }
        if let Some(list) = unsupported.iter().find(|list| self.features.any(list)) {
            return Some(format!("unsupported on {list}"));
        }
        let list = expected_to_fail
            .iter()
            .find(|list| self.features.any(list))?;
        Some(format!("expected to fail on {list}"))
    }

    /// Runs the lines of a test one after the other.
    fn runs(
        &self,
        name: &str,
        source: &str,
        directives: &Directives,
        folder: &Path,
        substitutions: &Substitutions,
    ) -> anyhow::Result<Vec<Case>> {
        let judged = directives.runs.iter().filter(|run| is_judged(run)).count();
        let mut cases = Vec::new();
        let mut failed = None;
        let mut number = 0;
        for run in &directives.runs {
            let command = substitutions.fill(run);
            let case_folder = folder.join(format!("case{}", number + 1));
            std::fs::create_dir_all(&case_folder)?;
            let mut variables = self.args.tool.variables();
            variables.extend([
                (
                    "CASE_OUTPUT",
                    case_folder.join("output").display().to_string(),
                ),
                ("CASE_STATUS", folder.join("status").display().to_string()),
            ]);
            if run.contains("%run") {
                let _ = std::fs::remove_file(folder.join("status"));
            }
            let outcome = program::shell(&command, folder, &self.helpers, &variables)?;
            std::fs::write(case_folder.join("command"), &command)?;
            if !is_judged(run) {
                if outcome.status != 0 && !run.contains("%run") && failed.is_none() {
                    failed = Some(first_error(&outcome.output));
                }
                continue;
            }
            number += 1;
            let case_name = if judged > 1 {
                format!("{name}#{number}")
            } else {
                name.to_owned()
            };
            if let Some(why) = reviewed::left_out(Suite::Tsan, &case_name)
                .or_else(|| not_about_outcomes(run, self.args.tool))
            {
                cases.push(left_out(&case_name, why));
                continue;
            }
            let captured = case_folder.join("output");
            let output = if captured.exists() {
                program::read_lossy(&captured)
            } else {
                outcome.output.clone()
            };
            let ended = match last_status(&folder.join("status")) {
                Some(status) => Ended::from_shell(status),
                None => Ended::NotBuilt(
                    failed
                        .clone()
                        .unwrap_or_else(|| first_error(&outcome.output)),
                ),
            };
            cases.extend(judge(&case_name, run, source, &output, ended));
        }
        Ok(cases)
    }
}

/// Does this line look at what a program printed, or run one for its status?
fn is_judged(run: &str) -> bool {
    run.contains("FileCheck") || (run.contains("%run") && !run.contains("> %t"))
}

/// Why a line says nothing about what a detector reports.
fn not_about_outcomes(run: &str, tool: Tool) -> Option<String> {
    if run.contains("llvm-objdump") {
        return Some("looks at the stock runtime's machine code".to_owned());
    }
    let switch = PASS_SWITCHES.iter().find(|switch| run.contains(**switch))?;
    (tool != Tool::Tsan).then(|| format!("uses {switch}*, of ThreadSanitizer's compiler pass"))
}

/// One case for each class a run expects, or one if it expects silence.
fn judge(name: &str, run: &str, source: &str, output: &str, ended: Ended) -> Vec<Case> {
    let mut expected = Expectation::of(run, source);
    if let Some(class) = reviewed::expected(Suite::Tsan, name) {
        expected.classes = [class].into();
    }
    let missing_words = expected
        .words
        .iter()
        .find(|words| !output.contains(words.as_str()));
    let observed = Observed {
        reported: class::reported(output),
        ended,
        missing_words: missing_words.cloned(),
        clean_exit: expected.clean_exit,
    };
    let wanted: Vec<_> = if expected.classes.is_empty() {
        vec![None]
    } else {
        expected.classes.iter().copied().map(Some).collect()
    };
    wanted
        .into_iter()
        .map(|class| Case {
            suite: Suite::Tsan,
            name: name.to_owned(),
            group: Group::of(class, name, run, source),
            expected: class,
            verdict: observed
                .judge_different(Suite::Tsan, name, &[])
                .unwrap_or_else(|| observed.judge(class, &expected.classes, &[])),
        })
        .collect()
}

fn left_out(name: &str, why: String) -> Case {
    Case {
        suite: Suite::Tsan,
        name: name.to_owned(),
        group: Group::NoRace,
        expected: None,
        verdict: Verdict::LeftOut(why),
    }
}

/// The status of the last program that was launched.
fn last_status(file: &Path) -> Option<i32> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().last()?.trim().parse().ok()
}

/// The line of a compiler's output that says what is wrong.
fn first_error(output: &str) -> String {
    let line = output
        .lines()
        .find(|line| line.contains("error") || line.contains("undefined"))
        .or_else(|| output.lines().last());
    line.unwrap_or("no output").trim().to_owned()
}
