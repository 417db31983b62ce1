//! Functions as instructions.

use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

use super::frames::Frame;
use super::image::Image;

/// Why a function, or an access, is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// The user said so.
    Excluded,
    /// Bytes that are no instructions.
    Undecodable,
    /// Data among the instructions, or code whose inside is pointed to.
    DataInside,
    /// A computed jump whose targets are not known.
    UnknownJump,
    /// A branch into the middle of an instruction.
    OddBranch,
    /// The exception table cannot be read.
    ExceptionTable,
    /// Runs while the loader is still at work.
    Resolver,
    /// No room for a jump to the moved code.
    NoRoom,
    /// The access stays at its original address, between two calls.
    InPlace,
    /// Scattered or masked elements.
    Vector,
    /// An operand whose size the instruction does not tell.
    UnknownSize,
}

impl Reason {
    /// As the summary and the report name it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Reason::Excluded => "excluded",
            Reason::Undecodable => "undecodable bytes",
            Reason::DataInside => "data inside code",
            Reason::UnknownJump => "unresolved computed jump",
            Reason::OddBranch => "branch into an instruction",
            Reason::ExceptionTable => "unreadable exception table",
            Reason::Resolver => "runs before relocation",
            Reason::NoRoom => "no room for a jump",
            Reason::InPlace => "too close to a call",
            Reason::Vector => "gather, scatter or masked vector",
            Reason::UnknownSize => "operand of unknown size",
        }
    }
}

/// One function, or a part of one that has its own unwind entry.
pub(super) struct Function {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) code: Vec<Instruction>,
    pub(super) landing_pads: Vec<u64>,
    /// Why it is not moved, if so.
    pub(super) skipped: Option<Reason>,
}

impl Function {
    /// The index of the instruction that begins at `address`.
    pub(super) fn index(&self, address: u64) -> Option<usize> {
        self.code.binary_search_by_key(&address, |i| i.ip()).ok()
    }

    /// Jumps that choose their target at run time.
    pub(super) fn computed_jumps(&self) -> impl Iterator<Item = usize> + '_ {
        let jumps = |i: &Instruction| i.flow_control() == FlowControl::IndirectBranch;
        (0..self.code.len()).filter(move |&i| jumps(&self.code[i]))
    }
}

/// All functions of a file.
pub(super) struct Code {
    pub(super) functions: Vec<Function>,
    /// Instructions outside of functions, as far as they can be told.
    pub(super) loose: Vec<Instruction>,
}

/// Sections that the loader and the linker own.
const FOREIGN: [&str; 6] = [".plt", ".plt.got", ".plt.sec", ".init", ".fini", ".plt.bnd"];

impl Code {
    /// Decodes every function with an unwind entry.
    pub(super) fn decode(image: &Image, frames: Vec<Frame>) -> Code {
        let mut functions = Vec::new();
        let executable: Vec<_> = image.sections.iter().filter(|s| s.executable).collect();
        for frame in frames {
            let home = executable
                .iter()
                .find(|s| s.range.contains(&frame.start) && frame.end <= s.range.end);
            let Some(home) = home else { continue };
            if FOREIGN.contains(&home.name.as_str()) {
                continue;
            }
            let Some(bytes) = image.slice(frame.start..frame.end) else {
                continue;
            };
            let (code, clean) = instructions(bytes, frame.start);
            let skipped = if !clean {
                Some(Reason::Undecodable)
            } else if frame.unreadable {
                Some(Reason::ExceptionTable)
            } else {
                None
            };
            functions.push(Function {
                start: frame.start,
                end: frame.end,
                code,
                landing_pads: frame.landing_pads,
                skipped,
            });
        }
        let mut code = Code {
            functions,
            loose: Vec::new(),
        };
        for section in executable {
            for gap in code.gaps(section.range.clone()) {
                if let Some(bytes) = image.slice(gap.clone()) {
                    code.loose.extend(instructions(bytes, gap.start).0);
                }
            }
        }
        code
    }

    /// What functions leave over of `range`.
    pub(super) fn gaps(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut at = range.start;
        let from = self.functions.partition_point(|f| f.end <= range.start);
        for function in &self.functions[from..] {
            if function.start >= range.end {
                break;
            }
            if function.start > at {
                gaps.push(at..function.start);
            }
            at = at.max(function.end);
        }
        if at < range.end {
            gaps.push(at..range.end);
        }
        gaps
    }

    /// The function that holds `address`.
    pub(super) fn function_at(&self, address: u64) -> Option<usize> {
        let after = self.functions.partition_point(|f| f.start <= address);
        let index = after.checked_sub(1)?;
        (address < self.functions[index].end).then_some(index)
    }
}

/// Decodes `bytes` from one end to the other; false if something was invalid.
fn instructions(bytes: &[u8], address: u64) -> (Vec<Instruction>, bool) {
    let mut decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
    let mut code = Vec::with_capacity(bytes.len() / 4);
    let mut clean = true;
    while decoder.can_decode() {
        let instruction = decoder.decode();
        if instruction.is_invalid() {
            clean = false;
        } else {
            code.push(instruction);
        }
    }
    code.shrink_to_fit();
    (code, clean)
}

/// The target of a direct jump, conditional jump or call.
pub(super) fn direct_target(instruction: &Instruction) -> Option<u64> {
    let direct = matches!(
        instruction.op0_kind(),
        OpKind::NearBranch64 | OpKind::NearBranch32 | OpKind::NearBranch16
    );
    let flow = instruction.flow_control();
    let leads = matches!(
        flow,
        FlowControl::UnconditionalBranch
            | FlowControl::ConditionalBranch
            | FlowControl::Call
            | FlowControl::XbeginXabortXend
    );
    (direct && leads).then(|| instruction.near_branch_target())
}

/// Does it call something?
pub(super) fn is_call(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow_control(),
        FlowControl::Call | FlowControl::IndirectCall
    ) && instruction.mnemonic() == Mnemonic::Call
}

/// Can control not go on behind it?
pub(super) fn ends_flow(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow_control(),
        FlowControl::UnconditionalBranch
            | FlowControl::IndirectBranch
            | FlowControl::Return
            | FlowControl::Exception
    )
}

/// The address that `lea reg, [rip + x]` takes.
pub(super) fn taken_address(instruction: &Instruction) -> Option<u64> {
    let lea = instruction.mnemonic() == Mnemonic::Lea;
    (lea && instruction.memory_base() == Register::RIP).then(|| instruction.ip_rel_memory_address())
}
