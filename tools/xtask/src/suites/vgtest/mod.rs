//! Helgrind's and DRD's own tests: `.vgtest` files with expected outputs.

mod expect;
mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use self::expect::Expectation;
use self::parse::Test;
use super::args::{Args, Suite};
use super::case::{Case, Observed, Verdict};
use super::class::{self, Class};
use super::fetch;
use super::group::Group;
use super::places::Places;
use super::pool;
use super::program::{self, Ended};
use super::reviewed;

/// A run that does not end in this time never will.
const TIME_LIMIT: &str = "60";

/// How often to run a program that has to report something.
const REPEAT: u32 = 3;

/// How valgrind's configuration names this kind of machine.
const PLATFORM: [&str; 3] = ["-DVGO_linux=1", "-DVGA_amd64=1", "-DVGP_amd64_linux=1"];

/// What the tests of one suite share.
struct Bench<'a> {
    suite: Suite,
    args: &'a Args,
    places: &'a Places,
    root: PathBuf,
    work: PathBuf,
}

/// A test with its name.
struct Named {
    name: String,
    test: Test,
}

/// A program of the suite: its source and what came of compiling it.
struct Program {
    source: PathBuf,
    built: Result<PathBuf, String>,
}

/// Runs a suite.
pub(super) fn run(suite: Suite, args: &Args, places: &Places) -> anyhow::Result<Vec<Case>> {
    let root = fetch::valgrind(&places.sources)?;
    std::fs::write(root.join("config.h"), include_str!("config.h.txt"))?;
    let bench = Bench {
        suite,
        args,
        places,
        work: places.work.join(suite.name()),
        root,
    };
    std::fs::create_dir_all(&bench.work).with_context(|| bench.work.display().to_string())?;
    let tests = bench.tests()?;
    let programs = bench.build(&tests);
    let results = pool::map(suite.name(), &tests, args.jobs, |named| {
        bench.test(named, &programs)
    });
    let cases: Vec<Vec<Case>> = results.into_iter().collect::<anyhow::Result<_>>()?;
    Ok(cases.into_iter().flatten().collect())
}

impl Bench<'_> {
    fn folder(&self) -> PathBuf {
        self.root.join(self.suite.name()).join("tests")
    }

    /// The tests, in order of their names.
    fn tests(&self) -> anyhow::Result<Vec<Named>> {
        let folder = self.folder();
        let mut tests = Vec::new();
        let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path
                .extension()
                .is_none_or(|extension| extension != "vgtest")
            {
                continue;
            }
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if self.args.filter.iter().all(|part| name.contains(part)) {
                let test = Test::parse(&program::read_lossy(&path));
                tests.push(Named { name, test });
            }
        }
        tests.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(tests)
    }

    /// Builds each program once.
    fn build(&self, tests: &[Named]) -> BTreeMap<String, Program> {
        let names: BTreeSet<String> = tests
            .iter()
            .filter(|named| not_for_here(&named.test).is_none())
            .map(|named| named.test.program.clone())
            .collect();
        let names: Vec<String> = names.into_iter().collect();
        let programs = pool::map("building", &names, self.args.jobs, |name| {
            self.program(name)
        });
        names.into_iter().zip(programs).collect()
    }

    fn program(&self, name: &str) -> Program {
        let path = self.folder().join(name);
        let file = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let folder = path.parent().unwrap_or(&path).to_owned();
        let Some(source) = ["c", "cpp"]
            .iter()
            .map(|extension| folder.join(format!("{file}.{extension}")))
            .find(|source| source.exists())
        else {
            return Program {
                built: Err("no source".to_owned()),
                source: path,
            };
        };
        let makefile = program::read_lossy(&folder.join("Makefile.am"));
        // Both suites have programs of the same names.
        let binary = self.work.join(name.replace("../", "").replace('/', "_"));
        let mut built = self.compile(&source, &parse::options(&makefile, &file), &binary);
        let library = file.replace("_main", "_lib");
        if library != file && built.is_ok() {
            let source = folder.join(format!("{library}.c"));
            let options = parse::options(&makefile, &format!("{library}_so"));
            let output = self.work.join(format!("{library}.so"));
            built = self.compile(&source, &options, &output).map(|_| binary);
        }
        Program { source, built }
    }

    /// valgrind compiles its tests with `-g` and without optimisation.
    fn compile(&self, source: &Path, options: &[String], output: &Path) -> Result<PathBuf, String> {
        let cpp = source
            .extension()
            .is_some_and(|extension| extension == "cpp");
        let folder = source.parent().unwrap_or(source);
        let result = Command::new(self.places.compiler(cpp))
            .args(["-g", "-w", "-fno-stack-protector"])
            .args(PLATFORM)
            .args(self.args.tool.flags())
            .arg(format!("-I{}", self.root.display()))
            .arg(format!("-I{}", self.root.join("include").display()))
            .arg(source)
            .args(options)
            .args(["-lpthread", "-o"])
            .arg(output)
            .current_dir(folder)
            .output();
        match result {
            Ok(result) if result.status.success() => Ok(output.to_owned()),
            Ok(result) => {
                let text = String::from_utf8_lossy(&result.stderr).into_owned();
                let line = text.lines().find(|line| line.contains("error"));
                Err(line
                    .or_else(|| text.lines().last())
                    .unwrap_or_default()
                    .to_owned())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// The cases of one test.
    fn test(
        &self,
        named: &Named,
        programs: &BTreeMap<String, Program>,
    ) -> anyhow::Result<Vec<Case>> {
        let case = |expected, group, verdict| Case {
            suite: self.suite,
            name: named.name.clone(),
            group,
            expected,
            verdict,
        };
        let why = reviewed::left_out(self.suite, &named.name);
        if let Some(why) = why.or_else(|| not_for_here(&named.test)) {
            return Ok(vec![case(None, Group::NoRace, Verdict::LeftOut(why))]);
        }
        let (Some(mut expected), Some(program)) = (
            expect::of(&self.folder(), &named.name),
            programs.get(&named.test.program),
        ) else {
            let why = "no expected output for this system".to_owned();
            return Ok(vec![case(None, Group::NoRace, Verdict::LeftOut(why))]);
        };
        if let Some(class) = reviewed::expected(self.suite, &named.name) {
            let classes: BTreeSet<Class> = [class].into();
            expected = Expectation {
                allowed: classes.clone(),
                required: classes,
            };
        }
        expected
            .allowed
            .extend(reviewed::also(self.suite, &named.name));
        let source = program::read_lossy(&program.source);
        let observed = self.observe(named, program, &expected.required)?;
        let wanted: Vec<Option<Class>> = if expected.required.is_empty() {
            vec![None]
        } else {
            expected.required.iter().copied().map(Some).collect()
        };
        let options = &named.test.options;
        Ok(wanted
            .into_iter()
            .map(|class| {
                case(
                    class,
                    Group::of(class, &named.name, options, &source),
                    observed
                        .judge_different(self.suite, &named.name, self.beyond())
                        .unwrap_or_else(|| observed.judge(class, &expected.allowed, self.beyond())),
                )
            })
            .collect())
    }

    /// Runs a test; one that has to report something is repeated as
    /// ThreadSanitizer's are, since these programs leave their order to chance.
    fn observe(
        &self,
        named: &Named,
        program: &Program,
        required: &BTreeSet<Class>,
    ) -> anyhow::Result<Observed> {
        let mut observed = Observed {
            reported: BTreeSet::new(),
            ended: Ended::NotBuilt(String::new()),
            missing_words: None,
            clean_exit: false,
        };
        let binary = match &program.built {
            Ok(binary) => binary,
            Err(why) => {
                observed.ended = Ended::NotBuilt(why.clone());
                return Ok(observed);
            }
        };
        let folder = self.work.join(format!("{}.run", named.name));
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let script = format!(
            "cd {} && exec timeout -k 5 {TIME_LIMIT} {} {} {}",
            self.work.display(),
            self.args.tool.prefix().join(" "),
            binary.display(),
            named.test.args
        );
        let variables = self.args.tool.variables();
        for _ in 0..if required.is_empty() { 1 } else { REPEAT } {
            let outcome = program::shell(&script, &folder, &self.work, &variables)?;
            observed.reported.extend(class::reported(&outcome.output));
            observed.ended = Ended::from_shell(outcome.status);
            if observed.ended.trouble().is_some() || required.is_subset(&observed.reported) {
                break;
            }
        }
        Ok(observed)
    }

    /// What the suite's own tool does not look for.
    fn beyond(&self) -> &'static [Class] {
        match self.suite {
            Suite::Drd => &[Class::Deadlock, Class::Leak, Class::Signal],
            Suite::Helgrind | Suite::Tsan => &[Class::Leak, Class::Signal],
        }
    }
}

/// Why a test says nothing here.
fn not_for_here(test: &Test) -> Option<String> {
    if test.condition.starts_with("false") {
        return Some("switched off in the suite".to_owned());
    }
    if test
        .condition
        .split("&&")
        .any(|part| part.trim() == "../../tests/os_test freebsd")
    {
        return Some("for FreeBSD".to_owned());
    }
    if test
        .condition
        .contains("! ../../tests/libc_test glibc 2.24.90")
    {
        return Some("hangs with a glibc after 2.24".to_owned());
    }
    if test.program.ends_with("_glibc_2_0") {
        return Some("for systems with 32 bits".to_owned());
    }
    if test.options.contains("-threshold=") {
        return Some("measures how long locks are held".to_owned());
    }
    if test.options.contains("--tool=memcheck") {
        return Some("a unit test of the tool's own code".to_owned());
    }
    None
}
