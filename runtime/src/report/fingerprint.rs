//! What stays the same about a race from build to build.
//!
//! Kind, the two functions and the variable with the member of it; not lines,
//! indices, addresses, paths or which of the two came first. So a finding is recognised after the file
//! above it grew, on another machine, and in another run.

use super::frames::{Line, Resolved, culprit};
use super::hash::Hash;
use super::kind;
use super::locks::NamedLock;
use super::names::base_name;
use crate::finding::{Finding, Place};
use crate::lock::finding::LockFinding;
use crate::symbol::{Data, Variable};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Part of every fingerprint; another number if the ingredients change.
const VERSION: u8 = 2;

/// 32 hexadecimal digits.
pub(super) fn of(finding: &Finding, resolved: &Resolved) -> String {
    with_memory(finding, resolved, &memory(resolved))
}

/// The same without the name of the local variable that the race is on, if it
/// has one: whether it does depends on what its thread is doing at the time, so
/// another run may not know it.
pub(super) fn without_local(finding: &Finding, resolved: &Resolved) -> Option<String> {
    let is_local = matches!(resolved.place, Place::ThreadStack { .. });
    let is_named = is_local && resolved.local.is_some();
    is_named.then(|| with_memory(finding, resolved, STACK))
}

fn with_memory(finding: &Finding, resolved: &Resolved, memory: &str) -> String {
    let sides = resolved.accesses.each_ref().map(|lines| side(lines));
    let (low, high) = match sides {
        [a, b] if a <= b => (a, b),
        [a, b] => (b, a),
    };
    let mut hash = Hash::new();
    hash.add(&[VERSION]);
    hash.add(kind::id(finding.kind).as_bytes());
    hash.add(low.as_bytes());
    hash.add(high.as_bytes());
    hash.add(memory.as_bytes());
    format!("{:032x}", hash.0)
}

/// The same of a finding about locks: kind, the functions of its stacks, and
/// the variables that the locks are.
pub(super) fn of_locks(finding: &LockFinding, parts: &[Vec<Line>], locks: &[NamedLock]) -> String {
    let mut sides: Vec<String> = parts.iter().map(|lines| side(lines)).collect();
    let variables = locks.iter().map(|lock| lock.variable().unwrap_or_default());
    sides.extend(variables.map(|name| format!("lock {name}")));
    sides.sort_unstable();
    let mut hash = Hash::new();
    hash.add(&[VERSION]);
    hash.add(finding.trouble.id().as_bytes());
    sides.iter().for_each(|side| hash.add(side.as_bytes()));
    format!("{:032x}", hash.0)
}

/// The same of a finding that is one stack.
pub(super) fn of_notice(id: &str, lines: &[Line]) -> String {
    let mut hash = Hash::new();
    hash.add(&[VERSION]);
    hash.add(id.as_bytes());
    hash.add(side(lines).as_bytes());
    format!("{:032x}", hash.0)
}

/// The function that accesses, and the program's function if that is another.
fn side(lines: &[Line]) -> String {
    let inner = lines.first().map_or(String::new(), function);
    let outer = culprit(lines).map_or(String::new(), function);
    if inner == outer {
        inner
    } else {
        format!("{inner} < {outer}")
    }
}

fn function(line: &Line) -> String {
    match (&line.function, &line.module) {
        (Some(function), _) => stem(function).to_string(),
        (None, Some(module)) => format!("{}+{:#x}", base_name(&module.path), module.offset),
        (None, None) => String::new(),
    }
}

/// A function's name without what the optimiser appended.
fn stem(function: &str) -> &str {
    let marks = [
        " [clone ",
        ".llvm.",
        ".constprop.",
        ".isra.",
        ".part.",
        ".cold",
    ];
    let ends = marks.iter().filter_map(|mark| function.find(mark));
    match ends.min() {
        Some(end) if end > 0 => &function[..end],
        _ => function,
    }
}

/// `Session::state`: functions that are given objects do not know them apart.
/// Else the name of the variable.
fn variable_or_member(variable: &Variable) -> String {
    let part = variable.part.as_ref();
    let member = part.and_then(|part| part.member.clone());
    member.unwrap_or_else(|| without_indices(&variable.full_name()))
}

/// Memory on a stack, of which the variable is not known.
const STACK: &str = "stack";

/// The memory in question, in words that another build has, too.
pub(super) fn memory(resolved: &Resolved) -> String {
    let variable = |kind: &str, variable: Option<&Variable>| match variable {
        Some(variable) => format!("{kind} {}", without_indices(&variable.full_name())),
        None => kind.to_string(),
    };
    match &resolved.place {
        Place::Heap { .. } => {
            let path = resolved.part.as_ref().map_or("", |part| &part.path);
            let path = without_indices(path);
            format!("heap {} {path}", side(&resolved.allocation))
        }
        Place::ThreadStack { .. } => match &resolved.local {
            Some(variable) => format!("{STACK} {}", variable_or_member(variable)),
            None => STACK.to_string(),
        },
        Place::ThreadLocal { .. } => variable("thread-local", resolved.local.as_ref()),
        Place::StaticBuffer { name } => format!("library {name}"),
        Place::Descriptor { .. } => "descriptor".to_string(),
        Place::Other => match &resolved.data {
            Data::Global(global, _) => variable("global", Some(global)),
            Data::Module(module) => {
                format!("static {}+{:#x}", base_name(&module.path), module.offset)
            }
            Data::Mapping(_, _, name) => format!("mapping {name}"),
            Data::Unknown => String::new(),
        },
    }
}

/// `table[17].x1` and `table[3].x1` are one, `table[3].x2` is another.
pub(super) fn without_indices(path: &str) -> String {
    let mut within = false;
    let keep = |c: &char| {
        match c {
            '[' => within = true,
            ']' => within = false,
            _ => {}
        }
        !(within && c.is_ascii_digit())
    };
    path.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::{stem, without_indices};

    #[test]
    fn indices_do_not_count_and_names_do() {
        assert_eq!(without_indices("table[17].x1"), "table[].x1");
        assert_eq!(without_indices("grid[1][2].next.0"), "grid[][].next.0");
        assert_eq!(without_indices("v2"), "v2");
    }

    #[test]
    fn clones_of_a_function_are_that_function() {
        assert_eq!(stem("send.constprop.0.cold"), "send");
        assert_eq!(stem("a::send(int) [clone .isra.0]"), "a::send(int)");
        assert_eq!(stem("worker.llvm.1234"), "worker");
        assert_eq!(stem(".cold"), ".cold");
        assert_eq!(stem("plain"), "plain");
    }
}
