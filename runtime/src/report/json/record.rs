//! One finding, or the end of a run, as one line of JSON.
//!
//! What is not known is left out. `docs/report.schema.json` holds the exact
//! shape and `docs/report-schema.md` the meaning; a change that old readers
//! cannot take raises [`SCHEMA`].

use super::super::details::{Details, LastSyncAt, SourceAt};
use super::super::frames::{Call, Line, Resolved};
use super::super::locks::{Named, NamedLock};
use super::super::names::stripped;
use super::super::{kind, time};
use super::writer::Writer;
use crate::finding::{Access, Finding, Place, Stack, ThreadInfo};
use crate::lock::finding::{LockFinding, LockInfo};
use crate::options::Options;
use crate::symbol::{Data, InModule, Part, SourceLine, Variable};
use alloc::string::String;
use alloc::vec::Vec;

/// Version of the records.
const SCHEMA: u64 = 1;

/// What every record says about the process.
pub(in super::super) struct Context<'a> {
    /// The process.
    pub(in super::super) pid: u32,
    /// Nanoseconds since 1970.
    pub(in super::super) now: u64,
    /// The executable.
    pub(in super::super) program: Option<&'a str>,
}

impl Context<'_> {
    pub(super) fn write(&self, json: &mut Writer, kind: &str) {
        json.key("schema").number(SCHEMA);
        json.key("type").string(kind);
        json.key("pid").number(self.pid.into());
        json.key("time").string(&time::utc(self.now));
        if let Some(program) = self.program {
            json.key("program").string(program);
        }
    }
}

/// The record of a finding.
pub(in super::super) fn finding(
    context: &Context<'_>,
    finding: &Finding,
    resolved: &Resolved,
    details: &Details,
    options: &Options,
) -> String {
    let record = Record { options };
    Writer::text(|json| {
        json.object(|json| {
            context.write(json, "finding");
            json.key("kind").string(kind::id(finding.kind));
            json.key("certainty").string(kind::certainty(finding.kind));
            json.key("title").string(kind::title(finding.kind));
            json.key("fingerprint").string(&details.fingerprint);
            if let Some(print) = &details.fingerprint_without_local {
                json.key("fingerprint_without_local").string(print);
            }
            json.key("message").string(&details.message);
            if let Some(suggestion) = &details.suggestion {
                json.key("suggestion").string(suggestion);
            }
            json.key("accesses").array(|json| {
                for (i, access) in finding.accesses.iter().enumerate() {
                    let source = details.excerpts[i].as_ref();
                    let stacks = Stacks {
                        access: &resolved.accesses[i],
                        taken: &details.taken[i],
                        last_lock: &details.last_locks[i],
                        last_sync: &details.last_syncs[i],
                    };
                    record.access(json, access, source, &stacks);
                }
            });
            json.key("place")
                .object(|json| record.place(json, resolved));
            json.key("threads").array(|json| {
                for (thread, creation) in finding.threads.iter().zip(&details.creations) {
                    record.thread(json, thread, creation);
                }
            });
            json.key("locks").array(|json| {
                for (info, lock) in finding.locks.iter().zip(&details.locks) {
                    record.lock(json, info, lock);
                }
            });
            if !finding.handovers.is_empty() {
                record.handovers(json.key("ordered_by"), finding, details);
            }
        });
    })
}

/// The record of a finding about locks.
pub(in super::super) fn lock_finding(
    context: &Context<'_>,
    finding: &LockFinding,
    named: &Named,
    options: &Options,
) -> String {
    let record = Record { options };
    Writer::text(|json| {
        json.object(|json| {
            context.write(json, "finding");
            json.key("kind").string(finding.trouble.id());
            json.key("certainty").string(finding.trouble.certainty());
            json.key("title").string(&finding.title());
            json.key("fingerprint").string(&named.fingerprint);
            json.key("message").string(&named.message);
            if let Some(suggestion) = &named.suggestion {
                json.key("suggestion").string(suggestion);
            }
            let subject = finding.locks.first().zip(named.locks.first());
            json.key("accesses").array(|json| {
                for (part, named) in finding.parts.iter().zip(&named.parts) {
                    json.object(|json| {
                        json.key("operation").string("call");
                        json.key("message").string(&named.said);
                        json.key("address")
                            .hex(subject.map_or(0, |(lock, _)| lock.address));
                        json.key("size").number(0);
                        json.key("thread").number(part.thread.into());
                        record.stack(json.key("stack"), &named.lines, &part.stack);
                        if let Some(at) = &named.source {
                            source(json, at);
                        }
                        json.key("locks").array(|_| ());
                    });
                }
            });
            if let Some((_, lock)) = subject {
                json.key("place")
                    .object(|json| record.place(json, &lock.memory));
            }
            json.key("threads").array(|json| {
                for (thread, creation) in finding.threads.iter().zip(&named.creations) {
                    record.thread(json, thread, creation);
                }
            });
            json.key("locks").array(|json| {
                for (info, lock) in finding.locks.iter().zip(&named.locks) {
                    record.lock(json, info, lock);
                }
            });
        });
    })
}

/// The record at the end of a process that had `findings`; did checking end
/// before it?
pub(in super::super) fn summary(
    context: &Context<'_>,
    findings: u64,
    status: i32,
    ended_early: bool,
) -> String {
    Writer::text(|json| {
        json.object(|json| {
            context.write(json, "summary");
            json.key("findings").number(findings);
            json.key("exit_status").number((status & 0xff) as u64);
            if ended_early {
                json.key("checking_ended_early").switch(true);
            }
        });
    })
}

/// The stacks of one access with names.
struct Stacks<'a> {
    access: &'a [Line],
    taken: &'a [Vec<Line>],
    last_lock: &'a [Line],
    last_sync: &'a LastSyncAt,
}

pub(super) struct Record<'a> {
    pub(super) options: &'a Options,
}

impl Record<'_> {
    fn access(
        &self,
        json: &mut Writer,
        access: &Access,
        at: Option<&SourceAt>,
        stacks: &Stacks<'_>,
    ) {
        json.object(|json| {
            json.key("operation")
                .string(kind::operation_id(access.operation));
            json.key("address").hex(access.address);
            json.key("size").number(access.size);
            json.key("thread").number(access.thread.into());
            self.stack(json.key("stack"), stacks.access, &access.stack);
            if let Some(at) = at {
                source(json, at);
            }
            if let Some(lock) = &access.last_lock {
                json.key("last_lock").object(|json| {
                    json.key("lock").number(lock.lock as u64);
                    json.key("released").switch(lock.released);
                    self.stack(json.key("stack"), stacks.last_lock, &lock.stack);
                });
            }
            if let Some(sync) = &access.last_sync {
                json.key("last_sync").object(|json| {
                    json.key("act").string(kind::act_id(sync.act));
                    if let Some(object) = sync.object {
                        json.key("object").number(object as u64);
                    }
                    if let Some(thread) = sync.thread {
                        json.key("thread").number(thread.into());
                    }
                    if let Some(number) = sync.descriptor {
                        json.key("descriptor").number(number.into());
                    }
                    json.key("message").string(&stacks.last_sync.said);
                    self.stack(json.key("stack"), &stacks.last_sync.lines, &sync.stack);
                });
            }
            if access.locks.is_none() {
                json.key("locks_known").switch(false);
            }
            json.key("locks").array(|json| {
                for (held, taken) in access.locks.iter().flatten().zip(stacks.taken) {
                    json.object(|json| {
                        json.key("lock").number(held.lock as u64);
                        let mode = if held.write { "write" } else { "read" };
                        json.key("mode").string(mode);
                        self.stack(json.key("taken"), taken, &held.taken);
                    });
                }
            });
        });
    }

    fn handovers(&self, json: &mut Writer, finding: &Finding, details: &Details) {
        json.array(|json| {
            for (step, lines) in finding.handovers.iter().zip(&details.handovers) {
                json.object(|json| {
                    json.key("lock").number(step.lock as u64);
                    json.key("released_by").number(step.from.into());
                    json.key("taken_by").number(step.to.into());
                    self.stack(json.key("taken"), lines, &step.taken);
                });
            }
        });
    }

    fn lock(&self, json: &mut Writer, info: &LockInfo, lock: &NamedLock) {
        json.object(|json| {
            json.key("kind").string(info.noun);
            json.key("name").string(&lock.name);
            json.key("address").hex(info.address);
            json.key("place")
                .object(|json| self.place(json, &lock.memory));
            if let Some(known) = &info.lock {
                json.key("created").object(|json| {
                    json.key("by").number(known.thread.into());
                    json.key("first_use").switch(!known.initialised);
                    self.stack(json.key("stack"), &lock.created, &info.created);
                });
            }
        });
    }

    pub(super) fn stack(&self, json: &mut Writer, lines: &[Line], stack: &Stack) {
        json.object(|json| {
            json.key("frames").array(|json| {
                for line in lines {
                    self.frame(json, line);
                }
            });
            json.key("callers_lost").switch(stack.callers_lost);
        });
    }

    fn frame(&self, json: &mut Writer, line: &Line) {
        json.object(|json| {
            if let Some(function) = &line.function {
                json.key("function").string(function);
            }
            if let Some(source) = &line.source {
                self.source(json, source);
            }
            match &line.module {
                Some(module) => in_module(json, module),
                None => json.key("address").hex(line.address),
            }
            json.key("inlined").switch(line.inlined);
        });
    }

    fn source(&self, json: &mut Writer, source: &SourceLine) {
        json.key("file")
            .string(stripped(&source.file, self.options));
        if source.line != 0 {
            json.key("line").number(source.line.into());
        }
        if source.column != 0 {
            json.key("column").number(source.column.into());
        }
    }

    fn place(&self, json: &mut Writer, resolved: &Resolved) {
        let kind = |json: &mut Writer, kind| json.key("kind").string(kind);
        match &resolved.place {
            Place::Heap {
                start,
                size,
                thread,
                stack,
                freed,
            } => {
                kind(json, "heap");
                extent(json, *start, *size, resolved.address);
                json.key("thread").number((*thread).into());
                json.key("freed").switch(*freed);
                if let Some(part) = &resolved.part {
                    json.key("part")
                        .object(|json| self::part(json, &part.path, part));
                }
                self.stack(json.key("stack"), &resolved.allocation, stack);
            }
            Place::ThreadStack { thread } => {
                kind(json, "stack");
                match &resolved.local {
                    Some(variable) => self.variable(json, variable, resolved.address),
                    None => json.key("address").hex(resolved.address),
                }
                json.key("thread").number((*thread).into());
                if let Some(call) = &resolved.call {
                    json.key("call").object(|json| self::call(json, call));
                }
            }
            Place::ThreadLocal {
                thread,
                thread_pointer,
            } => {
                kind(json, "thread-local");
                match &resolved.local {
                    Some(variable) => self.variable(json, variable, resolved.address),
                    None => json.key("address").hex(resolved.address),
                }
                json.key("thread").number((*thread).into());
                if let (None, Some(pointer)) = (&resolved.local, thread_pointer) {
                    json.key("thread_pointer").hex(*pointer);
                }
            }
            Place::StaticBuffer { name } => {
                kind(json, "library");
                json.key("name").string(name);
                json.key("address").hex(resolved.address);
            }
            Place::Descriptor { number } => {
                kind(json, "descriptor");
                json.key("number").number((*number).into());
                json.key("address").hex(resolved.address);
            }
            Place::Other => match &resolved.data {
                Data::Global(variable, module) => {
                    kind(json, "global");
                    self.variable(json, variable, resolved.address);
                    json.key("in").object(|json| in_module(json, module));
                }
                Data::Module(module) => {
                    kind(json, "static");
                    json.key("address").hex(resolved.address);
                    json.key("in").object(|json| in_module(json, module));
                }
                Data::Mapping(start, end, name) => {
                    kind(json, "mapping");
                    if !name.is_empty() {
                        json.key("name").string(name);
                    }
                    extent(json, *start, end.saturating_sub(*start), resolved.address);
                }
                Data::Unknown => {
                    kind(json, "unknown");
                    json.key("address").hex(resolved.address);
                }
            },
        }
    }

    fn variable(&self, json: &mut Writer, variable: &Variable, address: u64) {
        json.key("name").string(&variable.name);
        extent(json, variable.start, variable.size, address);
        if let Some(source) = &variable.declared {
            json.key("declared")
                .object(|json| self.source(json, source));
        }
        if let Some(part) = &variable.part {
            json.key("part")
                .object(|json| self::part(json, &variable.full_name(), part));
        }
    }

    pub(super) fn thread(&self, json: &mut Writer, thread: &ThreadInfo, creation: &[Line]) {
        json.object(|json| {
            json.key("number").number(thread.number.into());
            json.key("os_id").number(thread.os_id.into());
            if let Some(name) = &thread.name {
                json.key("name").string(name);
            }
            json.key("running").switch(thread.running);
            if let Some((creator, stack)) = &thread.created {
                json.key("created").object(|json| {
                    json.key("by").number((*creator).into());
                    self.stack(json.key("stack"), creation, stack);
                });
            }
        });
    }
}

/// A part of a variable or block, which is called `name`.
fn part(json: &mut Writer, name: &str, part: &Part) {
    json.key("name").string(name);
    json.key("address").hex(part.start);
    json.key("size").number(part.size);
    json.key("type").string(&part.type_name);
    if let Some(member) = &part.member {
        json.key("member").string(member);
    }
}

/// First byte and size of what `address` lies in, and how far in.
fn extent(json: &mut Writer, start: u64, size: u64, address: u64) {
    json.key("address").hex(start);
    json.key("size").number(size);
    json.key("offset").number(address.saturating_sub(start));
}

fn call(json: &mut Writer, call: &Call) {
    json.key("frame").hex(call.frame);
    json.key("code").array(|json| {
        for code in &call.codes {
            json.object(|json| in_module(json, code));
        }
    });
    if let Some(entry) = &call.entry {
        json.key("entry").object(|json| in_module(json, entry));
    }
}

fn in_module(json: &mut Writer, module: &InModule) {
    json.key("module").string(&module.path);
    json.key("offset").hex(module.offset);
    if let Some(id) = &module.build_id {
        json.key("build_id").string(id);
    }
}

fn source(json: &mut Writer, at: &SourceAt) {
    json.key("source").object(|json| {
        json.key("frame").number(at.line as u64);
        json.key("first_line").number(at.excerpt.first.into());
        json.key("lines").array(|json| {
            for line in &at.excerpt.lines {
                json.string(line);
            }
        });
    });
}
