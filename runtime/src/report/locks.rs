//! Findings about locks with names.

use super::frames::{self, Line, Resolved, call_before};
use super::names::Names;
use super::place;
use crate::finding::{Place, ThreadInfo};
use crate::lock::finding::{LockFinding, LockInfo};
use crate::options::Options;
use crate::symbol::{Data, Resolve};
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
    fn new(info: &LockInfo, index: usize, users: &[u64], resolver: &mut dyn Resolve) -> NamedLock {
        let users = info.created.addresses.first().into_iter().chain(users);
        let code: Vec<u64> = users.map(|address| call_before(*address)).collect();
        let memory = Resolved::memory(info.address, &info.place, &code, resolver);
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
    ) -> Vec<NamedLock> {
        let infos = infos.iter().enumerate();
        infos
            .map(|(i, info)| NamedLock::new(info, i, users, resolver))
            .collect()
    }

    /// Of which variable it is or is a part.
    pub(super) fn variable(&self) -> Option<&str> {
        match (&self.memory.data, &self.memory.local) {
            (Data::Global(variable, _), _) | (_, Some(variable)) => Some(&variable.name),
            _ => None,
        }
    }
}

fn name(noun: &str, index: usize, memory: &Resolved) -> String {
    let variable = match (&memory.place, &memory.data, &memory.local) {
        (Place::Other, Data::Global(variable, _), _) => variable,
        (_, _, Some(variable)) => variable,
        _ => return format!("{noun} M{}", index + 1),
    };
    match memory.address.saturating_sub(variable.start) {
        0 => format!("{noun} '{}'", variable.name),
        offset => format!("{noun} at offset {offset} of '{}'", variable.name),
    }
}

/// A finding about locks with names.
pub(super) struct Named {
    /// The paragraph.
    pub(super) message: String,
    /// What to change.
    pub(super) suggestion: Option<String>,
    /// Headings and stacks.
    pub(super) parts: Vec<(String, Vec<Line>)>,
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
        Named::new(finding, parts, resolver)
    }

    /// `finding` with names; `parts` are its stacks.
    pub(super) fn new(
        finding: &LockFinding,
        parts: Vec<Vec<Line>>,
        resolver: &mut dyn Resolve,
    ) -> Named {
        let stacks = finding.parts.iter().map(|part| &part.stack.addresses);
        let users: Vec<u64> = stacks.filter_map(|stack| stack.first().copied()).collect();
        let locks = NamedLock::all(&finding.locks, &users, resolver);
        let fill = |text: &str| filled(text, &locks);
        let fingerprint = super::fingerprint::of_locks(finding, &parts, &locks);
        let said = finding.parts.iter().map(|part| fill(&part.said));
        Named {
            message: fill(&finding.message),
            suggestion: finding.suggestion.as_deref().map(fill),
            parts: said.zip(parts).collect(),
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
    super::names::capitalised(&text)
}

fn creations(threads: &[ThreadInfo], resolver: &mut dyn Resolve) -> Vec<Vec<Line>> {
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
