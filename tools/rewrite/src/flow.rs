//! Which original addresses control can come to.
//!
//! An address of a moved function that can be reached from outside of the
//! moved code, a *leader*, gets a jump to its moved twin. Missing one means
//! that dead code runs; one too many costs nothing but room.

use std::collections::BTreeSet;

use iced_x86::Register;

use super::code::{Code, Reason, direct_target, is_call, taken_address};
use super::emit::is_short_only;
use super::image::Image;

/// Marks functions that contain or may contain data, or are entered in ways
/// that cannot be followed.
pub(super) fn reject_odd(image: &Image, code: &mut Code) {
    let mut odd: Vec<(u64, Reason)> = Vec::new();
    let functions = code.functions.iter().flat_map(|f| &f.code);
    // What is between functions may be data that only looks like branches.
    odd.extend(
        functions
            .clone()
            .filter_map(direct_target)
            .map(|target| (target, Reason::OddBranch)),
    );
    for instruction in functions.chain(&code.loose) {
        if let Some(address) = taken_address(instruction) {
            odd.push((address, Reason::DataInside));
        } else if instruction.memory_base() == Register::RIP {
            odd.push((instruction.ip_rel_memory_address(), Reason::DataInside));
        }
    }
    let named = image.symbols.iter().map(|symbol| symbol.address);
    let pointed = named.chain(image.pointers.iter().copied());
    odd.extend(pointed.map(|address| (address, Reason::OddBranch)));
    for (address, reason) in odd {
        let Some(index) = code.function_at(address) else {
            continue;
        };
        let function = &mut code.functions[index];
        let fine = match reason {
            Reason::DataInside => address == function.start,
            _ => function.index(address).is_some(),
        };
        if !fine {
            function.skipped.get_or_insert(reason);
        }
    }
    for &resolver in &image.resolvers {
        if let Some(index) = code.function_at(resolver) {
            code.functions[index]
                .skipped
                .get_or_insert(Reason::Resolver);
        }
    }
}

/// The leaders of all functions for which `moved` holds.
pub(super) fn leaders(
    image: &Image,
    code: &Code,
    switches: &BTreeSet<u64>,
    moved: &[bool],
) -> BTreeSet<u64> {
    let mut leaders = BTreeSet::new();
    for (function, moved) in code.functions.iter().zip(moved) {
        if *moved {
            leaders.insert(function.start);
            leaders.extend(&function.landing_pads);
            let calls = function.code.iter().filter(|i| is_call(i));
            leaders.extend(calls.map(|call| call.next_ip()));
            // These reach another function only by its original.
            let inside = function.start..function.end;
            let short = function.code.iter().filter(|i| is_short_only(i));
            let targets = short.filter_map(direct_target);
            leaders.extend(targets.filter(|target| !inside.contains(target)));
        } else {
            leaders.extend(function.code.iter().filter_map(direct_target));
        }
    }
    leaders.extend(code.loose.iter().filter_map(direct_target));
    leaders.extend(switches);
    leaders.extend(&image.pointers);
    leaders.extend(image.symbols.iter().map(|symbol| symbol.address));
    leaders.insert(image.entry);
    leaders.retain(|&address| {
        let home = code.function_at(address);
        home.is_some_and(|f| moved[f] && code.functions[f].index(address).is_some())
    });
    leaders
}
