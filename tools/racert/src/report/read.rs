//! Reading files of records, whatever state they are in.
//!
//! A line that is no record is damage: it is named, everything else is used.
//! A process that was killed leaves at worst a last line cut short.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::model::{Finding, Head, SCHEMA, Summary};
use crate::error::{self, Error, Result};

/// Bytes of one record at most. Deep stacks of long names make some hundred
/// kilobytes; more is not a record.
const LONGEST: u64 = 64 << 20;

/// Everything read.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) findings: Vec<Finding>,
    /// Processes that reached their end.
    pub(crate) ended: Vec<Summary>,
    pub(crate) damage: Vec<Damage>,
}

/// A line that could not be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) file: PathBuf,
    pub(crate) line: u64,
    pub(crate) why: String,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.why)
    }
}

/// Reads files, the `*.json` and `*.jsonl` files in and below directories, and
/// standard input for `-`.
pub(crate) fn all(paths: &[PathBuf]) -> Result<Input> {
    let mut input = Input::default();
    for path in paths {
        if path.as_os_str() == "-" {
            input.read(path, io::stdin().lock());
            continue;
        }
        for file in files(path).map_err(|e| unreadable(path, &e))? {
            let open = File::open(&file).map_err(|e| unreadable(&file, &e))?;
            input.read(&file, BufReader::with_capacity(1 << 18, open));
        }
    }
    Ok(input)
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::new(
        error::USAGE,
        format!("cannot read {}: {error}", path.display()),
    )
}

/// `path` itself, or the record files in and below it, in order of their names.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let file = entry.path();
        let extension = file.extension().and_then(|e| e.to_str());
        if entry.file_type()?.is_dir() {
            files.extend(self::files(&file)?);
        } else if matches!(extension, Some("json" | "jsonl")) && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

impl Input {
    /// Takes in the records of `file`.
    pub(super) fn read(&mut self, file: &Path, mut reader: impl BufRead) {
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = (&mut reader).take(LONGEST).read_until(b'\n', &mut line);
            let why = match read {
                Ok(0) => return,
                Ok(_) => self.record(&line).err(),
                Err(error) => Some(format!("cannot be read on: {error}")),
            };
            let Some(why) = why else { continue };
            let ends_here = !line.ends_with(b"\n");
            self.damage.push(Damage {
                file: file.to_owned(),
                line: number,
                why,
            });
            if ends_here {
                return;
            }
        }
    }

    /// Takes one line in, or says what is wrong with it.
    fn record(&mut self, line: &[u8]) -> std::result::Result<(), String> {
        let whole = line.ends_with(b"\n");
        let text = line.trim_ascii();
        if text.is_empty() {
            return Ok(());
        }
        let head: Head = serde_json::from_slice(text).map_err(|error| {
            if whole {
                format!("damaged, not a record: {}", in_line(&error))
            } else {
                format!("cut short after {} bytes", text.len())
            }
        })?;
        if head.schema != SCHEMA {
            return Err(format!(
                "a record of version {}, this racert reads version {SCHEMA}",
                head.schema
            ));
        }
        let wrong =
            |error: serde_json::Error| format!("damaged, not a {}: {}", head.kind, in_line(&error));
        match head.kind.as_str() {
            "finding" => {
                let finding: Finding = serde_json::from_slice(text).map_err(wrong)?;
                if finding.accesses.is_empty() {
                    return Err("damaged, a finding without accesses".to_owned());
                }
                self.findings.push(finding);
            }
            "summary" => self
                .ended
                .push(serde_json::from_slice(text).map_err(wrong)?),
            // Added within this version; nothing depends on it.
            _ => {}
        }
        Ok(())
    }
}

/// What is wrong in a line whose number is said elsewhere.
fn in_line(error: &serde_json::Error) -> String {
    error
        .to_string()
        .replace(" at line 1 column ", " at column ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    fn read(text: &[u8]) -> Input {
        let mut input = Input::default();
        input.read(Path::new("races.json"), text);
        input
    }

    fn line(name: &str) -> Vec<u8> {
        let mut line = serde_json::to_vec(&sample(name)).unwrap();
        line.push(b'\n');
        line
    }

    #[test]
    fn what_comes_before_and_after_the_damage_is_used() {
        let mut text = line("a");
        text.extend_from_slice(b"\n{\"schema\":1,\x00garbage\xff\n");
        text.extend_from_slice(&line("b"));
        let input = read(&text);
        assert_eq!(input.findings.len(), 2);
        assert_eq!(input.damage.len(), 1);
        let said = input.damage[0].to_string();
        assert!(said.starts_with("races.json:3: damaged"), "{said}");
        assert!(said.ends_with(" at column 13"), "{said}");
    }

    #[test]
    fn a_file_can_be_cut_anywhere() {
        let text = [line("a"), line("b")].concat();
        let first = line("a").len();
        for end in (0..text.len()).step_by(7) {
            let input = read(&text[..end]);
            assert_eq!(input.findings.len(), usize::from(end >= first - 1), "{end}");
            // A cut at the end of a line cannot be seen.
            let clean = end == 0 || end == first - 1 || end == first;
            assert_eq!(input.damage.is_empty(), clean, "{end}");
        }
        let cut = read(&text[..first + 10]);
        assert_eq!(
            cut.damage[0].to_string(),
            "races.json:2: cut short after 10 bytes"
        );
    }

    #[test]
    fn newer_records_and_unknown_ones() {
        let input = read(b"{\"schema\":2,\"type\":\"finding\"}\n{\"schema\":1,\"type\":\"x\"}\n");
        assert_eq!(input.damage.len(), 1);
        let said = input.damage[0].to_string();
        assert!(said.contains("version 2"), "{said}");
    }

    #[test]
    fn fields_unknown_to_this_version_are_passed_over() {
        let mut value = serde_json::to_value(sample("a")).unwrap();
        value["news"] = "from the future".into();
        value["accesses"][0]["news"] = 1.into();
        let mut text = serde_json::to_vec(&value).unwrap();
        text.push(b'\n');
        text.extend_from_slice(
            b"{\"schema\":1,\"type\":\"summary\",\"pid\":3,\"findings\":1,\"exit_status\":66}\n",
        );
        let input = read(&text);
        assert_eq!(input.findings, [sample("a")]);
        assert_eq!(input.ended[0].findings, 1);
        assert!(input.damage.is_empty());
    }
}
