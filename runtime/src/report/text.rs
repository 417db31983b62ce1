//! The text of a report.
//!
//! ```text
//! WARNING: racert: data race (pid=N)
//!   Write of size 4 at 0x404028 by thread T2 (name "worker"):
//!     #0 function file:line:column (module+0xoffset)
//!   Previous read of size 4 at 0x404028 by main thread:
//!     #0 function file:line:column (module+0xoffset)
//!   Location is global 'counter' of size 4 at 0x404028 (module+0x4028)
//!   Thread T2 (name "worker", os id 4711, running) created by main thread at:
//!     #0 function file:line:column (module+0xoffset)
//! SUMMARY: racert: data race file:line in function
//! ```
//!
//! Offsets are addresses as the module's own file counts them, already one
//! before the return address, so that `addr2line -e module 0xoffset` names the
//! same line. An access unordered with the `free` of its memory is a `data
//! race with free`: which of the two came first in this run was chance.

use super::color::Colors;
use super::frames::{self, Line, Resolved};
use super::place;
use crate::finding::{Access, Finding, Kind, Operation, Place, Stack, ThreadInfo};
use crate::options::Options;
use crate::os;
use crate::symbol::{InModule, Resolve, SourceLine};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

mod notice;
pub(super) use notice::render as render_notice;

/// How the kinds are called in the first and the last line.
fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::DataRace => "data race",
        Kind::UseAfterFreeRace => "data race with free",
    }
}

/// The whole report.
pub(super) fn render(
    finding: &Finding,
    resolved: &Resolved,
    resolver: &mut dyn Resolve,
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
    let [current, previous] = &finding.accesses;
    page.heading(colors.access, &access(current, false, &names));
    page.stack(&resolved.accesses[0], &current.stack);
    page.heading(colors.access, &access(previous, true, &names));
    page.stack(&resolved.accesses[1], &previous.stack);

    let place = place::sentence(finding, resolved, &names, resolver, options);
    page.heading(colors.place, &place);
    if let Place::Heap { stack, .. } = &finding.place {
        page.stack(&resolved.allocation, stack);
    }
    for thread in finding.threads.iter().filter(|t| t.number != 0) {
        page.heading(colors.thread, &described(thread, &names));
        if let Some((_, stack)) = &thread.created {
            page.stack(&frames::lines(stack, resolver), stack);
        }
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
fn access(access: &Access, previous: bool, names: &Names<'_>) -> String {
    let what = match access.operation {
        Operation::Read => "read",
        Operation::Write => "write",
        Operation::AtomicRead => "atomic read",
        Operation::AtomicWrite => "atomic write",
        Operation::Free => "free of heap block",
    };
    let what = if previous {
        format!("Previous {what}")
    } else {
        capitalised(what)
    };
    format!(
        "{what} of size {} at {:#x} by {}:",
        access.size,
        access.address,
        names.with_name(access.thread)
    )
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

/// `Thread T2 (name "worker", os id 4711, running) created by main thread at:`
fn described(thread: &ThreadInfo, names: &Names<'_>) -> String {
    let name = match &thread.name {
        Some(name) => format!("name \"{}\", ", printable(name)),
        None => String::new(),
    };
    let state = if thread.running {
        "running"
    } else {
        "finished"
    };
    let created = match &thread.created {
        Some((creator, _)) => format!(" created by {} at:", names.of(*creator)),
        None => ", its creation was not seen".to_string(),
    };
    format!(
        "Thread T{} ({name}os id {}, {state}){created}",
        thread.number, thread.os_id
    )
}

/// ` FILE:LINE in FUNCTION`, or as much of it as is known.
fn summary(accesses: &[Vec<Line>; 2], options: &Options) -> String {
    let with_source = |lines: &&Vec<Line>| lines.first().is_some_and(|line| line.source.is_some());
    let known = accesses.iter().find(with_source).or(accesses.first());
    let Some(line) = known.and_then(|lines| lines.first()) else {
        return String::new();
    };
    let place = match (&line.source, &line.module) {
        (Some(place), _) => format!("{}:{}", stripped(&place.file, options), place.line),
        (None, Some(module)) => in_module(module),
        (None, None) => format!("{:#x}", line.address),
    };
    match &line.function {
        Some(function) => format!(" {place} in {function}"),
        None => format!(" {place}"),
    }
}

/// `FILE:LINE:COLUMN`, or as much of it as is known.
pub(super) fn source(place: &SourceLine, options: &Options) -> String {
    let file = stripped(&place.file, options);
    match (place.line, place.column) {
        (0, _) => file.to_string(),
        (line, 0) => format!("{file}:{line}"),
        (line, column) => format!("{file}:{line}:{column}"),
    }
}

fn stripped<'a>(file: &'a str, options: &Options) -> &'a str {
    let prefix = options.strip_path_prefix.as_str();
    match file.strip_prefix(prefix) {
        Some(rest) if !rest.is_empty() => rest,
        _ => file,
    }
}

/// `MODULE+0xOFFSET`
pub(super) fn in_module(module: &InModule) -> String {
    format!("{}+{:#x}", module.path, module.offset)
}

/// The program chooses thread names: they must not write escape sequences.
pub(super) fn printable(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// How threads are called.
pub(super) struct Names<'a>(&'a [ThreadInfo]);

impl Names<'_> {
    /// `main thread`, `thread T2`
    pub(super) fn of(&self, number: u32) -> String {
        match number {
            0 => "main thread".to_string(),
            _ => format!("thread T{number}"),
        }
    }

    /// As [`Self::of`], with the name the program gave.
    fn with_name(&self, number: u32) -> String {
        let thread = self.0.iter().find(|thread| thread.number == number);
        match thread.and_then(|thread| thread.name.as_deref()) {
            Some(name) if number != 0 => {
                format!("{} (name \"{}\")", self.of(number), printable(name))
            }
            _ => self.of(number),
        }
    }
}

/// The text so far.
struct Page<'a> {
    out: String,
    options: &'a Options,
    colors: &'a Colors,
}

impl Page<'_> {
    fn line(&mut self, color: &str, text: &str) {
        let end = self.colors.end;
        self.out.push_str(&format!("{color}{text}{end}\n"));
    }

    fn heading(&mut self, color: &str, text: &str) {
        self.out.push_str("  ");
        self.line(color, text);
    }

    fn stack(&mut self, lines: &[Line], stack: &Stack) {
        for (number, line) in lines.iter().enumerate() {
            self.out.push_str(&format!("    #{number} "));
            self.frame(line);
        }
        if stack.callers_lost {
            self.out.push_str("    (its callers are no longer known)\n");
        } else if lines.is_empty() {
            self.out.push_str("    (its stack is not known)\n");
        }
    }

    fn frame(&mut self, line: &Line) {
        let text = match (&line.function, &line.source, &line.module) {
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
