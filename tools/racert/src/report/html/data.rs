//! Findings, packed for the page.
//!
//! Thousands of findings share their functions, files and stacks, so these
//! are tables, and a finding holds indices into them.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Serialize;

use super::super::merge::{Group, Status};
use super::super::model::{Access, Certainty, Frame, Handover, HeldLock, Lock, Stack, Thread};
use super::super::paths::Root;
use super::super::text;

/// Everything; the script unpacks it.
#[derive(Default, Serialize)]
struct Packed {
    strings: Vec<String>,
    frames: Vec<PackedFrame>,
    stacks: Vec<PackedStack>,
    findings: Vec<PackedFinding>,
}

/// Function, file, line, column, module, offset, inlined; -1 and 0 are unknown.
type PackedFrame = (i32, i32, u32, u32, i32, i32, u8);

/// Callers lost, and the frames.
type PackedStack = (u8, Vec<u32>);

#[derive(Serialize)]
struct PackedFinding {
    id: String,
    kind: i32,
    title: i32,
    certainty: Certainty,
    status: Option<Status>,
    seen: usize,
    places: usize,
    message: String,
    suggestion: i32,
    headline: String,
    pid: u32,
    time: String,
    program: i32,
    accesses: Vec<PackedAccess>,
    /// Two accesses to memory, not calls on locks.
    race: bool,
    place: String,
    heap: Option<PackedHeap>,
    threads: Vec<PackedThread>,
    locks: Vec<PackedLock>,
    ordered_by: Vec<PackedHandover>,
}

#[derive(Serialize)]
struct PackedAccess {
    op: i32,
    address: String,
    size: u64,
    thread: u32,
    stack: u32,
    /// Index of the frame to look at first.
    at: usize,
    /// Number of the first line, then the lines.
    source: Option<(u32, Vec<i32>)>,
    held: Vec<PackedHeld>,
    last_lock: Option<PackedLastLock>,
    last_sync: Option<PackedLastSync>,
}

#[derive(Serialize)]
struct PackedHeld {
    lock: usize,
    write: bool,
    stack: u32,
}

#[derive(Serialize)]
struct PackedLastLock {
    lock: usize,
    released: bool,
    stack: u32,
}

#[derive(Serialize)]
struct PackedLastSync {
    act: String,
    said: i32,
    thread: Option<u32>,
    stack: u32,
}

#[derive(Serialize)]
struct PackedHandover {
    lock: usize,
    from: u32,
    to: u32,
    stack: u32,
}

#[derive(Serialize)]
struct PackedHeap {
    thread: u32,
    stack: u32,
}

/// A lock: what it is, and where it comes from.
#[derive(Serialize)]
struct PackedLock {
    name: String,
    title: String,
    stack: Option<u32>,
}

#[derive(Serialize)]
struct PackedThread {
    number: u32,
    os_id: u32,
    name: i32,
    running: bool,
    by: Option<u32>,
    stack: Option<u32>,
}

/// The JSON text of `groups`, safe inside a script element.
pub(super) fn pack(groups: &[Group], root: &Root) -> String {
    let mut packer = Packer {
        root,
        strings: Table::default(),
        frames: Table::default(),
        stacks: Table::default(),
    };
    let findings = groups.iter().map(|group| packer.finding(group)).collect();
    let packed = Packed {
        strings: packer.strings.values,
        frames: packer.frames.values,
        stacks: packer.stacks.values,
        findings,
    };
    let text = serde_json::to_string(&packed).expect("plain data");
    // Neither `</script` nor `<!--` can then end the element.
    text.replace('<', "\\u003c")
}

/// Values, each once.
struct Table<T> {
    values: Vec<T>,
    index: HashMap<T, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table {
            values: Vec::new(),
            index: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    fn add(&mut self, value: T) -> u32 {
        if let Some(index) = self.index.get(&value) {
            return *index;
        }
        let index = self.values.len() as u32;
        self.values.push(value.clone());
        self.index.insert(value, index);
        index
    }
}

struct Packer<'a> {
    root: &'a Root,
    strings: Table<String>,
    frames: Table<PackedFrame>,
    stacks: Table<PackedStack>,
}

impl Packer<'_> {
    fn finding(&mut self, group: &Group) -> PackedFinding {
        let finding = &group.finding;
        let place = &finding.place;
        let heap = match (&place.stack, place.thread) {
            (Some(stack), Some(thread)) => Some(PackedHeap {
                thread,
                stack: self.stack(stack),
            }),
            _ => None,
        };
        PackedFinding {
            id: finding.fingerprint.clone(),
            kind: self.text(&finding.kind),
            title: self.text(&finding.title),
            certainty: finding.certainty,
            status: group.status,
            seen: group.occurrences,
            places: group.places,
            message: finding.message.clone(),
            suggestion: self.maybe(finding.suggestion.as_deref()),
            headline: finding.headline(),
            pid: finding.pid,
            time: finding.time.clone(),
            program: self.maybe(finding.program.as_deref()),
            accesses: finding.accesses.iter().map(|a| self.access(a)).collect(),
            race: finding.is_race(),
            place: text::place(finding, &finding.place),
            locks: finding
                .locks
                .iter()
                .map(|lock| self.lock(group, lock))
                .collect(),
            ordered_by: finding
                .ordered_by
                .iter()
                .map(|step| self.handover(step))
                .collect(),
            heap,
            threads: finding.threads.iter().map(|t| self.thread(t)).collect(),
        }
    }

    fn access(&mut self, access: &Access) -> PackedAccess {
        let source = access.source.as_ref().map(|source| {
            let lines = source.lines.iter().map(|line| self.text(line));
            (source.first_line, lines.collect())
        });
        PackedAccess {
            op: self.text(&access.noun()),
            address: access.address.clone(),
            size: access.size,
            thread: access.thread,
            stack: self.stack(&access.stack),
            at: access.culprit_index(),
            source,
            held: access.locks.iter().map(|held| self.held(held)).collect(),
            last_lock: access.last_lock.as_ref().map(|last| PackedLastLock {
                lock: last.lock,
                released: last.released,
                stack: self.stack(&last.stack),
            }),
            last_sync: access.last_sync.as_ref().map(|last| PackedLastSync {
                act: last.act.clone(),
                said: self.text(&last.message),
                thread: last.thread,
                stack: self.stack(&last.stack),
            }),
        }
    }

    fn held(&mut self, held: &HeldLock) -> PackedHeld {
        PackedHeld {
            lock: held.lock,
            write: held.mode != "read",
            stack: self.stack(&held.taken),
        }
    }

    fn handover(&mut self, step: &Handover) -> PackedHandover {
        PackedHandover {
            lock: step.lock,
            from: step.released_by,
            to: step.taken_by,
            stack: self.stack(&step.taken),
        }
    }

    fn lock(&mut self, group: &Group, lock: &Lock) -> PackedLock {
        let place = text::place(&group.finding, &lock.place);
        let created = lock.created.as_ref();
        let how = match created.map(|created| created.first_use) {
            Some(true) => ", first used here",
            Some(false) => ", initialised here",
            None => "",
        };
        PackedLock {
            name: lock.name.clone(),
            title: format!(
                "{}: {}{how}",
                text::capitalised(&lock.name),
                place.trim_end_matches(':')
            ),
            stack: created.map(|created| self.stack(&created.stack)),
        }
    }

    fn thread(&mut self, thread: &Thread) -> PackedThread {
        let created = thread.created.as_ref();
        PackedThread {
            number: thread.number,
            os_id: thread.os_id,
            name: self.maybe(thread.name.as_deref()),
            running: thread.running,
            by: created.map(|created| created.by),
            stack: created.map(|created| self.stack(&created.stack)),
        }
    }

    fn stack(&mut self, stack: &Stack) -> u32 {
        let frames = stack.frames.iter().map(|frame| self.frame(frame));
        let packed = (u8::from(stack.callers_lost), frames.collect());
        self.stacks.add(packed)
    }

    fn frame(&mut self, frame: &Frame) -> u32 {
        let root = self.root;
        let file = frame.file.as_deref().map(|file| root.relative(file));
        let offset = frame.offset.as_deref().or(frame.address.as_deref());
        let packed = (
            self.maybe(frame.shown().as_deref()),
            self.maybe(file),
            frame.line.unwrap_or(0),
            frame.column.unwrap_or(0),
            self.maybe(frame.module.as_deref()),
            self.maybe(offset),
            u8::from(frame.inlined),
        );
        self.frames.add(packed)
    }

    fn maybe(&mut self, text: Option<&str>) -> i32 {
        text.map_or(-1, |text| self.text(text))
    }

    fn text(&mut self, text: &str) -> i32 {
        self.strings.add(text.to_owned()) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::merge;
    use super::super::super::tests::sample;
    use super::*;

    #[test]
    fn what_is_shared_is_stored_once() {
        let names: Vec<String> = (0..100).map(|i| format!("v{i}")).collect();
        let findings = names.iter().map(|name| sample(name)).collect();
        let text = pack(&merge::groups(findings), &Root::new("/src".into()));
        let packed: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(packed["findings"].as_array().unwrap().len(), 100);
        assert_eq!(packed["stacks"].as_array().unwrap().len(), 3);
        assert_eq!(packed["frames"].as_array().unwrap().len(), 4);
        let strings = packed["strings"].as_array().unwrap();
        assert_eq!(strings.iter().filter(|s| *s == "app.c").count(), 1);
    }
}
