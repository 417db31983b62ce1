//! Which local variable an address on a thread's stack is.

use super::frames::{Call, Resolved, call_before};
use crate::finding::{Finding, Place};
use crate::os;
use crate::symbol::{Bytes, Resolve};
use crate::thread::activation::{self, Activation};
use alloc::vec::Vec;

/// Finds out which local variable both accesses touch, if the memory that
/// `resolved` is about is on a stack.
pub(super) fn name_local(
    resolved: &mut Resolved,
    finding: &Finding,
    bytes: Bytes,
    resolver: &mut dyn Resolve,
) {
    let Place::ThreadStack { thread } = resolved.place else {
        return;
    };
    let [newer, older] = &finding.accesses;
    // The newer access is where its thread is now.
    let now = (newer.thread == thread).then(|| call_before(newer.stack.innermost()));
    let then = if older.thread == thread {
        &older.stack.addresses[..]
    } else {
        &[]
    };
    name_in(resolved, thread, bytes, (now, then), resolver);
}

/// Finds out which local variable `bytes` are, if the memory that `resolved` is
/// about is on a stack.
pub(super) fn name(resolved: &mut Resolved, bytes: Bytes, resolver: &mut dyn Resolve) {
    if let Place::ThreadStack { thread } = resolved.place {
        name_in(resolved, thread, bytes, (None, &[]), resolver);
    }
}

/// On the stack of `thread`, of which a code address in the innermost function
/// and an earlier stack may be known.
fn name_in(
    resolved: &mut Resolved,
    thread: u32,
    bytes: Bytes,
    (now, then): (Option<u64>, &[u64]),
    resolver: &mut dyn Resolve,
) {
    let call = activation::holding(bytes.address, thread, now, then);
    let Some(call) = call else { return };
    let codes = likely(&call, resolver);
    resolved.local = codes
        .iter()
        .find_map(|code| resolver.local(bytes, call.frame, *code, call.entry));
    if resolved.local.is_none() && !codes.is_empty() {
        let mut module = |code: u64| resolver.code(code).module;
        resolved.call = Some(Call {
            frame: call.frame,
            codes: codes.iter().filter_map(|code| module(*code)).collect(),
            entry: call.entry.and_then(&mut module),
        });
    }
}

/// Where the function of `call` may be. Words of the stack may be of libraries
/// that it has called: unless it is known where the function begins, only those
/// of the executable count.
fn likely(call: &Activation, resolver: &mut dyn Resolve) -> Vec<u64> {
    let mut codes = call.codes.clone();
    let program = match call.entry {
        None if !call.guesses.is_empty() => os::program(),
        _ => None,
    };
    codes.extend(call.guesses.iter().filter(|code| {
        let mut module = || resolver.code(**code).module;
        call.entry.is_some() || module().is_some_and(|m| Some(m.path) == program)
    }));
    codes
}
