//! Stacks with names.

use crate::finding::{Finding, Stack};
use crate::symbol::{InModule, Resolve, SourceLine};
use alloc::string::String;
use alloc::vec::Vec;

/// One line of a stack: a function, inlined or not.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Code address of the call or access.
    pub(super) address: u64,
    pub(super) function: Option<String>,
    pub(super) source: Option<SourceLine>,
    pub(super) module: Option<InModule>,
}

/// The stacks that decide whether a finding is new.
pub(super) struct Resolved {
    /// Of the two accesses.
    pub(super) accesses: [Vec<Line>; 2],
}

impl Resolved {
    /// Resolves the stacks of both accesses.
    pub(super) fn new(finding: &Finding, resolver: &mut dyn Resolve) -> Resolved {
        Resolved {
            accesses: finding
                .accesses
                .each_ref()
                .map(|access| lines(&access.stack, resolver)),
        }
    }
}

/// The address of the call that returns to `address`. What matters is that it
/// lies inside the call instruction.
pub(super) fn call_before(address: u64) -> u64 {
    address.saturating_sub(1)
}

/// `stack` with names, without the frames nobody asked for: racert's own above
/// the program's, and what libc does before it calls `main` or a thread.
pub(super) fn lines(stack: &Stack, resolver: &mut dyn Resolve) -> Vec<Line> {
    let mut lines = Vec::new();
    for return_address in &stack.addresses {
        let address = call_before(*return_address);
        let code = resolver.code(address);
        if code.frames.is_empty() {
            lines.push(Line {
                address,
                function: None,
                source: None,
                module: code.module,
            });
            continue;
        }
        lines.extend(code.frames.into_iter().map(|frame| Line {
            address,
            function: frame.function,
            source: frame.source,
            module: code.module.clone(),
        }));
    }
    let own = lines.iter().take_while(|line| is_own(line)).count();
    if own < lines.len() {
        lines.drain(..own);
    }
    let start = lines.iter().rev().take_while(|line| is_start(line)).count();
    if start < lines.len() {
        lines.truncate(lines.len() - start);
    }
    lines
}

fn is_own(line: &Line) -> bool {
    let name = line.function.as_deref().unwrap_or("");
    name.starts_with("__racert_") || name.starts_with("racert::")
}

fn is_start(line: &Line) -> bool {
    matches!(
        line.function.as_deref(),
        Some(
            "_start"
                | "__libc_start_main"
                | "__libc_start_main_impl"
                | "__libc_start_call_main"
                | "start_thread"
                | "clone"
                | "clone3"
                | "__clone"
                | "__clone3"
        )
    )
}
