//! Targets of switches.
//!
//! A switch is compiled to a table of 32-bit distances from the table's own
//! address. Every address of constant data that a function takes is tried as
//! such a table: entries count as long as they lead to instructions of the
//! function or of one it is joined to by jumps. Too many targets do no harm;
//! a function with a switch and no table at all is left alone.

use std::collections::BTreeSet;

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::code::{Code, Reason, direct_target, is_call, taken_address};
use super::image::Image;

/// Instructions before a computed jump in which its table is read.
const WINDOW: usize = 24;

/// Finds the targets of all switches and marks functions whose switches cannot
/// be resolved.
pub(super) fn resolve(image: &Image, code: &mut Code) -> BTreeSet<u64> {
    let bases: BTreeSet<u64> = code
        .functions
        .iter()
        .flat_map(|f| f.code.iter().filter_map(taken_address))
        .collect();
    let joined = joined(code);
    let mut targets = BTreeSet::new();
    for (index, group) in joined.iter().enumerate() {
        let function = &code.functions[index];
        if function.computed_jumps().next().is_none() {
            continue;
        }
        let mut found = false;
        for base in group
            .iter()
            .flat_map(|&member| code.functions[member].code.iter().filter_map(taken_address))
        {
            found |= entries(image, code, group, base, &bases, &mut targets);
        }
        let switch = function
            .computed_jumps()
            .any(|jump| is_switch(&function.code, jump));
        if switch && !found {
            let function = &mut code.functions[index];
            function.skipped.get_or_insert(Reason::UnknownJump);
        }
    }
    targets
}

/// For each function, itself and those that jump to it or that it jumps to.
fn joined(code: &Code) -> Vec<BTreeSet<usize>> {
    let mut joined: Vec<BTreeSet<usize>> = (0..code.functions.len())
        .map(|i| BTreeSet::from([i]))
        .collect();
    for (index, function) in code.functions.iter().enumerate() {
        let jumps = function.code.iter().filter(|i| !is_call(i));
        for target in jumps.filter_map(direct_target) {
            match code.function_at(target) {
                Some(other) if other != index => {
                    joined[index].insert(other);
                    joined[other].insert(index);
                }
                _ => {}
            }
        }
    }
    joined
}

fn entries(
    image: &Image,
    code: &Code,
    group: &BTreeSet<usize>,
    base: u64,
    bases: &BTreeSet<u64>,
    targets: &mut BTreeSet<u64>,
) -> bool {
    let limit = bases.range(base + 1..).next().copied().unwrap_or(u64::MAX);
    let mut at = base;
    while at < limit {
        let Some(distance) = image.i32_at(at) else {
            break;
        };
        let target = base.wrapping_add(distance as u64);
        let home = code.function_at(target).filter(|f| group.contains(f));
        if home.is_none_or(|f| code.functions[f].index(target).is_none()) {
            break;
        }
        targets.insert(target);
        at += 4;
    }
    at > base
}

/// Does the jump at `index` go through a table of distances?
fn is_switch(code: &[Instruction], index: usize) -> bool {
    let jump = &code[index];
    if jump.op0_kind() != OpKind::Register {
        return false;
    }
    let before = code[index.saturating_sub(WINDOW)..index].iter().rev();
    before.take_while(|i| !is_call(i)).any(|i| {
        let table = i.memory_index() != Register::None && i.memory_index_scale() == 4;
        table
            && (i.mnemonic() == Mnemonic::Movsxd
                || (i.mnemonic() == Mnemonic::Mov && i.op1_kind() == OpKind::Memory))
    })
}
