//! Findings about locks with names.

use super::allocated;
use super::details::{SourceAt, source_at};
use super::excerpt::Sources;
use super::frames::{self, Line, Resolved, call_before};
use super::names::{Names, capitalised};
use super::place;
use super::stack_variable;
use crate::finding::{Place, ThreadInfo};
use crate::lock::finding::{LockFinding, LockInfo};
use crate::options::Options;
use crate::symbol::{Bytes, Part, Resolve, Variable};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A lock with its name.
pub(super) struct NamedLock {
    /// `mutex 'a'`, `mutex M1`
    pub(super) name: String,
    /// The memory it is in.
    pub(super) memory: Resolved,
    /// Where it was initialised or first used.
    pub(super) created: Vec<Line>,
}

impl NamedLock {
    /// Names lock number `index` of a finding; `users` are return addresses of
    /// calls that use it.
    fn new(
        info: &LockInfo,
        index: usize,
        users: &[u64],
        resolver: &mut dyn Resolve,
        sources: &mut Sources,
    ) -> NamedLock {
        let users = info.created.addresses.first().into_iter().chain(users);
        let code: Vec<u64> = users.map(|address| call_before(*address)).collect();
        let bytes = Bytes {
            address: info.address,
            size: size(info.noun),
        };
        let mut memory = Resolved::memory(bytes, &info.place, &code, resolver);
        allocated::name_part(&mut memory, bytes, resolver, sources);
        stack_variable::name(&mut memory, bytes, resolver);
        forget_others(&mut memory, bytes);
        NamedLock {
            name: name(info.noun, index, &memory),
            memory,
            created: frames::lines(&info.created, resolver),
        }
    }

    /// Names all locks of a finding.
    pub(super) fn all(
        infos: &[LockInfo],
        users: &[u64],
        resolver: &mut dyn Resolve,
        sources: &mut Sources,
    ) -> Vec<NamedLock> {
        let infos = infos.iter().enumerate();
        let mut locks: Vec<NamedLock> = infos
            .map(|(i, info)| NamedLock::new(info, i, users, resolver, sources))
            .collect();
        // Members of two objects of one type are called the same.
        let names: Vec<String> = locks.iter().map(|lock| lock.name.clone()).collect();
        for (i, lock) in locks.iter_mut().enumerate() {
            if names.iter().filter(|name| **name == lock.name).count() > 1 {
                lock.name.push_str(&format!(" (M{})", i + 1));
            }
        }
        locks
    }

    /// Its address as the program may write it, if that is known.
    pub(super) fn expression(&self) -> Option<String> {
        let variable = self.memory.variable()?;
        let start = variable
            .part
            .as_ref()
            .map_or(variable.start, |part| part.start);
        let name = variable.full_name();
        let is_word = |c: char| c.is_alphanumeric() || "_:.[]".contains(c);
        let is_it = start == self.memory.address && name.chars().all(is_word);
        is_it.then(|| format!("&{name}"))
    }

    /// Of which variable it is or is a part.
    pub(super) fn variable(&self) -> Option<&str> {
        self.memory
            .variable()
            .map(|variable| variable.name.as_str())
    }
}

/// A lock may outlive the call or the block that it was in: takes away names of
/// what is there by now, which is no lock or begins elsewhere. A block that is
/// all lock has no name.
fn forget_others(memory: &mut Resolved, lock: Bytes) {
    let is_it = |start: u64, size: u64| start == lock.address && size >= lock.size;
    let is_part = |part: &Part| is_it(part.start, part.size);
    let is_member = |part: &Part| part.member.is_some() && is_part(part);
    if memory.part.as_ref().is_some_and(|part| !is_member(part)) {
        memory.part = None;
    }
    let is_variable = |variable: &Variable| match &variable.part {
        Some(part) => is_part(part),
        None => is_it(variable.start, variable.size),
    };
    let is_stack = matches!(memory.place, Place::ThreadStack { .. });
    if is_stack && memory.local.as_ref().is_some_and(|one| !is_variable(one)) {
        memory.local = None;
    }
}

fn name(noun: &str, index: usize, memory: &Resolved) -> String {
    let (start, name) = match (memory.variable(), &memory.part) {
        (Some(variable), _) => match &variable.part {
            Some(part) => (part.start, variable.full_name()),
            None => (variable.start, variable.name.clone()),
        },
        (None, Some(part)) => (part.start, part.path.clone()),
        (None, None) => return format!("{noun} M{}", index + 1),
    };
    match memory.address.saturating_sub(start) {
        0 => format!("{noun} '{name}'"),
        offset => format!("{noun} at offset {offset} of '{name}'"),
    }
}

/// Bytes of a lock, by what it is called; 1 if it is of the program's making.
fn size(noun: &str) -> u64 {
    (match noun {
        "mutex" => size_of::<libc::pthread_mutex_t>(),
        "read-write lock" => size_of::<libc::pthread_rwlock_t>(),
        "spin lock" => size_of::<libc::pthread_spinlock_t>(),
        "condition variable" => size_of::<libc::pthread_cond_t>(),
        "barrier" => size_of::<libc::pthread_barrier_t>(),
        "semaphore" => size_of::<libc::sem_t>(),
        "initialisation" => size_of::<libc::pthread_once_t>(),
        _ => 1,
    }) as u64
}

/// A part of a finding about locks.
pub(super) struct NamedPart {
    /// What happened, in words.
    pub(super) said: String,
    /// Its stack.
    pub(super) lines: Vec<Line>,
    /// The source there.
    pub(super) source: Option<SourceAt>,
}

/// A finding about locks with names.
pub(super) struct Named {
    /// The paragraph.
    pub(super) message: String,
    /// What to change.
    pub(super) suggestion: Option<String>,
    /// What happened where.
    pub(super) parts: Vec<NamedPart>,
    /// The locks.
    pub(super) locks: Vec<NamedLock>,
    /// Where each thread was created.
    pub(super) creations: Vec<Vec<Line>>,
    /// What stays the same from build to build.
    pub(super) fingerprint: String,
}

impl Named {
    /// All of it, for tests.
    #[cfg(test)]
    pub(super) fn of(finding: &LockFinding, resolver: &mut dyn Resolve) -> Named {
        let parts = named_parts(finding, resolver);
        Named::new(finding, parts, resolver, &mut Sources::new())
    }

    /// `finding` with names; `parts` are its stacks.
    pub(super) fn new(
        finding: &LockFinding,
        parts: Vec<Vec<Line>>,
        resolver: &mut dyn Resolve,
        sources: &mut Sources,
    ) -> Named {
        let locks = locks_of(finding, resolver, sources);
        let fill = |text: &str| filled(text, &locks);
        let fingerprint = super::fingerprint::of_locks(finding, &parts, &locks);
        let said = finding
            .parts
            .iter()
            .map(|part| capitalised(&fill(&part.said)));
        let parts = said.zip(parts).map(|(said, lines)| NamedPart {
            said,
            source: source_at(&lines, sources),
            lines,
        });
        Named {
            message: capitalised(&fill(&finding.message)),
            suggestion: finding.suggestion.as_deref().map(fill),
            parts: parts.collect(),
            creations: creations(&finding.threads, resolver),
            fingerprint,
            locks,
        }
    }
}

/// Puts the names of `locks` in place of `{0}`, `{1}` and so on.
fn filled(text: &str, locks: &[NamedLock]) -> String {
    let mut text = String::from(text);
    for (i, lock) in locks.iter().enumerate() {
        text = text.replace(&format!("{{{i}}}"), &lock.name);
    }
    text
}

/// The locks of `finding`.
pub(super) fn locks_of(
    finding: &LockFinding,
    resolver: &mut dyn Resolve,
    sources: &mut Sources,
) -> Vec<NamedLock> {
    let stacks = finding.parts.iter().map(|part| &part.stack.addresses);
    let users: Vec<u64> = stacks.filter_map(|stack| stack.first().copied()).collect();
    NamedLock::all(&finding.locks, &users, resolver, sources)
}

/// Where each of `threads` was created.
pub(super) fn creations(threads: &[ThreadInfo], resolver: &mut dyn Resolve) -> Vec<Vec<Line>> {
    let created = threads.iter().map(|thread| thread.created.as_ref());
    created
        .map(|created| match created {
            Some((_, stack)) => frames::lines(stack, &mut *resolver),
            None => Vec::new(),
        })
        .collect()
}

/// `global 'a' of size 40 at 0x...`; ends in a colon if a stack follows.
pub(super) fn memory(lock: &NamedLock, names: &Names<'_>, options: &Options) -> String {
    place::described_memory(&lock.memory, names, options)
}

/// The stacks of `finding` with names.
pub(super) fn named_parts(finding: &LockFinding, resolver: &mut dyn Resolve) -> Vec<Vec<Line>> {
    let parts = finding.parts.iter();
    parts
        .map(|part| frames::lines(&part.stack, &mut *resolver))
        .collect()
}
