//! Whether the user wants to hear of a finding.

use super::frames::{Line, Resolved};
use super::notice::Notice;
use super::{Reporter, frames};
use crate::finding::{Finding, Kind};
use crate::suppress::{self, Class, Frame, Stacks};
use crate::symbol::{Data, Resolve};

impl Reporter {
    /// Does a suppression hold `finding` back?
    pub(super) fn is_suppressed(&mut self, finding: &Finding) -> bool {
        if !suppress::any() {
            return false;
        }
        let [first, second] = finding.accesses.each_ref().map(|access| &access.stack);
        if suppress::is_known(&[first, second]) {
            return true;
        }
        self.symbolizer.begin();
        let resolved = Resolved::new(finding, &mut self.symbolizer);
        let class = match finding.kind {
            Kind::DataRace | Kind::UseAfterFreeRace | Kind::DescriptorRace => Class::Race,
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
        let suppressed = suppress::matches(&[first, second], class, &stacks);
        self.symbolizer.settle();
        suppressed
    }

    /// Does a suppression hold `notice` back?
    pub(super) fn is_notice_suppressed(&mut self, notice: &Notice<'_>) -> bool {
        if !suppress::any() {
            return false;
        }
        if suppress::is_known(&[&notice.stack]) {
            return true;
        }
        self.symbolizer.begin();
        let lines = frames::lines(&notice.stack, &mut self.symbolizer);
        let stacks = Stacks {
            stacks: alloc::vec![lines.iter().map(frame).collect()],
            global: None,
        };
        let suppressed = suppress::matches(&[&notice.stack], notice.class, &stacks);
        self.symbolizer.settle();
        suppressed
    }
}

fn frame(line: &Line) -> Frame<'_> {
    Frame {
        function: line.function.as_deref(),
        file: line.source.as_ref().map(|source| &source.file[..]),
        module: line.module.as_ref().map(|module| &module.path[..]),
    }
}
