//! The classified corpus: many small cases, each with or without a race, put to
//! every mode and to other detectors.
//!
//! `tests/classified/` has a program for each class. A line
//!
//! ```text
//! // case NAME: race [MODE...]
//! ```
//!
//! (or `no race`) in front of a case says what is true of it, and in brackets
//! which modes get it wrong. [`tool`] runs a case, [`table`] shows the whole.

pub mod table;
pub mod tool;

use std::fs;
use std::path::{Path, PathBuf};

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its class: the name of the program.
    pub class: String,
    /// Its name: the program's argument.
    pub name: String,
    /// Has some schedule of it a race?
    pub race: bool,
    /// The modes that get it wrong.
    pub wrong: Vec<String>,
    /// The program's source.
    pub source: PathBuf,
}

impl Case {
    /// Class and name.
    pub fn title(&self) -> String {
        format!("{}/{}", self.class, self.name)
    }

    /// Must `mode` report it?
    pub fn is_reported_by(&self, mode: &str) -> bool {
        self.race != self.wrong.iter().any(|wrong| wrong == mode)
    }
}

/// The folder of the cases.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("classified")
}

/// What a line says of a case: its name, the truth, and who is wrong.
type Claim = (String, bool, Vec<String>);

fn parse(line: &str) -> Option<Result<Claim, String>> {
    let (name, claim) = line.strip_prefix("// case ")?.split_once(": ")?;
    let (truth, wrong) = match claim.split_once(" [") {
        Some((truth, wrong)) => (truth, wrong.strip_suffix(']').unwrap_or("?")),
        None => (claim, ""),
    };
    let race = match truth {
        "race" => true,
        "no race" => false,
        _ => return Some(Err(format!("'{line}': want 'race' or 'no race'"))),
    };
    let wrong: Vec<String> = wrong.split_whitespace().map(str::to_owned).collect();
    let known = |mode: &String| tool::MODES.iter().any(|(name, _)| name == mode);
    match wrong.iter().find(|mode| !known(mode)) {
        Some(mode) => Some(Err(format!("'{line}': no mode '{mode}'"))),
        None => Some(Ok((name.to_owned(), race, wrong))),
    }
}

/// All cases, by class.
pub fn load() -> Result<Vec<Case>, String> {
    let folder = folder();
    let mut sources: Vec<PathBuf> = fs::read_dir(&folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    sources.retain(|path| matches!(path.extension().and_then(|e| e.to_str()), Some("c" | "cc")));
    sources.sort();
    let mut cases = Vec::new();
    for source in sources {
        let text = fs::read_to_string(&source)
            .map_err(|error| format!("{}: {error}", source.display()))?;
        let class = source.file_stem().unwrap_or_default().to_string_lossy();
        for parsed in text.lines().filter_map(parse) {
            let (name, race, wrong) = parsed?;
            cases.push(Case {
                class: class.clone().into_owned(),
                name,
                race,
                wrong,
                source: source.clone(),
            });
        }
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_case_says_what_is_true_and_who_is_wrong() {
        let words = |list: &[&str]| list.iter().map(|w| w.to_string()).collect::<Vec<_>>();
        assert_eq!(
            parse("// case a_b: no race [eraser fast]"),
            Some(Ok(("a_b".into(), false, words(&["eraser", "fast"]))))
        );
        assert_eq!(
            parse("// case a: race"),
            Some(Ok(("a".into(), true, words(&[]))))
        );
        assert!(parse("// case a: rcae").is_some_and(|r| r.is_err()));
        assert!(parse("// case a: race [erasr]").is_some_and(|r| r.is_err()));
        assert_eq!(parse("int x; // case"), None);
    }
}
