//! Which registers and flags hold something when an instruction begins.
//!
//! A backward analysis within each function. Every register counts as used
//! where control leaves it. Flags do not survive calls and returns in compiled
//! code; where hand-written code passes them anyway, which shows in a function
//! that reads flags first or a return point that does, they count as used too.

use std::collections::BTreeSet;

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register};

use super::code::{Code, Function, direct_target, ends_flow, is_call};

/// A set of registers (low half) and flags (high half).
pub(super) type Set = u32;
/// Every general register.
pub(super) const REGISTERS: Set = 0xffff;
/// Every arithmetic flag.
pub(super) const FLAGS: Set = 0x3f << 16;

/// The bit of a register; 0 for what is no general register.
pub(super) fn bit(register: Register) -> Set {
    let full = register.full_register();
    if full.is_gpr64() {
        1 << full.number()
    } else {
        0
    }
}

/// Uses and definitions of one instruction.
#[derive(Clone, Copy, Default)]
pub(super) struct Effect {
    used: Set,
    /// Overwritten whatever happens.
    killed: Set,
    /// Perhaps overwritten.
    pub(super) touched: Set,
}

fn effect(factory: &mut InstructionInfoFactory, instruction: &Instruction) -> Effect {
    let mut effect = Effect::default();
    for used in factory.info(instruction).used_registers() {
        let register = used.register();
        let bit = bit(register);
        let whole = register.is_gpr64();
        match used.access() {
            OpAccess::Read | OpAccess::CondRead => effect.used |= bit,
            OpAccess::Write => {
                effect.touched |= bit;
                if whole {
                    effect.killed |= bit;
                } else {
                    effect.used |= bit;
                }
            }
            OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => {
                effect.used |= bit;
                effect.touched |= bit;
            }
            OpAccess::None | OpAccess::NoMemAccess => {}
        }
    }
    let flags = |mask: u32| mask << 16 & FLAGS;
    effect.used |= flags(instruction.rflags_read());
    let changed = flags(instruction.rflags_modified());
    effect.touched |= changed;
    // A count of zero leaves the flags alone.
    let perhaps = instruction.is_string_instruction()
        || matches!(
            instruction.mnemonic(),
            Mnemonic::Shl
                | Mnemonic::Shr
                | Mnemonic::Sar
                | Mnemonic::Rol
                | Mnemonic::Ror
                | Mnemonic::Rcl
                | Mnemonic::Rcr
                | Mnemonic::Shld
                | Mnemonic::Shrd
        );
    if !perhaps {
        effect.killed |= changed;
    }
    effect
}

/// What each instruction of `function` does. It is found anew whenever somebody
/// asks: for a whole file it would take more memory than all else.
pub(super) fn effects(factory: &mut InstructionInfoFactory, function: &Function) -> Vec<Effect> {
    function.code.iter().map(|i| effect(factory, i)).collect()
}

/// What is in use when each instruction of a function begins.
pub(super) type Live = Vec<Set>;

/// Where flags pass between functions.
#[derive(Default, PartialEq)]
struct Passing {
    /// Functions that read flags before they set them.
    entered: BTreeSet<u64>,
    /// Functions whose callers read flags afterwards.
    returned: BTreeSet<u64>,
}

/// Analyses every function; `switches` are the targets of computed jumps.
pub(super) fn analyse(code: &Code, switches: &BTreeSet<u64>) -> Vec<Live> {
    let mut factory = InstructionInfoFactory::new();
    let mut all: Vec<Live> = code
        .functions
        .iter()
        .map(|function| vec![0; function.code.len()])
        .collect();
    let mut passing = Passing::default();
    let mut fresh = None;
    loop {
        for (function, live) in code.functions.iter().zip(&mut all) {
            if fresh.as_ref().is_none_or(|fresh| concerns(fresh, function)) {
                let effects = effects(&mut factory, function);
                solve(function, &effects, live, switches, &passing);
            }
        }
        let next = passes(code, &all, &passing);
        if next == passing {
            return all;
        }
        fresh = Some(Passing {
            entered: &next.entered - &passing.entered,
            returned: &next.returned - &passing.returned,
        });
        passing = next;
    }
}

/// Can what is live in `function` depend on `fresh`?
fn concerns(fresh: &Passing, function: &Function) -> bool {
    let mut targets = function.code.iter().filter_map(direct_target);
    fresh.returned.contains(&function.start)
        || (!fresh.entered.is_empty() && targets.any(|target| fresh.entered.contains(&target)))
}

fn solve(
    function: &Function,
    effects: &[Effect],
    live: &mut [Set],
    switches: &BTreeSet<u64>,
    passing: &Passing,
) {
    let targets: Vec<Option<usize>> = function
        .code
        .iter()
        .map(|i| direct_target(i).and_then(|target| function.index(target)))
        .collect();
    let switch: Vec<usize> = switches
        .range(function.start..function.end)
        .filter_map(|&target| function.index(target))
        .collect();
    loop {
        let mut changed = false;
        for index in (0..function.code.len()).rev() {
            let instruction = &function.code[index];
            let effect = effects[index];
            let mut after = 0;
            if is_call(instruction) {
                after = REGISTERS;
                if direct_target(instruction).is_some_and(|t| passing.entered.contains(&t)) {
                    after |= FLAGS;
                }
            } else {
                if let Some(target) = direct_target(instruction) {
                    after |= match targets[index] {
                        Some(index) => live[index],
                        None if passing.entered.contains(&target) => REGISTERS | FLAGS,
                        None => REGISTERS,
                    };
                }
                match instruction.flow_control() {
                    FlowControl::Return => {
                        after = REGISTERS;
                        if passing.returned.contains(&function.start) {
                            after |= FLAGS;
                        }
                    }
                    FlowControl::IndirectBranch => {
                        after = REGISTERS;
                        for &index in &switch {
                            after |= live[index];
                        }
                    }
                    _ => {}
                }
                if !ends_flow(instruction) {
                    after |= live.get(index + 1).copied().unwrap_or(REGISTERS);
                }
            }
            let before = after & !effect.killed | effect.used;
            let before = if is_call(instruction) {
                after | effect.used
            } else {
                before
            };
            changed |= live[index] != before;
            live[index] = before;
        }
        if !changed {
            return;
        }
    }
}

fn passes(code: &Code, all: &[Live], known: &Passing) -> Passing {
    let mut passing = Passing::default();
    passing.returned.extend(&known.returned);
    passing.entered.extend(&known.entered);
    for (function, live) in code.functions.iter().zip(all) {
        if live.first().is_some_and(|set| set & FLAGS != 0) {
            passing.entered.insert(function.start);
        }
        let returns = passing.returned.contains(&function.start);
        for (index, instruction) in function.code.iter().enumerate() {
            let Some(target) = direct_target(instruction) else {
                continue;
            };
            let after = live.get(index + 1).copied().unwrap_or(0);
            let read = is_call(instruction) && after & FLAGS != 0;
            let handed_on = returns && !is_call(instruction) && function.index(target).is_none();
            if (read || handed_on)
                && let Some(callee) = code.function_at(target)
            {
                passing.returned.insert(code.functions[callee].start);
            }
        }
    }
    passing
}
