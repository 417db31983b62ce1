//! What only a finding that is printed needs to know.

use super::excerpt::{Excerpt, Sources};
use super::explain;
use super::fingerprint;
use super::frames::{self, Line, Resolved, culprit};
use super::last;
use super::locks::NamedLock;
use super::names::Names;
use super::others::Other;
use super::suggestion;
use crate::finding::Finding;
use crate::symbol::Resolve;
use alloc::string::String;
use alloc::vec::Vec;

/// The rest of a report, beside [`Resolved`].
pub(super) struct Details {
    /// What happened, in one paragraph.
    pub(super) message: String,
    /// What to change.
    pub(super) suggestion: Option<String>,
    /// What stays the same from build to build.
    pub(super) fingerprint: String,
    /// The same without the name of a local variable.
    pub(super) fingerprint_without_local: Option<String>,
    /// The source at each access.
    pub(super) excerpts: [Option<SourceAt>; 2],
    /// Where each thread of the finding was created.
    pub(super) creations: Vec<Vec<Line>>,
    /// The locks of the finding.
    pub(super) locks: Vec<NamedLock>,
    /// Where each access's thread took its locks.
    pub(super) taken: [Vec<Vec<Line>>; 2],
    /// Where each access's thread used a lock last.
    pub(super) last_locks: [Vec<Line>; 2],
    /// Where each access's thread was ordered last by something else.
    pub(super) last_syncs: [LastSyncAt; 2],
    /// Where each handover of the finding took its lock.
    pub(super) handovers: Vec<Vec<Line>>,
}

/// What a thread did last to be ordered with others, and where.
#[derive(Default)]
pub(super) struct LastSyncAt {
    /// What it "had last" done.
    pub(super) said: String,
    /// Where.
    pub(super) lines: Vec<Line>,
}

/// An excerpt and the line of a stack that it belongs to.
pub(super) struct SourceAt {
    /// Index of the line.
    pub(super) line: usize,
    /// The source.
    pub(super) excerpt: Excerpt,
}

impl Details {
    /// Gathers them; `others` are accesses of earlier findings to the same
    /// memory.
    pub(super) fn new(
        finding: &Finding,
        resolved: &Resolved,
        others: &[Other],
        resolver: &mut dyn Resolve,
        sources: &mut Sources,
    ) -> Details {
        let names = Names(&finding.threads);
        let creation = |created: Option<&(u32, _)>| match created {
            Some((_, stack)) => frames::lines(stack, &mut *resolver),
            None => Vec::new(),
        };
        let threads = finding.threads.iter();
        let creations = threads
            .map(|thread| thread.created.as_ref())
            .map(creation)
            .collect();
        let locks = NamedLock::all(&finding.locks, &[], resolver, sources);
        let handovers: Vec<Vec<Line>> = finding
            .handovers
            .iter()
            .map(|handover| frames::lines(&handover.taken, &mut *resolver))
            .collect();
        let last_syncs = finding.accesses.each_ref().map(|access| {
            let last = access.last_sync.as_ref();
            last.map_or_else(LastSyncAt::default, |sync| LastSyncAt {
                said: last::did(sync, &locks, &names),
                lines: frames::lines(&sync.stack, &mut *resolver),
            })
        });
        Details {
            message: explain::paragraph(finding, resolved, &locks, &handovers, &names),
            suggestion: suggestion::of(finding, resolved, &locks, others, &names),
            fingerprint: fingerprint::of(finding, resolved),
            fingerprint_without_local: fingerprint::without_local(finding, resolved),
            excerpts: resolved
                .accesses
                .each_ref()
                .map(|lines| source_at(lines, sources)),
            creations,
            locks,
            taken: finding.accesses.each_ref().map(|access| {
                let held = access.locks.iter().flatten();
                held.map(|held| frames::lines(&held.taken, &mut *resolver))
                    .collect()
            }),
            last_locks: finding.accesses.each_ref().map(|access| {
                let last = access.last_lock.as_ref();
                last.map_or_else(Vec::new, |last| frames::lines(&last.stack, &mut *resolver))
            }),
            last_syncs,
            handovers,
        }
    }
}

/// The source of the line of a stack that is the program's.
pub(super) fn source_at(lines: &[Line], sources: &mut Sources) -> Option<SourceAt> {
    let chosen = culprit(lines)?;
    let line = lines.iter().position(|line| core::ptr::eq(line, chosen))?;
    let excerpt = sources.excerpt(chosen.source.as_ref()?)?;
    Some(SourceAt { line, excerpt })
}
