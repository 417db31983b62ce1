//! Callers, found with the unwind tables of the modules.
//!
//! For a thread that sleeps in the kernel, of which only stack pointer and
//! code address are known: most functions need no more, and those that do
//! mostly find in the frames below what was saved there.

use super::elf::Elf;
use crate::os;
use addr2line::gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, EndianSlice, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindSection, X86_64,
};

/// Registers by their numbers in unwind tables; the last is where to return.
const REGISTERS: usize = 17;

/// A place in a thread's execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// Code address.
    pub(crate) pc: u64,
    /// What is known of the registers.
    registers: [Option<u64>; REGISTERS],
}

impl Position {
    /// At `pc` with stack pointer `sp`.
    pub(crate) fn new(pc: u64, sp: u64) -> Position {
        let mut registers = [None; REGISTERS];
        registers[usize::from(X86_64::RSP.0)] = Some(sp);
        Position { pc, registers }
    }

    /// With `rbp` known, too.
    pub(crate) fn with_base(mut self, rbp: u64) -> Position {
        self.registers[usize::from(X86_64::RBP.0)] = Some(rbp);
        self
    }

    fn get(&self, register: Register) -> Option<u64> {
        *self.registers.get(usize::from(register.0))?
    }

    /// The position in the caller, if `elf`, loaded with `bias`, knows it.
    /// `called`: the address is one that a call returns to.
    pub(super) fn caller(&self, elf: &Elf<'_>, bias: u64, called: bool) -> Option<Position> {
        let (frames_at, frames) = elf.section_at(".eh_frame")?;
        let (index_at, index) = elf.section_at(".eh_frame_hdr")?;
        let bases = BaseAddresses::default()
            .set_eh_frame(frames_at)
            .set_eh_frame_hdr(index_at);
        let frames: EhFrame<EndianSlice<'_, LittleEndian>> = EhFrame::new(frames, LittleEndian);
        let index = EhFrameHdr::new(index, LittleEndian).parse(&bases, 8).ok()?;
        let address = self.pc.wrapping_sub(bias).wrapping_sub(called.into());
        let mut context = UnwindContext::new();
        let table = index.table()?;
        let row = table
            .unwind_info_for_address(
                &frames,
                &bases,
                &mut context,
                address,
                |frames, bases, at| frames.cie_from_offset(bases, at),
            )
            .ok()?;
        let CfaRule::RegisterAndOffset { register, offset } = *row.cfa() else {
            return None;
        };
        let frame = self.get(register)?.wrapping_add_signed(offset);
        if frame <= self.get(X86_64::RSP)? {
            return None;
        }
        let mut registers = [None; REGISTERS];
        for (number, value) in registers.iter_mut().enumerate() {
            let register = Register(number as u16);
            *value = match row.register(register) {
                Some(RegisterRule::Offset(offset)) => word(frame.wrapping_add_signed(offset)),
                Some(RegisterRule::ValOffset(offset)) => Some(frame.wrapping_add_signed(offset)),
                Some(RegisterRule::SameValue) | None if is_kept(register) => self.get(register),
                _ => None,
            };
        }
        registers[usize::from(X86_64::RSP.0)] = Some(frame);
        let pc = registers[usize::from(X86_64::RA.0)].take()?;
        Some(Position { pc, registers })
    }
}

/// Does a function give the register back as it was?
fn is_kept(register: Register) -> bool {
    let kept = [
        X86_64::RBX,
        X86_64::RBP,
        X86_64::R12,
        X86_64::R13,
        X86_64::R14,
        X86_64::R15,
    ];
    kept.contains(&register)
}

fn word(address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    (os::read_memory(address, &mut bytes) == bytes.len()).then(|| u64::from_le_bytes(bytes))
}
