//! The sentence that says what the memory is.

use super::frames::Resolved;
use super::text::{Names, in_module, source};
use crate::finding::{Finding, Place};
use crate::options::Options;
use crate::symbol::{Data, Resolve, Variable};
use alloc::format;
use alloc::string::{String, ToString};

/// `Location is ...`, without the full stop; a colon if a stack follows.
pub(super) fn sentence(
    finding: &Finding,
    resolved: &Resolved,
    names: &Names<'_>,
    resolver: &mut dyn Resolve,
    options: &Options,
) -> String {
    let address = resolved.address;
    let what = match &finding.place {
        Place::Heap {
            start,
            size,
            thread,
            freed,
            ..
        } => {
            let freed = if *freed { "freed " } else { "" };
            format!(
                "{freed}heap block of size {size} at {start:#x}{}, allocated by {}:",
                offset(address, *start),
                names.of(*thread)
            )
        }
        Place::ThreadStack { thread } => format!("stack of {}", names.of(*thread)),
        Place::ThreadLocal {
            thread,
            thread_pointer,
        } => {
            let variable = thread_pointer
                .and_then(|thread_pointer| resolver.thread_local(address, thread_pointer));
            match variable {
                Some(variable) => format!(
                    "thread-local {} of {}{}",
                    described(&variable, address),
                    names.of(*thread),
                    declared(&variable, options)
                ),
                None => format!("thread-local storage of {}", names.of(*thread)),
            }
        }
        Place::Other => other(&resolved.data, address, options),
    };
    format!("Location is {what}")
}

fn other(data: &Data, address: u64, options: &Options) -> String {
    match data {
        Data::Global(variable, module) => format!(
            "global {} ({}){}",
            described(variable, address),
            in_module(module),
            declared(variable, options)
        ),
        Data::Module(module) => format!("static data at {address:#x} ({})", in_module(module)),
        Data::Mapping(start, end, name) => {
            let name = if name.is_empty() { "anonymous" } else { name };
            format!(
                "memory mapped at {start:#x}-{end:#x} ({name}){}",
                offset(address, *start)
            )
        }
        Data::Unknown => format!("memory at {address:#x} that racert knows nothing about"),
    }
}

fn described(variable: &Variable, address: u64) -> String {
    format!(
        "'{}' of size {} at {:#x}{}",
        variable.name,
        variable.size,
        variable.start,
        offset(address, variable.start)
    )
}

fn declared(variable: &Variable, options: &Options) -> String {
    match &variable.declared {
        Some(place) => format!(", declared at {}", source(place, options)),
        None => String::new(),
    }
}

fn offset(address: u64, start: u64) -> String {
    match address.checked_sub(start) {
        None | Some(0) => String::new(),
        Some(offset) => ", offset ".to_string() + &offset.to_string(),
    }
}
