//! Which registers probably hold addresses of constants.
//!
//! Tables that nothing but the loader writes are read by all threads, so their
//! shadow tells no thread that it was there before: the check of such a read
//! never ends early. Where a read probably is one, its check asks first whether
//! the address is in the constant part of the file. That is decided when it
//! runs; here it is only guessed, in the order of the code, where to ask.

use std::ops::Range;

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::access::{Access, What};
use super::code::is_call;
use super::image::{ADDRESSES, Image};
use super::liveness::{self, Set};

/// A part of the file that only the loader writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Constants {
    pub(super) start: u64,
    pub(super) len: u32,
}

impl Constants {
    /// The part that `address` is in.
    pub(super) fn around(image: &Image, address: u64) -> Option<Constants> {
        let Range { start, end } = image.constants(address)?;
        // Within reach of all code, whatever the file says.
        (end <= ADDRESSES).then_some(Constants {
            start,
            len: (end - start) as u32,
        })
    }
}

/// Registers that a called function may change.
const CHANGED_BY_CALLS: [Register; 9] = [
    Register::RAX,
    Register::RCX,
    Register::RDX,
    Register::RSI,
    Register::RDI,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
];

/// What registers hold while a function is gone through.
pub(super) struct Tracker<'a> {
    image: &'a Image,
    /// Addresses in the file, or of where tables begin.
    held: [Option<u64>; 16],
}

impl<'a> Tracker<'a> {
    /// Nothing is known yet.
    pub(super) fn new(image: &'a Image) -> Self {
        Tracker {
            image,
            held: [None; 16],
        }
    }

    fn of(&self, register: Register) -> Option<u64> {
        register.is_gpr64().then(|| self.held[register.number()])?
    }

    /// What the memory operand of `instruction` is at, as far as it is constant.
    fn address(&self, instruction: &Instruction) -> Option<u64> {
        if instruction.is_ip_rel_memory_operand() {
            return Some(instruction.ip_rel_memory_address());
        }
        let base = self.of(instruction.memory_base())?;
        Some(base.wrapping_add(instruction.memory_displacement64()))
    }

    /// Where `access` probably leads, if that is constant.
    pub(super) fn probable(&self, access: &Access) -> Option<Constants> {
        let is_read = matches!(access.what, What::Plain { write: false, .. });
        let operand = access.operand;
        let held = self.of(operand.base).or(self.of(operand.index));
        Constants::around(self.image, held.filter(|_| is_read)?)
    }

    /// `instruction` was executed, which may change the registers `touched`.
    pub(super) fn step(&mut self, instruction: &Instruction, touched: Set) {
        let result = instruction.op0_register();
        let held = match (instruction.mnemonic(), instruction.op1_kind()) {
            (Mnemonic::Lea, _) => self
                .address(instruction)
                .or(self.of(instruction.memory_index())),
            (Mnemonic::Mov, OpKind::Register) => self.of(instruction.op1_register()),
            (Mnemonic::Mov, OpKind::Memory) => {
                let place = self.address(instruction);
                place.and_then(|place| self.image.filled(place))
            }
            (Mnemonic::Add, _) => self.of(result),
            _ => None,
        };
        for (number, place) in self.held.iter_mut().enumerate() {
            if touched & 1 << number != 0 {
                *place = None;
            }
        }
        if is_call(instruction) {
            for register in CHANGED_BY_CALLS {
                self.held[register.number()] = None;
            }
        } else if result.is_gpr64() && liveness::bit(result) & touched != 0 {
            self.held[result.number()] = held;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Operand;
    use iced_x86::Code;
    use iced_x86::code_asm::{CodeAssembler, ptr, registers::*};

    /// A file with code at 0x1000, constants at 0x2000 and variables at 0x3000,
    /// one of which leads over another to a constant.
    fn image() -> Image {
        let segments = [(0x1000, false), (0x2000, false), (0x3000, true)];
        Image::for_tests(&segments, &[(0x3010, 0x3028), (0x3030, 0x2020)])
    }

    fn read(base: Register, index: Register) -> Access {
        Access {
            operand: Operand {
                base,
                index,
                scale: 4,
                displacement: 0,
            },
            what: What::Plain {
                write: false,
                size: 4,
            },
        }
    }

    #[test]
    fn addresses_are_followed_from_register_to_register() {
        let image = image();
        let mut asm = CodeAssembler::new(64).unwrap();
        asm.lea(rdi, ptr(0x2010)).unwrap();
        asm.lea(rbx, ptr(0x3010)).unwrap();
        asm.mov(rsi, rdi).unwrap();
        asm.add(rsi, rax).unwrap();
        asm.lea(r12, ptr(rdi + rcx * 4)).unwrap();
        asm.mov(rdi, ptr(rdi)).unwrap();
        asm.mov(rbp, ptr(rbx)).unwrap();
        asm.mov(r13, ptr(rbp + 8)).unwrap();
        asm.call(0x1100).unwrap();
        let mut tracker = Tracker::new(&image);
        let table = Some(Constants {
            start: 0x2000,
            len: 0x1000,
        });
        let held = |tracker: &Tracker, r| tracker.probable(&read(Register::RAX, r));
        for instruction in asm.instructions() {
            // The assembler does not make addresses relative before it places code.
            let mut instruction = *instruction;
            if instruction.mnemonic() == Mnemonic::Lea
                && instruction.memory_base() == Register::None
            {
                instruction.set_memory_base(Register::RIP);
            }
            let touched = match instruction.code() {
                Code::Call_rel32_64 => 0,
                _ => liveness::bit(instruction.op0_register()),
            };
            tracker.step(&instruction, touched);
            match instruction.op0_register() {
                Register::RSI => assert_eq!(held(&tracker, Register::RSI), table),
                Register::RBX => assert_eq!(held(&tracker, Register::RBX), None),
                _ => {}
            }
        }
        assert_eq!(held(&tracker, Register::R12), table);
        assert_eq!(held(&tracker, Register::RBP), None);
        assert_eq!(held(&tracker, Register::R13), table);
        assert_eq!(held(&tracker, Register::RDI), None);
        assert_eq!(held(&tracker, Register::RSI), None);
        let mut write = read(Register::R12, Register::None);
        assert_eq!(tracker.probable(&write), table);
        write.what = What::Plain {
            write: true,
            size: 4,
        };
        assert_eq!(tracker.probable(&write), None);
    }
}
