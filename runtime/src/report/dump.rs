//! All live threads with their stacks and locks, for a program that hangs.
//!
//! Nothing here waits for another thread: the names come from a symboliser of
//! this dump's own, because whoever writes a report may be the one that hangs.

use super::color::Colors;
use super::excerpt::Sources;
use super::frames::{self, Line};
use super::locks::NamedLock;
use super::names::capitalised;
use super::notice::{in_a_sentence, thread_name};
use super::output::Output;
use super::text::Page;
use crate::finding::Stack;
use crate::live::snapshot::{self, DEEPEST, Seen};
use crate::lock::LockId;
use crate::lock::Mode;
use crate::lock::finding::LockInfo;
use crate::lock::held::Taken;
use crate::lock::wait::What;
use crate::options;
use crate::os::{self, File};
use crate::stack;
use crate::symbol::unwind::Position;
use crate::symbol::{Resolve, Symbolizer};
use crate::thread::registry;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The last line, by which a reader knows that all is there.
const END: &str = "racert: end of dump\n";

/// Writes a dump into `to`, or where reports go. The calling thread is at
/// `at`.
pub(crate) fn write(at: Position, to: Option<File>) {
    let options = options::get();
    let mut output = Output::new();
    let colored = to.is_none() && output.is_colored(options);
    let colors = Colors::new(colored);
    let page = Page {
        out: String::new(),
        options,
        colors: &colors,
    };
    let text = Dump::new(page, snapshot::all(at)).text();
    match to {
        Some(file) => os::write_all(file.fd(), text.as_bytes()),
        None => output.write(options, text.as_bytes()),
    }
}

struct Dump<'a> {
    page: Page<'a>,
    threads: Vec<Seen>,
    locks: Vec<LockId>,
    names: Vec<NamedLock>,
    symbolizer: Symbolizer,
}

impl<'a> Dump<'a> {
    fn new(page: Page<'a>, threads: Vec<Seen>) -> Dump<'a> {
        let mut symbolizer = Symbolizer::new();
        symbolizer.begin();
        let mut locks: Vec<LockId> = Vec::new();
        for thread in &threads {
            locks.extend(thread.held.iter().flatten().map(|held| held.lock));
            locks.extend(thread.waits.iter().filter_map(|wait| wait.what.lock()));
        }
        locks.sort_unstable();
        locks.dedup();
        let infos: Vec<LockInfo> = locks.iter().map(|lock| LockInfo::of(*lock)).collect();
        let names = NamedLock::all(&infos, &[], &mut symbolizer, &mut Sources::new());
        Dump {
            page,
            threads,
            locks,
            names,
            symbolizer,
        }
    }

    fn text(mut self) -> String {
        let program = os::program().unwrap_or_default();
        let (pid, count) = (os::getpid(), self.threads.len());
        let s = if count == 1 { "" } else { "s" };
        let first = format!("racert: {count} live thread{s} of process {pid} ({program})");
        self.page.line(self.page.colors.warning, &first);
        for thread in core::mem::take(&mut self.threads) {
            self.thread(&thread);
            self.threads.push(thread);
        }
        self.page.out.push_str(END);
        self.page.out
    }

    fn thread(&mut self, thread: &Seen) {
        let os_id = registry::describe(thread.number).map_or(0, |known| known.os_id);
        let name = capitalised(&thread_name(thread.number));
        let doing = self.doing(thread);
        let heading = format!("{name} (os id {os_id}), {doing}:");
        self.page.heading(self.page.colors.thread, &heading);
        let addresses = self.addresses(thread);
        self.stack(&Stack {
            addresses,
            callers_lost: false,
        });
        match &thread.held {
            None => self
                .page
                .out
                .push_str("    (it is taking and giving back locks)\n"),
            Some(held) => held.iter().for_each(|taken| self.held(taken)),
        }
    }

    /// The return addresses of a thread, innermost first. Where unwinding ends
    /// or does not begin, what instrumented functions noted goes on.
    fn addresses(&mut self, thread: &Seen) -> Vec<u64> {
        let Some(place) = thread.place else {
            return thread.frames.clone();
        };
        let mut addresses = self.symbolizer.callers(place, DEEPEST);
        let noted = |address: &u64| thread.frames.iter().position(|noted| noted == address);
        let common = addresses
            .iter()
            .position(|address| noted(address).is_some());
        let rest = match common {
            Some(at) => noted(&addresses[at]).unwrap_or(0),
            None => 0,
        };
        addresses.truncate(common.unwrap_or(addresses.len()));
        addresses.extend_from_slice(&thread.frames[rest..]);
        // One behind the instruction, as return addresses are.
        addresses.insert(0, place.pc.wrapping_add(1));
        addresses
    }

    /// `waits for mutex 'a', which thread T2 holds`
    fn doing(&self, thread: &Seen) -> String {
        match (&thread.waits, thread.call) {
            (Some(wait), _) => match wait.what {
                What::Thread(number) => format!("waits for the end of {}", in_a_sentence(number)),
                What::Lock(lock, _) => {
                    let name = self.name(lock);
                    match self.holder(lock) {
                        Some(number) => {
                            format!("waits for {name}, which {} holds", in_a_sentence(number))
                        }
                        None => format!("waits for {name}"),
                    }
                }
            },
            (None, Some(call)) => match call_name(call) {
                Some(name) => format!("in the system call {name}"),
                None => format!("in system call {call}"),
            },
            (None, None) => "running".to_string(),
        }
    }

    fn holder(&self, lock: LockId) -> Option<u32> {
        let holds = |thread: &&Seen| {
            let mut held = thread.held.iter().flatten();
            held.any(|taken| taken.lock == lock)
        };
        self.threads.iter().find(holds).map(|thread| thread.number)
    }

    fn held(&mut self, taken: &Taken) {
        let how = match taken.mode {
            Mode::Read => " for reading",
            Mode::Write => "",
        };
        let said = format!("It holds {}{how}, taken at:", self.name(taken.lock));
        self.page.heading(self.page.colors.place, &said);
        self.stack(&stack::resolve(taken.at.stack()));
    }

    fn name(&self, lock: LockId) -> String {
        let index = self.locks.binary_search(&lock);
        let known = index.ok().and_then(|index| self.names.get(index));
        known.map_or("a lock".to_string(), |lock| lock.name.clone())
    }

    fn stack(&mut self, stack: &Stack) {
        let mut lines: Vec<Line> = frames::lines(stack, &mut self.symbolizer);
        // Between a function of libc and who called it.
        lines.retain(|line| !frames::is_own(line));
        self.page.stack(&lines, stack, None);
    }
}

/// System calls in which threads spend their time.
fn call_name(number: u32) -> Option<&'static str> {
    const NAMES: &[(libc::c_long, &str)] = &[
        (libc::SYS_read, "read"),
        (libc::SYS_write, "write"),
        (libc::SYS_readv, "readv"),
        (libc::SYS_writev, "writev"),
        (libc::SYS_poll, "poll"),
        (libc::SYS_ppoll, "ppoll"),
        (libc::SYS_select, "select"),
        (libc::SYS_pselect6, "pselect"),
        (libc::SYS_epoll_wait, "epoll_wait"),
        (libc::SYS_epoll_pwait, "epoll_pwait"),
        (libc::SYS_accept, "accept"),
        (libc::SYS_accept4, "accept4"),
        (libc::SYS_connect, "connect"),
        (libc::SYS_recvfrom, "recvfrom"),
        (libc::SYS_recvmsg, "recvmsg"),
        (libc::SYS_sendto, "sendto"),
        (libc::SYS_sendmsg, "sendmsg"),
        (libc::SYS_futex, "futex"),
        (libc::SYS_flock, "flock"),
        (libc::SYS_fcntl, "fcntl"),
        (libc::SYS_fsync, "fsync"),
        (libc::SYS_pause, "pause"),
        (libc::SYS_nanosleep, "nanosleep"),
        (libc::SYS_clock_nanosleep, "clock_nanosleep"),
        (libc::SYS_rt_sigtimedwait, "sigtimedwait"),
        (libc::SYS_rt_sigsuspend, "sigsuspend"),
        (libc::SYS_wait4, "wait4"),
        (libc::SYS_waitid, "waitid"),
        (libc::SYS_semtimedop, "semtimedop"),
        (libc::SYS_msgrcv, "msgrcv"),
        (libc::SYS_io_getevents, "io_getevents"),
    ];
    let known = NAMES.iter().find(|(call, _)| *call == i64::from(number));
    known.map(|(_, name)| *name)
}
