//! Reports of findings about locks.

use super::frames::Line;
use super::locks::{Named, locks_of, named_parts};
use super::{REPORTER, Reporter, color, context, json, suppressed, text};
use crate::api::{self, Told};
use crate::lock::finding::LockFinding;
use crate::options::{self, Options};
use crate::symbol::Resolve;
use crate::{os, tsan};
use alloc::vec::Vec;

/// Prints `finding` unless the same was printed before. With `halt_on_error`
/// it does not return.
pub fn lock_finding(finding: &LockFinding) {
    let _signals = os::block_signals();
    let mut told = None;
    os::on_fresh_stack(|| {
        let mut reporter = REPORTER.lock();
        reporter.lock_finding(finding, options::get());
        told = reporter.told.take();
    });
    if let Some(told) = told {
        if !finding.trouble.is_advice() {
            tsan::report::announce_lock(finding);
        }
        api::tell(&told);
    }
}

/// Ends the process, with what is otherwise said at its end.
pub fn end_now() -> ! {
    let code = super::finish(options::get().exitcode);
    os::exit_group(code)
}

impl Reporter {
    /// Prints `finding`, unless there is a reason not to.
    fn lock_finding(&mut self, finding: &LockFinding, options: &Options) {
        let is_advice = finding.trouble.is_advice();
        let is_wanted = options.report_bugs && (options.advice || !is_advice);
        if !is_wanted || !self.seen.first_time_for_locks(finding) {
            return;
        }
        self.symbolizer.begin();
        let parts = self.named_parts(finding);
        let is_new = !suppressed::is_suppressed(finding, &parts)
            && self.is_new(finding, &parts)
            && (is_advice || !self.is_full(options));
        if is_new {
            let named = self.named(finding, parts, options);
            self.print_locks(finding, &named, options);
        }
        self.symbolizer.settle();
        if is_new && options.halt_on_error && !is_advice {
            self.record_end(options, options.exitcode);
            os::exit_group(options.exitcode);
        }
    }

    fn named_parts(&mut self, finding: &LockFinding) -> Vec<Vec<Line>> {
        named_parts(finding, &mut self.symbolizer)
    }

    /// Are its lines and its locks new?
    fn is_new(&mut self, finding: &LockFinding, parts: &[Vec<Line>]) -> bool {
        let locks = locks_of(finding, &mut self.symbolizer, &mut self.sources);
        self.seen.first_time_in_lines(finding, parts, &locks)
    }

    /// `finding` with names, if they are wanted; `parts` are its stacks.
    fn named(&mut self, finding: &LockFinding, parts: Vec<Vec<Line>>, options: &Options) -> Named {
        if options.symbolize {
            return Named::new(finding, parts, &mut self.symbolizer, &mut self.sources);
        }
        let mut no_names = super::NoNames(&mut self.symbolizer);
        let parts = named_parts(finding, &mut no_names);
        Named::new(finding, parts, &mut no_names, &mut self.sources)
    }

    fn print_locks(&mut self, finding: &LockFinding, named: &Named, options: &Options) {
        let colors = color::Colors::new(self.output.is_colored(options));
        let text = text::render_locks(finding, named, options, &colors);
        let is_advice = finding.trouble.is_advice();
        if is_advice {
            self.advised += 1;
        } else {
            self.reported += 1;
            super::count(finding.trouble.certainty() == "proven");
        }
        self.output.write(options, text.as_bytes());
        let id = finding.trouble.id();
        self.told = Some(Told::new(id, &named.fingerprint, &text, !is_advice));
        if options.json.is_empty() {
            return;
        }
        let program = os::program();
        let context = context(program.as_deref());
        let record = json::lock_finding(&context, finding, named, options);
        self.json.finding(&options.json, context.pid, record);
    }
}
