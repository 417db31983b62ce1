//! From a finding to what the user reads.
//!
//! [`report`] drops what was reported before ([`seen`]), puts names to
//! addresses, gathers the [`details`], turns the finding into [`text`] and a
//! [`json`] record and hands each to its file in one piece. One thread at a time does this, under [`lock`], on a stack of its
//! own and with signals held off.

mod allocated;
mod color;
mod details;
pub(crate) mod dump;
mod excerpt;
mod explain;
mod fingerprint;
mod frames;
mod groups;
mod hash;
mod json;
mod kind;
mod last;
mod lock;
mod lock_reports;
mod locks;
mod names;
mod notice;
mod order;
mod others;
mod output;
mod place;
mod seen;
mod stack_variable;
mod suggestion;
mod suppressed;
#[cfg(test)]
mod tests;
mod text;
mod time;

use crate::api::{self, Told};
use crate::ceiling;
use crate::finding::{Finding, Kind};
use crate::internal_error;
use crate::live::status;
use crate::options::{self, FailOn, Options};
use crate::os;
use crate::suppress;
use crate::symbol::{Block, Bytes, Code, Data, Hint, Part, Resolve, Symbolizer, Variable};
use crate::tsan;
use alloc::format;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};
use details::Details;
use excerpt::Sources;
use frames::Resolved;
use groups::Groups;
use lock::{Guard, SleepLock};
pub use lock_reports::{end_now, lock_finding};
pub use notice::{Notice, in_a_sentence, notice, thread_name};
use others::Others;
use output::Output;
use seen::Seen;
pub use seen::Spot;

/// What reporting keeps from one finding to the next.
struct Reporter {
    symbolizer: Symbolizer,
    seen: Seen,
    output: Output,
    sources: Sources,
    json: json::Sink,
    groups: Groups,
    others: Others,
    /// Findings printed.
    reported: usize,
    /// Pieces of advice printed, which are no findings.
    advised: usize,
    /// The one just printed, for the program.
    told: Option<Told>,
}

static REPORTER: SleepLock<Reporter> = SleepLock::new(Reporter {
    symbolizer: Symbolizer::new(),
    seen: Seen::new(),
    output: Output::new(),
    sources: Sources::new(),
    json: json::Sink::new(),
    groups: Groups::new(),
    others: Others::new(),
    reported: 0,
    advised: 0,
    told: None,
});
static REPORTED: AtomicUsize = AtomicUsize::new(0);
/// How many of them this run does not prove.
static POSSIBLE: AtomicUsize = AtomicUsize::new(0);

/// Were these accesses reported before? Cheap and without a lock: ask before
/// building a [`Finding`]. It may answer "no" for those that were; [`report`]
/// then finds out.
pub fn already_reported(kind: Kind, first: Spot, second: Spot) -> bool {
    seen::recently(kind, first, second)
}

/// [`already_reported`] answers "yes" from now on.
pub fn remember(kind: Kind, first: Spot, second: Spot) {
    seen::remember(kind, first, second);
}

/// Prints `finding` unless the same was printed before. With `halt_on_error`
/// it does not return.
pub fn report(finding: &Finding) {
    let _signals = os::block_signals();
    let mut told = None;
    os::on_fresh_stack(|| {
        let mut reporter = REPORTER.lock();
        reporter.report(finding, options::get());
        told = reporter.told.take();
    });
    // The program's code belongs on the program's stack.
    if let Some(told) = told {
        tsan::report::announce(finding);
        api::tell(&told);
    }
}

/// Findings this process has printed so far.
pub fn errors_reported() -> usize {
    REPORTED.load(Ordering::Relaxed)
}

/// Notes what is loaded now. Called before a library is unloaded, it keeps
/// the library's addresses nameable.
pub fn note_modules() {
    let _signals = os::block_signals();
    os::on_fresh_stack(|| {
        let mut reporter = REPORTER.lock();
        reporter.symbolizer.refresh();
        reporter.symbolizer.expect_change();
        reporter.symbolizer.settle();
    });
}

/// Ends reporting: prints the count if there were findings. Gives the exit
/// status of a program that would have ended with `status`.
pub fn finish(status: i32) -> i32 {
    let options = options::get();
    let mut summary = suppress::summary(options);
    if options.print_summary {
        summary.push_str(&ceiling::summary());
    }
    if !summary.is_empty() {
        REPORTER.lock().output.write(options, summary.as_bytes());
    }
    let count = errors_reported();
    let found = count != 0;
    let status = final_status(status, options);
    if !found && options.json.is_empty() {
        return status;
    }
    let _signals = os::block_signals();
    os::on_fresh_stack(|| {
        let mut reporter = REPORTER.lock();
        if found && options.print_summary {
            let s = if count == 1 { "" } else { "s" };
            let more = reporter.groups.summary();
            let advice = match reporter.advised {
                0 => "",
                _ => ", and advice",
            };
            let lines = format!("{more}racert: {count} finding{s}{advice}\n");
            reporter.output.write(options, lines.as_bytes());
        }
        reporter.record_end(options, status);
    });
    status
}

/// Ends reporting in a process whose runtime has switched itself off, without
/// anything that another thread may hold. As [`finish`].
pub fn finish_unchecked(status: i32) -> i32 {
    let options = options::get();
    let count = errors_reported();
    let status = final_status(status, options);
    if options.print_summary && internal_error::is_broken_here() {
        let s = if count == 1 { "" } else { "s" };
        let line = format!(
            "racert: {count} finding{s}; checking ended early because of an internal error\n"
        );
        Output::new().write(options, line.as_bytes());
    }
    if !options.json.is_empty() {
        let program = os::program();
        let context = context(program.as_deref());
        let written = json::written(context.pid);
        let record = json::summary(&context, written, status, true);
        json::Sink::new().append(&options.json, context.pid, record);
    }
    status
}

/// The exit status of a program that would have ended with `status`.
fn final_status(status: i32, options: &Options) -> i32 {
    let excused = match options.fail_on {
        FailOn::Proven => POSSIBLE.load(Ordering::Relaxed),
        FailOn::Possible => 0,
    };
    if errors_reported() > excused && status == 0 {
        options.exitcode
    } else {
        status
    }
}

/// The runtime is off: nothing is reported any more.
pub(crate) fn abandon() {
    REPORTER.abandon();
}

/// No report is being written while this lives.
pub struct Paused {
    guard: Guard<'static, Reporter>,
}

impl Paused {
    /// Ends in a forked child. What its parent found is not reported again,
    /// but it is the parent that ends with it.
    pub(crate) fn alone_in_child(mut self) {
        REPORTED.store(0, Ordering::Relaxed);
        POSSIBLE.store(0, Ordering::Relaxed);
        self.guard.advised = 0;
        self.guard.groups.alone_in_child();
    }
}

/// Keeps reports away while the process forks: hold it across the call and
/// drop it in parent and child.
pub fn pause() -> Paused {
    Paused {
        guard: REPORTER.lock(),
    }
}

impl Reporter {
    /// Prints `finding`, unless there is a reason not to.
    fn report(&mut self, finding: &Finding, options: &Options) {
        if !options.report_bugs || self.is_suppressed(finding) {
            return;
        }
        if !self.seen.first_time_at(finding) || self.is_full(options) {
            return;
        }
        let mut no_names;
        let resolver: &mut dyn Resolve = if options.symbolize {
            &mut self.symbolizer
        } else {
            no_names = NoNames(&mut self.symbolizer);
            &mut no_names
        };
        resolver.begin();
        let mut resolved = Resolved::new(finding, resolver);
        let shared = frames::shared_bytes(finding);
        allocated::name_part(&mut resolved, shared, resolver, &mut self.sources);
        stack_variable::name_local(&mut resolved, finding, shared, resolver);
        let is_new = self.seen.first_time_in_source(finding.kind, &resolved);
        let mut is_first = false;
        if is_new {
            let others = self.others.of(resolved.address, &resolved.accesses);
            let sources = &mut self.sources;
            let details = Details::new(finding, &resolved, &others, resolver, sources);
            self.others.note(
                resolved.address,
                finding,
                &resolved.accesses,
                &details.locks,
            );
            self.record(finding, &resolved, &details, options);
            is_first = self.groups.is_first(finding, &resolved);
            if is_first {
                self.print(finding, &resolved, &details, options);
            }
        }
        self.symbolizer.settle();
        if is_first && options.halt_on_error {
            self.record_end(options, options.exitcode);
            os::exit_group(options.exitcode);
        }
    }

    fn print(
        &mut self,
        finding: &Finding,
        resolved: &Resolved,
        details: &Details,
        options: &Options,
    ) {
        let colors = color::Colors::new(self.output.is_colored(options));
        let text = text::render(finding, resolved, details, options, &colors);
        self.reported += 1;
        let is_possible = kind::certainty(finding.kind) == "possible";
        count(!is_possible);
        if is_possible {
            POSSIBLE.fetch_add(1, Ordering::Relaxed);
        }
        self.output.write(options, text.as_bytes());
        let fails = !is_possible || options.fail_on == FailOn::Possible;
        let kind = kind::id(finding.kind);
        self.told = Some(Told::new(kind, &details.fingerprint, &text, fails));
    }

    /// Appends the record of a finding to the file of `json`.
    fn record(
        &mut self,
        finding: &Finding,
        resolved: &Resolved,
        details: &Details,
        options: &Options,
    ) {
        if options.json.is_empty() {
            return;
        }
        let program = os::program();
        let context = context(program.as_deref());
        let record = json::finding(&context, finding, resolved, details, options);
        self.json.finding(&options.json, context.pid, record);
    }

    /// Appends the record of the end of this process, which exits with
    /// `status`.
    fn record_end(&mut self, options: &Options, status: i32) {
        if options.json.is_empty() {
            return;
        }
        let program = os::program();
        let context = context(program.as_deref());
        let findings = self.json.written(context.pid);
        let record = json::summary(&context, findings, status, false);
        self.json.append(&options.json, context.pid, record);
    }

    /// Were as many printed as the user wants? Says so once.
    fn is_full(&mut self, options: &Options) -> bool {
        let full = options.max_findings != 0 && self.reported >= options.max_findings;
        if full && self.seen.first_time_full() {
            let line = format!(
                "racert: max_findings={} reached, further findings are not printed\n",
                options.max_findings
            );
            self.output.write(options, line.as_bytes());
        }
        full
    }
}

/// One more finding; does this run prove it?
fn count(proven: bool) {
    REPORTED.fetch_add(1, Ordering::Relaxed);
    status::found(proven);
}

fn context(program: Option<&str>) -> json::Context<'_> {
    json::Context {
        pid: os::getpid(),
        now: os::realtime_ns(),
        program,
    }
}

/// Answers with modules and offsets alone, for `symbolize=0`: enough to look
/// names up later.
struct NoNames<'a>(&'a mut Symbolizer);

impl Resolve for NoNames<'_> {
    fn begin(&mut self) {
        self.0.begin();
    }

    fn code(&mut self, address: u64) -> Code {
        Code {
            frames: Vec::new(),
            module: self.0.module(address),
        }
    }

    fn data(&mut self, bytes: Bytes, _code: &[u64]) -> Data {
        match self.0.module(bytes.address) {
            Some(module) => Data::Module(module),
            None => self.0.mapping(bytes.address),
        }
    }

    fn local(&mut self, _: Bytes, _: u64, _: u64, _: Option<u64>) -> Option<Variable> {
        None
    }

    fn allocated(&mut self, _: u64, _: &Hint, _: Block, _: Bytes) -> Option<Part> {
        None
    }

    fn thread_local(
        &mut self,
        _bytes: Bytes,
        _thread_pointer: u64,
        _code: &[u64],
    ) -> Option<Variable> {
        None
    }
}
