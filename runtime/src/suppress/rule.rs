//! What a suppression matches.

use super::glob::Glob;
use crate::symbol::spelling;
use alloc::vec::Vec;

/// The class of a finding, as far as suppressions tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A data race of any kind.
    Race,
    /// A thread that was never joined.
    Thread,
    /// Locks taken in contradicting orders, or a deadlock.
    Deadlock,
    /// Misuse of a mutex.
    Mutex,
    /// Something unsafe in a signal handler.
    Signal,
}

/// One frame of a named stack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'a> {
    /// Function.
    pub function: Option<&'a str>,
    /// Source file.
    pub file: Option<&'a str>,
    /// Executable or library.
    pub module: Option<&'a str>,
}

/// A finding's named stacks, innermost frames first.
#[derive(Debug, Default)]
pub struct Stacks<'a> {
    /// The access that revealed a race and the earlier one; or whatever stacks
    /// the finding has.
    pub stacks: Vec<Vec<Frame<'a>>>,
    /// The global variable it is about, if any.
    pub global: Option<&'a str>,
}

/// What a part of a pattern is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Any,
    Function,
    File,
    Module,
}

/// One frame of a multi-frame pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Any number of frames.
    Skip,
    /// A frame with such a name.
    Frame(Field, Glob),
}

/// Which of the two accesses a pattern is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Second,
    Either,
}

/// A suppression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Some frame of some stack, or the global variable.
    Anywhere(Class, Glob),
    /// The innermost frame of an access.
    Top(Glob),
    /// The module of an access's innermost frame.
    CalledFromLib(Glob),
    /// Frames one after another, of one access or of both.
    Stacks(Vec<(Side, Vec<Step>)>),
}

impl Rule {
    /// Does it match a finding of this class?
    pub(super) fn matches(&self, class: Class, found: &Stacks<'_>) -> bool {
        match self {
            Rule::Anywhere(wanted, glob) => {
                let frames = || found.stacks.iter().flatten();
                *wanted == class
                    && (frames().any(|frame| names(frame, Field::Any, glob))
                        || found.global.is_some_and(|name| glob.matches(name)))
            }
            Rule::Top(glob) => class == Class::Race && top_has(found, Field::Any, glob),
            Rule::CalledFromLib(glob) => {
                class == Class::Race && top_has(found, Field::Module, glob)
            }
            Rule::Stacks(sides) => class == Class::Race && both(sides, found),
        }
    }
}

fn top_has(found: &Stacks<'_>, field: Field, glob: &Glob) -> bool {
    let mut tops = found.stacks.iter().filter_map(|stack| stack.first());
    tops.any(|top| names(top, field, glob))
}

fn names(frame: &Frame<'_>, field: Field, glob: &Glob) -> bool {
    let is = |name: Option<&str>| name.is_some_and(|name| glob.matches(name));
    // As reports write it, or in full.
    let function = || {
        let shown = frame.function.map(spelling::short);
        is(frame.function) || is(shown.as_deref())
    };
    match field {
        Field::Any => function() || is(frame.file) || is(frame.module),
        Field::Function => function(),
        Field::File => is(frame.file),
        Field::Module => is(frame.module),
    }
}

/// Does every pattern match an access of its own?
fn both(sides: &[(Side, Vec<Step>)], found: &Stacks<'_>) -> bool {
    let fits = |(side, steps): &(Side, Vec<Step>), number: usize| {
        let allowed = match side {
            Side::First => number == 0,
            Side::Second => number == 1,
            Side::Either => true,
        };
        let stack = found.stacks.get(number);
        allowed && stack.is_some_and(|stack| follow(steps, stack))
    };
    match sides {
        [one] => fits(one, 0) || fits(one, 1),
        [one, other] => (fits(one, 0) && fits(other, 1)) || (fits(one, 1) && fits(other, 0)),
        _ => false,
    }
}

/// Do the frames begin as `steps` say?
fn follow(steps: &[Step], frames: &[Frame<'_>]) -> bool {
    match steps.split_first() {
        None => true,
        Some((Step::Skip, rest)) => (0..=frames.len()).any(|skip| follow(rest, &frames[skip..])),
        Some((Step::Frame(field, glob), rest)) => frames
            .split_first()
            .is_some_and(|(frame, below)| names(frame, *field, glob) && follow(rest, below)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn frame(function: &'static str) -> Frame<'static> {
        Frame {
            function: Some(function),
            file: Some("/src/cache.c"),
            module: Some("/usr/lib/libcache.so.1"),
        }
    }

    fn race() -> Stacks<'static> {
        Stacks {
            stacks: vec![
                vec![
                    frame("get"),
                    frame("lookup"),
                    frame("worker"),
                    frame("start"),
                ],
                vec![frame("put"), frame("main")],
            ],
            global: Some("table"),
        }
    }

    fn holds_back(line: &str) -> bool {
        let lines = parse::file(line).unwrap();
        assert_eq!(lines.len(), 1, "{line}");
        lines[0].rule.matches(Class::Race, &race())
    }

    #[test]
    fn kinds_of_threadsanitizer() {
        for line in [
            "race:worker",
            "race:cache.c",
            "race:libcache",
            "race:^table$",
            "race_top:put",
            "called_from_lib:libcache.so",
        ] {
            assert!(holds_back(line), "{line}");
        }
        for line in [
            "race:nothing",
            "race_top:worker",
            "called_from_lib:get",
            "thread:worker",
            "deadlock:worker",
            "mutex:worker",
            "signal:worker",
        ] {
            assert!(!holds_back(line), "{line}");
        }
    }

    #[test]
    fn frames_one_after_another() {
        for line in [
            "race_stack:get <- lookup",
            "race_stack:get <- ... <- start",
            "race_stack:... <- worker",
            "race_stack:either put",
            "race_stack:first get; second put",
            "race_stack:put <- main; get",
            "race_stack:fun:get <- src:cache.c <- obj:libcache",
        ] {
            assert!(holds_back(line), "{line}");
        }
        for line in [
            "race_stack:get <- worker",
            "race_stack:worker",
            "race_stack:first put",
            "race_stack:second get; first put",
            "race_stack:get; get",
            "race_stack:fun:cache.c",
            "race_stack:put <- main <- start",
        ] {
            assert!(!holds_back(line), "{line}");
        }
    }
}
