//! Notes what loops read, and brackets the predicates they ask.

use super::super::elsewhere::{self, Candidate};
use super::super::exit::Exit;
use super::{Emitter, Slots};
use crate::llvm::builder::Builder;
use crate::llvm::value::Value;
use racert_abi::entry;

impl<'a> Emitter<'a, '_> {
    /// Notes addresses where they are read, and brackets predicates.
    pub(super) fn note(&mut self, exits: &[&Exit], slots: &Slots, kind: u32) {
        self.note_if(exits, slots, kind, &[]);
    }

    /// The same for a loop that waits if one of these functions does.
    pub(super) fn note_if(
        &mut self,
        exits: &[&Exit],
        slots: &Slots,
        kind: u32,
        if_waits: &[Candidate],
    ) {
        for (read, slot) in &slots.reads {
            self.before(read.instruction).store(read.pointer, *slot);
        }
        let Some(fresh) = slots.fresh else {
            return;
        };
        let mut done: Vec<Value> = Vec::new();
        for cause in exits.iter().flat_map(|exit| exit.causes()) {
            for call in &cause.slice.calls {
                if !done.contains(call) {
                    done.push(*call);
                    self.bracket(*call, fresh, kind, if_waits);
                }
            }
        }
    }

    pub(super) fn bracket(&mut self, call: Value, fresh: Value, kind: u32, if_waits: &[Candidate]) {
        let types = self.module.types;
        // Both ends or none: a call that cannot return has no end.
        let Some(after) = call.after() else {
            return;
        };
        // It is no predicate if it is what waits.
        let own = call.called_function();
        let is_own = |candidate: &&Candidate| Some(candidate.called) == own;
        let (own, others): (Vec<&Candidate>, Vec<&Candidate>) = if_waits.iter().partition(is_own);
        if others.is_empty() && !if_waits.is_empty() {
            return;
        }
        let module = self.module;
        let guarded = |builder: Builder<'a>| {
            if others.is_empty() {
                return builder;
            }
            let inside = elsewhere::if_any_waits(&others, &builder, module);
            if own.is_empty() {
                return inside;
            }
            let waits = elsewhere::any_waits(&own, &inside, module);
            let asks = inside.equal(waits, waits.ty().null());
            inside.if_then(asks, true)
        };
        let builder = guarded(self.before(call));
        let begin = self.hook(entry::CONDITION_BEGIN, &[types.i32]);
        let kind = types.i32.constant(u64::from(kind));
        builder.call(begin, &[builder.or(builder.load(types.i32, fresh), kind)]);
        builder.store(types.i32.constant(0), fresh);
        let end = self.hook(entry::CONDITION_END, &[]);
        let builder = Builder::before_at(self.module, after, call.debug_location());
        guarded(builder).call(end, &[]);
        self.statistics.hooks += 2;
    }
}
