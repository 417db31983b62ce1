//! Stacks with names.

use crate::finding::{Access, Finding, Place, Stack};
use crate::symbol::{Bytes, Data, InModule, Part, Resolve, SourceLine, Variable, spelling};
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
    /// The compiler copied this function into the next line's.
    pub(super) inlined: bool,
}

impl Line {
    /// The function's name as people write it.
    pub(super) fn shown(&self) -> Option<String> {
        self.function.as_deref().map(spelling::short)
    }
}

/// A call with the places that name its variables, for who has the files.
pub(super) struct Call {
    /// Where its frame ends, as DWARF counts.
    pub(super) frame: u64,
    /// Where it may be at the moment, the likeliest first.
    pub(super) codes: Vec<InModule>,
    /// Where the function begins.
    pub(super) entry: Option<InModule>,
}

/// What decides whether a finding is new.
pub(super) struct Resolved {
    /// The stacks of the two accesses.
    pub(super) accesses: [Vec<Line>; 2],
    /// The memory they share.
    pub(super) place: Place,
    /// The first byte that both touch.
    pub(super) address: u64,
    /// What is there, if the runtime itself does not know.
    pub(super) data: Data,
    /// The thread-local variable there.
    pub(super) local: Option<Variable>,
    /// The call whose frame it is in, if it is on a stack and has no name.
    pub(super) call: Option<Call>,
    /// Where it was allocated, if it is a heap block.
    pub(super) allocation: Vec<Line>,
    /// What of the heap block it is, if that is known.
    pub(super) part: Option<Part>,
}

impl Resolved {
    /// The variable that the memory is or is part of.
    pub(super) fn variable(&self) -> Option<&Variable> {
        match &self.data {
            Data::Global(variable, _) => Some(variable),
            _ => self.local.as_ref(),
        }
    }

    /// Resolves what `finding` consists of.
    pub(super) fn new(finding: &Finding, resolver: &mut dyn Resolve) -> Resolved {
        let accesses = finding.accesses.each_ref();
        let stacks = accesses.map(|access| lines(&access.stack, resolver));
        let shared = shared_bytes(finding);
        let code: Vec<u64> = accesses
            .iter()
            .filter_map(|access| access.stack.addresses.first())
            .map(|address| call_before(*address))
            .collect();
        Resolved {
            accesses: stacks,
            ..Resolved::memory(shared, &finding.place, &code, resolver)
        }
    }

    /// Resolves the memory at `bytes` alone, which `code` touches.
    pub(super) fn memory(
        bytes: Bytes,
        place: &Place,
        code: &[u64],
        resolver: &mut dyn Resolve,
    ) -> Resolved {
        let (data, allocation) = match place {
            Place::Other => (resolver.data(bytes, code), Vec::new()),
            Place::Heap { stack, .. } => (Data::Unknown, lines(stack, resolver)),
            _ => (Data::Unknown, Vec::new()),
        };
        let local = match place {
            Place::ThreadLocal { thread_pointer, .. } => {
                thread_pointer.and_then(|pointer| resolver.thread_local(bytes, pointer, code))
            }
            _ => None,
        };
        // The kernel knows the main thread's stack by name.
        let place = match &data {
            Data::Mapping(_, _, name) if name == "[stack]" => Place::ThreadStack { thread: 0 },
            _ => place.clone(),
        };
        Resolved {
            accesses: [Vec::new(), Vec::new()],
            place,
            address: bytes.address,
            data,
            local,
            call: None,
            allocation,
            part: None,
        }
    }
}

/// The bytes that both accesses touch.
pub(super) fn shared_bytes(finding: &Finding) -> Bytes {
    let [first, second] = finding.accesses.each_ref();
    let address = first.address.max(second.address);
    let end = |access: &Access| access.address.saturating_add(access.size);
    Bytes {
        address,
        size: end(first).min(end(second)).saturating_sub(address).max(1),
    }
}

/// The address of the call that returns to `address`. What matters is that it
/// lies inside the call instruction.
pub(super) fn call_before(address: u64) -> u64 {
    address.saturating_sub(1)
}

/// `stack` with names, without the frames nobody asked for: racert's own,
/// which stand where it calls the program back for libc, and what libc does
/// before it calls `main` or the function of a thread.
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
                inlined: false,
            });
            continue;
        }
        let last = code.frames.len() - 1;
        let frames = code.frames.into_iter().enumerate();
        lines.extend(frames.map(|(i, frame)| Line {
            address,
            function: frame.function,
            source: frame.source,
            module: code.module.clone(),
            inlined: i < last,
        }));
    }
    if lines.iter().any(|line| !is_own(line)) {
        lines.retain(|line| !is_own(line));
    }
    let start = lines.iter().rev().take_while(|line| is_start(line)).count();
    if start < lines.len() {
        lines.truncate(lines.len() - start);
    }
    lines
}

/// The line in the program's own source that a reader looks at first: headers
/// of the language's library say little about a race. The first one if no line
/// is known to be the program's.
pub(super) fn culprit(lines: &[Line]) -> Option<&Line> {
    let own = |line: &&Line| {
        line.source.as_ref().is_some_and(|source| {
            let file = source.file.as_str();
            source.line != 0 && !LIBRARY_SOURCES.iter().any(|part| file.contains(part))
        })
    };
    lines.iter().find(own).or(lines.first())
}

/// Parts of the names of source files that came with a compiler.
const LIBRARY_SOURCES: [&str; 4] = ["/usr/include/", "/usr/lib/", "/rustc/", "/rustlib/src/"];

/// Is it a function of the runtime's?
pub(super) fn is_own(line: &Line) -> bool {
    let name = line.function.as_deref().unwrap_or("");
    name.starts_with("__racert_") || name.starts_with("racert::")
}

/// Is this how a thread begins? In libraries without symbols such a frame has
/// no name; nothing of the program's is below it.
fn is_start(line: &Line) -> bool {
    let Some(function) = line.function.as_deref() else {
        let path = line.module.as_ref().map_or("", |module| &module.path);
        let file = path.rsplit('/').next().unwrap_or("");
        return file.starts_with("libc.so.") || file.starts_with("libstdc++.so.");
    };
    let of_thread = [
        "std::thread::_State_impl<",
        "std::thread::_Invoker<",
        "std::__invoke",
    ];
    if of_thread.iter().any(|start| function.contains(start)) {
        return true;
    }
    matches!(
        function,
        "_start"
            | "__libc_start_main"
            | "__libc_start_main_impl"
            | "__libc_start_call_main"
            | "start_thread"
            | "clone"
            | "clone3"
            | "__clone"
            | "__clone3"
            | "execute_native_thread_routine"
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::Table;
    use super::*;
    use alloc::vec;

    #[test]
    fn the_runtimes_frames_between_the_programs_are_left_out() {
        let stack = Stack {
            addresses: vec![0x1500, 0x1100, 0x1500, 0x1200, 0x1500, 0x1400],
            callers_lost: false,
        };
        let lines = lines(&stack, &mut Table);
        let names: Vec<_> = lines.iter().filter_map(|l| l.function.as_deref()).collect();
        assert_eq!(names, ["bump", "worker", "main"]);
    }
}
