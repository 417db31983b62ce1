//! From the corpus to single cases: scenario x language x level x order x mode.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::header::Header;

/// One file of the corpus.
#[derive(Debug)]
pub struct Scenario {
    /// Where it is.
    pub path: PathBuf,
    /// `kind/name`, without the extension.
    pub name: String,
    /// What it says about itself.
    pub header: Header,
}

/// The language a scenario is compiled as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C17 as clang understands it.
    C,
    /// C++ as clang understands it.
    Cxx,
}

/// One program to compile and run in one way.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file it comes from.
    pub scenario: Arc<Scenario>,
    /// The language to compile it as.
    pub language: Language,
    /// Optimisation level, without the dash.
    pub opt: String,
    /// Order of execution, if the scenario has several.
    pub order: Option<String>,
    /// The detector's mode, if the scenario asks for one.
    pub mode: Option<String>,
}

impl Case {
    /// A name that no other case has.
    pub fn name(&self) -> String {
        let language = match self.language {
            Language::C => "c",
            Language::Cxx => "c++",
        };
        let mut name = format!("{}::{language}::{}", self.scenario.name, self.opt);
        for part in self.order.iter().chain(&self.mode) {
            name.push_str("::");
            name.push_str(part);
        }
        name
    }
}

/// Every scenario below `root`, sorted by name.
///
/// A scenario is a C or C++ file whose name ends in `_race` or `_norace`; the
/// libraries and headers beside it are left to those that mention them.
pub fn load(root: &Path) -> Result<Vec<Scenario>, String> {
    let mut scenarios = Vec::new();
    for kind in folders(root)? {
        for path in entries(&kind)? {
            scenarios.extend(scenario(&kind, path)?);
        }
    }
    scenarios.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(scenarios)
}

/// The scenario that the case of this name belongs to, if there is one; one
/// file is read instead of all.
pub fn load_one(root: &Path, case: &str) -> Result<Vec<Scenario>, String> {
    let name = case.split("::").next().unwrap_or_default();
    let Some((kind, stem)) = name.split_once('/') else {
        return Ok(Vec::new());
    };
    let kind = root.join(kind);
    let paths = ["c", "cc"].map(|end| kind.join(format!("{stem}.{end}")));
    let found = paths.into_iter().filter(|path| path.is_file());
    let scenarios: Result<Vec<_>, _> = found.map(|path| scenario(&kind, path)).collect();
    Ok(scenarios?.into_iter().flatten().collect())
}

/// What a file of the folder `kind` says, if it is a scenario.
fn scenario(kind: &Path, path: PathBuf) -> Result<Option<Scenario>, String> {
    let (Some(stem), Some(extension)) = (
        path.file_stem().and_then(|stem| stem.to_str()),
        path.extension().and_then(|extension| extension.to_str()),
    ) else {
        return Ok(None);
    };
    let is_source = matches!(extension, "c" | "cc");
    if !is_source || !(stem.ends_with("_race") || stem.ends_with("_norace")) {
        return Ok(None);
    }
    let wrong = |error: &dyn Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
    let header = Header::parse(&text).map_err(|error| wrong(&error))?;
    let kind = kind.file_name().unwrap_or_default().to_string_lossy();
    Ok(Some(Scenario {
        name: format!("{kind}/{stem}"),
        header,
        path,
    }))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|error| format!("{}: {error}", folder.display()))
}

fn folders(root: &Path) -> Result<Vec<PathBuf>, String> {
    Ok(entries(root)?
        .into_iter()
        .filter(|path| path.is_dir())
        .collect())
}

/// Kinds of scenario in which locks matter: these run with happens-before alone
/// as well, where their order counts as any other.
const ALSO_HB: &[&str] = &[
    "atomics", "c11", "condvar", "cxx", "hybrid", "mutex", "once", "rwlock", "spin",
];

/// Kinds that run with the machines of states as well: what loops order must not
/// depend on the edges that conflicts make.
const ALSO_STATES: &[&str] = &["adhoc", "condvar"];

/// What `RACERT_TEST_MODE` asks for.
fn chosen_mode() -> Option<String> {
    let mode = std::env::var("RACERT_TEST_MODE").ok();
    mode.filter(|mode| !mode.is_empty())
}

/// The modes a scenario runs in; `None`: the default one.
///
/// `RACERT_TEST_MODE` names the only one for all that do not insist on theirs.
fn modes(scenario: &Scenario) -> Vec<Option<String>> {
    if !scenario.header.modes.is_empty() {
        return each_or_none(&scenario.header.modes);
    }
    if let Some(mode) = chosen_mode() {
        return vec![Some(mode)];
    }
    let kind = scenario.name.split('/').next().unwrap_or_default();
    let mut modes = vec![None];
    if ALSO_HB.contains(&kind) {
        modes.push(Some("hb".to_owned()));
    }
    if ALSO_STATES.contains(&kind) {
        modes.extend(["msm-short", "msm-long"].map(|mode| Some(mode.to_owned())));
    }
    modes
}

/// The list, or one absent element if it is empty.
fn each_or_none(list: &[String]) -> Vec<Option<String>> {
    if list.is_empty() {
        vec![None]
    } else {
        list.iter().cloned().map(Some).collect()
    }
}

/// How much of the matrix to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every scenario in all its orders at one level; at the others, as the
    /// second language, and in modes it does not name itself, in one order;
    /// C++ at two levels.
    Daily,
    /// Everything.
    Full,
}

impl Extent {
    /// What `RACERT_TEST_FULL` asks for.
    pub fn from_env() -> Extent {
        match std::env::var_os("RACERT_TEST_FULL") {
            Some(value) if !value.is_empty() && value != "0" => Extent::Full,
            _ => Extent::Daily,
        }
    }

    /// Is `case` part of it?
    pub fn includes(self, case: &Case) -> bool {
        let header = &case.scenario.header;
        let first = case.language == primary_language(&case.scenario);
        // O1 where it is among the levels.
        let usual = header.opt.iter().find(|opt| *opt == "O1");
        let level = usual.or(header.opt.first()) == Some(&case.opt);
        if self == Extent::Full {
            return true;
        }
        // A mode that the kind of scenario adds: each in another order.
        if let Some(mode) = &case.mode
            && header.modes.is_empty()
            && chosen_mode().is_none()
        {
            return first && level && turn(header, mode.len()) == case.order.as_ref();
        }
        if first && level {
            return true;
        }
        // C++ takes long to compile: at the usual level and one more.
        if first && case.language == Language::Cxx {
            let others = header.opt.iter().filter(|opt| Some(*opt) != usual);
            let others: Vec<&String> = others.collect();
            let turn = case.scenario.name.len() % others.len().max(1);
            if others.get(turn) != Some(&&case.opt) {
                return false;
            }
        }
        // The other language at the usual level, this one at the others: in
        // different orders, so that each is met.
        let which = header.opt.iter().position(|opt| *opt == case.opt);
        let order = turn(header, which.unwrap_or(0) + usize::from(!first));
        (first || level) && order == case.order.as_ref()
    }
}

/// One of a scenario's orders, if it has several.
fn turn(header: &Header, number: usize) -> Option<&String> {
    match header.orders.len() {
        0 => None,
        count => Some(&header.orders[number % count]),
    }
}

/// The language of the file's name.
pub(crate) fn primary_language(scenario: &Scenario) -> Language {
    match scenario.path.extension() {
        Some(extension) if extension == "cc" => Language::Cxx,
        _ => Language::C,
    }
}

/// All cases of one scenario.
pub fn cases(scenario: Scenario) -> Vec<Case> {
    let scenario = Arc::new(scenario);
    let header = &scenario.header;
    let mut languages = vec![primary_language(&scenario)];
    if header.also_cxx {
        languages.push(Language::Cxx);
    }
    let mut cases = Vec::new();
    for &language in &languages {
        for opt in &header.opt {
            for order in each_or_none(&header.orders) {
                for mode in modes(&scenario) {
                    cases.push(Case {
                        scenario: scenario.clone(),
                        language,
                        opt: opt.clone(),
                        order: order.clone(),
                        mode,
                    });
                }
            }
        }
    }
    cases
}
