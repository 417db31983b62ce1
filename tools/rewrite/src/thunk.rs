//! The checks that moved code calls.
//!
//! A thunk makes the test that instrumented code has inlined: is this access
//! covered by what the thread did in its current segment? Everything else is
//! left to the runtime. It is made for the registers and flags that are free
//! where it is called, and never touches a vector register.

use super::constants::Constants;
use iced_x86::code_asm::registers::{al, cl, rax};
use iced_x86::code_asm::{
    AsmRegister32, AsmRegister64, CodeAssembler, CodeLabel, get_gpr32, get_gpr64, ptr, qword_ptr,
};
use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};
use racert_abi::rewritten::kind;
use racert_abi::{SHADOW_OFFSET, SHADOW_XOR, tls, word};

/// Registers that may hold an address or a length, the cheapest to encode
/// first. `rcx` is kept for shifting, `rax` for the flags, `rbp` for unwinding.
pub(super) const BORROWED: [Register; 12] = [
    Register::RDI,
    Register::RSI,
    Register::RDX,
    Register::RBX,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];

/// What distinguishes one thunk from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// One of [`kind`].
    pub(super) operation: u32,
    pub(super) size: u32,
    /// Must the flags be kept?
    pub(super) flags: bool,
    /// Holds the address.
    pub(super) address: Register,
    /// Holds the length of a range.
    pub(super) length: Register,
    /// A free register, if there is one.
    pub(super) scratch: Register,
    /// Is `rcx` free?
    pub(super) counter: bool,
    /// Where the address probably leads, if no thread writes there.
    pub(super) constants: Option<Constants>,
}

/// Where the slots are that the runtime fills.
#[derive(Clone, Copy)]
pub(super) struct Slots {
    pub(super) tls_offset: u64,
    pub(super) slow: u64,
    pub(super) unnumbered: u64,
}

fn at(address: u64) -> MemoryOperand {
    MemoryOperand::with_base_displ(Register::RIP, address as i64)
}

struct Thunk<'a> {
    asm: &'a mut CodeAssembler,
    key: Key,
    saved: Vec<AsmRegister64>,
}

/// Appends the thunk for `key`.
pub(super) fn assemble(asm: &mut CodeAssembler, key: Key, slots: Slots) -> Result<(), IcedError> {
    let wide = matches!(key.size, 16 | 32 | 64);
    let narrow = matches!(key.size, 1 | 2 | 4 | 8);
    let tested = matches!(key.operation, kind::READ | kind::WRITE) && (wide || narrow);
    let wanted = match (tested, wide) {
        (false, _) => 1,
        (true, false) => 2,
        (true, true) => 4,
    };
    let mut thunk = Thunk {
        asm,
        key,
        saved: Vec::new(),
    };
    let scratch = thunk.begin(wanted)?;
    let mut out = thunk.asm.create_label();
    let mut slow = thunk.asm.create_label();
    let current = scratch[0];
    if let Some(constants) = key.constants
        && tested
        && key.operation == kind::READ
        && key.size <= constants.len
    {
        thunk.leave_if_in(constants, current, out)?;
    }
    let load = Instruction::with2(
        Code::Mov_r64_rm64,
        Register::from(current),
        at(slots.tls_offset),
    )?;
    thunk.asm.add_instruction(load)?;
    thunk.asm.test(current, current)?;
    thunk.asm.je(out)?;
    thunk
        .asm
        .mov(current, ptr(current + tls::CURRENT as i32).fs())?;
    thunk.asm.test(current, current)?;
    if !tested {
        thunk.asm.jne(slow)?;
    } else {
        thunk.asm.je(out)?;
        if wide {
            thunk.wide(&scratch, slow)?;
        } else {
            thunk.narrow(&scratch, slow)?;
        }
    }
    thunk.asm.set_label(&mut out)?;
    thunk.end()?;
    thunk.asm.ret()?;
    thunk.asm.set_label(&mut slow)?;
    thunk.end()?;
    let length = get_gpr64(key.length);
    match length {
        Some(length) => thunk.asm.push(length)?,
        None => {
            let push = Instruction::with1(Code::Push_rm64, at(slots.unnumbered))?;
            thunk.asm.add_instruction(push)?;
        }
    }
    thunk.asm.push(thunk.address())?;
    thunk.asm.push(kind::code(key.operation, key.size) as i32)?;
    let leave = Instruction::with1(Code::Jmp_rm64, at(slots.slow))?;
    thunk.asm.add_instruction(leave)
}

impl Thunk<'_> {
    fn address(&self) -> AsmRegister64 {
        get_gpr64(self.key.address).expect("an address is held by a 64-bit register")
    }

    /// Saves flags if need be and finds `wanted` registers.
    fn begin(&mut self, wanted: usize) -> Result<Vec<AsmRegister64>, IcedError> {
        if self.key.flags {
            self.asm.push(rax)?;
            self.asm.lahf()?;
            self.asm.seto(al)?;
            self.asm.push(rax)?;
        }
        let taken = [self.key.address, self.key.length];
        let mut all = Vec::new();
        for place in 0..wanted {
            let (register, free) = match place {
                0 if self.key.scratch != Register::None => (self.key.scratch, true),
                1 => (Register::RCX, self.key.counter),
                _ => {
                    let mut others = [Register::RAX].into_iter().chain(BORROWED);
                    let unused = |r: &Register| {
                        !taken.contains(r) && !all.contains(r) && *r != self.key.scratch
                    };
                    (others.find(unused).expect("twelve are enough"), false)
                }
            };
            if !free {
                let register = get_gpr64(register).expect("a 64-bit register");
                self.asm.push(register)?;
                self.saved.push(register);
            }
            all.push(register);
        }
        Ok(all.into_iter().filter_map(get_gpr64).collect())
    }

    /// Undoes `begin`.
    fn end(&mut self) -> Result<(), IcedError> {
        for &register in self.saved.iter().rev() {
            self.asm.pop(register)?;
        }
        if self.key.flags {
            self.asm.pop(rax)?;
            self.asm.add(al, 0x7f)?;
            self.asm.sahf()?;
            self.asm.pop(rax)?;
        }
        Ok(())
    }

    fn shift(&self) -> u32 {
        if self.key.operation == kind::WRITE {
            word::WRITTEN_SHIFT
        } else {
            word::ACCESSED_SHIFT
        }
    }

    /// Goes to `out` if the access is to `constants`; changes `scratch`.
    fn leave_if_in(
        &mut self,
        constants: Constants,
        scratch: AsmRegister64,
        out: CodeLabel,
    ) -> Result<(), IcedError> {
        let start = at(constants.start);
        let start = Instruction::with2(Code::Lea_r64_m, Register::from(scratch), start)?;
        let address = self.address();
        self.asm.add_instruction(start)?;
        self.asm.neg(scratch)?;
        self.asm.add(scratch, address)?;
        let last = (constants.len - self.key.size) as i32;
        self.asm.cmp(scratch, last)?;
        self.asm.jbe(out)
    }

    /// `scratch[0]` is the current segment; one granule at most.
    fn narrow(&mut self, scratch: &[AsmRegister64], slow: CodeLabel) -> Result<(), IcedError> {
        let (difference, counter) = (scratch[0], scratch[1]);
        let address = self.address();
        let size = self.key.size;
        let bytes = ((1u32 << size) - 1) << self.shift();
        let asm = &mut *self.asm;
        asm.mov(counter, address)?;
        asm.and(counter, -8)?;
        asm.btc(counter, SHADOW_XOR.trailing_zeros())?;
        asm.neg(difference)?;
        asm.add(difference, qword_ptr(counter + SHADOW_OFFSET as i32))?;
        if size == 8 {
            asm.test(lower(address), 7)?;
            asm.jne(slow)?;
            asm.mov(counter, word::SAME_SEGMENT | u64::from(bytes))?;
            asm.test(difference, counter)?;
            return asm.jne(slow);
        }
        asm.mov(counter, word::SAME_SEGMENT)?;
        asm.test(difference, counter)?;
        asm.jne(slow)?;
        asm.mov(lower(counter), lower(address))?;
        asm.and(lower(counter), 7)?;
        if size > 1 {
            asm.cmp(lower(counter), 8 - size as i32)?;
            asm.ja(slow)?;
        }
        asm.shr(lower(difference), cl)?;
        asm.test(lower(difference), bytes)?;
        asm.jne(slow)
    }

    /// Several whole granules.
    fn wide(&mut self, scratch: &[AsmRegister64], slow: CodeLabel) -> Result<(), IcedError> {
        let &[current, shadow, all, one] = scratch else {
            unreachable!("four registers were asked for")
        };
        let address = self.address();
        let bytes = 0xff << self.shift();
        let granules = self.key.size as i32 / 8;
        let asm = &mut *self.asm;
        asm.test(lower(address), 7)?;
        asm.jne(slow)?;
        asm.mov(shadow, address)?;
        asm.btc(shadow, SHADOW_XOR.trailing_zeros())?;
        asm.mov(all, qword_ptr(shadow + SHADOW_OFFSET as i32))?;
        asm.sub(all, current)?;
        for granule in 1..granules {
            asm.mov(
                one,
                qword_ptr(shadow + (SHADOW_OFFSET as i32 + 8 * granule)),
            )?;
            asm.sub(one, current)?;
            asm.or(all, one)?;
        }
        asm.mov(one, word::SAME_SEGMENT | bytes)?;
        asm.test(all, one)?;
        asm.jne(slow)
    }
}

/// The lower half of a register.
fn lower(register: AsmRegister64) -> AsmRegister32 {
    let half = Register::from(register).full_register32();
    get_gpr32(half).expect("every general register has one")
}
