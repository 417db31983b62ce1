//! The text of a finding about locks.

use super::super::color::Colors;
use super::super::locks::{Named, NamedLock, memory};
use super::super::names::{Names, capitalised};
use super::{Page, described, summary};
use crate::finding::Place;
use crate::lock::finding::{LockFinding, LockInfo};
use crate::options::Options;
use crate::os;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The whole of it.
pub(in crate::report) fn render(
    finding: &LockFinding,
    named: &Named,
    options: &Options,
    colors: &Colors,
) -> String {
    let names = Names(&finding.threads);
    let mut page = Page {
        out: String::new(),
        options,
        colors,
    };
    let title = finding.title();
    let pid = os::getpid();
    let word = if finding.trouble.is_advice() {
        "ADVICE"
    } else {
        "WARNING"
    };
    page.line(
        colors.warning,
        &format!("{word}: racert: {title} (pid={pid})"),
    );
    page.paragraph(&named.message);
    page.out.push('\n');
    for (part, named) in finding.parts.iter().zip(&named.parts) {
        page.heading(colors.access, &named.said);
        page.stack(&named.lines, &part.stack, named.source.as_ref());
    }
    page.locks(&finding.locks, &named.locks, &names);
    let threads = finding.threads.iter().zip(&named.creations);
    for (thread, creation) in threads.filter(|(thread, _)| thread.number != 0) {
        page.heading(colors.thread, &described(thread, &names));
        if let Some((_, stack)) = &thread.created {
            page.stack(creation, stack, None);
        }
    }
    if let Some(suggestion) = &named.suggestion {
        page.paragraph(&format!("Suggestion: {suggestion}."));
    }
    if options.print_summary {
        let first = named.parts.first().map(|part| part.lines.clone());
        let culprit = summary(&[first.unwrap_or_default(), Vec::new()], options);
        page.line(
            colors.summary,
            &format!("SUMMARY: racert: {title}{culprit}"),
        );
    }
    page.out.push('\n');
    page.out
}

impl Page<'_> {
    /// What and where the locks are.
    pub(super) fn locks(&mut self, infos: &[LockInfo], named: &[NamedLock], names: &Names<'_>) {
        for (info, lock) in infos.iter().zip(named) {
            let memory = memory(lock, names, self.options);
            let is = if lock.variable().is_some() {
                "is"
            } else {
                "is in"
            };
            let is = format!("{} {is} {memory}", capitalised(&lock.name));
            self.heading(self.colors.place, &is);
            if let Place::Heap { stack, .. } = &lock.memory.place {
                self.stack(&lock.memory.allocation, stack, None);
            }
            if let Some(known) = &info.lock {
                let how = if known.initialised {
                    "initialised"
                } else {
                    "first used"
                };
                let by = names.of(known.thread);
                self.heading(self.colors.place, &format!("It was {how} by {by} at:"));
                self.stack(&lock.created, &info.created, None);
            }
        }
    }
}
