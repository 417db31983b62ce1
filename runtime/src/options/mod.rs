//! Options of the runtime.
//!
//! They come from `RACERT_OPTIONS`, a list of `key=value` pairs. [`table`]
//! names every option once, with its type, default and help text; [`text`]
//! splits the variable; [`environment`] reads it without libc. A mistake stops
//! the program before `main` with one line that says what would be right.

mod environment;
mod table;
mod text;
mod tsan;

pub use environment::Environment;

use crate::os;
use crate::tsan::hook;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

/// Name of the variable.
pub const VARIABLE: &str = "RACERT_OPTIONS";
/// Exit status for a mistake in the options: `EX_USAGE` of `sysexits.h`.
pub const USAGE_EXIT: i32 = 64;

/// How races are detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Happens-before alone: nothing but proven races.
    Hb,
    /// Happens-before, and what only the order of lock operations hides.
    Hybrid,
    /// The same, but for memory that one thread uses alone.
    Fast,
    /// Locksets with states: every shared location needs a lock.
    Eraser,
    /// States with happens-before and locksets, for short runs.
    MsmShort,
    /// The same for long runs: what happens once is not reported.
    MsmLong,
}

/// What the lock is that atomic instructions take, to `mode=eraser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusLock {
    /// A read-write lock that every read holds for reading.
    Rw,
    /// A mutex that nothing else holds.
    Mutex,
}

/// Which findings make a program fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// Those that the run proves.
    Proven,
    /// Those and possible ones.
    Possible,
}

/// When reports carry colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What becomes of a program that is in a deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDeadlock {
    /// It goes on hanging, for a debugger to look at.
    Report,
    /// It ends.
    Abort,
}

/// What becomes of a program when the runtime finds itself broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnInternalError {
    /// It ends.
    Abort,
    /// It goes on unchecked.
    Disable,
}

/// The signal that asks for a dump of all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpSignal {
    /// SIGUSR1 in programs that `racert run` starts, else none.
    Auto,
    /// None.
    None,
    /// That one.
    Number(i32),
}

/// Every option's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How races are detected.
    pub mode: Mode,
    /// Are critical sections ordered that conflict?
    pub conflict_edges: bool,
    /// What the lock of atomic instructions is.
    pub bus_lock: BusLock,
    /// Does deleting an object make its memory exclusive?
    pub delete_marks: bool,
    /// Whoever leaves a loop that waits on a condition variable is ordered
    /// after those who made the condition true, not after all who signalled.
    pub precise: bool,
    /// Which findings change the exit status.
    pub fail_on: FailOn,
    /// Exit status of a program that would have ended with 0 but had findings.
    pub exitcode: i32,
    /// Where reports go: a path that `.PID` is appended to, `stderr`, `stdout`.
    pub log_path: String,
    /// Where machine-readable records of findings go; empty: nowhere. Absolute,
    /// because the program may change its directory.
    pub json: String,
    /// When reports carry colour.
    pub color: Color,
    /// Put names to addresses.
    pub symbolize: bool,
    /// End the program after the first finding.
    pub halt_on_error: bool,
    /// Findings printed at most; 0: all of them.
    pub max_findings: usize,
    /// Memory of the process, in MiB, above which earlier accesses are
    /// forgotten; 0: none.
    pub memory_limit_mb: u64,
    /// Print the SUMMARY line of each finding and the count at exit.
    pub print_summary: bool,
    /// Leading part cut from source file names.
    pub strip_path_prefix: String,
    /// File of suppressions; empty: none.
    pub suppressions: String,
    /// Say at exit which suppressions matched, and how often.
    pub print_suppressions: bool,
    /// Say at exit which suppressions matched nothing.
    pub print_unused: bool,
    /// Look for locks taken in contradicting orders.
    pub detect_deadlocks: bool,
    /// Say of each edge of a lock-order inversion where the first lock was
    /// taken, too.
    pub second_deadlock_stack: bool,
    /// Report inversions that one thread alone has made.
    pub single_thread_inversions: bool,
    /// What becomes of a program that is in a deadlock.
    pub on_deadlock: OnDeadlock,
    /// What becomes of it when the runtime is broken.
    pub on_internal_error: OnInternalError,
    /// Print advice, too.
    pub advice: bool,
    /// Report the destruction of a lock that is held.
    pub report_destroy_locked: bool,
    /// Print findings at all.
    pub report_bugs: bool,
    /// Report what signal handlers must not do.
    pub report_signal_unsafe: bool,
    /// Report threads that nobody joined or detached.
    pub report_thread_leaks: bool,
    /// The signal that asks for a dump of all threads.
    pub dump_signal: DumpSignal,
    /// List the options and exit.
    pub help: bool,
    /// `NO_COLOR` or `TERM=dumb` asks for plain text on terminals. Not an
    /// option: taken from the environment.
    pub plain_terminal: bool,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Options {
            mode: Mode::Hybrid,
            conflict_edges: true,
            bus_lock: BusLock::Rw,
            delete_marks: true,
            precise: true,
            fail_on: FailOn::Proven,
            exitcode: 0,
            log_path: String::new(),
            json: String::new(),
            color: Color::Auto,
            symbolize: false,
            halt_on_error: false,
            max_findings: 0,
            memory_limit_mb: 0,
            print_summary: false,
            strip_path_prefix: String::new(),
            suppressions: String::new(),
            print_suppressions: false,
            print_unused: false,
            detect_deadlocks: false,
            second_deadlock_stack: false,
            single_thread_inversions: false,
            on_deadlock: OnDeadlock::Report,
            on_internal_error: OnInternalError::Disable,
            advice: false,
            report_destroy_locked: false,
            report_bugs: false,
            report_signal_unsafe: false,
            report_thread_leaks: false,
            dump_signal: DumpSignal::None,
            help: false,
            plain_terminal: false,
        };
        for entry in table::TABLE {
            // A default that its own type refuses is caught by a test.
            if let Ok(value) = entry.allowed.parse(entry.default) {
                (entry.set)(&mut options, value);
            }
        }
        options
    }
}

static OPTIONS: AtomicPtr<Options> = AtomicPtr::new(null_mut());

/// The options of this process; the defaults until [`init`] ran.
#[inline]
pub fn get() -> &'static Options {
    let current = OPTIONS.load(Ordering::Acquire);
    if !current.is_null() {
        // SAFETY: set once from a leaked box.
        return unsafe { &*current };
    }
    publish(Options::default())
}

#[cold]
fn publish(options: Options) -> &'static Options {
    let new = Box::into_raw(Box::new(options));
    OPTIONS.store(new, Ordering::Release);
    // SAFETY: leaked, so valid for ever.
    unsafe { &*new }
}

/// Reads the options; call it at start, before another thread exists. A
/// mistake ends the process with [`USAGE_EXIT`], `help=1` with 0.
pub fn init(environment: &Environment) -> &'static Options {
    match from_environment(environment) {
        Ok(options) if options.help => {
            os::write_all(os::STDERR, table::help().as_bytes());
            os::exit_group(0)
        }
        Ok(mut options) => {
            options.json = absolute(options.json);
            publish(options)
        }
        Err(mistake) => {
            let line =
                format!("racert: {VARIABLE}: {mistake} ({VARIABLE}=help=1 lists them all)\n");
            os::write_all(os::STDERR, line.as_bytes());
            os::exit_group(USAGE_EXIT)
        }
    }
}

/// `path` seen from the current directory.
fn absolute(path: String) -> String {
    if path.is_empty() || path.starts_with('/') {
        return path;
    }
    match os::current_directory() {
        Some(here) => format!("{}/{path}", String::from_utf8_lossy(&here)),
        None => path,
    }
}

fn from_environment(environment: &Environment) -> Result<Options, String> {
    let mut options = Options {
        plain_terminal: environment
            .get("NO_COLOR")
            .is_some_and(|value| !value.is_empty())
            || environment.get("TERM").is_some_and(|term| term == "dumb"),
        ..Options::default()
    };
    if let Some(text) = hook::default_options() {
        tsan::apply(&mut options, &String::from_utf8_lossy(text.to_bytes()));
    }
    if let Some(text) = environment.get(tsan::VARIABLE) {
        tsan::apply(&mut options, &text);
    }
    if let Some(text) = hook::own_default_options() {
        let text = String::from_utf8_lossy(text.to_bytes());
        parse_into(&mut options, &text)
            .map_err(|mistake| format!("in __racert_default_options: {mistake}"))?;
    }
    if let Some(text) = environment.get(VARIABLE) {
        parse_into(&mut options, &text)?;
    }
    Ok(options)
}

/// Applies `text` on top of `options`; of a key given twice the last counts.
fn parse_into(options: &mut Options, text: &str) -> Result<(), String> {
    for pair in text::pairs(text)? {
        let Some(entry) = table::find(&pair.key) else {
            return Err(table::unknown(&pair.key));
        };
        let Some(value) = pair.value else {
            return Err(format!(
                "option \"{}\" needs a value: {}",
                pair.key,
                entry.allowed.describe()
            ));
        };
        let value = entry.allowed.parse(&value).map_err(|()| {
            format!(
                "bad value \"{value}\" for option \"{}\": it takes {}",
                pair.key,
                entry.allowed.describe()
            )
        })?;
        (entry.set)(options, value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options, String> {
        from_environment(&Environment::from_pairs(&[(VARIABLE, text)]))
    }

    #[test]
    fn defaults() {
        let options = parse("").unwrap();
        assert_eq!(options, Options::default());
        assert_eq!(options.exitcode, 66);
        assert_eq!(options.log_path, "stderr");
        assert!(options.symbolize && options.print_summary);
        assert!(!options.halt_on_error && !options.help && !options.plain_terminal);
        assert_eq!(options.max_findings, 0);
    }

    #[test]
    fn every_option_can_be_set() {
        let options = parse(
            "mode=hb:conflict_edges=0:precise=0:bus_lock=mutex:delete_marks=0:fail_on=possible:exitcode=3:log_path=/tmp/x:json=/tmp/y:color=always:symbolize=0:\
             halt_on_error=yes:max_findings=7:memory_limit_mb=512:print_summary=false:strip_path_prefix=/src/:\
             suppressions=/tmp/s:print_suppressions=0:print_unused=1:\
             detect_deadlocks=0:second_deadlock_stack=0:single_thread_inversions=1:on_deadlock=report:on_internal_error=disable:\
             advice=0:report_destroy_locked=0:report_signal_unsafe=0:report_thread_leaks=0:\
             report_bugs=0:dump_signal=SIGQUIT:help=1",
        )
        .unwrap();
        let expected = Options {
            mode: Mode::Hb,
            conflict_edges: false,
            bus_lock: BusLock::Mutex,
            delete_marks: false,
            precise: false,
            fail_on: FailOn::Possible,
            exitcode: 3,
            log_path: "/tmp/x".into(),
            json: "/tmp/y".into(),
            color: Color::Always,
            symbolize: false,
            halt_on_error: true,
            max_findings: 7,
            memory_limit_mb: 512,
            print_summary: false,
            strip_path_prefix: "/src/".into(),
            suppressions: "/tmp/s".into(),
            print_suppressions: false,
            print_unused: true,
            detect_deadlocks: false,
            second_deadlock_stack: false,
            single_thread_inversions: true,
            on_deadlock: OnDeadlock::Report,
            on_internal_error: OnInternalError::Disable,
            advice: false,
            report_destroy_locked: false,
            report_signal_unsafe: false,
            report_thread_leaks: false,
            report_bugs: false,
            dump_signal: DumpSignal::Number(libc::SIGQUIT),
            help: true,
            plain_terminal: false,
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn a_path_outlives_a_change_of_directory() {
        let here = std::env::current_dir().unwrap();
        let wanted = format!("{}/a/b.json", here.display());
        assert_eq!(absolute("a/b.json".into()), wanted);
        assert_eq!(absolute("/a".into()), "/a");
        assert_eq!(absolute(String::new()), "");
    }

    #[test]
    fn last_one_counts() {
        assert_eq!(parse("exitcode=1 exitcode=2").unwrap().exitcode, 2);
    }

    #[test]
    fn mistakes_name_key_value_and_what_is_allowed() {
        assert_eq!(
            parse("exitcod=1").unwrap_err(),
            "unknown option \"exitcod\"; did you mean \"exitcode\"?"
        );
        assert_eq!(parse("zzz=1").unwrap_err(), "unknown option \"zzz\"");
        assert_eq!(
            parse("exitcode=300").unwrap_err(),
            "bad value \"300\" for option \"exitcode\": it takes a number from 0 to 255"
        );
        assert_eq!(
            parse("color=blue").unwrap_err(),
            "bad value \"blue\" for option \"color\": it takes auto, always or never"
        );
        assert_eq!(
            parse("symbolize=2").unwrap_err(),
            "bad value \"2\" for option \"symbolize\": it takes 1 or 0 (also yes/no, true/false, \
             on/off)"
        );
        assert_eq!(
            parse("help").unwrap_err(),
            "option \"help\" needs a value: 1 or 0 (also yes/no, true/false, on/off)"
        );
        assert_eq!(
            parse("mode=hybird").unwrap_err(),
            "bad value \"hybird\" for option \"mode\": it takes hybrid, hb, fast, msm-short, \
             msm-long or eraser"
        );
    }

    #[test]
    fn no_color_and_dumb_terminals() {
        let plain = |pairs: &[(&str, &str)]| {
            from_environment(&Environment::from_pairs(pairs))
                .unwrap()
                .plain_terminal
        };
        assert!(plain(&[("NO_COLOR", "1")]));
        assert!(!plain(&[("NO_COLOR", "")]));
        assert!(plain(&[("TERM", "dumb")]));
        assert!(!plain(&[("TERM", "xterm")]));
    }
}
