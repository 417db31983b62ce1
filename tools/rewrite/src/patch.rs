//! Jumps from the original code to the moved code.
//!
//! A jump takes five bytes. Where another leader or a call is closer, two
//! bytes lead to a springboard: five dead bytes within reach of a short jump.
//! Where not even two bytes are left, the instruction stays and runs in place,
//! and the next one is tried. Calls are never overwritten.

use std::collections::BTreeSet;
use std::ops::Range;

use iced_x86::{Instruction, Mnemonic};

use super::code::{Code, direct_target, ends_flow, is_call};
use super::emit::Emitted;
use super::image::Image;
use crate::error::{Error, Result};

/// Bytes of a jump to anywhere.
const NEAR: u64 = 5;
/// Bytes of a jump to close by.
const SHORT: u64 = 2;

/// A jump to be written over dead code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jump {
    /// Five bytes, to the moved twin of the instruction at `to`.
    Near { at: u64, to: u64 },
    /// Two bytes, to other original code.
    Short { at: u64, to: u64 },
}

/// What happens to the original code.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) jumps: Vec<Jump>,
    /// Addresses of instructions that run in place.
    pub(super) kept: BTreeSet<u64>,
    /// Bytes nobody executes any more.
    pub(super) dead: Vec<Range<u64>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    /// Not ours.
    Foreign,
    /// Nobody executes it any more.
    Free,
    Used,
}

struct Planner<'a> {
    code: &'a Code,
    leaders: &'a BTreeSet<u64>,
    start: u64,
    bytes: Vec<Byte>,
    plan: Plan,
    short: Vec<u64>,
    no_room: BTreeSet<usize>,
}

/// Plans all jumps, or names the functions that leave no room for theirs.
pub(super) fn plan(
    image: &Image,
    code: &Code,
    leaders: &BTreeSet<u64>,
    moved: &[bool],
) -> std::result::Result<Plan, BTreeSet<usize>> {
    let text: Vec<_> = image.sections.iter().filter(|s| s.executable).collect();
    let start = text.iter().map(|s| s.range.start).min().unwrap_or(0);
    let end = text.iter().map(|s| s.range.end).max().unwrap_or(0);
    let mut planner = Planner {
        code,
        leaders,
        start,
        bytes: vec![Byte::Foreign; (end - start) as usize],
        plan: Plan::default(),
        short: Vec::new(),
        no_room: BTreeSet::new(),
    };
    for (function, _) in code
        .functions
        .iter()
        .zip(moved)
        .filter(|(_, moved)| **moved)
    {
        planner.mark(function.start, function.end - function.start, Byte::Free);
        for call in function.code.iter().filter(|i| is_call(i)) {
            planner.mark(call.ip(), call.len() as u64, Byte::Used);
        }
    }
    planner.free_padding(image);
    for &leader in leaders {
        planner.place(leader);
    }
    while let Some(at) = planner.short.pop() {
        planner.spring(at);
    }
    if !planner.no_room.is_empty() {
        return Err(planner.no_room);
    }
    let mut plan = planner.plan;
    for (function, _) in code
        .functions
        .iter()
        .zip(moved)
        .filter(|(_, moved)| **moved)
    {
        let (from, end) = (function.start - start, function.end - start);
        let mut at = from;
        let bytes = &planner.bytes[from as usize..end as usize];
        for same in bytes.chunk_by(|a, b| a == b) {
            let next = at + same.len() as u64;
            if same[0] == Byte::Free {
                plan.dead.push(start + at..start + next);
            }
            at = next;
        }
    }
    Ok(plan)
}

impl Planner<'_> {
    fn mark(&mut self, at: u64, len: u64, byte: Byte) {
        let from = (at - self.start) as usize;
        let end = (from + len as usize).min(self.bytes.len());
        self.bytes[from..end].fill(byte);
    }

    /// Padding between functions may be overwritten.
    fn free_padding(&mut self, image: &Image) {
        let pads = |i: &&Instruction| matches!(i.mnemonic(), Mnemonic::Nop | Mnemonic::Int3);
        let named: BTreeSet<u64> = image.symbols.iter().map(|s| s.address).collect();
        let reached: BTreeSet<u64> = self.code.loose.iter().filter_map(direct_target).collect();
        let code = self.code;
        for section in image.sections.iter().filter(|s| s.name == ".text") {
            for gap in code.gaps(section.range.clone()) {
                let from = code.loose.partition_point(|i| i.ip() < gap.start);
                let inside = code.loose[from..].iter().take_while(|i| i.ip() < gap.end);
                let padding: u64 = inside.take_while(pads).map(|i| i.len() as u64).sum();
                let target = |set: &BTreeSet<u64>| set.range(gap.clone()).next().is_some();
                if padding == gap.end - gap.start && !target(&named) && !target(&reached) {
                    self.mark(gap.start, padding, Byte::Free);
                }
            }
        }
    }

    /// Are `len` bytes free, with no leader behind the first?
    fn has_room(&self, at: u64, len: u64) -> bool {
        let from = (at - self.start) as usize;
        let bytes = self.bytes.get(from..from + len as usize);
        bytes.is_some_and(|bytes| bytes.iter().all(|byte| *byte == Byte::Free))
            && self.leaders.range(at + 1..at + len).next().is_none()
    }

    fn instruction(&self, at: u64) -> Option<&Instruction> {
        let function = &self.code.functions[self.code.function_at(at)?];
        function.index(at).map(|index| &function.code[index])
    }

    fn near(&mut self, at: u64, to: u64) {
        self.mark(at, NEAR, Byte::Used);
        self.plan.jumps.push(Jump::Near { at, to });
    }

    /// Leads `at` to the moved code.
    fn place(&mut self, at: u64) {
        let Some(&instruction) = self.instruction(at) else {
            return;
        };
        if is_call(&instruction) {
            return;
        }
        let next = instruction.next_ip();
        if instruction.mnemonic() == Mnemonic::Endbr64
            && !self.leaders.contains(&next)
            && self.has_room(at, 4)
            && self.has_room(next, NEAR)
        {
            self.mark(at, 4, Byte::Used);
            self.near(next, next);
        } else if self.has_room(at, NEAR) {
            self.near(at, at);
        } else if self.has_room(at, SHORT) {
            self.mark(at, SHORT, Byte::Used);
            self.short.push(at);
        } else {
            self.keep(&instruction);
        }
    }

    /// Lets an instruction run in place and goes on behind it.
    fn keep(&mut self, instruction: &Instruction) {
        let (at, next) = (instruction.ip(), instruction.next_ip());
        let home = self.code.function_at(at);
        let free = self.has_room(at, 1)
            && (instruction.len() == 1 || self.has_room(at, instruction.len() as u64));
        if direct_target(instruction).is_some() || !free {
            self.no_room.extend(home);
            return;
        }
        self.mark(at, instruction.len() as u64, Byte::Used);
        self.plan.kept.insert(at);
        if ends_flow(instruction) || self.leaders.contains(&next) {
            return;
        }
        if self.code.function_at(next) == home {
            self.place(next);
        }
    }

    /// Finds a springboard for the two bytes at `at`.
    fn spring(&mut self, at: u64) {
        let after = at + SHORT;
        let lowest = after.saturating_sub(128).max(self.start);
        let reach = (after..=after + 127).chain((lowest..at).rev());
        let board = reach
            .filter(|&board| !self.leaders.contains(&board))
            .find(|&board| self.has_room(board, NEAR));
        match board {
            Some(board) => {
                self.near(board, at);
                self.plan.jumps.push(Jump::Short { at, to: board });
            }
            None => {
                self.mark(at, SHORT, Byte::Free);
                if let Some(&instruction) = self.instruction(at) {
                    self.keep(&instruction);
                }
            }
        }
    }
}

/// Carries a plan out.
pub(super) struct Patch<'a> {
    pub(super) image: &'a Image,
    pub(super) emitted: &'a Emitted,
}

impl Patch<'_> {
    /// Turns dead code into traps.
    pub(super) fn poison(&self, bytes: &mut [u8], plan: &Plan) -> Result<()> {
        for dead in &plan.dead {
            self.place(bytes, dead.clone())?.fill(0xcc);
        }
        Ok(())
    }

    /// Writes the jumps.
    pub(super) fn jumps(&self, bytes: &mut [u8], plan: &Plan) -> Result<()> {
        for jump in &plan.jumps {
            match *jump {
                Jump::Near { at, to } => {
                    let to = self.emitted.moved(to).ok_or_else(lost)?;
                    self.near(bytes, 0xe9, at, to)?;
                }
                Jump::Short { at, to } => {
                    let distance = to.wrapping_sub(at + SHORT) as u8;
                    let place = self.place(bytes, at..at + SHORT)?;
                    place.copy_from_slice(&[0xeb, distance]);
                }
            }
        }
        Ok(())
    }

    /// Calls of moved functions need not go through the jump at their start.
    pub(super) fn calls(&self, bytes: &mut [u8], code: &Code, moved: &[bool]) -> Result<()> {
        for (function, _) in code.functions.iter().zip(moved).filter(|(_, m)| **m) {
            for call in function.code.iter().filter(|i| is_call(i)) {
                let target = direct_target(call);
                if let Some(to) = target.and_then(|target| self.emitted.moved(target))
                    && call.len() as u64 == NEAR
                {
                    self.near(bytes, 0xe8, call.ip(), to)?;
                }
            }
        }
        Ok(())
    }

    fn near(&self, bytes: &mut [u8], opcode: u8, at: u64, to: u64) -> Result<()> {
        let distance = to.wrapping_sub(at + NEAR) as u32;
        let place = self.place(bytes, at..at + NEAR)?;
        place[0] = opcode;
        place[1..].copy_from_slice(&distance.to_le_bytes());
        Ok(())
    }

    fn place<'b>(&self, bytes: &'b mut [u8], range: Range<u64>) -> Result<&'b mut [u8]> {
        let at = self.image.offset(range.start).map(|at| at as usize);
        let len = (range.end - range.start) as usize;
        at.and_then(|at| bytes.get_mut(at..at + len))
            .ok_or_else(lost)
    }
}

fn lost() -> Error {
    Error::new("code lies outside of the file")
}
