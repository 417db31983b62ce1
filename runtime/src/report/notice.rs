//! Findings that are not a pair of accesses: one sentence and one stack.

use super::{
    NoNames, REPORTER, Reporter, color, context, fingerprint, frames, json, locks, names, text,
};
use crate::api::{self, Told};
use crate::finding::Stack;
use crate::options::{self, Options};
use crate::os;
use crate::suppress::Class;
use crate::symbol::Resolve;
use crate::thread::registry;
use alloc::format;
use alloc::string::{String, ToString};

/// Such a finding.
pub struct Notice<'a> {
    /// In records and fingerprints: never changes.
    pub id: &'static str,
    /// What the first and the last line call it.
    pub title: &'a str,
    /// What happened, ending in a colon.
    pub said: &'a str,
    /// Number of the thread that did it.
    pub thread: u32,
    /// Where.
    pub stack: Stack,
    /// What to change, a sentence without full stop.
    pub suggestion: Option<&'static str>,
    /// Which suppressions apply.
    pub class: Class,
    /// One report for each place is enough.
    pub once: bool,
}

/// Prints `notice`; it counts as a finding. With `halt_on_error` it does not
/// return.
pub fn notice(notice: &Notice<'_>) {
    let _signals = os::block_signals();
    let mut told = None;
    os::on_fresh_stack(|| {
        let mut reporter = REPORTER.lock();
        reporter.notice(notice, options::get());
        told = reporter.told.take();
    });
    if let Some(told) = told {
        api::tell(&told);
    }
}

/// `main thread`, `thread T2 (name "worker")`
pub fn thread_name(number: u32) -> String {
    let name = registry::describe(number).and_then(|thread| thread.name);
    match (number, name) {
        (0, _) => "main thread".to_string(),
        (_, Some(name)) => format!("thread T{number} (name \"{}\")", names::printable(&name)),
        (_, None) => format!("thread T{number}"),
    }
}

/// As [`thread_name`], with an article where a sentence needs one.
pub fn in_a_sentence(number: u32) -> String {
    match number {
        0 => "the main thread".to_string(),
        _ => thread_name(number),
    }
}

impl Reporter {
    fn notice(&mut self, notice: &Notice<'_>, options: &Options) {
        if !options.report_bugs || self.is_notice_suppressed(notice) {
            return;
        }
        if (notice.once && !self.seen.first_notice(notice.title, &notice.stack))
            || self.is_full(options)
        {
            return;
        }
        self.symbolizer.begin();
        let mut no_names;
        let resolver: &mut dyn Resolve = if options.symbolize {
            &mut self.symbolizer
        } else {
            no_names = NoNames(&mut self.symbolizer);
            &mut no_names
        };
        let lines = frames::lines(&notice.stack, resolver);
        let threads = registry::with_creators(core::iter::once(notice.thread));
        let creations = locks::creations(&threads, resolver);
        let colors = color::Colors::new(self.output.is_colored(options));
        let text = text::render_notice(notice, &lines, options, &colors);
        self.reported += 1;
        super::count(true);
        self.output.write(options, text.as_bytes());
        let fingerprint = fingerprint::of_notice(notice.id, &lines);
        self.told = Some(Told::new(notice.id, &fingerprint, &text, true));
        if !options.json.is_empty() {
            let program = os::program();
            let context = context(program.as_deref());
            let threads = (threads.as_slice(), creations.as_slice());
            let record = json::notice(&context, notice, &lines, threads, options);
            self.json.finding(&options.json, context.pid, record);
        }
        self.symbolizer.settle();
        if options.halt_on_error {
            self.record_end(options, options.exitcode);
            os::exit_group(options.exitcode);
        }
    }
}
