//! Names for addresses, looked up after the program has ended.
//!
//! A record made with `symbolize=0`, or by a stripped program, has modules and
//! offsets where names should be. [`rebuild`] turns it into the finding the
//! runtime had, with [`addresses`] that stand for those places; [`files`] finds
//! the files that know names, by build id; and the runtime's own code
//! (`racert-records`) makes the record again. So sentences, suggestions and
//! fingerprints are those that the process itself would have written.

mod addresses;
mod files;
mod rebuild;

use racert_records::options::Options;
use racert_records::report::Records;
use racert_records::symbol::fetched;

use self::addresses::{Addresses, hex};
pub(crate) use self::files::Files;
use self::rebuild::Rebuilt;
use super::model::{Finding, Frame, Place, Stack};

/// Names for what has none, as far as there are files that know them.
pub(crate) fn symbolise(findings: &mut [Finding], files: &mut Files) {
    fetched::look_where(|name| std::env::var(name).ok());
    let mut records = Records::new(Options::default());
    for finding in findings {
        if !is_nameless(finding, files) {
            continue;
        }
        if let Some(named) = named(finding, files, &mut records) {
            *finding = named;
        }
        files.settle();
    }
}

/// The finding made again, if it is of a kind that this version knows.
fn named(finding: &Finding, files: &mut Files, records: &mut Records) -> Option<Finding> {
    let mut addresses = Addresses::new(files, finding.program.clone());
    let record = match rebuild::finding(finding, &mut addresses)? {
        Rebuilt::Race(race) => records.race(&race, &mut addresses),
        Rebuilt::Locks(locks) => records.locks(&locks, &mut addresses),
        Rebuilt::Notice(notice) => records.notice(&notice.0, &notice.1, &mut addresses),
    };
    let mut named: Finding = serde_json::from_str(&record).ok()?;
    named.pid = finding.pid;
    named.time.clone_from(&finding.time);
    named.program.clone_from(&finding.program);
    Some(named)
}

/// Is there something without a name that a file knows?
fn is_nameless(finding: &Finding, files: &mut Files) -> bool {
    let stacks = stacks(finding);
    let frames = stacks.iter().flat_map(|stack| &stack.frames);
    let mut modules: Vec<(&str, Option<&str>)> = Vec::new();
    for frame in frames.filter(|frame| frame.file.is_none()) {
        let Some(module) = &frame.module else {
            continue;
        };
        if frame.function.is_none() {
            modules.push((module, frame.build_id.as_deref()));
        } else if !is_system(frame) && has_line(frame, module, files) {
            return true;
        }
    }
    for place in places(finding) {
        match (&place.module, &place.thread_pointer) {
            (Some(module), _) if place.name.is_none() => {
                modules.push((&module.module, module.build_id.as_deref()));
            }
            _ if let Some(code) = place.call.as_ref().and_then(|call| call.code.first()) => {
                modules.push((&code.module, code.build_id.as_deref()));
            }
            (None, Some(_)) => {
                modules.extend(finding.program.as_deref().map(|program| (program, None)));
            }
            _ => {}
        }
    }
    modules.sort_unstable();
    modules.dedup();
    modules
        .into_iter()
        .any(|(module, id)| files.image(module, id).is_some())
}

/// Does a file know the line of a function that has a name?
fn has_line(frame: &Frame, module: &str, files: &mut Files) -> bool {
    let offset = frame.offset.as_deref().and_then(hex);
    let image = files.image(module, frame.build_id.as_deref());
    let frames = image.zip(offset).map(|(image, at)| image.frames(at));
    frames.is_some_and(|frames| frames.iter().any(|frame| frame.source.is_some()))
}

/// Many functions of libraries have a name and no line for good.
fn is_system(frame: &Frame) -> bool {
    let module = frame.module.as_deref().unwrap_or("");
    module.starts_with('[')
        || ["/lib/", "/usr/lib/", "/lib64/"]
            .iter()
            .any(|top| module.starts_with(top))
}

/// Every stack of a finding.
fn stacks(finding: &Finding) -> Vec<&Stack> {
    let mut stacks = Vec::new();
    for access in &finding.accesses {
        stacks.push(&access.stack);
        stacks.extend(access.locks.iter().map(|held| &held.taken));
    }
    stacks.extend(places(finding).filter_map(|place| place.stack.as_ref()));
    let created = finding.threads.iter().filter_map(|t| t.created.as_ref());
    stacks.extend(created.map(|created| &created.stack));
    let created = finding.locks.iter().filter_map(|l| l.created.as_ref());
    stacks.extend(created.map(|created| &created.stack));
    stacks
}

fn places(finding: &Finding) -> impl Iterator<Item = &Place> {
    let locks = finding.locks.iter().map(|lock| &lock.place);
    std::iter::once(&finding.place).chain(locks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLES: &str = include_str!("../../../../../docs/report-examples.jsonl");

    /// Records made again from what they say themselves.
    #[test]
    fn a_record_says_all_that_it_is_made_from() {
        let mut files = Files::new(&[]).unwrap();
        let mut records = Records::new(Options::default());
        let mut count = 0;
        for line in EXAMPLES.lines() {
            let Ok(finding) = serde_json::from_str::<Finding>(line) else {
                continue;
            };
            let Some(again) = named(&finding, &mut files, &mut records) else {
                continue;
            };
            count += 1;
            assert_eq!(again.message, finding.message);
            assert_eq!(again.suggestion, finding.suggestion);
            assert_eq!(again.fingerprint, finding.fingerprint);
            assert_eq!(again.title, finding.title);
            assert_eq!(again.locks.len(), finding.locks.len());
        }
        assert!(count > 10, "{count}");
    }

    #[test]
    fn a_local_variable_keeps_its_name() {
        let mut files = Files::new(&[]).unwrap();
        let mut records = Records::new(Options::default());
        let findings = EXAMPLES
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let mut on_stack = findings.filter(|finding: &Finding| finding.place.kind == "stack");
        let mut finding = on_stack.next().expect("an example");
        finding.place.name = Some("buffer".to_owned());
        finding.place.size = Some(4);
        finding.place.offset = Some(0);
        let again = named(&finding, &mut files, &mut records).unwrap();
        assert_eq!(again.place, finding.place);
        assert!(again.message.contains("'buffer'"), "{}", again.message);
    }

    #[test]
    fn numbers_that_stand_for_nothing_are_left_alone() {
        let mut files = Files::new(&[]).unwrap();
        let mut records = Records::new(Options::default());
        for line in EXAMPLES.lines() {
            let Ok(mut finding) = serde_json::from_str::<Finding>(line) else {
                continue;
            };
            finding.locks.clear();
            finding.threads.clear();
            finding.place.address = "nonsense".to_owned();
            finding.accesses[0].stack.frames.clear();
            let _ = named(&finding, &mut files, &mut records);
        }
    }
}
