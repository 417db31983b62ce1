//! What to change, where the kind makes it clear.

use super::explain::short_source;
use super::frames::{Line, Resolved, culprit};
use super::kind::{is_atomic, noun};
use super::locks::NamedLock;
use super::names::Names;
use super::others::{self, Other};
use crate::finding::{Access, Finding, Kind, Operation, Place};
use crate::symbol::{Part, Variable};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What to do to a flag.
fn flag(resolved: &Resolved, verb: &str, what: &str) -> String {
    let variable = resolved.variable();
    let name = variable.map_or("it".to_string(), |v| format!("'{}'", v.full_name()));
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

/// One sentence without a full stop; `others` are accesses of earlier findings
/// to the same memory.
pub(super) fn of(
    finding: &Finding,
    resolved: &Resolved,
    locks: &[NamedLock],
    others: &[Other],
    names: &Names<'_>,
) -> Option<String> {
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
    let variable = resolved.variable();
    let part = resolved.part.as_ref();
    let name = variable.map(Variable::full_name);
    let name = name.or_else(|| part.map(|part| part.path.clone()));
    let what = name.map_or("this memory".to_string(), |name| format!("'{name}'"));
    let part = variable.map_or(part, |variable| variable.part.as_ref());
    let extent = match (part, variable) {
        (Some(part), _) => Some((part.start, part.size)),
        (None, Some(variable)) => Some((variable.start, variable.size)),
        (None, None) => None,
    };
    let whole = extent.is_some_and(|(start, size)| {
        let is_all = |access: &&Access| (access.address, access.size) == (start, size);
        size <= 8 && [first, second].iter().all(is_all)
    });
    if let Some(lock) = lock_too(finding, resolved, locks, others, &what) {
        return Some(lock);
    }
    if let Some(lock) = lock_as_others_do(finding, resolved, others, &what) {
        return Some(lock);
    }
    if let Some(wait) = wait_for_the_other(finding, resolved, names) {
        return Some(wait);
    }
    let atomic = match part {
        _ if !whole => String::new(),
        part => format!(", or make it {}", atomic_form(resolved, part)),
    };
    Some(format!(
        "guard both accesses to {what} with the same lock{atomic}"
    ))
}

/// If the variable is one of the two threads' own: the other must be done with
/// it in time.
fn wait_for_the_other(finding: &Finding, resolved: &Resolved, names: &Names<'_>) -> Option<String> {
    let Place::ThreadStack { thread } = resolved.place else {
        return None;
    };
    let threads = finding.accesses.each_ref().map(|access| access.thread);
    let is_own = threads.contains(&thread);
    let other = threads.into_iter().find(|number| *number != thread);
    let other = names.in_a_sentence(other.filter(|_| is_own)?);
    Some(match &resolved.local {
        Some(variable) => format!(
            "wait for {other} before '{}' is used again or goes out of scope, or guard both \
             accesses with one lock",
            variable.full_name()
        ),
        None => format!(
            "wait for {other} before the variable on the stack of {} is used again or goes out \
             of scope, or guard both accesses with one lock",
            names.in_a_sentence(thread)
        ),
    })
}

/// `std::atomic<bool>`, as the language of the accesses has it.
fn atomic_form(resolved: &Resolved, part: Option<&Part>) -> String {
    let named = part.map(|part| part.type_name.trim_start_matches("volatile "));
    let form = |lines: &Vec<Line>| {
        let file = &culprit(lines)?.source.as_ref()?.file;
        match (file.rsplit_once('.')?.1, named) {
            ("c", _) => Some("_Atomic".to_string()),
            ("cc" | "cpp" | "cxx" | "C" | "hh" | "hpp" | "hxx", Some(name)) => {
                Some(format!("std::atomic<{name}>"))
            }
            _ => None,
        }
    };
    let form = resolved.accesses.iter().find_map(form);
    form.unwrap_or("atomic".to_string())
}

/// If one access holds a lock and the other none: that one should, too.
fn lock_too(
    finding: &Finding,
    resolved: &Resolved,
    locks: &[NamedLock],
    others: &[Other],
    what: &str,
) -> Option<String> {
    let [first, second] = finding
        .accesses
        .each_ref()
        .map(|access| access.locks.as_deref());
    let (held, side) = match (first?, second?) {
        ([], held) => (held, 0),
        (held, []) => (held, 1),
        _ => return None,
    };
    let lock = held.iter().rev().find(|held| held.write)?;
    let name = &locks.get(lock.lock)?.name;
    let place = place_of(resolved, side)?;
    let address = finding.locks.get(lock.lock)?.address;
    let all_hold = others.iter().all(|other| other.holds(address));
    if others.is_empty() || !all_hold {
        return Some(format!(
            "lock {name}{place} as well: the other access to {what} holds it, this one does not"
        ));
    }
    let these = match others.len() {
        1 => "both other accesses".to_string(),
        count => format!("all {} other accesses", count + 1),
    };
    let with = others::listed(culprit(&resolved.accesses[1 - side]), others);
    Some(format!(
        "{these} to {what} found so far ({with}) hold {name}, the one{place} does not: lock \
         {name} there"
    ))
}

/// If neither access holds a lock, but all others do that were found.
fn lock_as_others_do(
    finding: &Finding,
    resolved: &Resolved,
    others: &[Other],
    what: &str,
) -> Option<String> {
    let holds_none = |access: &Access| access.locks.as_ref().is_some_and(|held| held.is_empty());
    if !finding.accesses.iter().all(holds_none) {
        return None;
    }
    let (address, name) = others.first()?.locks.last()?;
    others.iter().all(|o| o.holds(*address)).then_some(())?;
    let [first, second] = [place_of(resolved, 0)?, place_of(resolved, 1)?];
    let places = if first == second {
        first
    } else {
        format!("{first} and{second}")
    };
    let with = others::listed(None, others);
    Some(format!(
        "lock {name}{places}, as the access to {what} in {with} does"
    ))
}

/// ` at FILE:LINE` of an access.
fn place_of(resolved: &Resolved, side: usize) -> Option<String> {
    let line = culprit(&resolved.accesses[side])?;
    match (short_source(line), line.shown()) {
        (Some(place), _) => Some(format!(" at {place}")),
        (None, Some(function)) => Some(format!(" in {function}")),
        (None, None) => None,
    }
}

/// The one of two accesses that is not atomic should be.
fn make_atomic(finding: &Finding, resolved: &Resolved, side: usize) -> String {
    let what = noun(finding.accesses[side].operation);
    let position = culprit(&resolved.accesses[side]).and_then(short_source);
    let position = position.map_or(String::new(), |place| format!(" at {place}"));
    format!("make the plain {what}{position} atomic as well: the other access already is")
}
