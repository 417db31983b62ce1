//! `racert suppress`: entries for a suppressions file, as narrow as they can be.
//!
//! A race gets both its stacks, frame by frame: it is held back only where the
//! same functions call each other in the same way. What has no pattern of
//! stacks gets the function in which it came to light.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use super::command::{name, write};
use super::late::{self, Files};
use super::merge::{self, Group};
use super::model::{Access, Finding, Frame};
use super::read;
use crate::cli::SuppressArgs;
use crate::error::Result;

/// Frames of a stack that count: deeper ones are hardly ever told apart.
const DEEPEST: usize = 12;

/// Reads records and writes an entry for each finding.
pub(crate) fn run(args: &SuppressArgs) -> Result<ExitCode> {
    let mut input = read::all(&args.files)?;
    late::symbolise(&mut input.findings, &mut Files::new(&args.symbols)?);
    name(&input.damage);
    let wanted = |group: &Group| match &args.fingerprint {
        Some(start) => group.finding.fingerprint.starts_with(start),
        None => true,
    };
    let mut text = String::new();
    for group in merge::groups(input.findings).iter().filter(|g| wanted(g)) {
        text.push_str(&entry(&group.finding));
    }
    write(args.output.as_deref(), text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The entry for a finding, under a comment that says what it is.
fn entry(finding: &Finding) -> String {
    let mut text = format!("# {} {}", finding.title, finding.fingerprint);
    if let Some(place) = finding.accesses.first().and_then(place) {
        let _ = write!(text, " at {place}");
    }
    text.push('\n');
    match rule(finding) {
        Some(rule) => text.push_str(&rule),
        None => text.push_str("# nothing in it has a name"),
    }
    text.push_str("\n\n");
    text
}

fn rule(finding: &Finding) -> Option<String> {
    match class(&finding.kind) {
        "race" => race(finding),
        class => {
            let mut frames = finding.accesses.iter().flat_map(|a| &a.stack.frames);
            let name = frames.find_map(|frame| frame.function.as_deref())?;
            Some(format!("{class}:{}", exactly(name)))
        }
    }
}

/// What suppressions call findings of a kind.
fn class(kind: &str) -> &'static str {
    match kind {
        "lock-order-inversion" | "deadlock" | "lost-wakeup" => "deadlock",
        "signal-without-mutex" => "mutex",
        "data-race"
        | "possible-data-race"
        | "data-race-with-free"
        | "heap-use-after-free"
        | "vptr-race"
        | "ad-hoc-synchronisation"
        | "relaxed-synchronisation"
        | "descriptor-race" => "race",
        "thread-leak" => "thread",
        kind if kind.contains("signal") => "signal",
        _ => "mutex",
    }
}

fn race(finding: &Finding) -> Option<String> {
    let sides: Vec<String> = finding.accesses.iter().filter_map(chain).collect();
    if sides.is_empty() {
        return None;
    }
    Some(format!("race_stack:{}", sides.join("; ")))
}

/// The frames of an access, from the innermost on.
fn chain(access: &Access) -> Option<String> {
    let mut steps: Vec<String> = access.stack.frames.iter().take(DEEPEST).map(step).collect();
    while steps.last().is_some_and(|step| step == ANY) {
        steps.pop();
    }
    (!steps.is_empty()).then(|| format!("either {}", steps.join(" <- ")))
}

/// Any number of frames.
const ANY: &str = "...";

fn step(frame: &Frame) -> String {
    if let Some(function) = &frame.function {
        return format!("fun:{}", exactly(function));
    }
    if let Some(file) = &frame.file {
        return format!("src:{}", exactly(file));
    }
    // A library may be elsewhere on another machine.
    let module = frame.module.as_deref().map(Path::new);
    match module.and_then(|path| path.file_name()) {
        Some(file) => format!("obj:/{}$", plain(&file.to_string_lossy())),
        None => ANY.to_owned(),
    }
}

/// A pattern that matches `name` and hardly anything else.
fn exactly(name: &str) -> String {
    format!("^{}$", plain(name))
}

/// `name` without what has a meaning in a pattern of frames.
fn plain(name: &str) -> String {
    name.replace("<-", "*").replace(';', "*")
}

/// `FILE:LINE` of the innermost frame that has one.
fn place(access: &Access) -> Option<String> {
    access.stack.frames.iter().find_map(|frame| {
        let (file, line) = (frame.file.as_ref()?, frame.line?);
        Some(format!("{file}:{line}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::sample;

    #[test]
    fn a_race_is_both_its_stacks() {
        let mut race = sample("x");
        let frame = |name: &str| Frame {
            function: Some(name.to_owned()),
            ..Frame::default()
        };
        race.accesses[0].stack.frames = vec![frame("get<-1>()"), frame("main")];
        race.accesses[1].stack.frames = vec![
            Frame {
                module: Some("/usr/lib/libz.so.1".to_owned()),
                ..Frame::default()
            },
            Frame::default(),
        ];
        assert_eq!(
            rule(&race).unwrap(),
            "race_stack:either fun:^get*1>()$ <- fun:^main$; either obj:/libz.so.1$"
        );
        race.kind = "deadlock".to_owned();
        assert_eq!(rule(&race).unwrap(), "deadlock:^get*1>()$");
        race.kind = "free-of-locked".to_owned();
        assert_eq!(rule(&race).unwrap(), "mutex:^get*1>()$");
    }

    #[test]
    fn what_has_no_name_gets_a_comment() {
        let mut race = sample("x");
        for access in &mut race.accesses {
            access.stack.frames.clear();
        }
        assert!(entry(&race).ends_with("# nothing in it has a name\n\n"));
    }
}
