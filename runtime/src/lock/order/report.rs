//! From a circle to a finding.

use super::super::LockId;
use super::super::finding::{LockFinding, LockInfo, Part, Trouble};
use super::circle::Step;
use crate::report::{self, in_a_sentence, thread_name};
use crate::{options, stack};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Reports it.
pub(super) fn report(circle: &[Step]) {
    let locks: Vec<LockId> = circle.iter().map(|step| step.from).collect();
    let mut parts = Vec::new();
    let mut sentences: Vec<String> = Vec::new();
    for (i, step) in circle.iter().enumerate() {
        let thread = step.instance.thread;
        let next = (i + 1) % circle.len();
        sentences.push(match i {
            0 => format!("{} takes {{1}} while holding {{0}}", in_a_sentence(thread)),
            _ => format!(
                "{} took {{{next}}} while holding {{{i}}}",
                in_a_sentence(thread)
            ),
        });
        parts.push(Part {
            said: format!(
                "{{{next}}} taken by {}, which holds {{{i}}}, at:",
                thread_name(thread)
            ),
            thread,
            stack: stack::resolve(step.instance.to_at().stack()),
        });
        if options::get().second_deadlock_stack {
            parts.push(Part {
                said: format!("{{{i}}} taken by {} before that at:", thread_name(thread)),
                thread,
                stack: stack::resolve(step.instance.from_at().stack()),
            });
        }
    }
    let mut message = sentences.join(", and ");
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let each = if circle.len() == 2 {
        "both"
    } else {
        "all of them"
    };
    message.push_str(&format!(
        ". If {each} have got the first lock and want the second, each waits for the next for ever."
    ));
    let names: Vec<String> = (0..locks.len()).map(|i| format!("{{{i}}}")).collect();
    let suggestion = format!("take {} in the same order everywhere", listed(&names));
    let locks = locks.into_iter().map(LockInfo::of).collect();
    let finding =
        LockFinding::new(Trouble::OrderInversion, message, parts, locks).suggesting(suggestion);
    report::lock_finding(&finding);
}

/// `a and b`, `a, b and c`
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
