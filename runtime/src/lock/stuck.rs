//! Programs that have come to a standstill on a condition variable.
//!
//! A signal that comes before the wait wakes nobody. Whoever waits all the same
//! because it did not look at the condition, or looked without the mutex, waits
//! until the next signal; if nobody is left who could send one, for ever.
//!
//! Counted are the threads that cannot go on by themselves: those that wait for
//! a signal, a lock, or the end of another thread, without a time limit. When
//! the last of all threads joins them or ends, it looks closer before it does.
//! It says nothing unless it is certain: if there is a thread that nobody
//! knows, if a signal handler may run, if another process shares the condition
//! variable, or if any of the others has run meanwhile, somebody may still
//! come. What is seen is seen twice, some time apart.

use super::finding::{LockFinding, LockInfo, Part, Trouble};
use super::misuse::subject;
use super::wait::{self, What};
use super::{Kind, condvar};
use crate::options;
use crate::options::DumpSignal;
use crate::os::{self, File};
use crate::report::{in_a_sentence, thread_name};
use crate::stack;
use crate::sync::table;
use crate::thread::registry;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Threads that cannot go on by themselves.
static PARKED: AtomicU32 = AtomicU32::new(0);
/// There are threads that nobody knows: nothing is certain here.
static STRANGERS: AtomicBool = AtomicBool::new(false);
/// How many wanted to look closer since somebody began to. That one looks for
/// all: two of them would never see each other asleep.
static LOOKS: AtomicU32 = AtomicU32::new(0);

/// Between two looks, in milliseconds: long enough that whoever was woken has
/// run or at least wants to.
const APART: u64 = 150;
/// How often the kernel is asked, while threads are on their way to sleep or to
/// their end: each time after twice as many milliseconds, beginning with one.
const TURNS: u32 = 11;
/// Stacks in a report at most.
const STACKS: usize = 16;
/// Signals that only the thread itself brings about: faults and broken pipes.
const SYNCHRONOUS: [i32; 7] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGSYS,
    libc::SIGPIPE,
];
/// Signals of the C library's own.
const OF_LIBC: [i32; 2] = [32, 33];

/// One more thread cannot go on by itself.
pub(super) fn parked() {
    PARKED.fetch_add(1, Ordering::SeqCst);
}

/// That many can.
pub(super) fn gone(count: u32) {
    if count != 0 {
        PARKED.fetch_sub(count, Ordering::SeqCst);
    }
}

/// In a forked child, whose only thread runs.
pub(super) fn forget_all() {
    PARKED.store(0, Ordering::SeqCst);
    LOOKS.store(0, Ordering::SeqCst);
}

/// The calling thread is about to wait, and has said so, or to end: does
/// anybody go on? If not, that is reported.
#[inline]
pub fn look() {
    if PARKED.load(Ordering::SeqCst) >= registry::live() {
        look_in_turn();
    }
}

/// Looks closer, and again for those who came meanwhile, until nobody has.
#[cold]
fn look_in_turn() {
    let mut looks = LOOKS.fetch_add(1, Ordering::SeqCst) + 1;
    if looks != 1 {
        return;
    }
    loop {
        look_closer();
        match LOOKS.compare_exchange(looks, 0, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => return,
            Err(now) => looks = now,
        }
    }
}

/// A thread that does not go on, as the kernel tells: how often it has run.
type Account = (u32, u64);

struct Standstill {
    waits: Vec<condvar::Waiting>,
    others: Vec<wait::Stopped>,
}

/// What the kernel knows of threads that should stand still.
#[derive(PartialEq, Eq)]
enum Kernel {
    /// All are asleep.
    Asleep(Vec<Account>),
    /// One is on its way to sleep, or to its end.
    NotYet,
    /// There are other threads, perhaps of those on their way to their end.
    Others,
    /// A handler may run.
    Handlers,
}

fn look_closer() {
    if STRANGERS.load(Ordering::Relaxed) || !options::get().report_bugs {
        return;
    }
    let mut before = Kernel::NotYet;
    for turn in 0..TURNS {
        let Some((standstill, threads)) = standstill() else {
            return;
        };
        let now = kernel(&threads);
        match now {
            Kernel::Handlers => return,
            Kernel::Asleep(_) if now == before => {
                return wait::deadlocked(&finding(&standstill));
            }
            Kernel::Asleep(_) => os::sleep_ms(APART),
            Kernel::NotYet | Kernel::Others => os::sleep_ms(1 << turn),
        }
        before = now;
    }
    if before == Kernel::Others {
        STRANGERS.store(true, Ordering::Relaxed);
    }
}

/// Everybody stands still, as far as they have said; and the live threads, by
/// the kernel's number.
fn standstill() -> Option<(Standstill, Vec<u32>)> {
    let waits = condvar::all_parked();
    if waits.is_empty() {
        return None;
    }
    let waits_for_signal = |number| waits.iter().any(|wait| wait.thread == number);
    let mut others = wait::stopped();
    others.retain(|other| !waits_for_signal(other.thread));
    let mut threads = Vec::new();
    registry::each_live(|number, os_id, _| threads.push((number, os_id)));
    if PARKED.load(Ordering::SeqCst) < registry::live() {
        return None;
    }
    let is_stopped =
        |number| waits_for_signal(number) || others.iter().any(|other| other.thread == number);
    if !threads.iter().all(|(number, _)| is_stopped(*number)) {
        return None;
    }
    let goes_on = |stopped: &wait::Stopped| match stopped.what {
        What::Thread(number) => !is_stopped(number),
        What::Lock(lock, _) => {
            let known = super::describe(lock);
            let owner = table::find(known.address).and_then(|object| object.owner());
            !owner.is_some_and(is_stopped)
        }
    };
    if others.iter().any(goes_on) || is_shared(waits.iter().map(|wait| wait.condvar)) {
        return None;
    }
    let threads = threads.into_iter().map(|(_, os_id)| os_id).collect();
    Some((Standstill { waits, others }, threads))
}

/// What the kernel says of the live threads but for the calling one, which may
/// be about to end.
fn kernel(live: &[u32]) -> Kernel {
    let me = os::gettid();
    let expected = live.len() + usize::from(!live.contains(&me));
    let Some(mine) = Status::of(me) else {
        return Kernel::Others;
    };
    if mine.handles_signals() {
        return Kernel::Handlers;
    }
    if mine.number("Threads:", 10) != Some(expected as u64) {
        return Kernel::Others;
    }
    let others = live.iter().filter(|os_id| **os_id != me);
    let accounts = others.map(|os_id| Some((*os_id, Status::of(*os_id)?.runs_if_asleep()?)));
    accounts
        .collect::<Option<Vec<Account>>>()
        .map_or(Kernel::NotYet, Kernel::Asleep)
}

/// Whether another process may know one of the addresses.
fn is_shared(mut addresses: impl Iterator<Item = usize>) -> bool {
    let shared = os::shared_memory();
    addresses.any(|address| shared.iter().any(|range| range.contains(&(address as u64))))
}

/// `/proc/self/task/N/status`
struct Status(String);

impl Status {
    fn of(os_id: u32) -> Option<Status> {
        let path = format!("/proc/self/task/{os_id}/status");
        let text = File::open(path.as_bytes()).ok()?.read_to_end().ok()?;
        Some(Status(String::from_utf8_lossy(&text).into_owned()))
    }

    fn value(&self, key: &str) -> Option<&str> {
        let line = self.0.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.trim())
    }

    fn number(&self, key: &str, radix: u32) -> Option<u64> {
        u64::from_str_radix(self.value(key)?, radix).ok()
    }

    /// How often it has run, if it sleeps.
    fn runs_if_asleep(&self) -> Option<u64> {
        if !self.value("State:")?.starts_with('S') {
            return None;
        }
        let own = self.number("voluntary_ctxt_switches:", 10)?;
        Some(own + self.number("nonvoluntary_ctxt_switches:", 10)?)
    }

    /// Whether a handler may run that somebody else sets off.
    fn handles_signals(&self) -> bool {
        let Some(caught) = self.number("SigCgt:", 16) else {
            return true;
        };
        let dump = match options::get().dump_signal {
            DumpSignal::None => 0,
            DumpSignal::Auto => libc::SIGUSR1,
            DumpSignal::Number(number) => number,
        };
        let bit = |number: &i32| 1u64 << (number - 1);
        let dump = Some(dump).filter(|number| *number > 0 && !crate::signal::is_handled(*number));
        let harmless = SYNCHRONOUS.iter().chain(&OF_LIBC).chain(&dump);
        caught & !harmless.map(bit).fold(0, |all, one| all | one) != 0
    }
}

fn finding(standstill: &Standstill) -> LockFinding {
    let me = os::gettid();
    let mine = |wait: &&condvar::Waiting| {
        registry::describe(wait.thread).is_some_and(|thread| thread.os_id == me)
    };
    let waits = &standstill.waits;
    let subject_of_all = waits.iter().find(mine).unwrap_or(&waits[0]);
    let (who, signal) = (
        subject_of_all.thread,
        condvar::last_signal(subject_of_all.condvar),
    );
    let mut condvars: Vec<usize> = [subject_of_all.condvar].into();
    let mut parts = Vec::new();
    let first = core::iter::once(subject_of_all);
    for wait in first.chain(waits.iter().filter(|wait| wait.thread != who)) {
        if !condvars.contains(&wait.condvar) {
            condvars.push(wait.condvar);
        }
        let index = condvars.iter().position(|known| *known == wait.condvar);
        parts.push(Part {
            said: format!(
                "{} waits on {{{}}} at:",
                subject(wait.thread),
                index.unwrap_or(0)
            ),
            thread: wait.thread,
            stack: stack::resolve(wait.stack),
        });
    }
    parts.truncate(STACKS);
    if let Some(signal) = signal {
        parts.push(Part {
            said: format!(
                "{{0}} was last signalled by {} at:",
                thread_name(signal.thread)
            ),
            thread: signal.thread,
            stack: stack::resolve(signal.at.stack()),
        });
    }
    let mutex = condvars.len();
    for other in standstill.others.iter().take(STACKS) {
        let what = match other.what {
            What::Thread(number) => format!("the end of {}", in_a_sentence(number)),
            What::Lock(..) => "a lock".into(),
        };
        parts.push(Part {
            said: format!("{} waits for {what} at:", subject(other.thread)),
            thread: other.thread,
            stack: stack::resolve(other.stack),
        });
    }
    let message = format!(
        "{} waits on {{0}}, and nobody is left to signal it: every other thread waits, too. {}",
        subject(who),
        fate(signal, subject_of_all),
    );
    let condvars = condvars.iter();
    let mut locks: Vec<LockInfo> = condvars
        .map(|condvar| LockInfo::at(*condvar, "condition variable"))
        .collect();
    locks.push(LockInfo::find(subject_of_all.mutex, Kind::Mutex));
    LockFinding::new(Trouble::LostWakeup, message, parts, locks).suggesting(format!(
        "hold {{{mutex}}} while the condition is changed, signal after that, and wait only while \
         the condition does not hold"
    ))
}

/// What became of the last signal.
fn fate(signal: Option<condvar::Signal>, wait: &condvar::Waiting) -> String {
    match signal {
        Some(signal) if !signal.woke => format!(
            "{} signalled it when nobody waited: that signal is lost.",
            subject(signal.thread)
        ),
        Some(signal) => format!(
            "The last signal, by {}, went to another wait.",
            in_a_sentence(signal.thread)
        ),
        None if condvar::knows_signals(wait.condvar) => "It has not been signalled at all.".into(),
        None => "Signals it may have had went to other waits, or came too early.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::Status;

    fn status(text: &str) -> Status {
        Status(text.into())
    }

    #[test]
    fn what_the_kernel_says_of_a_thread() {
        let asleep = status(
            "Name:\ta\nState:\tS (sleeping)\nThreads:\t3\nSigCgt:\t0000000000000000\n\
             voluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t2\n",
        );
        assert_eq!(asleep.runs_if_asleep(), Some(7));
        assert_eq!(asleep.number("Threads:", 10), Some(3));
        assert!(!asleep.handles_signals());
        assert_eq!(status("State:\tR (running)\n").runs_if_asleep(), None);
        assert_eq!(status("").runs_if_asleep(), None);
    }

    #[test]
    fn only_handlers_that_others_set_off_count() {
        // SIGSEGV, SIGBUS, SIGPIPE and a signal of libc's.
        assert!(!status("SigCgt:\t0000000080001440\n").handles_signals());
        // SIGINT
        assert!(status("SigCgt:\t0000000000000002\n").handles_signals());
        assert!(status("").handles_signals());
    }

    #[test]
    fn this_process_can_be_asked() {
        let me = Status::of(crate::os::gettid()).unwrap();
        assert!(me.number("Threads:", 10).unwrap() >= 1);
    }
}
