//! Loops that wait for another thread.
//!
//! A thread that has left `while (!ready) pthread_cond_wait(&c, &m);` is
//! ordered after whoever set `ready`, whether or not it ever called the wait:
//! if the signal came first, there is nothing to intercept (the lost signals
//! of Helgrind+, Jannesari et al., IPDPS 2009, sections 5 and 6.3). There a
//! binary is searched for small backward jumps and the arguments of the wait
//! are guessed from the stack. Here the loop is found in the IR as the front
//! end made it, before rotation, inlining and unrolling, at every optimisation
//! level alike, and the runtime is told on each way out of it:
//!
//! * `__racert_wait_loop_exit(condvar, mutex, flags, count, conditions)` with
//!   the addresses that the decision to leave depended on,
//! * `__racert_spin_loop_exit(address, size, flags)` where a loop only watches
//!   memory (hand-made synchronisation),
//! * `__racert_flag_write(address, size)` in front of plain stores to what such
//!   loops watch, `__racert_flag_written()` behind relaxed ones to what they
//!   watch by relaxed loads,
//! * `__racert_wait_not_in_loop(condvar, mutex)` in front of a wait after which
//!   nobody looks at the condition again,
//! * `__racert_waits(table)` where only the linker knows whether a loop waits,
//! * `__racert_condition_begin(flags)` and `__racert_condition_end()` round
//!   predicates that are functions.
//!
//! # How the addresses get to the exit
//!
//! In front of every load that the decision depends on, its address is stored
//! to a variable of its own. A wait and an exit set these variables to null,
//! so at an exit they hold exactly what was read since the last wait: the
//! evaluation that ended the loop, without what `&&` and `||` left out. The
//! optimiser turns the variables into registers; in the loop nothing remains
//! of them.
//!
//! What a predicate function reads is found out when it runs: between the two
//! brackets the runtime notes the addresses. That is exact for lambdas,
//! `std::function`, virtual functions and functions in other files, where
//! looking at the callee's IR could only guess, and the brackets cost two
//! calls beside an operation that waits. The flags say whether what was noted
//! before belongs to an earlier evaluation, and which kind of loop it is.
//!
//! # What the hooks do to optimisation
//!
//! They are plain calls of unknown functions: no access moves across them,
//! which is what makes them right. Loops that are not recognised contain
//! none.
//!
//! Modules: [`known`] functions by name, [`locals`] and [`slice`] what a
//! decision depends on, [`exit`] why a loop is left, [`guard`] the test in
//! front of a rotated loop, [`expression`] addresses computed again at the
//! exit, [`waits`] functions that wait, [`elsewhere`] those of other files, [`wait_loop`] and [`spin`] the two
//! kinds of loop, [`unchecked`] waits that are in none, [`effects`] what calls
//! in a loop may write, [`emit`] the hooks, [`watched`] stores to flags,
//! [`statistics`] what to print.

mod effects;
mod elsewhere;
mod emit;
mod exit;
mod expression;
mod guard;
mod known;
mod locals;
mod slice;
mod spin;
mod statistics;
mod unchecked;
mod wait_loop;
mod waits;
mod watched;

use crate::llvm::analysis::Analysis;
use crate::llvm::module::Module;
use crate::llvm::value::{Kind, Value};
use crate::prepare;
use effects::Effects;
use elsewhere::Elsewhere;
use expression::Expressions;
use locals::Locals;
use statistics::Statistics;
use std::collections::{BTreeSet, HashMap};
use unchecked::is_unchecked;
use wait_loop::Found;
use waits::Waits;
use watched::Watched;

/// How often the waits of a function are looked at again because it turned
/// out that a function it calls waits too.
const ROUNDS: u32 = 8;

/// What recognising needs.
pub(crate) struct Finder<'a> {
    module: &'a Module,
    analysis: &'a Analysis,
    locals: &'a Locals,
    expressions: &'a Expressions<'a>,
    waits: &'a Waits<'a>,
    effects: Effects,
}

/// Recognises the loops of a module and puts the hooks in.
pub(crate) fn run(module: &Module, analysis: &Analysis) {
    let locals = Locals::default();
    let expressions = Expressions::new(analysis, &locals);
    let waits = Waits::new(module, &expressions);
    let finder = Finder {
        module,
        analysis,
        locals: &locals,
        expressions: &expressions,
        waits: &waits,
        effects: Effects::default(),
    };
    let functions: Vec<Value> = module
        .functions()
        .into_iter()
        .filter(|function| prepare::takes_part(*function))
        .collect();
    let mut waiting = finder.waiting_functions();
    let elsewhere = Elsewhere::new(&finder, &functions);
    elsewhere.tell(&finder);
    let mut plans = Vec::new();
    let mut watched = Watched::default();
    for function in functions {
        analysis.enter(function);
        let plan = emit::Plan {
            waits: waiting.remove(&function).unwrap_or_default(),
            uncertain: elsewhere.find(&finder, function),
            spins: spin::find(&finder, function),
            waits_for_caller: waits.contains(function),
            flag_writes: Vec::new(),
            relaxed_flag_writes: Vec::new(),
            unchecked: Vec::new(),
        };
        watched.add(analysis, plan.watched());
        for predicate in plan.predicates() {
            watched.add_predicate(analysis, predicate);
        }
        plans.push((function, plan));
    }
    for (function, plan) in &mut plans {
        plan.flag_writes = watched.stores(analysis, *function);
        plan.relaxed_flag_writes = watched.relaxed_stores(analysis, *function);
        plan.unchecked = finder.unchecked(*function, plan);
    }
    plans.retain(|(_, plan)| !plan.is_empty());
    let mut statistics = Statistics::default();
    for (function, plan) in &plans {
        analysis.enter(*function);
        statistics.collect(*function, plan);
        emit::emit(&finder, *function, plan, &mut statistics);
    }
    for (function, _) in &plans {
        analysis.forget(*function);
    }
    if crate::options::stats() {
        statistics.print(&module.source_file());
    }
}

impl Finder<'_> {
    /// The waits of a function that are worth advice.
    fn unchecked(&self, function: Value, plan: &emit::Plan) -> Vec<Value> {
        let waits = &plan.waits;
        if !waits.locks || waits.loose.is_empty() || self.is_called_in_loop(function) {
            return Vec::new();
        }
        self.analysis.enter(function);
        let unchecked = waits.loose.iter().filter(|loose| is_unchecked(self, loose));
        unchecked.map(|loose| loose.wait).collect()
    }

    /// What every function that waits does, callees before callers.
    fn waiting_functions(&self) -> HashMap<Value, Found> {
        let mut found: HashMap<Value, Found> = HashMap::new();
        let mut rounds: HashMap<Value, u32> = HashMap::new();
        let by_name = self.waits.functions();
        let mut pending: BTreeSet<Value> = by_name.iter().copied().flat_map(callers).collect();
        while let Some(function) = pending.pop_first() {
            let round = rounds.entry(function).or_default();
            *round += 1;
            if *round > ROUNDS || by_name.contains(&function) {
                continue;
            }
            self.analysis.enter(function);
            let waits = wait_loop::find(self, function);
            let was_known = self.waits.contains(function);
            if let Some(wait) = waits.for_caller(self.waits) {
                self.waits.add(function, wait);
                if !was_known {
                    pending.extend(callers(function));
                }
            }
            found.insert(function, waits);
        }
        found
    }
}

/// The functions that call `function`.
fn callers(function: Value) -> Vec<Value> {
    function
        .users()
        .into_iter()
        .filter_map(Value::as_instruction)
        .filter(|user| user.kind() == Kind::Call && user.called_function() == Some(function))
        .map(Value::function)
        .collect()
}
