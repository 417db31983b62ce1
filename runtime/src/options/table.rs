//! The one place that names every option.

use super::{BusLock, Color, DumpSignal, FailOn, Mode, OnDeadlock, OnInternalError, Options};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A value that passed its type's check.
pub(super) enum Value {
    /// Of [`Allowed::Switch`].
    Switch(bool),
    /// Of [`Allowed::Number`].
    Number(u64),
    /// Of [`Allowed::Choice`]: index into the list.
    Choice(usize),
    /// Of [`Allowed::Text`].
    Text(String),
}

/// What an option takes.
pub(super) enum Allowed {
    /// On or off.
    Switch,
    /// A number within bounds, both included.
    Number(u64, u64),
    /// One of a list.
    Choice(&'static [&'static str]),
    /// Any text; the words say what it is.
    Text(&'static str),
}

impl Allowed {
    /// Checks `text`.
    pub(super) fn parse(&self, text: &str) -> Result<Value, ()> {
        match self {
            Allowed::Switch => match text {
                "1" | "yes" | "true" | "on" => Ok(Value::Switch(true)),
                "0" | "no" | "false" | "off" => Ok(Value::Switch(false)),
                _ => Err(()),
            },
            Allowed::Number(min, max) => match text.parse() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(Value::Number(number)),
                _ => Err(()),
            },
            Allowed::Choice(names) => {
                let index = names.iter().position(|name| *name == text);
                index.map(Value::Choice).ok_or(())
            }
            Allowed::Text(_) => Ok(Value::Text(text.to_string())),
        }
    }

    /// What is allowed, in words.
    pub(super) fn describe(&self) -> String {
        match self {
            Allowed::Switch => "1 or 0 (also yes/no, true/false, on/off)".to_string(),
            Allowed::Number(min, u64::MAX) => format!("a number from {min} up"),
            Allowed::Number(min, max) => format!("a number from {min} to {max}"),
            Allowed::Choice([only]) => only.to_string(),
            Allowed::Choice(names) => match names.split_last() {
                Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
                None => String::new(),
            },
            Allowed::Text(what) => what.to_string(),
        }
    }
}

/// One option.
pub(super) struct Entry {
    /// Its key.
    pub(super) name: &'static str,
    /// What it takes.
    pub(super) allowed: Allowed,
    /// Its value when not given, as the user would write it.
    pub(super) default: &'static str,
    /// One line of help.
    pub(super) help: &'static str,
    /// Stores a checked value.
    pub(super) set: fn(&mut Options, Value),
}

macro_rules! setter {
    ($kind:ident, $value:ident, |$options:ident| $store:expr) => {
        |$options, value| {
            if let Value::$kind($value) = value {
                $store
            }
        }
    };
}

const MODES: &[(&str, Mode)] = &[
    ("hybrid", Mode::Hybrid),
    ("hb", Mode::Hb),
    ("fast", Mode::Fast),
    ("msm-short", Mode::MsmShort),
    ("msm-long", Mode::MsmLong),
    ("eraser", Mode::Eraser),
];
const BUS_LOCKS: &[(&str, BusLock)] = &[("rw", BusLock::Rw), ("mutex", BusLock::Mutex)];
const FAIL_ON: &[(&str, FailOn)] = &[("proven", FailOn::Proven), ("possible", FailOn::Possible)];
const COLORS: &[(&str, Color)] = &[
    ("auto", Color::Auto),
    ("always", Color::Always),
    ("never", Color::Never),
];

const ON_DEADLOCK: &[(&str, OnDeadlock)] =
    &[("report", OnDeadlock::Report), ("abort", OnDeadlock::Abort)];

const ON_INTERNAL_ERROR: &[(&str, OnInternalError)] = &[
    ("abort", OnInternalError::Abort),
    ("disable", OnInternalError::Disable),
];

const DUMP_SIGNALS: &[(&str, DumpSignal)] = &[
    ("auto", DumpSignal::Auto),
    ("none", DumpSignal::None),
    ("SIGUSR1", DumpSignal::Number(libc::SIGUSR1)),
    ("SIGUSR2", DumpSignal::Number(libc::SIGUSR2)),
    ("SIGQUIT", DumpSignal::Number(libc::SIGQUIT)),
];

const fn names<T: Copy, const N: usize>(pairs: &[(&'static str, T)]) -> [&'static str; N] {
    let mut out = [""; N];
    let mut i = 0;
    while i < N {
        out[i] = pairs[i].0;
        i += 1;
    }
    out
}

const MODE_NAMES: &[&str] = &names::<Mode, { MODES.len() }>(MODES);
const BUS_LOCK_NAMES: &[&str] = &names::<BusLock, { BUS_LOCKS.len() }>(BUS_LOCKS);
const FAIL_ON_NAMES: &[&str] = &names::<FailOn, { FAIL_ON.len() }>(FAIL_ON);
const COLOR_NAMES: &[&str] = &names::<Color, { COLORS.len() }>(COLORS);
const ON_DEADLOCK_NAMES: &[&str] = &names::<OnDeadlock, { ON_DEADLOCK.len() }>(ON_DEADLOCK);

const ON_INTERNAL_ERROR_NAMES: &[&str] =
    &names::<OnInternalError, { ON_INTERNAL_ERROR.len() }>(ON_INTERNAL_ERROR);

const DUMP_SIGNAL_NAMES: &[&str] = &names::<DumpSignal, { DUMP_SIGNALS.len() }>(DUMP_SIGNALS);

/// All options, in the order help shows them.
pub(super) static TABLE: &[Entry] = &[
    Entry {
        name: "mode",
        allowed: Allowed::Choice(MODE_NAMES),
        default: "hybrid",
        help: "how races are detected; hybrid: proven races, and possible ones, which only the \
               order of lock operations hid in this run; hb: happens-before alone, nothing but \
               proven races; fast: hybrid without what one thread uses alone; msm-short, \
               msm-long: the state machines of Helgrind+; eraser: locksets",
        set: setter!(Choice, index, |options| options.mode = MODES[index].1),
    },
    Entry {
        name: "conflict_edges",
        allowed: Allowed::Switch,
        default: "1",
        help: "with mode=hybrid: critical sections of one lock are ordered if they touch the same \
               data; 0: never",
        set: setter!(Switch, on, |options| options.conflict_edges = on),
    },
    Entry {
        name: "precise",
        allowed: Allowed::Switch,
        default: "1",
        help: "leaving a loop that waits on a condition variable comes after who made the \
               condition true; 0: after all who signalled, and with the modes msm-short and \
               msm-long a loop that only watches memory comes after nobody",
        set: setter!(Switch, on, |options| options.precise = on),
    },
    Entry {
        name: "bus_lock",
        allowed: Allowed::Choice(BUS_LOCK_NAMES),
        default: "rw",
        help: "with mode=eraser: what atomic instructions lock; rw: a read-write lock that every \
               read holds; mutex: a mutex that reads do not hold",
        set: setter!(Choice, index, |options| options.bus_lock =
            BUS_LOCKS[index].1),
    },
    Entry {
        name: "delete_marks",
        allowed: Allowed::Switch,
        default: "1",
        help: "with mode=eraser: an object that is deleted belongs to the deleting thread alone",
        set: setter!(Switch, on, |options| options.delete_marks = on),
    },
    Entry {
        name: "fail_on",
        allowed: Allowed::Choice(FAIL_ON_NAMES),
        default: "proven",
        help: "which findings change the exit status: proven ones, or possible ones too",
        set: setter!(Choice, index, |options| options.fail_on = FAIL_ON[index].1),
    },
    Entry {
        name: "exitcode",
        allowed: Allowed::Number(0, 255),
        default: "66",
        help: "exit status of a program that would have ended with 0 but had findings",
        set: setter!(Number, number, |options| options.exitcode = number as i32),
    },
    Entry {
        name: "log_path",
        allowed: Allowed::Text("a path, stderr or stdout"),
        default: "stderr",
        help: "where reports go; a path gets the process id appended: PATH.PID",
        set: setter!(Text, text, |options| options.log_path = text),
    },
    Entry {
        name: "json",
        allowed: Allowed::Text("a path"),
        default: "",
        help: "append a JSON record of each finding to this file; %p is the process id, a \
               directory gets a file of each process: PATH/racert.PID.json",
        set: setter!(Text, text, |options| options.json = text),
    },
    Entry {
        name: "color",
        allowed: Allowed::Choice(COLOR_NAMES),
        default: "auto",
        help: "colour in reports; auto: on a terminal, unless NO_COLOR is set",
        set: setter!(Choice, index, |options| options.color = COLORS[index].1),
    },
    Entry {
        name: "symbolize",
        allowed: Allowed::Switch,
        default: "1",
        help: "put function, file and line to code addresses",
        set: setter!(Switch, on, |options| options.symbolize = on),
    },
    Entry {
        name: "halt_on_error",
        allowed: Allowed::Switch,
        default: "0",
        help: "end the program with exitcode after the first finding",
        set: setter!(Switch, on, |options| options.halt_on_error = on),
    },
    Entry {
        name: "max_findings",
        allowed: Allowed::Number(0, u64::MAX),
        default: "0",
        help: "print at most so many findings; 0: all of them",
        set: setter!(Number, number, |options| options.max_findings =
            number as usize),
    },
    Entry {
        name: "memory_limit_mb",
        allowed: Allowed::Number(0, 1 << 40),
        default: "0",
        help: "forget earlier accesses when the process has more memory than so many MiB; 0: never",
        set: setter!(Number, number, |options| options.memory_limit_mb = number),
    },
    Entry {
        name: "print_summary",
        allowed: Allowed::Switch,
        default: "1",
        help: "print the SUMMARY line of each finding and the count at exit",
        set: setter!(Switch, on, |options| options.print_summary = on),
    },
    Entry {
        name: "strip_path_prefix",
        allowed: Allowed::Text("the beginning of a path"),
        default: "",
        help: "beginning to cut from the names of source files",
        set: setter!(Text, text, |options| options.strip_path_prefix = text),
    },
    Entry {
        name: "suppressions",
        allowed: Allowed::Text("a path"),
        default: "",
        help: "file of findings not to report: lines such as race:FUNCTION",
        set: setter!(Text, text, |options| options.suppressions = text),
    },
    Entry {
        name: "print_suppressions",
        allowed: Allowed::Switch,
        default: "1",
        help: "say at exit which suppressions matched, and how often",
        set: setter!(Switch, on, |options| options.print_suppressions = on),
    },
    Entry {
        name: "print_unused",
        allowed: Allowed::Switch,
        default: "0",
        help: "say at exit which suppressions matched nothing",
        set: setter!(Switch, on, |options| options.print_unused = on),
    },
    Entry {
        name: "detect_deadlocks",
        allowed: Allowed::Switch,
        default: "1",
        help: "report locks that threads take in orders that can make them wait for each other",
        set: setter!(Switch, on, |options| options.detect_deadlocks = on),
    },
    Entry {
        name: "second_deadlock_stack",
        allowed: Allowed::Switch,
        default: "1",
        help: "in such a report, say of each pair of locks where the first was taken, too",
        set: setter!(Switch, on, |options| options.second_deadlock_stack = on),
    },
    Entry {
        name: "single_thread_inversions",
        allowed: Allowed::Switch,
        default: "0",
        help: "report such orders even if one thread alone made them, which cannot deadlock until \
               another thread does the same",
        set: setter!(Switch, on, |options| options.single_thread_inversions = on),
    },
    Entry {
        name: "on_deadlock",
        allowed: Allowed::Choice(ON_DEADLOCK_NAMES),
        default: "abort",
        help: "what happens to threads that wait for each other for ever; report: they are \
               reported and go on waiting, abort: the program ends with exitcode",
        set: setter!(Choice, index, |options| options.on_deadlock =
            ON_DEADLOCK[index].1),
    },
    Entry {
        name: "on_internal_error",
        allowed: Allowed::Choice(ON_INTERNAL_ERROR_NAMES),
        default: "abort",
        help: "what happens if racert itself turns out to be broken, which it says in one line; \
               abort: the program ends by SIGABRT, disable: it goes on unchecked",
        set: setter!(Choice, index, |options| options.on_internal_error =
            ON_INTERNAL_ERROR[index].1),
    },
    Entry {
        name: "advice",
        allowed: Allowed::Switch,
        default: "1",
        help: "print advice about the use of condition variables; it never changes the exit status",
        set: setter!(Switch, on, |options| options.advice = on),
    },
    Entry {
        name: "report_destroy_locked",
        allowed: Allowed::Switch,
        default: "1",
        help: "report the destruction of a lock that is held",
        set: setter!(Switch, on, |options| options.report_destroy_locked = on),
    },
    Entry {
        name: "report_bugs",
        allowed: Allowed::Switch,
        default: "1",
        help: "report findings; 0: the program runs checked but nothing is said",
        set: setter!(Switch, on, |options| options.report_bugs = on),
    },
    Entry {
        name: "report_signal_unsafe",
        allowed: Allowed::Switch,
        default: "1",
        help: "report signal handlers that call malloc and the like or change errno",
        set: setter!(Switch, on, |options| options.report_signal_unsafe = on),
    },
    Entry {
        name: "report_thread_leaks",
        allowed: Allowed::Switch,
        default: "1",
        help: "report at exit threads that have ended but were neither joined nor detached",
        set: setter!(Switch, on, |options| options.report_thread_leaks = on),
    },
    Entry {
        name: "dump_signal",
        allowed: Allowed::Choice(DUMP_SIGNAL_NAMES),
        default: "auto",
        help: "the signal that prints all threads with stacks and locks; auto: SIGUSR1 under \
               `racert run`",
        set: setter!(Choice, index, |options| options.dump_signal =
            DUMP_SIGNALS[index].1),
    },
    Entry {
        name: "help",
        allowed: Allowed::Switch,
        default: "0",
        help: "list the options and exit",
        set: setter!(Switch, on, |options| options.help = on),
    },
];

/// The option called `name`.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.name == name)
}

/// The complaint about a key that does not exist.
pub(super) fn unknown(key: &str) -> String {
    let nearest = TABLE
        .iter()
        .map(|entry| (distance(key, entry.name), entry.name))
        .min();
    match nearest {
        // A third of the letters wrong is still a slip, more is another word.
        Some((wrong, name)) if wrong <= name.len().max(3) / 3 => {
            format!("unknown option \"{key}\"; did you mean \"{name}\"?")
        }
        _ => format!("unknown option \"{key}\""),
    }
}

/// Edit distance (Levenshtein) between two words.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// What `help=1` prints.
pub(super) fn help() -> String {
    let mut out = format!(
        "{}=\"key=value:key=value...\"; separators are colons, commas and white space,\n\
         quote a value that contains one: log_path='a b'. Options:\n",
        super::VARIABLE
    );
    for entry in TABLE {
        let default = match entry.default {
            "" => "none",
            default => default,
        };
        out.push_str(&format!(
            "  {}\n      {}\n      takes {}; default: {default}\n",
            entry.name,
            entry.help,
            entry.allowed.describe(),
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_pass_their_own_check_and_names_are_unique() {
        for (i, entry) in TABLE.iter().enumerate() {
            assert!(entry.allowed.parse(entry.default).is_ok(), "{}", entry.name);
            assert!(TABLE[i + 1..].iter().all(|other| other.name != entry.name));
        }
    }

    #[test]
    fn help_shows_every_option_with_default_and_values() {
        let help = help();
        for entry in TABLE {
            assert!(help.contains(&format!("\n  {}\n      {}\n", entry.name, entry.help)));
        }
        assert!(help.contains("takes a number from 0 to 255; default: 66\n"));
        assert!(help.contains("takes auto, always or never; default: auto\n"));
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn a_key_of_another_world_gets_no_suggestion() {
        assert_eq!(unknown("x"), "unknown option \"x\"");
        assert_eq!(
            unknown("colour"),
            "unknown option \"colour\"; did you mean \"color\"?"
        );
        assert_eq!(unknown("é"), "unknown option \"é\"");
    }
}
