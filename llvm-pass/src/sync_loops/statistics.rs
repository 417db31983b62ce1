//! What `-racert-stats` says about loops that wait for another thread.

use super::emit::Plan;
use super::wait_loop::{Loose, NotUnderstood, WaitLoop};
use crate::llvm::value::Value;

/// Counts of a module and a line for each loop.
#[derive(Default)]
pub(crate) struct Statistics {
    /// Calls of hooks.
    pub(crate) hooks: usize,
    /// Exits on which no code can be put.
    pub(crate) no_place: usize,
    wait_loops: usize,
    spin_loops: usize,
    not_understood: usize,
    uncertain: usize,
    lines: Vec<String>,
}

impl Statistics {
    /// Takes down what was found in a function, before it is changed.
    pub(crate) fn collect(&mut self, function: Value, plan: &Plan) {
        for each in &plan.waits.loops {
            self.wait_loops += 1;
            let place = place(each.waits.first().copied(), function);
            self.lines.push(describe(&place, each));
        }
        for loose in &plan.waits.loose {
            self.loose(function, plan, loose);
        }
        self.uncertain += plan.uncertain.len();
        for each in &plan.spins {
            self.spin_loops += 1;
            let place = place(each.header.terminator(), function);
            let reads = each.exits.iter().flat_map(|exit| exit.reads()).count();
            let calls: usize = each
                .exits
                .iter()
                .flat_map(|exit| exit.causes())
                .map(|cause| cause.slice.calls.len())
                .sum();
            self.lines.push(format!(
                "{place}: loop spins until memory changes: {} exits hooked, {reads} addresses, \
                 {calls} predicate calls",
                each.exits.len(),
            ));
        }
    }

    fn loose(&mut self, function: Value, plan: &Plan, loose: &Loose) {
        let place = place(Some(loose.wait), function);
        if plan.waits_for_caller {
            self.lines
                .push(format!("{place}: waits on behalf of its callers"));
            return;
        }
        self.not_understood += 1;
        let why = match loose.why {
            NotUnderstood::NoLoop => "it is not in a loop",
            NotUnderstood::Irreducible => "control jumps into the middle of its loop",
            NotUnderstood::Endless => "its loop has no exit",
            NotUnderstood::NoCondition => {
                "no exit of its loop depends on memory that other threads write"
            }
            NotUnderstood::TooLarge => "the condition of its loop depends on too much",
        };
        self.lines
            .push(format!("{place}: wait not understood: {why}"));
    }

    /// Prints everything.
    pub(crate) fn print(&self, source: &str) {
        for line in &self.lines {
            eprintln!("racert: {line}");
        }
        if !self.lines.is_empty() {
            eprintln!(
                "racert: {source}: {} loops wait, {} spin, {} waits not understood; {} hooks, {} \
                 exits without a place for one",
                self.wait_loops, self.spin_loops, self.not_understood, self.hooks, self.no_place,
            );
        }
        if self.uncertain != 0 {
            eprintln!(
                "racert: {source}: {} loops wait if functions of other files do",
                self.uncertain
            );
        }
    }
}

fn describe(place: &str, each: &WaitLoop) -> String {
    let mut reads = Vec::new();
    let mut calls = Vec::new();
    for cause in each.exits.iter().flat_map(|exit| exit.exit.causes()) {
        reads.extend(cause.slice.reads.iter().map(|read| read.instruction));
        calls.extend(cause.slice.calls.iter().copied());
    }
    for list in [&mut reads, &mut calls] {
        list.sort_unstable();
        list.dedup();
    }
    let source = |known: bool| {
        if known {
            "computed at the exit"
        } else {
            "known once it waited"
        }
    };
    format!(
        "{place}: loop waits on a condition variable: {} exits hooked, {} not, {} addresses, {} \
         predicate calls; condition variable {}, mutex {}",
        each.exits.len(),
        each.other_exits,
        reads.len(),
        calls.len(),
        source(each.exits.iter().all(|exit| exit.condvar.is_some())),
        source(each.exits.iter().all(|exit| exit.mutex.is_some())),
    )
}

/// File and line of an instruction, or the function without debug
/// information.
fn place(instruction: Option<Value>, function: Value) -> String {
    match instruction.and_then(Value::place) {
        Some((file, line)) => format!("{file}:{line}: {}", function.name()),
        None => function.name(),
    }
}
