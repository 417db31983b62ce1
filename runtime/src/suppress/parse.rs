//! Reading suppressions.
//!
//! ```text
//! # a comment
//! race:GLOB            a frame or global of that name, in either access
//! race_top:GLOB        the innermost frame
//! called_from_lib:GLOB the library the access was made from
//! thread:GLOB  deadlock:GLOB  mutex:GLOB  signal:GLOB
//! race_stack:[first |second |either ]FRAME <- FRAME <- ...[; the same again]
//! ```
//!
//! A `FRAME` is a glob for function, source file or module; `fun:`, `src:` or
//! `obj:` in front picks one of them, `...` stands for any number of frames.
//! The first is the innermost. `first` is the access a report names first.

use super::glob::Glob;
use super::rule::{Class, Field, Rule, Side, Step};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A line that holds a rule.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) rule: Rule,
}

/// A line that makes no sense. Line and column count from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) why: String,
}

const KINDS: &[&str] = &[
    "race",
    "race_top",
    "race_stack",
    "called_from_lib",
    "thread",
    "deadlock",
    "mutex",
    "signal",
];

/// Reads a whole file.
pub(super) fn file(text: &str) -> Result<Vec<Line>, Mistake> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let rule = rule(line, trimmed).map_err(|(at, why)| Mistake {
            line: index + 1,
            column: column(line, at),
            why,
        })?;
        lines.push(Line {
            number: index + 1,
            text: trimmed.into(),
            rule,
        });
    }
    Ok(lines)
}

/// The column of `at`, a part of `line`, in characters.
fn column(line: &str, at: &str) -> usize {
    let offset = (at.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
    line.get(..offset)
        .map_or(0, |before| before.chars().count())
        + 1
}

/// What is wrong, and from where.
type Wrong<'a> = (&'a str, String);

fn rule<'a>(line: &'a str, trimmed: &'a str) -> Result<Rule, Wrong<'a>> {
    let Some((kind, pattern)) = trimmed.split_once(':') else {
        let end = &line[line.trim_end().len()..];
        return Err((end, "a colon and a pattern are missing".into()));
    };
    if !KINDS.contains(&kind) {
        let known = KINDS.join(", ");
        return Err((kind, format!("unknown kind \"{kind}\"; known are {known}")));
    }
    if pattern.is_empty() {
        return Err((pattern, "the pattern is missing".into()));
    }
    let anywhere = |class| Ok(Rule::Anywhere(class, Glob::new(pattern)));
    match kind {
        "race" => anywhere(Class::Race),
        "thread" => anywhere(Class::Thread),
        "deadlock" => anywhere(Class::Deadlock),
        "mutex" => anywhere(Class::Mutex),
        "signal" => anywhere(Class::Signal),
        "race_top" => Ok(Rule::Top(Glob::new(pattern))),
        "called_from_lib" => Ok(Rule::CalledFromLib(Glob::new(pattern))),
        _ => stacks(pattern),
    }
}

fn stacks(pattern: &str) -> Result<Rule, Wrong<'_>> {
    let mut sides = Vec::new();
    for part in pattern.split(';') {
        if sides.len() == 2 {
            return Err((part, "a race has two accesses, not more".into()));
        }
        let part = part.trim();
        let named = [
            ("first ", Side::First),
            ("second ", Side::Second),
            ("either ", Side::Either),
        ];
        let (side, chain) = named
            .iter()
            .find_map(|(word, side)| Some((*side, part.strip_prefix(word)?)))
            .unwrap_or((Side::Either, part));
        let steps = chain.split("<-").map(step).collect::<Result<_, _>>()?;
        sides.push((side, steps));
    }
    match &sides[..] {
        [(one, _), (other, _)] if one == other && *one != Side::Either => Err((
            pattern,
            "both patterns are about the same access; say first and second".into(),
        )),
        _ => Ok(Rule::Stacks(sides)),
    }
}

fn step(text: &str) -> Result<Step, Wrong<'_>> {
    let trimmed = text.trim();
    if trimmed == "..." {
        return Ok(Step::Skip);
    }
    let fields = [
        ("fun:", Field::Function),
        ("src:", Field::File),
        ("obj:", Field::Module),
    ];
    let (field, name) = fields
        .iter()
        .find_map(|(prefix, field)| Some((*field, trimmed.strip_prefix(prefix)?)))
        .unwrap_or((Field::Any, trimmed));
    if name.is_empty() {
        return Err((text, "a frame's pattern is missing".into()));
    }
    Ok(Step::Frame(field, Glob::new(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blank_lines_and_spaces() {
        let lines = file("# one\n\n  race:foo bar  \r\n\t#x\ndeadlock:b\n").unwrap();
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].number, &lines[0].text[..]), (3, "race:foo bar"));
        assert_eq!(
            lines[1].rule,
            Rule::Anywhere(Class::Deadlock, Glob::new("b"))
        );
    }

    #[test]
    fn mistakes_name_line_and_column() {
        let wrong = |text: &str| {
            let Mistake { line, column, why } = file(text).unwrap_err();
            (line, column, why)
        };
        let (line, column, why) = wrong("race:a\n  rase:b\n");
        assert_eq!((line, column), (2, 3));
        assert!(why.starts_with("unknown kind \"rase\"; known are race, race_top"));
        assert_eq!(
            wrong("race"),
            (1, 5, "a colon and a pattern are missing".into())
        );
        assert_eq!(wrong("race:"), (1, 6, "the pattern is missing".into()));
        assert_eq!(
            wrong("race_stack:a <- <- b"),
            (1, 16, "a frame's pattern is missing".into())
        );
        assert_eq!(
            wrong("race_stack:a;b;c"),
            (1, 16, "a race has two accesses, not more".into())
        );
        assert_eq!(wrong("race_stack:first a; first b").1, 12);
        assert_eq!(wrong("# ä\n  räce:b\n").1, 3);
    }
}
