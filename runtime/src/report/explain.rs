//! The first paragraph: what races with what, on which memory, and why.

use super::frames::{Line, Resolved, culprit};
use super::kind::verb;
use super::locks::NamedLock;
use super::names::{Names, base_name, capitalised};
use super::{order, place};
use crate::finding::{Access, Finding, Kind, Operation};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Columns of a line of text.
const WIDTH: usize = 80;

/// The paragraph, in one line. `taken` is where each of the finding's handovers
/// took its lock.
pub(super) fn paragraph(
    finding: &Finding,
    resolved: &Resolved,
    locks: &[NamedLock],
    taken: &[Vec<Line>],
    names: &Names<'_>,
) -> String {
    let [now, before] = &finding.accesses;
    let [here, there] = &resolved.accesses;
    let (object, whole) = object(now, resolved, names);
    let again = match (before.operation, now.operation) {
        (Operation::Free | Operation::Allocate, _) => "that block",
        (Operation::Write | Operation::AtomicWrite, Operation::Free) => "to it",
        (_, Operation::Free) => "it",
        _ if whole => "it",
        _ => "the same bytes",
    };
    let first = format!(
        "{} {} {object}{}",
        capitalised(&who(now, names)),
        verb(now.operation),
        position(here)
    );
    // A block's origin ends in a comma, for what may follow it.
    let first = first.trim_end_matches(',');
    let second = format!(
        "{} {} {again}{}",
        who(before, names),
        verb(before.operation),
        position(there)
    );
    let held = order::locks_held(finding, locks, names);
    let so = match finding.kind {
        Kind::PossibleRace => {
            let held = held.unwrap_or_else(|| "They hold no lock in common.".to_string());
            let hidden = order::hidden_by(finding, taken, locks, names);
            return format!("{first}, and {second}. {held} {hidden}");
        }
        Kind::Unprotected => return unprotected(first, &second),
        Kind::UseAfterFree => {
            let (who, place) = (who(before, names), position(there));
            return format!(
                "{first}, after {who} freed that block{place}. Somebody else may have got the \
                 memory by then: a proven error."
            );
        }
        Kind::VptrRace => {
            "a virtual call can run the function of another class, or of none, while the object \
             is constructed or destroyed"
        }
        Kind::AdHocSync => return ad_hoc(first, &second),
        Kind::RelaxedSync => return relaxed(first, &second),
        Kind::DataRace => "they can happen at the same time",
        Kind::UseAfterFreeRace => "the block can be used after it was freed",
        Kind::DescriptorRace => "the number can stand for another file, or none, when it is used",
    };
    let nothing = match held {
        Some(held) => format!("{held} No atomic"),
        None => "No lock, atomic".to_string(),
    };
    format!(
        "{first}, and {second}. {nothing}, join or other synchronisation of this run puts one \
         before the other, so {so}: a proven race."
    )
}

fn ad_hoc(first: &str, second: &str) -> String {
    format!(
        "{first}, in a loop that does nothing else until it has changed, and {second}. The loop \
         is taken for synchronisation, so what the two threads do with other memory counts as \
         ordered by it. But the variable is not atomic: the compiler may read it once for all, \
         and the two accesses themselves are a proven race."
    )
}

fn relaxed(first: &str, second: &str) -> String {
    format!(
        "{first}, in a loop that does nothing else until it has changed, and {second}. Other \
         memory is handed over by it, which counts as ordered. But relaxed operations do not \
         order anything else: compiler and processor may move the accesses to that memory across \
         them, a proven race."
    )
}

fn unprotected(first: &str, second: &str) -> String {
    format!(
        "{first}, and {second}. No lock is left that was held at every access since several \
         threads use it, and no order is known that this mode goes by: a possible race."
    )
}

/// What the later access touched, and whether that is all of it.
fn object(access: &Access, resolved: &Resolved, names: &Names<'_>) -> (String, bool) {
    let frees = access.operation == Operation::Free;
    let memory = place::memory(resolved, names, frees);
    if frees {
        return (memory.what, true);
    }
    match memory.extent {
        Some((start, size)) if start == access.address && size == access.size => {
            (memory.what, true)
        }
        Some((start, _)) if access.address > start => {
            let offset = access.address - start;
            let bytes = bytes(access.size);
            (
                format!("{bytes} at offset {offset} of {}", memory.what),
                false,
            )
        }
        _ => (format!("{} of {}", bytes(access.size), memory.what), false),
    }
}

/// `1 byte`, `4 bytes`
fn bytes(count: u64) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} byte{s}")
}

fn who(access: &Access, names: &Names<'_>) -> String {
    match access.thread {
        0 => names.in_a_sentence(0),
        number => names.with_name(number),
    }
}

/// ` in FUNCTION (FILE:LINE)`, or as much of it as is known.
fn position(lines: &[Line]) -> String {
    match culprit(lines) {
        Some(line) => match (line.shown(), short_source(line)) {
            (Some(function), Some(place)) => format!(" in {function} ({place})"),
            (Some(function), None) => format!(" in {function}"),
            (None, Some(place)) => format!(" at {place}"),
            (None, None) => String::new(),
        },
        None => String::new(),
    }
}

/// `FILE:LINE` without folders.
pub(super) fn short_source(line: &Line) -> Option<String> {
    let source = line.source.as_ref()?;
    let file = base_name(&source.file);
    Some(match source.line {
        0 => file.to_string(),
        number => format!("{file}:{number}"),
    })
}

/// `text` in lines of [`WIDTH`] columns, each after `indent`.
pub(super) fn wrapped(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column == 0 {
            out.push_str(indent);
            column = indent.len();
        } else if column + 1 + width > WIDTH {
            out.push('\n');
            out.push_str(indent);
            column = indent.len();
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        let text = ["word"; 40].join(" ");
        let lines = wrapped(&text, "  ");
        assert!(lines.ends_with("word\n"));
        let lengths: Vec<usize> = lines.lines().map(str::len).collect();
        assert_eq!(lengths, [76, 76, 51]);
        let long = "x".repeat(100);
        assert_eq!(
            wrapped(&format!("a {long} b"), " "),
            format!(" a\n {long}\n b\n")
        );
    }
}
