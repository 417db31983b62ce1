//! The text of a report.
//!
//! ```text
//! WARNING: racert: data race (pid=N)
//!   Thread T2 (name "worker") writes global 'counter' in ..., and the main
//!   thread reads it in ... No lock ... so they can happen at the same time.
//!
//!   Write of size 4 at 0x404028 by thread T2 (name "worker"):
//!     #0 function file:line:column (module+0xoffset)
//!            11 |   lock();
//!      >     12 |   counter++;
//!               |          ^
//!            13 |   unlock();
//!   Previous read of size 4 at 0x404028 by main thread:
//!     #0 function file:line:column (module+0xoffset)
//!   Location is global 'counter' of size 4 at 0x404028 (module+0x4028)
//!   Thread T2 (name "worker", os id 4711, running) created by main thread at:
//!     #0 function file:line:column (module+0xoffset)
//!   Suggestion: guard both accesses to 'counter' with the same lock ...
//! SUMMARY: racert: data race file:line in function
//! ```
//!
//! Offsets are addresses as the module's own file counts them, already one
//! before the return address, so that `addr2line -e module 0xoffset` names the
//! same line. An access unordered with the `free` of its memory is a `data
//! race with free`: which of the two came first in this run was chance.

use super::color::Colors;
use super::details::{Details, SourceAt};
use super::explain::wrapped;
use super::frames::{Line, Resolved, culprit};
use super::kind::{noun, title};
use super::locks::NamedLock;
use super::names::{Names, capitalised, in_module, printable, source, stripped};
use super::{order, place};
use crate::descriptor;
use crate::finding::{Access, Finding, Operation, Place, Stack, ThreadInfo};
use crate::options::Options;
use crate::os;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

mod locks;
mod notice;
pub(super) use locks::render as render_locks;
pub(super) use notice::render as render_notice;

/// The whole report.
pub(super) fn render(
    finding: &Finding,
    resolved: &Resolved,
    details: &Details,
    options: &Options,
    colors: &Colors,
) -> String {
    let names = Names(&finding.threads);
    let mut page = Page {
        out: String::new(),
        options,
        colors,
    };
    let title = title(finding.kind);
    let pid = os::getpid();
    page.line(
        colors.warning,
        &format!("WARNING: racert: {title} (pid={pid})"),
    );
    page.paragraph(&details.message);
    page.out.push('\n');
    for (i, one) in finding.accesses.iter().enumerate() {
        let heading = access(one, i > 0, &names, &details.locks);
        page.heading(colors.access, &heading);
        page.stack(
            &resolved.accesses[i],
            &one.stack,
            details.excerpts[i].as_ref(),
        );
    }
    let place = place::sentence(resolved, &names, options);
    page.heading(colors.place, &place);
    if let Place::Heap { stack, .. } = &resolved.place {
        page.stack(&resolved.allocation, stack, None);
    }
    page.takings(finding, details, &names);
    page.locks(&finding.locks, &details.locks, &names);
    let threads = finding.threads.iter().zip(&details.creations);
    for (thread, creation) in threads.filter(|(thread, _)| thread.number != 0) {
        page.heading(colors.thread, &described(thread, &names));
        if let Some((_, stack)) = &thread.created {
            page.stack(creation, stack, None);
        }
    }
    if let Some(suggestion) = &details.suggestion {
        page.paragraph(&format!("Suggestion: {suggestion}."));
    }
    if options.print_summary {
        let culprit = summary(&resolved.accesses, options);
        page.line(
            colors.summary,
            &format!("SUMMARY: racert: {title}{culprit}"),
        );
    }
    page.out.push('\n');
    page.out
}

/// `Write of size 4 at 0x... by thread T2 (name "worker"):`
fn access(access: &Access, previous: bool, names: &Names<'_>, locks: &[NamedLock]) -> String {
    if let Some(number) = descriptor_of(access) {
        let what = noun(access.operation);
        let what = if previous {
            format!("Previous {what}")
        } else {
            capitalised(what)
        };
        let by = names.with_name(access.thread);
        return format!("{what} of file descriptor {number} by {by}:");
    }
    let what = match access.operation {
        Operation::Free => "free of heap block",
        Operation::Allocate => "allocation of heap block",
        operation => noun(operation),
    };
    let what = if previous {
        format!("Previous {what}")
    } else {
        capitalised(what)
    };
    format!(
        "{what} of size {} at {:#x} by {}{}:",
        access.size,
        access.address,
        names.with_name(access.thread),
        holding(access, locks)
    )
}

fn descriptor_of(access: &Access) -> Option<u32> {
    match access.operation {
        Operation::UseDescriptor | Operation::ChangeDescriptor => {
            descriptor::at_address(access.address as usize)
        }
        _ => None,
    }
}

/// `, holding mutex 'm' and read-write lock 'table' for reading`
fn holding(access: &Access, locks: &[NamedLock]) -> String {
    let held = access.locks.as_deref().unwrap_or_default();
    match order::listed(held, locks) {
        Some(listed) => format!(", holding {listed}"),
        None => String::new(),
    }
}

/// `Thread T2 (name "worker", os id 4711, running) created by main thread at:`
fn described(thread: &ThreadInfo, names: &Names<'_>) -> String {
    let name = match &thread.name {
        Some(name) => format!("name \"{}\", ", printable(name)),
        None => String::new(),
    };
    // A thread that has not begun has none.
    let os_id = match thread.os_id {
        0 => String::new(),
        id => format!("os id {id}, "),
    };
    let state = match (thread.running, thread.os_id) {
        (true, 0) => "about to start",
        (true, _) => "running",
        (false, _) => "finished",
    };
    let created = match &thread.created {
        Some((creator, _)) => format!(" created by {} at:", names.of(*creator)),
        None => ", its creation was not seen".to_string(),
    };
    format!("Thread T{} ({name}{os_id}{state}){created}", thread.number)
}

/// ` FILE:LINE in FUNCTION`, or as much of it as is known.
fn summary(accesses: &[Vec<Line>; 2], options: &Options) -> String {
    let mut culprits = accesses.iter().filter_map(|lines| culprit(lines));
    let known = culprits.find(|line| line.source.is_some());
    let Some(line) = known.or(accesses[0].first()) else {
        return String::new();
    };
    let place = match (&line.source, &line.module) {
        (Some(place), _) => format!("{}:{}", stripped(&place.file, options), place.line),
        (None, Some(module)) => in_module(module),
        (None, None) => format!("{:#x}", line.address),
    };
    match line.shown() {
        Some(function) => format!(" {place} in {function}"),
        None => format!(" {place}"),
    }
}

/// The text so far.
pub(super) struct Page<'a> {
    pub(super) out: String,
    pub(super) options: &'a Options,
    pub(super) colors: &'a Colors,
}

impl Page<'_> {
    pub(super) fn line(&mut self, color: &str, text: &str) {
        let end = self.colors.end;
        self.out.push_str(&format!("{color}{text}{end}\n"));
    }

    pub(super) fn heading(&mut self, color: &str, text: &str) {
        self.out.push_str("  ");
        self.line(color, text);
    }

    fn paragraph(&mut self, text: &str) {
        self.out.push_str(&wrapped(text, "  "));
    }

    /// Where locks were taken.
    fn takings(&mut self, finding: &Finding, details: &Details, names: &Names<'_>) {
        let name = |lock: usize| details.locks.get(lock).map_or("", |lock| &lock.name);
        for (step, lines) in finding.handovers.iter().zip(&details.handovers) {
            let [to, from] = [step.to, step.from].map(|thread| names.of(thread));
            let name = capitalised(name(step.lock));
            let said = format!("{name} was taken by {to}, after {from} had released it, at:");
            self.heading(self.colors.place, &said);
            self.stack(lines, &step.taken, None);
        }
        for (access, lines) in finding.accesses.iter().zip(&details.last_locks) {
            // One that is still held is listed with the others.
            if let Some(last) = access.last_lock.as_ref().filter(|last| last.released) {
                let by = capitalised(&names.of(access.thread));
                let name = name(last.lock);
                let said = format!("{by} had last released {name} before its access, at:");
                self.heading(self.colors.place, &said);
                self.stack(lines, &last.stack, None);
            }
        }
        for (access, last) in finding.accesses.iter().zip(&details.last_syncs) {
            if let Some(sync) = &access.last_sync {
                let by = capitalised(&names.of(access.thread));
                let said = format!("{by} had last {} before its access, at:", last.said);
                self.heading(self.colors.place, &said);
                self.stack(&last.lines, &sync.stack, None);
            }
        }
        for (access, taken) in finding.accesses.iter().zip(&details.taken) {
            for (held, lines) in access.locks.iter().flatten().zip(taken) {
                let by = names.of(access.thread);
                let said = format!("{} was taken by {by} at:", capitalised(name(held.lock)));
                self.heading(self.colors.place, &said);
                self.stack(lines, &held.taken, None);
            }
        }
    }

    pub(super) fn stack(&mut self, lines: &[Line], stack: &Stack, source: Option<&SourceAt>) {
        for (number, line) in lines.iter().enumerate() {
            self.out.push_str(&format!("    #{number} "));
            self.frame(line);
            if let Some(source) = source.filter(|source| source.line == number) {
                for row in source.excerpt.rows() {
                    self.out.push_str(&format!("       {row}\n"));
                }
            }
        }
        if stack.callers_lost {
            self.out.push_str("    (its callers are no longer known)\n");
        } else if lines.is_empty() {
            self.out.push_str("    (its stack is not known)\n");
        }
    }

    fn frame(&mut self, line: &Line) {
        let text = match (line.shown(), &line.source, &line.module) {
            (Some(function), Some(place), Some(module)) => {
                let place = source(place, self.options);
                format!("{function} {place} ({})", in_module(module))
            }
            (None, Some(place), Some(module)) => {
                format!("{} ({})", source(place, self.options), in_module(module))
            }
            (Some(function), None, Some(module)) => {
                format!("{function} ({})", in_module(module))
            }
            (None, None, Some(module)) => match &module.build_id {
                Some(id) => format!("{} (build id {id})", in_module(module)),
                None => in_module(module),
            },
            (_, _, None) => format!("{:#x}", line.address),
        };
        self.out.push_str(&text);
        self.out.push('\n');
    }
}
