//! What to change, where the kind makes it clear.

use super::explain::short_source;
use super::frames::{Resolved, culprit};
use super::kind::{is_atomic, noun};
use super::names::Names;
use crate::finding::{Finding, Kind, Operation, Place};
use crate::symbol::{Data, Variable};
use alloc::format;
use alloc::string::{String, ToString};

/// What to do to a flag.
fn flag(resolved: &Resolved, verb: &str, what: &str) -> String {
    let name = variable(resolved).map_or("it".to_string(), |v| format!("'{}'", v.name));
    let with = if what.is_empty() {
        "with "
    } else {
        "access it with "
    };
    format!(
        "{verb} {name} {what}{with}memory_order_release where it is set and memory_order_acquire \
         in the loop, or wait on a condition variable"
    )
}

/// One sentence without a full stop.
pub(super) fn of(finding: &Finding, resolved: &Resolved, names: &Names<'_>) -> Option<String> {
    let [first, second] = &finding.accesses;
    if finding.kind == Kind::DataRace && second.operation == Operation::Allocate {
        return Some(
            "hand the pointer over under a lock, or store it with release and load it with \
             acquire order"
                .to_string(),
        );
    }
    if matches!(finding.kind, Kind::UseAfterFreeRace | Kind::UseAfterFree) {
        let user = [first, second]
            .into_iter()
            .find(|access| access.operation != Operation::Free)?;
        let user = names.in_a_sentence(user.thread);
        return Some(format!(
            "free the block only when {user} is done with it: join that thread first, or share \
             ownership of the block"
        ));
    }
    match finding.kind {
        Kind::AdHocSync => return Some(flag(resolved, "make", "std::atomic or _Atomic and ")),
        Kind::RelaxedSync => return Some(flag(resolved, "access", "")),
        Kind::VptrRace => {
            return Some(
                "destroy the object only when no other thread can call it any more: join or signal \
                 before the most derived class's destructor begins, not in that of a base class"
                    .to_string(),
            );
        }
        _ => {}
    }
    if finding.kind == Kind::DescriptorRace {
        return Some(
            "open the descriptor before the other threads learn of it, and close it when they are \
             done with it"
                .to_string(),
        );
    }
    if let Place::StaticBuffer { .. } = resolved.place {
        return Some(
            "use the form of the function that takes a buffer of the caller's (the one whose name \
             ends in _r), or guard all calls and the use of their results with one lock"
                .to_string(),
        );
    }
    let plain = [first, second].map(|access| !is_atomic(access.operation));
    match plain {
        [true, false] => return Some(make_atomic(finding, resolved, 0)),
        [false, true] => return Some(make_atomic(finding, resolved, 1)),
        _ => {}
    }
    let threads = [first.thread, second.thread];
    if let Place::ThreadStack { thread } = resolved.place
        && threads.contains(&thread)
        && let Some(other) = threads.into_iter().find(|number| *number != thread)
    {
        return Some(format!(
            "wait for {} before the variable on the stack of {} is used again or goes out of \
             scope, or guard both accesses with one lock",
            names.in_a_sentence(other),
            names.in_a_sentence(thread)
        ));
    }
    let variable = variable(resolved);
    let what = variable.map_or("this memory".to_string(), |v| format!("'{}'", v.name));
    let whole = variable.is_some_and(|variable| {
        variable.size <= 8
            && [first, second]
                .iter()
                .all(|access| (access.address, access.size) == (variable.start, variable.size))
    });
    let atomic = if whole { ", or make it atomic" } else { "" };
    Some(format!(
        "guard both accesses to {what} with the same lock{atomic}"
    ))
}

/// The one of two accesses that is not atomic should be.
fn make_atomic(finding: &Finding, resolved: &Resolved, side: usize) -> String {
    let what = noun(finding.accesses[side].operation);
    let position = culprit(&resolved.accesses[side]).and_then(short_source);
    let position = position.map_or(String::new(), |place| format!(" at {place}"));
    format!("make the plain {what}{position} atomic as well: the other access already is")
}

fn variable(resolved: &Resolved) -> Option<&Variable> {
    match &resolved.data {
        Data::Global(variable, _) => Some(variable),
        _ => resolved.local.as_ref(),
    }
}
