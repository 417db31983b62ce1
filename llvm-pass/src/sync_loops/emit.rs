//! Puts the hooks into a function.

mod predicates;
mod uncertain;

use super::Finder;
use super::exit::{Cause, Exit, Reason};
use super::expression::{Expression, Place};
use super::slice::Read;
use super::spin::{self, SpinLoop};
use super::statistics::Statistics;
use super::wait_loop::{Found, LastLook, WaitExit, WaitLoop};
use crate::llvm::builder::{Builder, Callee, Convention};
use crate::llvm::module::Module;
use crate::llvm::types::Type;
use crate::llvm::value::{Block, Kind, Value};
use racert_abi::{entry, sync_loop};
use std::collections::HashMap;

/// What is to be done in a function.
pub(crate) struct Plan {
    /// Its waits.
    pub(crate) waits: Found,
    /// Loops that wait if functions of other files do.
    pub(crate) uncertain: Vec<WaitLoop>,
    /// Its spinning loops.
    pub(crate) spins: Vec<SpinLoop>,
    /// Whether the function waits on behalf of its callers.
    pub(crate) waits_for_caller: bool,
    /// Stores to what loops watch.
    pub(crate) flag_writes: Vec<Value>,
    /// Relaxed stores to what loops watch by relaxed loads.
    pub(crate) relaxed_flag_writes: Vec<Value>,
    /// Waits after which nobody looks at the condition again.
    pub(crate) unchecked: Vec<Value>,
}

impl Plan {
    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.waits.loops.is_empty()
            && self.waits.loose.is_empty()
            && self.uncertain.is_empty()
            && self.spins.is_empty()
            && self.flag_writes.is_empty()
            && self.relaxed_flag_writes.is_empty()
    }

    /// What its spinning loops watch.
    pub(crate) fn watched(&self) -> impl Iterator<Item = &Read> {
        let exits = self.spins.iter().flat_map(|each| &each.exits);
        exits.flat_map(Exit::reads)
    }

    /// What its spinning loops ask.
    pub(crate) fn predicates(&self) -> impl Iterator<Item = Value> {
        let exits = self.spins.iter().flat_map(|each| &each.exits);
        let calls = exits
            .flat_map(Exit::causes)
            .flat_map(|cause| &cause.slice.calls);
        calls.filter_map(|call| call.called_function())
    }
}

/// Emits the hooks of one function; the analysis has entered it.
pub(crate) fn emit(finder: &Finder<'_>, function: Value, plan: &Plan, statistics: &mut Statistics) {
    // Expressions need the analyses, and those end with the first change.
    let arguments: Vec<Vec<Arguments>> = plan
        .waits
        .loops
        .iter()
        .map(|each| {
            each.waits
                .iter()
                .map(|wait| Arguments::at(finder, *wait))
                .collect()
        })
        .collect();
    let unchecked: Vec<(Value, Arguments)> = plan
        .unchecked
        .iter()
        .map(|wait| (*wait, Arguments::at(finder, *wait)))
        .collect();
    let mut emitter = Emitter {
        module: finder.module,
        function,
        edges: HashMap::new(),
        statistics,
    };
    for (wait, arguments) in unchecked {
        emitter.not_in_loop(wait, &arguments);
    }
    for (each, arguments) in plan.waits.loops.iter().zip(&arguments) {
        emitter.wait_loop(each, arguments);
    }
    for each in &plan.uncertain {
        emitter.uncertain_loop(each);
    }
    for each in &plan.spins {
        emitter.spin_loop(each);
    }
    for store in &plan.flag_writes {
        emitter.flag_write(*store);
    }
    for store in &plan.relaxed_flag_writes {
        emitter.flag_written(*store);
    }
}

/// What a wait is called with, computed in front of it.
struct Arguments {
    condvar: Option<Expression>,
    mutex: Option<Expression>,
}

impl Arguments {
    fn at(finder: &Finder<'_>, wait: Value) -> Arguments {
        let place = Place {
            each: None,
            at: wait,
        };
        let (condvar, mutex) = finder.waits.arguments(wait, Some(place));
        let safe = |expression: &Expression| expression.is_safe(finder.module, &[]);
        Arguments {
            condvar: condvar.filter(safe),
            mutex: mutex.filter(safe),
        }
    }
}

/// The variables in which a loop carries what it read to its exits.
struct Slots {
    /// For each read, the variable for its address.
    reads: Vec<(Read, Value)>,
    /// Whether the next predicate begins a new evaluation.
    fresh: Option<Value>,
    /// What the last wait waited on, where the exit cannot know.
    condvar: Option<Value>,
    mutex: Option<Value>,
}

impl Slots {
    /// Those that an exit may be due to.
    fn of(&self, exit: &Exit) -> Vec<(Read, Value)> {
        self.reads
            .iter()
            .filter(|(read, _)| exit.reads().any(|other| other == read))
            .copied()
            .collect()
    }
}

struct Emitter<'a, 's> {
    module: &'a Module,
    function: Value,
    /// Where code for an edge goes, once the edge has a place.
    edges: HashMap<(Value, Block), Option<Value>>,
    statistics: &'s mut Statistics,
}

impl<'a> Emitter<'a, '_> {
    fn before(&self, instruction: Value) -> Builder<'a> {
        Builder::before(self.module, instruction)
    }

    fn at_edge(&mut self, branch: Value, target: Block) -> Option<Builder<'a>> {
        let place = *self
            .edges
            .entry((branch, target))
            .or_insert_with(|| target.edge_from(branch));
        Some(Builder::before_at(
            self.module,
            place?,
            branch.debug_location(),
        ))
    }

    /// A variable of the function, empty from the beginning.
    fn variable(&self, ty: Type) -> Value {
        let entry = self.function.entry_insertion_point();
        let builder = Builder::before_at(self.module, entry, self.function.line_zero());
        let variable = builder.alloca(ty);
        let start = if ty.is_pointer() {
            ty.null()
        } else {
            ty.constant(1)
        };
        builder.store(start, variable);
        variable
    }

    fn hook(&self, name: &str, parameters: &[Type]) -> Callee {
        self.module
            .entry(name, self.module.types.void, parameters, Convention::C)
    }

    fn not_in_loop(&mut self, wait: Value, arguments: &Arguments) {
        let builder = self.before(wait);
        let types = self.module.types;
        let hook = self.hook(entry::WAIT_NOT_IN_LOOP, &[types.ptr, types.ptr]);
        let condvar = emit_or_null(arguments.condvar.as_ref(), &builder);
        let mutex = emit_or_null(arguments.mutex.as_ref(), &builder);
        builder.call(hook, &[condvar, mutex]);
        self.statistics.hooks += 1;
    }

    fn wait_loop(&mut self, each: &WaitLoop, arguments: &[Arguments]) {
        let exits: Vec<&Exit> = each.exits.iter().map(|exit| &exit.exit).collect();
        let mut slots = self.slots(&exits, |_| true);
        let pointer = self.module.types.ptr;
        let needs = |known: fn(&WaitExit) -> bool| !each.exits.iter().all(known);
        slots.condvar = needs(|exit| exit.condvar.is_some()).then(|| self.variable(pointer));
        slots.mutex = needs(|exit| exit.mutex.is_some()).then(|| self.variable(pointer));
        for exit in &each.exits {
            self.wait_exit(exit, &slots);
        }
        if let Some(look) = &each.last_look {
            self.last_look(look, each, &slots);
        }
        for (wait, arguments) in each.waits.iter().zip(arguments) {
            let builder = self.before(*wait);
            self.forget(&builder, &slots);
            let sources = [
                (slots.condvar, &arguments.condvar),
                (slots.mutex, &arguments.mutex),
            ];
            for (slot, argument) in sources {
                if let (Some(slot), Some(argument)) = (slot, argument) {
                    builder.store(argument.emit(&builder), slot);
                }
            }
        }
        self.note(&exits, &slots, 0);
    }

    /// Variables for those reads of the exits that count.
    fn slots(&self, exits: &[&Exit], counts: impl Fn(&Read) -> bool) -> Slots {
        let limit = usize::from(sync_loop::MAX_ADDRESSES);
        let mut reads: Vec<Read> = Vec::new();
        for read in exits.iter().flat_map(|exit| exit.reads()) {
            if counts(read) && reads.len() < limit && !reads.contains(read) {
                reads.push(*read);
            }
        }
        let asks = exits
            .iter()
            .flat_map(|exit| exit.causes())
            .any(|cause| !cause.slice.calls.is_empty());
        let types = self.module.types;
        Slots {
            reads: reads
                .into_iter()
                .map(|read| (read, self.variable(types.ptr)))
                .collect(),
            fresh: asks.then(|| self.variable(types.i32)),
            condvar: None,
            mutex: None,
        }
    }

    /// What was read before counts no longer.
    fn forget(&self, builder: &Builder<'_>, slots: &Slots) {
        let types = self.module.types;
        for (_, slot) in &slots.reads {
            builder.store(types.ptr.null(), *slot);
        }
        if let Some(fresh) = slots.fresh {
            builder.store(types.i32.constant(1), fresh);
        }
    }

    fn wait_exit(&mut self, exit: &WaitExit, slots: &Slots) {
        let reads = slots.of(&exit.exit);
        let flags = self.by_cause(&exit.exit, |cause| wait_flags(cause, &reads));
        let Some(builder) = self.at_edge(exit.exit.branch, exit.exit.target) else {
            self.statistics.no_place += 1;
            return;
        };
        self.call_exit_hook(&builder, exit, slots, flags);
    }

    fn call_exit_hook(
        &mut self,
        builder: &Builder<'_>,
        exit: &WaitExit,
        slots: &Slots,
        flags: Value,
    ) {
        let types = self.module.types;
        let argument = |known: &Option<Expression>, slot: Option<Value>| match (known, slot) {
            (Some(known), _) => known.emit(builder),
            (None, Some(slot)) => builder.load(types.ptr, slot),
            (None, None) => types.ptr.null(),
        };
        let condvar = argument(&exit.condvar, slots.condvar);
        let mutex = argument(&exit.mutex, slots.mutex);
        let reads = slots.of(&exit.exit);
        let conditions = self.conditions(builder, &reads);
        let hook = self.hook(
            entry::WAIT_LOOP_EXIT,
            &[types.ptr, types.ptr, types.i32, types.i32, types.ptr],
        );
        let count = types.i32.constant(reads.len() as u64);
        let call = builder.call(hook, &[condvar, mutex, flags, count, conditions]);
        call.set_nocapture(4);
        self.forget(builder, slots);
        self.statistics.hooks += 1;
    }

    /// The array of addresses and sizes for the runtime.
    fn conditions(&self, builder: &Builder<'_>, reads: &[(Read, Value)]) -> Value {
        let types = self.module.types;
        if reads.is_empty() {
            return types.ptr.null();
        }
        let entry = self.function.entry_insertion_point();
        let top = Builder::before_at(self.module, entry, self.function.line_zero());
        let bytes = reads.len() * sync_loop::CONDITION_SIZE;
        let array = top.alloca_aligned(types.bytes(bytes as u64), 8);
        for (index, (read, slot)) in reads.iter().enumerate() {
            let at = |offset: usize| {
                let offset = index * sync_loop::CONDITION_SIZE + offset;
                builder.offset(array, types.i64.constant(offset as u64))
            };
            builder.store(builder.load(types.ptr, *slot), at(0));
            builder.store(types.i64.constant(read.size), at(8));
        }
        array
    }

    /// A number that depends on why the exit is taken.
    fn by_cause(&self, exit: &Exit, number: impl Fn(&Cause) -> u64) -> Value {
        let types = self.module.types;
        let numbers: Vec<u64> = exit
            .causes
            .iter()
            .map(|cause| cause.as_ref().map_or(0, &number))
            .collect();
        let mut meant = exit.causes().map(&number);
        let first = meant.next().unwrap_or(0);
        let Some(joined) = exit.joined.filter(|_| meant.any(|other| other != first)) else {
            return types.i32.constant(first);
        };
        let incoming: Vec<(Value, Block)> = joined
            .incoming()
            .into_iter()
            .zip(numbers)
            .map(|((_, block), number)| (types.i32.constant(number), block))
            .collect();
        self.before(joined).phi(types.i32, &incoming)
    }

    /// The predicate's last look after a timeout decides once more.
    fn last_look(&mut self, look: &LastLook, each: &WaitLoop, slots: &Slots) {
        let (Some(fresh), Some(after)) = (slots.fresh, look.call.after()) else {
            return;
        };
        let types = self.module.types;
        let builder = Builder::before_at(self.module, after, look.call.debug_location());
        let holds = if look.truth {
            (sync_loop::NOTED, sync_loop::UNORDERED)
        } else {
            (sync_loop::UNORDERED, sync_loop::NOTED)
        };
        let constant = |flags: u32| types.i32.constant(u64::from(flags));
        let flags = builder.select(look.call, constant(holds.0), constant(holds.1));
        self.call_exit_hook(&builder, &each.exits[look.exit], slots, flags);
        self.bracket(look.call, fresh, 0, &[]);
    }

    fn spin_loop(&mut self, each: &SpinLoop) {
        let exits: Vec<&Exit> = each.exits.iter().collect();
        let slots = self.slots(&exits, spin::is_watched);
        let mut is_closed = each.is_closed;
        for exit in &exits {
            let reads = slots.of(exit);
            let relevant = self.by_cause(exit, |cause| spin_flags(cause, &reads));
            match self.at_edge(exit.branch, exit.target) {
                Some(builder) => self.spin_exit(&builder, exit, &slots, relevant),
                None => {
                    self.statistics.no_place += 1;
                    is_closed = false;
                }
            }
        }
        self.note(&exits, &slots, sync_loop::SPINS);
        if is_closed {
            let plain = slots.reads.iter().filter(|(read, _)| is_plain(read));
            plain.for_each(|(read, _)| read.instruction.set_nosanitize());
        }
    }

    /// Stores of a kind that is watched have checks of their own.
    fn flag_write(&mut self, store: Value) {
        let types = self.module.types;
        let hook = self.hook(entry::FLAG_WRITE, &[types.ptr, types.i64]);
        let size = types.store_size(store.operand(0).ty());
        let pointer = store.pointer_operand();
        let size = types.i64.constant(size);
        self.before(store).call(hook, &[pointer, size]);
        store.set_nosanitize();
        self.statistics.hooks += 1;
    }

    /// Atomic ones have theirs; what follows is told apart.
    fn flag_written(&mut self, store: Value) {
        let Some(next) = store.next_instruction() else {
            return;
        };
        let hook = self.hook(entry::FLAG_WRITTEN, &[]);
        self.before(next).call(hook, &[]);
        self.statistics.hooks += 1;
    }

    /// One call for each address that the exit may be due to, and one for
    /// what a predicate read.
    fn spin_exit(&mut self, builder: &Builder<'_>, exit: &Exit, slots: &Slots, relevant: Value) {
        let types = self.module.types;
        let hook = self.hook(entry::SPIN_LOOP_EXIT, &[types.ptr, types.i64, types.i32]);
        for (index, (read, slot)) in slots.of(exit).iter().enumerate() {
            let address = builder.load(types.ptr, *slot);
            let bit = types.i32.constant(address_bit(index));
            let counts = builder.not_equal(builder.and(relevant, bit), types.i32.constant(0));
            let size = types.i64.constant(read.size);
            let how = how_read(read);
            let unordered = types.i32.constant(u64::from(how | sync_loop::UNORDERED));
            let how = types.i32.constant(u64::from(how));
            let how = builder.select(counts, how, unordered);
            builder.call(hook, &[address, size, how]);
            self.statistics.hooks += 1;
        }
        let asks = exit.causes().any(|cause| !cause.slice.calls.is_empty());
        if asks {
            let noted = types.i32.constant(u64::from(sync_loop::NOTED));
            let flags = builder.and(relevant, noted);
            builder.call(hook, &[types.ptr.null(), types.i64.constant(0), flags]);
            self.statistics.hooks += 1;
        }
        self.forget(builder, slots);
    }
}

fn emit_or_null(expression: Option<&Expression>, builder: &Builder<'_>) -> Value {
    expression.map_or_else(
        || builder.types.ptr.null(),
        |expression| expression.emit(builder),
    )
}

/// The bit that says that an address counts.
fn address_bit(index: usize) -> u64 {
    1 << (sync_loop::ADDRESS_SHIFT as usize + index)
}

fn addresses(cause: &Cause, reads: &[(Read, Value)]) -> u64 {
    reads
        .iter()
        .enumerate()
        .filter(|(_, (read, _))| cause.slice.reads.contains(read))
        .map(|(index, _)| address_bit(index))
        .sum()
}

fn wait_flags(cause: &Cause, reads: &[(Read, Value)]) -> u64 {
    match cause.reason {
        Reason::Condition => {
            let noted = if cause.slice.calls.is_empty() {
                0
            } else {
                sync_loop::NOTED
            };
            u64::from(noted) | addresses(cause, reads)
        }
        Reason::Woken => u64::from(sync_loop::WOKEN),
        Reason::TimedOut | Reason::Own => u64::from(sync_loop::UNORDERED),
    }
}

fn spin_flags(cause: &Cause, reads: &[(Read, Value)]) -> u64 {
    if !spin::is_change(cause) {
        return 0;
    }
    let noted = if cause.slice.calls.is_empty() {
        0
    } else {
        sync_loop::NOTED
    };
    u64::from(noted) | addresses(cause, reads)
}

fn is_plain(read: &Read) -> bool {
    let load = read.instruction;
    load.kind() == Kind::Load && !load.is_atomic()
}

fn how_read(read: &Read) -> u32 {
    if !is_plain(read) {
        sync_loop::RELAXED
    } else if read.instruction.is_volatile() {
        sync_loop::VOLATILE
    } else {
        0
    }
}
