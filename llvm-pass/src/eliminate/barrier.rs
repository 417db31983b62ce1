//! What ends a stretch without synchronisation.

use crate::llvm::value::{Block, Kind, Value};
use std::collections::{HashMap, HashSet};

/// Whether an instruction may synchronise with another thread, or may not
/// come back.
pub(crate) fn is_barrier(instruction: Value) -> bool {
    match instruction.kind() {
        Kind::Call => !instruction.is_quiet_call(),
        Kind::InlineAsm => instruction.callee().asm_has_side_effects(),
        Kind::Intrinsic | Kind::Fence | Kind::CompareExchange | Kind::AtomicRmw => true,
        // Volatile accesses are how hand-made synchronisation looks.
        Kind::Load | Kind::Store => instruction.is_atomic() || instruction.is_volatile(),
        _ => false,
    }
}

/// The barriers of a function and the order of its instructions.
pub(crate) struct Barriers {
    blocks: HashSet<Block>,
    /// For each instruction its number within the block and that of the
    /// stretch without barriers it lies in.
    positions: HashMap<Value, Position>,
}

/// Where an instruction stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Position {
    /// Number of barriers before it in its block.
    pub(crate) stretch: u32,
    /// Number of instructions before it in its block.
    pub(crate) index: u32,
}

impl Barriers {
    /// Looks through a function.
    pub(crate) fn new(function: Value) -> Barriers {
        let mut barriers = Barriers {
            blocks: HashSet::new(),
            positions: HashMap::new(),
        };
        for block in function.blocks() {
            let mut stretch = 0;
            for (index, instruction) in (0..).zip(block.instructions()) {
                if is_barrier(instruction) {
                    stretch += 1;
                }
                barriers
                    .positions
                    .insert(instruction, Position { stretch, index });
            }
            if stretch > 0 {
                barriers.blocks.insert(block);
            }
        }
        barriers
    }

    /// Whether the block has a barrier.
    pub(crate) fn in_block(&self, block: Block) -> bool {
        self.blocks.contains(&block)
    }

    /// Where an instruction that was there from the beginning stands. A
    /// barrier counts to the stretch behind it.
    pub(crate) fn position(&self, instruction: Value) -> Position {
        self.positions[&instruction]
    }
}
