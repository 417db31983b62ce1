//! How a moved function makes itself known to the runtime.
//!
//! Reports show the callers of an access. So that they need not be looked for
//! at every access, a function that is entered adds itself to the
//! [`activation`]s of its thread.

use iced_x86::code_asm::{AsmRegister64, CodeAssembler, get_gpr64, ptr, qword_ptr};
use iced_x86::{Code as Opcode, IcedError, Instruction, MemoryOperand, Mnemonic, Register};
use racert_abi::rewritten::{Row, activation, frame};
use racert_abi::tls;

use super::code::Function;
use super::liveness::{self, FLAGS, Set};
use super::thunk::{BORROWED, Slots};

/// The two registers that a thunk for entries uses, and whether they are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) registers: [(Register, bool); 2],
}

impl Key {
    /// For a place where `live` is in use.
    pub(super) fn new(live: Set) -> Key {
        let is_free = |r: Register| liveness::bit(r) & live == 0;
        let mut candidates = BORROWED;
        // The free ones first, otherwise in order.
        candidates.sort_by_key(|r| !is_free(*r));
        Key {
            registers: [candidates[0], candidates[1]].map(|r| (r, is_free(r))),
        }
    }
}

/// Where callers are found, by address.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a>(pub(super) &'a [Row]);

impl Rows<'_> {
    /// The row that holds for `address`.
    fn at(self, address: u64) -> Option<Row> {
        let after = self.0.partition_point(|r| u64::from(r.start) <= address);
        self.0.get(after.checked_sub(1)?).copied()
    }

    /// The [`frame`] of a check of the instruction that ends at `site`, where
    /// the stack is `depth` bytes deeper.
    pub(super) fn frame(self, site: u64, depth: usize) -> u8 {
        match self.at(site - 1) {
            Some(row) if row.frame == Row::FROM_RBP | 2 => frame::BY_RBP,
            Some(row) if row.frame != 0 && row.frame & Row::FROM_RBP == 0 => {
                frame::words(depth / 8 + usize::from(row.frame) - 1)
            }
            _ => frame::BY_ROW,
        }
    }

    /// The index of the instruction at which `function` makes itself known:
    /// its first, behind the mark of an indirect branch's target. The stack
    /// pointer must lead to the return address there, whichever way led to it.
    pub(super) fn entry(self, function: &Function, live: &[Set]) -> Option<usize> {
        let first = function.code.first()?;
        let index = usize::from(first.mnemonic() == Mnemonic::Endbr64);
        let row = self.at(function.code.get(index)?.ip())?;
        (row.frame == 1 && live[index] & FLAGS == 0).then_some(index)
    }
}

/// Appends the thunk for `key`. Flags are free.
pub(super) fn assemble(asm: &mut CodeAssembler, key: Key, slots: Slots) -> Result<(), IcedError> {
    let register = |i: usize| get_gpr64(key.registers[i].0).expect("a 64-bit register");
    let (at, other) = (register(0), register(1));
    let saved: Vec<AsmRegister64> = [0, 1]
        .into_iter()
        .filter(|&i| !key.registers[i].1)
        .map(register)
        .collect();
    for &register in &saved {
        asm.push(register)?;
    }
    let entry = activation::SIZE as i32;
    let field = |offset: usize| qword_ptr(at + offset as i32);
    let load_offset = Instruction::with2(
        Opcode::Mov_r64_rm64,
        Register::from(other),
        MemoryOperand::with_base_displ(Register::RIP, slots.tls_offset as i64),
    )?;
    let mut over = asm.create_label();
    let mut keep = asm.create_label();
    let mut fresh = asm.create_label();
    let mut full = asm.create_label();
    let mut out = asm.create_label();
    asm.add_instruction(load_offset)?;
    asm.test(other, other)?;
    asm.je(out)?;
    asm.mov(at, ptr(other + tls::ACTIVATIONS as i32).fs())?;
    asm.test(at, at)?;
    asm.je(out)?;
    // Behind the return addresses of this thunk.
    let place = 8 * (saved.len() as i32 + 1);
    asm.lea(other, ptr(iced_x86::code_asm::registers::rsp + place))?;
    asm.add(at, entry)?;
    asm.set_label(&mut over)?;
    asm.sub(at, entry)?;
    asm.cmp(field(activation::PLACE), other)?;
    asm.jbe(over)?;
    asm.add(at, entry)?;
    asm.test(at, activation::TABLE as i32 - 1)?;
    asm.je(full)?;
    asm.cmp(field(activation::PLACE), other)?;
    asm.mov(field(activation::PLACE), other)?;
    asm.mov(other, ptr(other))?;
    asm.jne(fresh)?;
    asm.cmp(field(activation::RETURN), other)?;
    asm.jne(fresh)?;
    asm.cmp(field(activation::FIRM), 0)?;
    asm.jne(keep)?;
    asm.set_label(&mut fresh)?;
    asm.mov(field(activation::RETURN), other)?;
    asm.mov(field(activation::CONTEXT), 0)?;
    asm.mov(field(activation::FIRM), 0)?;
    asm.mov(field(activation::SIZE + activation::PLACE), 0)?;
    asm.set_label(&mut keep)?;
    asm.add_instruction(load_offset)?;
    asm.mov(ptr(other + tls::ACTIVATIONS as i32).fs(), at)?;
    asm.set_label(&mut out)?;
    for &register in saved.iter().rev() {
        asm.pop(register)?;
    }
    asm.ret()?;
    asm.set_label(&mut full)?;
    asm.sub(at, entry)?;
    asm.jmp(keep)
}
