//! Findings for people, in the shape the runtime prints them.

use std::fmt::Write;

use super::merge::{Group, Status};
use super::model::{
    Access, Certainty, Excerpt, Finding, Frame, Handover, Lock, Place, Stack, Thread,
};

/// Columns of a line of text.
const WIDTH: usize = 80;

/// All findings and a line that counts them.
pub(crate) fn render(groups: &[Group]) -> String {
    let mut out = String::new();
    for group in groups {
        report(&mut out, group);
        out.push('\n');
    }
    out.push_str(&count(groups));
    out.push('\n');
    out
}

/// `racert: 3 findings (1 new, 1 known, 1 gone)`
pub(crate) fn count(groups: &[Group]) -> String {
    let s = if groups.len() == 1 { "" } else { "s" };
    let mut line = format!("racert: {} finding{s}", groups.len());
    let with = |status| groups.iter().filter(|g| g.status == Some(status)).count();
    let parts: Vec<String> = [
        (with(Status::New), "new"),
        (with(Status::Known), "known"),
        (with(Status::Gone), "gone"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    if !parts.is_empty() {
        write!(line, " ({})", parts.join(", ")).expect("a string takes it");
    }
    line
}

/// One report, also the body of other formats.
pub(crate) fn report(out: &mut String, group: &Group) {
    let finding = &group.finding;
    let mut line = |text: String| {
        out.push_str(&printable(&text));
        out.push('\n');
    };
    let status = match group.status {
        Some(Status::New) => " [new]",
        Some(Status::Known) => " [known]",
        Some(Status::Gone) => " [gone]",
        None => "",
    };
    let (title, pid) = (&finding.title, finding.pid);
    let word = match finding.certainty {
        Certainty::Advice => "ADVICE",
        Certainty::Proven | Certainty::Possible => "WARNING",
    };
    line(format!("{word}: racert: {title} (pid={pid}){status}"));
    wrap(&finding.message, &mut line);
    if let Some(repetition) = group.repetition() {
        wrap(&repetition, &mut line);
    }
    line(String::new());
    for (i, access) in finding.accesses.iter().enumerate() {
        line(format!("  {}", heading(finding, access, i > 0)));
        stack(&access.stack, access.source.as_ref(), &mut line);
    }
    if finding.is_race() {
        line(format!("  Location is {}", place(finding, &finding.place)));
        if let Some(allocation) = &finding.place.stack {
            stack(allocation, None, &mut line);
        }
    }
    for step in &finding.ordered_by {
        line(format!("  {}", handed_over(finding, step)));
        stack(&step.taken, None, &mut line);
    }
    for access in &finding.accesses {
        before(finding, access, &mut line);
    }
    for lock in &finding.locks {
        locks(finding, lock, &mut line);
    }
    for thread in finding.threads.iter().filter(|thread| thread.number != 0) {
        line(format!("  {}", described(finding, thread)));
        if let Some(created) = &thread.created {
            stack(&created.stack, None, &mut line);
        }
    }
    if let Some(suggestion) = &finding.suggestion {
        wrap(&format!("Suggestion: {suggestion}."), &mut line);
    }
    line(format!("  Fingerprint: {}", finding.fingerprint));
    let position = finding.primary().culprit().map_or(String::new(), |frame| {
        let function = frame.shown();
        let function = function.map_or(String::new(), |name| format!(" in {name}"));
        format!(" {}{function}", frame.position())
    });
    line(format!("SUMMARY: racert: {title}{position}"));
}

/// `Mutex 'm' was taken by thread T2, after thread T1 had released it, at:`
fn handed_over(finding: &Finding, step: &Handover) -> String {
    let lock = finding.locks.get(step.lock);
    let name = lock.map_or("a lock", |lock| &lock.name);
    format!(
        "{} was taken by {}, after {} had released it, at:",
        capitalised(name),
        finding.thread_name(step.taken_by),
        finding.thread_name(step.released_by)
    )
}

/// What the thread of an access had last done before it to be ordered with
/// others, and where it had taken its locks.
fn before(finding: &Finding, access: &Access, line: &mut impl FnMut(String)) {
    let name = |lock: usize| finding.locks.get(lock).map_or("a lock", |lock| &lock.name);
    let by = finding.thread_name(access.thread);
    let who = capitalised(&by);
    if let Some(last) = access.last_lock.as_ref().filter(|last| last.released) {
        let name = name(last.lock);
        line(format!(
            "  {who} had last released {name} before its access, at:"
        ));
        stack(&last.stack, None, line);
    }
    if let Some(last) = &access.last_sync {
        let said = &last.message;
        line(format!("  {who} had last {said} before its access, at:"));
        stack(&last.stack, None, line);
    }
    for held in &access.locks {
        line(format!(
            "  {} was taken by {by} at:",
            capitalised(name(held.lock))
        ));
        stack(&held.taken, None, line);
    }
}

/// What and where a lock is.
fn locks(finding: &Finding, lock: &Lock, line: &mut impl FnMut(String)) {
    let is = match lock.place.name {
        Some(_) => "is",
        None => "is in",
    };
    let name = capitalised(&lock.name);
    line(format!("  {name} {is} {}", place(finding, &lock.place)));
    if let Some(allocation) = &lock.place.stack {
        stack(allocation, None, line);
    }
    if let Some(created) = &lock.created {
        let how = if created.first_use {
            "first used"
        } else {
            "initialised"
        };
        let by = finding.thread_name(created.by);
        line(format!("  It was {how} by {by} at:"));
        stack(&created.stack, None, line);
    }
}

/// `Write of size 4 at 0x... by thread T2 (worker):`
fn heading(finding: &Finding, access: &Access, previous: bool) -> String {
    if let Some(message) = &access.message {
        return message.clone();
    }
    let held: Vec<String> = access
        .locks
        .iter()
        .filter_map(|held| {
            let lock = finding.locks.get(held.lock)?;
            let mode = match held.mode.as_str() {
                "read" => " for reading",
                _ => "",
            };
            Some(format!("{}{mode}", lock.name))
        })
        .collect();
    let holding = match held.is_empty() {
        true => String::new(),
        false => format!(", holding {}", held.join(", ")),
    };
    let noun = access.noun();
    let what = if previous {
        format!("Previous {noun}")
    } else {
        capitalised(&noun)
    };
    format!(
        "{what} of size {} at {} by {}{holding}:",
        access.size,
        access.address,
        finding.thread_name(access.thread)
    )
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// What the memory is.
pub(crate) fn place(finding: &Finding, place: &Place) -> String {
    let mut text = match place.kind.as_str() {
        "global" => "global".to_owned(),
        "heap" if place.freed == Some(true) => "freed heap block".to_owned(),
        "heap" => "heap block".to_owned(),
        "stack" => "stack".to_owned(),
        "thread-local" => "thread-local storage".to_owned(),
        "static" => "static data".to_owned(),
        "mapping" => "mapped memory".to_owned(),
        "descriptor" => "file descriptor".to_owned(),
        "library" => "memory of the C library".to_owned(),
        _ => "memory that racert knows nothing about".to_owned(),
    };
    if let Some(name) = &place.name {
        text += &format!(" '{name}'");
    }
    if let Some(size) = place.size {
        text += &format!(" of size {size}");
    }
    text += &format!(" at {}", place.address);
    if let Some(offset) = place.offset.filter(|offset| *offset > 0) {
        text += &format!(", offset {offset}");
    }
    if let Some(part) = &place.part {
        let (name, kind) = (&part.name, &part.type_name);
        text += &match &part.member {
            Some(member) => format!(", '{name}' ({kind} {member})"),
            None => format!(", '{name}' ({kind})"),
        };
    }
    if let Some(declared) = &place.declared {
        text += &format!(", declared at {}", declared.file);
        if let Some(line) = declared.line {
            text += &format!(":{line}");
        }
    }
    if let Some(thread) = place.thread {
        let role = match place.kind.as_str() {
            "heap" => "allocated by",
            _ => "of",
        };
        text += &format!(", {role} {}", finding.thread_name(thread));
    }
    if place.stack.is_some() {
        text.push(':');
    }
    text
}

fn described(finding: &Finding, thread: &Thread) -> String {
    let state = if thread.running {
        "running"
    } else {
        "finished"
    };
    let created = match &thread.created {
        Some(created) => format!("created by {} at:", finding.thread_name(created.by)),
        None => "its creation was not seen".to_owned(),
    };
    let name = capitalised(&finding.thread_name(thread.number));
    format!("{name}, os id {}, {state}, {created}", thread.os_id)
}

fn stack(stack: &Stack, source: Option<&Excerpt>, line: &mut impl FnMut(String)) {
    for (number, frame) in stack.frames.iter().enumerate() {
        line(format!("    #{number} {}", frame_text(frame)));
        if let Some(source) = source.filter(|source| source.frame == number) {
            excerpt(source, frame, line);
        }
    }
    if stack.callers_lost {
        line("    (its callers are no longer known)".to_owned());
    } else if stack.frames.is_empty() {
        line("    (its stack is not known)".to_owned());
    }
}

/// `function file:line:column (module+offset)`
pub(crate) fn frame_text(frame: &Frame) -> String {
    let mut text = String::new();
    if let Some(function) = frame.shown() {
        text += &format!("{function} ");
    }
    text += &frame.position();
    if let (Some(_), Some(module), Some(offset)) = (&frame.file, &frame.module, &frame.offset) {
        text += &format!(" ({module}+{offset})");
    }
    text
}

fn excerpt(source: &Excerpt, frame: &Frame, line: &mut impl FnMut(String)) {
    for (number, text) in (source.first_line..).zip(&source.lines) {
        let here = frame.line == Some(number);
        let arrow = if here { '>' } else { ' ' };
        let row = format!("       {arrow}{number:>6} | {text}");
        line(row.trim_end().to_owned());
        let before = frame
            .column
            .and_then(|column| text.get(..(column as usize).checked_sub(1)?));
        if let Some(before) = before.filter(|before| here && before.len() < text.len()) {
            let blank: String = before
                .chars()
                .map(|c| if c == '\t' { c } else { ' ' })
                .collect();
            line(format!("       {:7} | {blank}^", ""));
        }
    }
}

/// Names come from programs: they must not write escape sequences.
fn printable(text: &str) -> String {
    let control = |c: char| c.is_control() && c != '\t';
    text.chars()
        .map(|c| if control(c) { '?' } else { c })
        .collect()
}

/// `text` in indented lines of [`WIDTH`] columns.
fn wrap(text: &str, line: &mut impl FnMut(String)) {
    let mut row = String::from(" ");
    for word in text.split_whitespace() {
        if row.len() > 2 && row.chars().count() + 1 + word.chars().count() > WIDTH {
            line(std::mem::replace(&mut row, String::from(" ")));
        }
        row.push(' ');
        row.push_str(word);
    }
    line(row);
}
