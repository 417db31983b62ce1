//! What the memory is.

use super::explain::short_source;
use super::frames::{Line, Resolved, culprit};
use super::names::{Names, base_name, in_module, source};
use crate::finding::Place;
use crate::options::Options;
use crate::symbol::{Data, Part, Variable};
use alloc::format;
use alloc::string::{String, ToString};

/// The memory in a few words.
pub(super) struct Memory {
    /// As it stands in a sentence.
    pub(super) what: String,
    /// First byte and size.
    pub(super) extent: Option<(u64, u64)>,
}

/// The memory as a sentence names it; of a heap block all of it if `whole`.
pub(super) fn memory(resolved: &Resolved, names: &Names<'_>, whole: bool) -> Memory {
    let named = |kind: &str, variable: &Variable, of: &str| Memory {
        what: format!("{kind} '{}'{of}", variable.full_name()),
        extent: Some(match &variable.part {
            Some(part) if part.size != 0 => (part.start, part.size),
            _ => (variable.start, variable.size),
        }),
    };
    let nameless = |what: String| Memory { what, extent: None };
    match &resolved.place {
        Place::Heap {
            start,
            size,
            thread,
            ..
        } => {
            let line = culprit(&resolved.allocation);
            let function = line.and_then(Line::shown);
            let place = line.and_then(short_source);
            let by = match (function, place) {
                (Some(function), Some(place)) => format!("{function} ({place})"),
                (Some(function), None) => function,
                (None, Some(place)) => place,
                (None, None) => names.in_a_sentence(*thread),
            };
            let block = format!("a heap block of {size} bytes, allocated by {by},");
            match &resolved.part {
                Some(part) if part.size != 0 && !whole => Memory {
                    what: format!("'{}' in {block}", part.path),
                    extent: Some((part.start, part.size)),
                },
                _ => Memory {
                    what: block,
                    extent: Some((*start, *size)),
                },
            }
        }
        Place::ThreadStack { thread } => {
            let owner = names.in_a_sentence(*thread);
            match &resolved.local {
                Some(variable) => named("local", variable, &format!(" of {owner}")),
                None => nameless(format!("the stack of {owner}")),
            }
        }
        Place::ThreadLocal { thread, .. } => {
            let owner = names.in_a_sentence(*thread);
            match &resolved.local {
                Some(variable) => named("thread-local", variable, &format!(" of {owner}")),
                None => nameless(format!("thread-local storage of {owner}")),
            }
        }
        Place::StaticBuffer { name } => Memory {
            what: (*name).to_string(),
            extent: Some((resolved.address, 8)),
        },
        Place::Descriptor { number } => Memory {
            what: format!("file descriptor {number}"),
            extent: Some((resolved.address, 8)),
        },
        Place::Other => match &resolved.data {
            Data::Global(variable, _) => named("global", variable, ""),
            Data::Module(module) => nameless(format!("static data of {}", base_name(&module.path))),
            Data::Mapping(_, _, name) if name.is_empty() => nameless("mapped memory".to_string()),
            Data::Mapping(_, _, name) => nameless(format!("memory mapped from {name}")),
            Data::Unknown => nameless(format!("memory at {:#x}", resolved.address)),
        },
    }
}

/// `Location is ...`, without the full stop; a colon if a stack follows.
pub(super) fn sentence(resolved: &Resolved, names: &Names<'_>, options: &Options) -> String {
    format!("Location is {}", described_memory(resolved, names, options))
}

/// What the memory is; ends in a colon if a stack follows.
pub(super) fn described_memory(
    resolved: &Resolved,
    names: &Names<'_>,
    options: &Options,
) -> String {
    let address = resolved.address;
    match &resolved.place {
        Place::Heap {
            start,
            size,
            thread,
            freed,
            ..
        } => {
            let freed = if *freed { "freed " } else { "" };
            let part = resolved.part.as_ref().map_or_else(String::new, |part| {
                format!(", '{}' ({})", part.path, typed(part))
            });
            format!(
                "{freed}heap block of size {size} at {start:#x}{}{part}, allocated by {}:",
                offset(address, *start),
                names.of(*thread)
            )
        }
        Place::ThreadStack { thread } => match &resolved.local {
            Some(variable) => format!(
                "local {} on the stack of {}{}",
                described(variable, address),
                names.of(*thread),
                declared(variable, options)
            ),
            None => format!("stack of {}", names.of(*thread)),
        },
        Place::ThreadLocal { thread, .. } => match &resolved.local {
            Some(variable) => format!(
                "thread-local {} of {}{}",
                described(variable, address),
                names.of(*thread),
                declared(variable, options)
            ),
            None => format!("thread-local storage of {}", names.of(*thread)),
        },
        Place::StaticBuffer { name } => format!("{name}, in the C library"),
        Place::Descriptor { number } => format!("file descriptor {number}"),
        Place::Other => other(&resolved.data, address, options),
    }
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

/// `'counter' (int) of size 4 at 0x...`, or `'table[17].next' (struct node *),
/// part of 'table' of size 400 at 0x..., offset 280`.
fn described(variable: &Variable, address: u64) -> String {
    let whole = format!(
        "of size {} at {:#x}{}",
        variable.size,
        variable.start,
        offset(address, variable.start)
    );
    let name = &variable.name;
    let is_all = |part: &Part| (part.start, part.size) == (variable.start, variable.size);
    match &variable.part {
        Some(part) if part.path.is_empty() => format!("'{name}' ({}) {whole}", part.type_name),
        // A member that the optimiser made a variable of its own.
        Some(part) if is_all(part) => {
            format!("'{}' ({}) {whole}", variable.full_name(), typed(part))
        }
        Some(part) => format!(
            "'{}' ({}), part of '{name}' {whole}",
            variable.full_name(),
            typed(part)
        ),
        None => format!("'{name}' {whole}"),
    }
}

/// `int`, or `int Session::state` of a class.
fn typed(part: &Part) -> String {
    match &part.member {
        Some(member) => format!("{} {member}", part.type_name),
        None => part.type_name.clone(),
    }
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
