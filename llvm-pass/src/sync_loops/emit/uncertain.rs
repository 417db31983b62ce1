//! Hooks of loops of which only the linker knows whether they wait.

use super::super::elsewhere::{self, Candidate};
use super::super::exit::Exit;
use super::super::wait_loop::WaitLoop;
use super::{Emitter, wait_flags};
use crate::llvm::flow::Operation;
use crate::llvm::value::{Block, Value};

impl Emitter<'_, '_> {
    /// A loop of which only the linker knows whether it waits.
    pub(super) fn uncertain_loop(&mut self, each: &WaitLoop) {
        let exits: Vec<&Exit> = each.exits.iter().map(|exit| &exit.exit).collect();
        let slots = self.slots(&exits, |_| true);
        for exit in &each.exits {
            let reads = slots.of(&exit.exit);
            let flags = self.by_cause(&exit.exit, |cause| wait_flags(cause, &reads));
            let Some(builder) = self.at_edge(exit.exit.branch, exit.exit.target) else {
                self.statistics.no_place += 1;
                continue;
            };
            let candidates: Vec<&Candidate> = each.if_waits.iter().collect();
            let builder = elsewhere::if_any_waits(&candidates, &builder, self.module);
            self.call_exit_hook(&builder, exit, &slots, flags);
        }
        self.note_if(&exits, &slots, 0, &each.if_waits);
        // Which of its calls waits is not known, so what counts begins anew
        // with every round.
        let first = each.header.and_then(first_behind_phis);
        if let Some(first) = first {
            self.forget(&self.before(first), &slots);
        }
    }
}

/// The first instruction of a block that may have others in front of it.
fn first_behind_phis(block: Block) -> Option<Value> {
    let mut instructions = block.instructions();
    instructions.find(|instruction| instruction.operation() != Operation::Phi)
}
