//! The command itself.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use super::late::{self, Files};
use super::merge::{self, Group};
use super::paths::Root;
use super::read::{self, Damage};
use super::{github, html, json, junit, sarif, text};
use crate::cli::ReportArgs;
use crate::error::{self, Error, Result};

/// Findings that the baseline does not have: as the programs themselves say it.
const NEW_FINDINGS: u8 = 66;
/// A file was damaged.
const DAMAGED: u8 = 2;
/// Places of damage that are named one by one.
const MOST_NAMED: usize = 20;

/// How to write findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a terminal
    Text,
    /// Records again, each finding once
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// One page with a timeline of each finding
    Html,
    /// JUnit XML, for CI systems
    Junit,
    /// Annotations of GitHub Actions
    Github,
}

/// Reads, merges, compares and writes.
pub(crate) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let mut input = read::all(&args.files)?;
    let mut files = Files::new(&args.symbols)?;
    late::symbolise(&mut input.findings, &mut files);
    let mut damage = input.damage;
    let mut groups = merge::groups(input.findings);
    if let Some(path) = &args.baseline {
        let mut old = read::all(std::slice::from_ref(path))?;
        late::symbolise(&mut old.findings, &mut files);
        damage.extend(old.damage);
        groups = merge::compare(groups, merge::groups(old.findings), args.diff);
    }
    name(&damage);
    let root = root(args.root.as_deref())?;
    let output = render(args.format, &groups, &damage, &root);
    write(args.output.as_deref(), output.as_bytes())?;
    let has_new = args.baseline.is_some() && groups.iter().any(Group::fails);
    Ok(if !damage.is_empty() {
        ExitCode::from(DAMAGED)
    } else if has_new {
        ExitCode::from(NEW_FINDINGS)
    } else {
        ExitCode::SUCCESS
    })
}

pub(super) fn render(format: Format, groups: &[Group], damage: &[Damage], root: &Root) -> String {
    match format {
        Format::Text => text::render(groups),
        Format::Json => json::render(groups),
        Format::Sarif => sarif::render(groups, damage, root),
        Format::Html => html::render(groups, root),
        Format::Junit => junit::render(groups, root),
        Format::Github => github::render(groups, root),
    }
}

/// Says what could not be used; the rest was.
pub(super) fn name(damage: &[Damage]) {
    for damage in damage.iter().take(MOST_NAMED) {
        anstream::eprintln!("racert: {damage}");
    }
    if damage.len() > MOST_NAMED {
        anstream::eprintln!(
            "racert: and {} more damaged lines",
            damage.len() - MOST_NAMED
        );
    }
}

fn root(given: Option<&Path>) -> Result<Root> {
    // It may be a path of the machine that built the program.
    let top = match given {
        Some(path) => std::path::absolute(path),
        None => env::current_dir(),
    };
    let top = top.map_err(|error| {
        let name = given.unwrap_or(Path::new(".")).display();
        Error::new(error::USAGE, format!("no directory {name}: {error}"))
    })?;
    Ok(Root::new(top))
}

pub(super) fn write(path: Option<&Path>, bytes: &[u8]) -> Result<()> {
    let done = match path {
        Some(path) => fs::write(path, bytes),
        None => io::stdout().lock().write_all(bytes),
    };
    match done {
        // A reader such as `head` that has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && path.is_none() => Ok(()),
        Err(error) => {
            let name = path.map_or(PathBuf::from("standard output"), PathBuf::from);
            Err(Error::new(
                error::USAGE,
                format!("cannot write {}: {error}", name.display()),
            ))
        }
        Ok(()) => Ok(()),
    }
}
