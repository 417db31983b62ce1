//! Whether the user wants to hear of a finding.

use super::frames::{Line, Resolved};
use super::notice::Notice;
use super::{Reporter, frames};
use crate::finding::{Finding, Kind};
use crate::lock::finding::LockFinding;
use crate::suppress::{self, Class, Frame, Stacks};
use crate::symbol::{Data, Resolve};
use alloc::vec::Vec;

impl Reporter {
    /// Does a suppression hold `finding` back?
    pub(super) fn is_suppressed(&mut self, finding: &Finding) -> bool {
        if !suppress::any() {
            return false;
        }
        let fingerprint = suppress::fingerprint(finding.accesses.iter().map(|a| &a.stack));
        if suppress::is_known(fingerprint) {
            return true;
        }
        self.symbolizer.begin();
        let resolved = Resolved::new(finding, &mut self.symbolizer);
        let class = match finding.kind {
            Kind::DataRace
            | Kind::PossibleRace
            | Kind::Unprotected
            | Kind::UseAfterFreeRace
            | Kind::UseAfterFree
            | Kind::VptrRace
            | Kind::AdHocSync
            | Kind::RelaxedSync
            | Kind::DescriptorRace => Class::Race,
        };
        let global = match &resolved.data {
            Data::Global(variable, _) => Some(&variable.name[..]),
            _ => None,
        };
        let stacks = Stacks {
            stacks: resolved
                .accesses
                .iter()
                .map(|stack| stack.iter().map(frame).collect())
                .collect(),
            global,
        };
        let suppressed = suppress::matches(fingerprint, class, &stacks);
        self.symbolizer.settle();
        suppressed
    }

    /// Does a suppression hold `notice` back?
    pub(super) fn is_notice_suppressed(&mut self, notice: &Notice<'_>) -> bool {
        if !suppress::any() {
            return false;
        }
        let fingerprint = suppress::fingerprint([&notice.stack].into_iter());
        if suppress::is_known(fingerprint) {
            return true;
        }
        self.symbolizer.begin();
        let lines = frames::lines(&notice.stack, &mut self.symbolizer);
        let stacks = Stacks {
            stacks: alloc::vec![lines.iter().map(frame).collect()],
            global: None,
        };
        let suppressed = suppress::matches(fingerprint, notice.class, &stacks);
        self.symbolizer.settle();
        suppressed
    }
}

/// As [`Reporter::is_suppressed`], for a finding about locks.
pub(super) fn is_suppressed(finding: &LockFinding, parts: &[Vec<Line>]) -> bool {
    if !suppress::any() {
        return false;
    }
    let fingerprint = suppress::fingerprint(finding.parts.iter().map(|part| &part.stack));
    if suppress::is_known(fingerprint) {
        return true;
    }
    let stacks = Stacks {
        stacks: parts
            .iter()
            .map(|lines| lines.iter().map(frame).collect())
            .collect(),
        global: None,
    };
    suppress::matches(fingerprint, finding.trouble.class(), &stacks)
}

fn frame(line: &Line) -> Frame<'_> {
    Frame {
        function: line.function.as_deref(),
        file: line.source.as_ref().map(|source| &source.file[..]),
        module: line.module.as_ref().map(|module| &module.path[..]),
    }
}
