//! The moved code.
//!
//! Every instruction of a moved function is emitted again, behind the checks
//! of what it touches; a call becomes a jump to the original call. Moved
//! instructions have addresses far from any real one until the encoder places
//! them, so that branches among them and pointers to the originals cannot be
//! confused.
//!
//! The encoder needs much memory for each instruction, so it gets one function
//! at a time. What leads to another function, or to a thunk, is filled in when
//! all of them have their places.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::code_asm::CodeAssembler;
use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code as Opcode, IcedError, Instruction, InstructionBlock,
    MemoryOperand, Register,
};
use racert_abi::rewritten::{SITE, SITE_LEN, depth, frame, kind};

use super::access::{Access, Operand, Touched, What, is_fence, synchronises};
use super::code::{Code, Function, direct_target, ends_flow, is_call};
use super::constants::{Constants, Tracker};
use super::entry::{self, Rows};
use super::image::Image;
use super::liveness::{self, Effect, FLAGS, Set};
use super::thunk::{self, BORROWED, Key, Slots};

/// Distance from an original address to the name of its moved twin.
const TWIN: u64 = 1 << 52;
/// Names of instructions that nothing refers to.
const NAMELESS: u64 = 1 << 53;
/// What a leaf function may use below the stack pointer.
const RED_ZONE: i64 = 128;
/// Stands for a distance that is not known yet; needs four bytes.
const UNKNOWN: i64 = 0x1000_0000;

/// Code for the new segment.
pub(super) struct Emitted {
    pub(super) bytes: Vec<u8>,
    moved: Moved,
}

impl Emitted {
    /// The moved address of the instruction at `original`.
    pub(super) fn moved(&self, original: u64) -> Option<u64> {
        self.moved.get(original)
    }
}

/// From original to moved addresses: distances from the first function and from
/// the start of the moved code, in order.
struct Moved {
    first: u64,
    base: u64,
    pairs: Vec<(u32, u32)>,
}

impl Moved {
    fn get(&self, original: u64) -> Option<u64> {
        let distance = u32::try_from(original.checked_sub(self.first)?).ok()?;
        let at = self.pairs.binary_search_by_key(&distance, |pair| pair.0);
        at.ok().map(|at| self.base + u64::from(self.pairs[at].1))
    }
}

/// Builds the moved code of a whole file.
pub(super) struct Emitter<'a> {
    image: &'a Image,
    code: &'a Code,
    moved: &'a [bool],
    rows: Rows<'a>,
    /// Where the code will be.
    base: u64,
    bytes: Vec<u8>,
    addresses: Moved,
    /// Where the distance to another function's twin is missing.
    jumps: Vec<(u32, u64)>,
    /// Where the distance to a thunk is missing, and its number.
    thunks: Vec<(u32, u32)>,
    /// The numbers of the thunks.
    numbers: BTreeMap<Thunk, u32>,
    function: Pending,
    /// The next instruction is the twin of this one.
    twin: Option<u64>,
}

/// What moved code calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thunk {
    Check(Key),
    Entry(entry::Key),
}

/// What is behind the call of a check.
struct Site {
    /// End of the original instruction.
    end: u64,
    prefix: u8,
    frame: u8,
}

/// The function being emitted; places are indices into `out`.
#[derive(Default)]
struct Pending {
    out: Vec<Instruction>,
    starts: Vec<(u64, usize)>,
    jumps: Vec<(usize, u64)>,
    calls: Vec<(usize, Thunk)>,
    sites: Vec<(usize, Site)>,
    /// It makes itself known when it is entered.
    is_known: bool,
}

/// What the checks around one instruction may use.
#[derive(Clone, Copy)]
struct Place {
    live: Set,
    red_zone: bool,
    /// End of the original instruction.
    site: u64,
    /// Where the access probably leads, if no thread writes there.
    constants: Option<Constants>,
}

impl<'a> Emitter<'a> {
    /// An emitter for the functions for which `moved` holds, in order, into a
    /// segment at `base`.
    pub(super) fn new(
        image: &'a Image,
        code: &'a Code,
        moved: &'a [bool],
        rows: Rows<'a>,
        base: u64,
    ) -> Self {
        Emitter {
            image,
            code,
            moved,
            rows,
            base,
            bytes: Vec::new(),
            addresses: Moved {
                first: code.functions.first().map_or(0, |function| function.start),
                base,
                pairs: Vec::new(),
            },
            jumps: Vec::new(),
            thunks: Vec::new(),
            numbers: BTreeMap::new(),
            function: Pending::default(),
            twin: None,
        }
    }

    fn push(&mut self, mut instruction: Instruction) {
        let name = match self.twin.take() {
            Some(address) => {
                let place = self.function.out.len();
                self.function.starts.push((address, place));
                TWIN + address
            }
            None => NAMELESS + self.function.out.len() as u64,
        };
        instruction.set_ip(name);
        self.function.out.push(instruction);
    }

    /// Is `target` in a function that moves?
    fn moves(&self, target: u64) -> bool {
        let home = self.code.function_at(target);
        home.is_some_and(|f| self.moved[f] && self.code.functions[f].index(target).is_some())
    }

    /// A branch of `function` to `target`: within it to the twin; elsewhere to
    /// the original, which is far away, until the distance is filled in.
    fn branch(&mut self, function: &Function, mut instruction: Instruction, target: u64) {
        let inside = (function.start..function.end).contains(&target);
        if inside && self.moves(target) {
            instruction.set_near_branch64(TWIN + target);
        } else {
            instruction.set_near_branch64(target);
            if self.moves(target) && !is_short_only(&instruction) {
                self.function.jumps.push((self.function.out.len(), target));
            }
        }
        self.push(instruction);
    }

    /// Emits one function.
    pub(super) fn function(
        &mut self,
        function: &Function,
        touched: &[Touched],
        live: &[Set],
        effects: &[Effect],
        leaders: &BTreeSet<u64>,
    ) -> Result<(), IcedError> {
        let red_zone = may_use_red_zone(function);
        let targets: BTreeSet<u64> = function.code.iter().filter_map(direct_target).collect();
        let mut checked: Vec<Access> = Vec::new();
        let entry = self.rows.entry(function, live);
        let mut tracker = Tracker::new(self.image);
        self.function.is_known = entry.is_some();
        for (index, instruction) in function.code.iter().enumerate() {
            let (ip, next) = (instruction.ip(), instruction.next_ip());
            self.twin = Some(ip);
            if targets.contains(&ip) || leaders.contains(&ip) {
                checked.clear();
            }
            let place = Place {
                live: live[index],
                red_zone,
                site: next,
                constants: None,
            };
            if entry == Some(index) {
                self.call(Thunk::Entry(entry::Key::new(place.live)), next)?;
            }
            let accesses = &touched[index].checks;
            for &access in accesses {
                if !checked.iter().any(|known| known.settles(&access)) {
                    let constants = tracker.probable(&access);
                    let place = Place { constants, ..place };
                    self.check(access, place, kind::ATOMIC_BEGIN)?;
                    checked.push(access);
                }
            }
            self.original(function, instruction)?;
            let locked = accesses
                .iter()
                .find(|a| matches!(a.what, What::Atomic { .. }));
            if let Some(&access) = locked
                && access.operand.registers() & effects[index].touched == 0
            {
                let live = live.get(index + 1).copied().unwrap_or(!0);
                self.check(access, Place { live, ..place }, kind::ATOMIC_END)?;
            }
            let fence = is_fence(instruction);
            if locked.is_some() || fence || is_call(instruction) || synchronises(instruction) {
                checked.clear();
            }
            let changed = effects[index].touched;
            tracker.step(instruction, changed);
            checked.retain(|known| known.operand.registers() & changed == 0);
        }
        if let Some(last) = function.code.last().filter(|last| !ends_flow(last)) {
            let target = last.next_ip();
            let jump = Instruction::with_branch(Opcode::Jmp_rel32_64, target)?;
            self.branch(function, jump, target);
        }
        self.encode()
    }

    /// Encodes the function at hand.
    fn encode(&mut self) -> Result<(), IcedError> {
        let function = std::mem::take(&mut self.function);
        let start = self.bytes.len();
        let block = InstructionBlock::new(&function.out, self.base + start as u64);
        let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
        let encoded = BlockEncoder::encode(64, block, options)?;
        self.bytes.extend_from_slice(&encoded.code_buffer);
        let offset = |index: usize| match encoded.new_instruction_offsets.get(index) {
            Some(&offset) => start + offset as usize,
            None => start + encoded.code_buffer.len(),
        };
        for (index, site) in &function.sites {
            let at = offset(*index);
            let distance = site.end.wrapping_sub(self.base + at as u64) as u32;
            let behind = &mut self.bytes[at..at + SITE_LEN];
            debug_assert_eq!(behind[1..4], SITE);
            (behind[0], behind[4]) = (site.prefix, site.frame);
            behind[5..].copy_from_slice(&distance.to_le_bytes());
        }
        // The distance is the end of the instruction.
        let end = |index: usize| offset(index + 1) - 4;
        let jumps = function.jumps.iter();
        self.jumps
            .extend(jumps.map(|&(index, target)| (end(index) as u32, target)));
        for &(index, thunk) in &function.calls {
            let next = self.numbers.len() as u32;
            let number = *self.numbers.entry(thunk).or_insert(next);
            self.thunks.push((end(index) as u32, number));
        }
        let first = self.addresses.first;
        let starts = function.starts.iter();
        let moved =
            starts.map(|&(address, index)| ((address - first) as u32, offset(index) as u32));
        self.addresses.pairs.extend(moved);
        Ok(())
    }

    /// The instruction itself, or what leads to it.
    fn original(
        &mut self,
        function: &Function,
        instruction: &Instruction,
    ) -> Result<(), IcedError> {
        if is_call(instruction) {
            let jump = Instruction::with_branch(Opcode::Jmp_rel32_64, instruction.ip())?;
            self.push(jump);
            return Ok(());
        }
        match direct_target(instruction) {
            Some(target) => {
                // The encoder makes several instructions of these; a twin needs
                // a single address.
                if is_short_only(instruction) {
                    self.push(Instruction::with(Opcode::Nopd));
                }
                self.branch(function, *instruction, target);
            }
            None => self.push(*instruction),
        }
        Ok(())
    }

    fn check(&mut self, access: Access, place: Place, atomic: u32) -> Result<(), IcedError> {
        let (operation, size, repeated) = match access.what {
            What::Plain { write: false, size } => (kind::READ, size, false),
            What::Plain { write: true, size } => (kind::WRITE, size, false),
            What::Repeated { write: false, size } => (kind::READ_RANGE, size, true),
            What::Repeated { write: true, size } => (kind::WRITE_RANGE, size, true),
            What::Atomic { size } => (atomic, size, false),
            What::Release { size } => (kind::RELEASE, size, false),
            What::Fence => (kind::FENCE, 0, false),
        };
        let mut shift = 0;
        if place.red_zone {
            shift += RED_ZONE;
            self.move_stack(-RED_ZONE)?;
        }
        let busy = access.operand.registers() | place.live;
        let mut taken = 0;
        let mut borrowed = Vec::new();
        let mut borrow = |emitter: &mut Self, avoid: Set| -> Result<Register, IcedError> {
            let usable = |r: &&Register| liveness::bit(**r) & (avoid | taken) == 0;
            let free = BORROWED
                .iter()
                .filter(usable)
                .find(|r| liveness::bit(**r) & busy == 0);
            let register = match free {
                Some(&register) => register,
                None => {
                    let register = *BORROWED.iter().find(usable).expect("twelve are enough");
                    emitter.push(Instruction::with1(Opcode::Push_r64, register)?);
                    borrowed.push(register);
                    register
                }
            };
            taken |= liveness::bit(register);
            Ok(register)
        };
        let fixed = if repeated {
            access.operand.registers() | liveness::bit(Register::RCX)
        } else {
            0
        };
        let length = if repeated {
            borrow(self, fixed)?
        } else {
            Register::None
        };
        let address = borrow(self, fixed)?;
        shift += 8 * borrowed.len() as i64;
        if repeated {
            let bytes = Operand {
                base: Register::None,
                index: Register::RCX,
                scale: size,
                displacement: 0,
            };
            self.address(length, bytes, 0)?;
        }
        self.address(address, access.operand, shift)?;
        let flags = place.live & FLAGS != 0;
        let is_free = |r: Register| liveness::bit(r) & (busy | taken) == 0;
        let mut spare = [Register::RAX].into_iter().chain(BORROWED);
        let key = Key {
            operation,
            size: if repeated { 0 } else { size },
            flags,
            address,
            length,
            scratch: spare
                .find(|&r| is_free(r) && !(flags && r == Register::RAX))
                .unwrap_or(Register::None),
            counter: is_free(Register::RCX),
            constants: place.constants,
        };
        self.call(Thunk::Check(key), place.site)?;
        self.site(place, borrowed.len())?;
        for &register in borrowed.iter().rev() {
            self.push(Instruction::with1(Opcode::Pop_r64, register)?);
        }
        if place.red_zone {
            self.move_stack(RED_ZONE)?;
        }
        Ok(())
    }

    /// Calls a thunk; `far` is anything too far away for a shorter form.
    fn call(&mut self, thunk: Thunk, far: u64) -> Result<(), IcedError> {
        self.function.calls.push((self.function.out.len(), thunk));
        self.push(Instruction::with_branch(Opcode::Call_rel32_64, far)?);
        Ok(())
    }

    /// What tells the runtime about the check just called.
    fn site(&mut self, place: Place, pushed: usize) -> Result<(), IcedError> {
        let prefix = depth::prefix(place.red_zone, pushed);
        let site = Site {
            end: place.site,
            prefix,
            frame: if self.function.is_known {
                self.rows.frame(place.site, depth::bytes(prefix))
            } else {
                frame::UNKNOWN
            },
        };
        self.function.sites.push((self.function.out.len(), site));
        let (base, prefixed) = (Register::RAX, Register::FS);
        let filled = MemoryOperand::new(base, base, 1, UNKNOWN, 8, false, prefixed);
        self.push(Instruction::with1(Opcode::Nop_rm32, filled)?);
        Ok(())
    }

    fn move_stack(&mut self, by: i64) -> Result<(), IcedError> {
        let target = MemoryOperand::with_base_displ(Register::RSP, by);
        self.push(Instruction::with2(
            Opcode::Lea_r64_m,
            Register::RSP,
            target,
        )?);
        Ok(())
    }

    /// Loads the address of `operand` while the stack is `shift` bytes deeper.
    fn address(&mut self, to: Register, operand: Operand, shift: i64) -> Result<(), IcedError> {
        let mut displacement = operand.displacement;
        if operand.base == Register::RSP {
            displacement += shift;
        }
        if operand.base == to && operand.index == Register::None && displacement == 0 {
            return Ok(());
        }
        let memory = MemoryOperand::new(
            operand.base,
            operand.index,
            operand.scale,
            displacement,
            if displacement == 0 && operand.base != Register::None {
                0
            } else {
                1
            },
            false,
            Register::None,
        );
        self.push(Instruction::with2(Opcode::Lea_r64_m, to, memory)?);
        Ok(())
    }

    /// Appends the thunks and fills in what was missing.
    pub(super) fn finish(mut self, slots: Slots) -> Result<Emitted, IcedError> {
        self.bytes
            .resize(self.bytes.len().next_multiple_of(64), 0xcc);
        let start = self.base + self.bytes.len() as u64;
        let mut places = vec![0; self.numbers.len()];
        let mut thunks = Vec::new();
        // One at a time: the assembler needs much memory, too.
        for (key, number) in self.numbers {
            let mut asm = CodeAssembler::new(64)?;
            match key {
                Thunk::Check(key) => thunk::assemble(&mut asm, key, slots)?,
                Thunk::Entry(key) => entry::assemble(&mut asm, key, slots)?,
            }
            let place = start + thunks.len() as u64;
            thunks.extend(asm.assemble(place)?);
            places[number as usize] = place;
        }
        let calls = self.thunks.iter();
        let calls = calls.map(|&(at, number)| (at, places[number as usize]));
        let addresses = &self.addresses;
        let jumps = self.jumps.iter();
        let jumps = jumps.filter_map(|&(at, to)| Some((at, addresses.get(to)?)));
        for (at, to) in calls.chain(jumps) {
            let at = at as usize;
            let distance = to.wrapping_sub(self.base + at as u64 + 4) as u32;
            self.bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        self.bytes.extend(thunks);
        Ok(Emitted {
            bytes: self.bytes,
            moved: self.addresses,
        })
    }
}

/// Has the instruction no form that leads far away?
pub(super) fn is_short_only(instruction: &Instruction) -> bool {
    instruction.is_jcx_short() || instruction.is_loop() || instruction.is_loopcc()
}

/// Compilers leave data below the stack pointer only in functions without
/// calls; hand-written code shows it.
fn may_use_red_zone(function: &Function) -> bool {
    let below = |i: &Instruction| {
        i.memory_base() == Register::RSP && (i.memory_displacement64() as i64) < 0
    };
    !function.code.iter().any(is_call) || function.code.iter().any(below)
}
