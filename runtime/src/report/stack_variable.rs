//! Which local variable an address on a thread's stack is.

use super::frames::{Call, Resolved, call_before};
use crate::finding::{Finding, Place};
use crate::symbol::{Bytes, Resolve};
use crate::thread::activation;

/// Finds out which local variable both accesses touch, if the memory that
/// `resolved` is about is on a stack.
pub(super) fn name_local(
    resolved: &mut Resolved,
    finding: &Finding,
    bytes: Bytes,
    resolver: &mut dyn Resolve,
) {
    // The newer access is where its thread is now.
    let newer = &finding.accesses[0];
    let at = (newer.thread, call_before(newer.stack.innermost()));
    name(resolved, bytes, Some(at), resolver);
}

/// Finds out which local variable `bytes` are, if the memory that `resolved` is
/// about is on a stack. `at` is a thread and a code address in its innermost
/// function.
pub(super) fn name(
    resolved: &mut Resolved,
    bytes: Bytes,
    at: Option<(u32, u64)>,
    resolver: &mut dyn Resolve,
) {
    let Place::ThreadStack { thread } = resolved.place else {
        return;
    };
    let innermost = at.filter(|(at, _)| *at == thread).map(|(_, code)| code);
    let call = activation::holding(bytes.address, thread, innermost);
    let Some(call) = call else { return };
    let mut codes = call.codes.iter();
    resolved.local = codes.find_map(|code| resolver.local(bytes, call.frame, *code, call.entry));
    if resolved.local.is_none() {
        let mut module = |code: u64| resolver.code(code).module;
        resolved.call = Some(Call {
            frame: call.frame,
            codes: call.codes.iter().filter_map(|code| module(*code)).collect(),
            entry: call.entry.and_then(&mut module),
        });
    }
}
