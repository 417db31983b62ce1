//! What an instruction does to memory.
//!
//! Left alone: stack slots (addressed through `rsp`, or `rbp` where it is the
//! frame pointer), thread-local storage through `fs` and `gs`, memory that only
//! the loader writes, and instructions that only name an address.

use iced_x86::{
    EncodingKind, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
    UsedMemory,
};
use racert_abi::rewritten::vectors;

use super::code::{Function, Reason};
use super::image::Image;
use super::liveness::{self, Set};

/// An address as an instruction computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) base: Register,
    pub(super) index: Register,
    pub(super) scale: u32,
    /// Absolute if the base is `rip`.
    pub(super) displacement: i64,
}

impl Operand {
    /// The registers that it is computed from.
    pub(super) fn registers(&self) -> Set {
        liveness::bit(self.base) | liveness::bit(self.index)
    }

    /// Do `size` bytes here hold `bytes` at `other`?
    fn holds(&self, size: u32, other: &Operand, bytes: u32) -> bool {
        let alike = (self.base, self.index, self.scale) == (other.base, other.index, other.scale);
        let before = other.displacement.wrapping_sub(self.displacement);
        alike && before >= 0 && before as u64 + u64::from(bytes) <= u64::from(size)
    }
}

/// What is done there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// One read or write of so many bytes.
    Plain { write: bool, size: u32 },
    /// `rcx` elements of so many bytes.
    Repeated { write: bool, size: u32 },
    /// A locked instruction.
    Atomic { size: u32 },
    /// One write of so many bytes that publishes what came before.
    Release { size: u32 },
    /// A full fence.
    Fence,
}

/// One access to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) operand: Operand,
    pub(super) what: What,
}

impl Access {
    /// Does its check settle that of `other`, with nothing between that
    /// synchronises or changes the registers of the operand?
    pub(super) fn settles(&self, other: &Access) -> bool {
        match (self.what, other.what) {
            (
                What::Plain { write, size },
                What::Plain {
                    write: writes,
                    size: bytes,
                },
            ) => self.operand.holds(size, &other.operand, bytes) && (write || !writes),
            _ => false,
        }
    }
}

/// The memory side of one instruction.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    pub(super) checks: Vec<Access>,
    /// Accesses that cannot race.
    pub(super) constant: u32,
    /// Accesses that cannot be checked.
    pub(super) skipped: Option<Reason>,
}

impl Touched {
    /// Is there a non-stack access at all?
    pub(super) fn any(&self) -> bool {
        !self.checks.is_empty() || self.constant > 0 || self.skipped.is_some()
    }
}

/// Is `rbp` the frame pointer throughout?
fn has_frame_pointer(function: &Function) -> bool {
    let mut set = false;
    for instruction in &function.code {
        if instruction.mnemonic() == Mnemonic::Mov
            && instruction.op0_register() == Register::RBP
            && instruction.op1_register() == Register::RSP
        {
            set = true;
        } else if instruction.op_count() > 0
            && instruction.op0_register().full_register() == Register::RBP
            && !matches!(
                instruction.mnemonic(),
                Mnemonic::Push | Mnemonic::Pop | Mnemonic::Cmp | Mnemonic::Test
            )
        {
            return false;
        }
    }
    set
}

/// Classifies instructions.
pub(super) struct Classifier<'a> {
    image: &'a Image,
    factory: InstructionInfoFactory,
}

impl<'a> Classifier<'a> {
    /// A classifier for the code of `image`.
    pub(super) fn new(image: &'a Image) -> Self {
        Classifier {
            image,
            factory: InstructionInfoFactory::new(),
        }
    }

    /// What each instruction of `function` touches.
    pub(super) fn function(&mut self, function: &Function) -> Vec<Touched> {
        let framed = has_frame_pointer(function);
        let code = function.code.iter();
        let mut touched: Vec<_> = code.map(|i| self.classify(i, framed)).collect();
        mark_stores_before_fences(&function.code, &mut touched);
        touched
    }

    /// What `instruction` touches; `framed` if `rbp` is the frame pointer.
    fn classify(&mut self, instruction: &Instruction, framed: bool) -> Touched {
        let mut touched = Touched::default();
        if is_fence(instruction) {
            touched.checks.push(FENCE);
            return touched;
        }
        let info = self.factory.info(instruction);
        let exchange = instruction.mnemonic() == Mnemonic::Xchg;
        let locked = instruction.has_lock_prefix() || exchange;
        let repeated = instruction.is_string_instruction()
            && (instruction.has_rep_prefix() || instruction.has_repne_prefix());
        for memory in info.used_memory() {
            let write = match memory.access() {
                OpAccess::Read | OpAccess::CondRead => false,
                OpAccess::Write
                | OpAccess::CondWrite
                | OpAccess::ReadWrite
                | OpAccess::ReadCondWrite => true,
                OpAccess::None | OpAccess::NoMemAccess => continue,
            };
            if matches!(memory.segment(), Register::FS | Register::GS) {
                continue;
            }
            let on_stack =
                memory.base() == Register::RSP || (framed && memory.base() == Register::RBP);
            if on_stack && !(locked && instruction.op_count() > 0) {
                continue;
            }
            let operand = operand(instruction, memory);
            if operand.base == Register::RIP
                && !write
                && self.image.is_constant(operand.displacement as u64)
            {
                touched.constant += 1;
                continue;
            }
            match what(instruction, memory, write, locked, repeated) {
                Ok(what) => touched.checks.push(Access { operand, what }),
                Err(reason) => touched.skipped = Some(reason),
            }
        }
        touched
    }
}

/// What the check of a fence is given; nobody looks at the address.
const FENCE: Access = Access {
    operand: Operand {
        base: Register::RSP,
        index: Register::None,
        scale: 1,
        displacement: 0,
    },
    what: What::Fence,
};

/// Does it order everything before and after it, and nothing else? Compilers
/// write `mfence`, or a locked instruction that leaves the stack as it is.
pub(super) fn is_fence(instruction: &Instruction) -> bool {
    let idle = instruction.has_lock_prefix()
        && instruction.memory_base() == Register::RSP
        && instruction.op_count() == 2
        && instruction.try_immediate(1).is_ok_and(|value| value == 0)
        && matches!(
            instruction.mnemonic(),
            Mnemonic::Or | Mnemonic::Add | Mnemonic::Sub | Mnemonic::Xor
        );
    idle || instruction.mnemonic() == Mnemonic::Mfence
}

/// May another thread see or be seen at this instruction?
pub(super) fn synchronises(instruction: &Instruction) -> bool {
    matches!(
        instruction.mnemonic(),
        Mnemonic::Syscall
            | Mnemonic::Mfence
            | Mnemonic::Lfence
            | Mnemonic::Sfence
            | Mnemonic::Xbegin
            | Mnemonic::Xend
    )
}

/// Stores right before a fence are atomic ones: that is how the strongest kind
/// of store is compiled where it is not an exchange.
fn mark_stores_before_fences(code: &[Instruction], touched: &mut [Touched]) {
    for index in 1..code.len() {
        if !is_fence(&code[index]) || code[index - 1].mnemonic() != Mnemonic::Mov {
            continue;
        }
        for access in &mut touched[index - 1].checks {
            if let What::Plain { write: true, size } = access.what
                && size <= 8
            {
                access.what = What::Release { size };
            }
        }
    }
}

/// How much of the vector registers code uses, as in
/// [`racert_abi::rewritten::vectors`]; odd code counts as all.
pub(super) fn vectors(instruction: &Instruction) -> u64 {
    match instruction.encoding() {
        _ if instruction.mnemonic() == Mnemonic::Std => vectors::ALL,
        EncodingKind::Legacy => vectors::SSE,
        EncodingKind::VEX if !uses_mask(instruction) => vectors::AVX,
        _ => vectors::ALL,
    }
}

fn uses_mask(instruction: &Instruction) -> bool {
    instruction
        .op_kinds()
        .enumerate()
        .any(|(at, kind)| kind == OpKind::Register && instruction.op_register(at as u32).is_k())
}

fn operand(instruction: &Instruction, memory: &UsedMemory) -> Operand {
    let relative = matches!(memory.base(), Register::RIP | Register::EIP)
        || (memory.base() == Register::None
            && memory.index() == Register::None
            && instruction.is_ip_rel_memory_operand());
    if relative {
        return Operand {
            base: Register::RIP,
            index: Register::None,
            scale: 1,
            displacement: instruction.ip_rel_memory_address() as i64,
        };
    }
    Operand {
        base: memory.base(),
        index: memory.index(),
        scale: memory.scale(),
        displacement: memory.displacement() as i64,
    }
}

fn what(
    instruction: &Instruction,
    memory: &UsedMemory,
    write: bool,
    locked: bool,
    repeated: bool,
) -> Result<What, Reason> {
    let masked = instruction.has_op_mask()
        || matches!(
            instruction.mnemonic(),
            Mnemonic::Maskmovdqu
                | Mnemonic::Vmaskmovdqu
                | Mnemonic::Maskmovq
                | Mnemonic::Vmaskmovps
                | Mnemonic::Vmaskmovpd
                | Mnemonic::Vpmaskmovd
                | Mnemonic::Vpmaskmovq
        );
    if masked || memory.index().is_vector_register() {
        return Err(Reason::Vector);
    }
    let size = memory.memory_size().size() as u32;
    if size == 0 || size > 1024 {
        return Err(Reason::UnknownSize);
    }
    if repeated {
        return match instruction.mnemonic() {
            Mnemonic::Movsb
            | Mnemonic::Movsw
            | Mnemonic::Movsd
            | Mnemonic::Movsq
            | Mnemonic::Stosb
            | Mnemonic::Stosw
            | Mnemonic::Stosd
            | Mnemonic::Stosq => Ok(What::Repeated { write, size }),
            _ => Err(Reason::UnknownSize),
        };
    }
    if locked && size <= 16 {
        return Ok(What::Atomic { size });
    }
    Ok(What::Plain { write, size })
}
