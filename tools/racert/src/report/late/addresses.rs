//! Numbers that stand for places in modules.
//!
//! The runtime's code speaks of addresses. Here such an address is a module's
//! number in the upper bits and an offset in its file below; what the record
//! already knew of a place is kept for the case that no file knows more.

use std::collections::HashMap;

use racert_records::symbol::{
    Block, Bytes, Code, Data, Frame as Named, Hint, InModule, Part, Resolve, SourceLine, Variable,
};

use super::super::model::{self, Call, Declared, Frame, Place, Stack};
use super::files::Files;

/// Bits of an offset; user addresses of x86-64 fit too, as module 0.
const OFFSET_BITS: u32 = 48;
/// Modules of one finding; more are left as they are.
const MOST_MODULES: usize = 1 << 15;

/// A file of the process.
struct Module {
    path: String,
    build_id: Option<String>,
}

/// The places of one finding.
pub(super) struct Addresses<'a> {
    files: &'a mut Files,
    program: Option<String>,
    modules: Vec<Module>,
    /// What the record says of code.
    code: HashMap<u64, Code>,
    /// What the record says of data, and where it is in its module.
    data: HashMap<u64, (Data, Option<Within>)>,
    /// The calls whose frames hold memory on a stack, by its address.
    calls: HashMap<u64, Call>,
    /// What the record says of thread-local variables.
    locals: HashMap<u64, Variable>,
}

/// A place in a module.
#[derive(Clone, Copy)]
struct Within {
    module: usize,
    offset: u64,
}

impl<'a> Addresses<'a> {
    /// No places yet, of a process that ran `program`.
    pub(super) fn new(files: &'a mut Files, program: Option<String>) -> Addresses<'a> {
        Addresses {
            files,
            program,
            modules: Vec::new(),
            code: HashMap::new(),
            data: HashMap::new(),
            calls: HashMap::new(),
            locals: HashMap::new(),
        }
    }

    /// The stack as return addresses.
    pub(super) fn stack(&mut self, stack: &Stack) -> racert_records::finding::Stack {
        let groups = stack.frames.chunk_by(|frame, _| frame.inlined);
        let addresses = groups.filter_map(|frames| self.return_address(frames));
        racert_records::finding::Stack {
            addresses: addresses.collect(),
            callers_lost: stack.callers_lost,
        }
    }

    /// One address for the functions inlined into each other at it.
    fn return_address(&mut self, frames: &[Frame]) -> Option<u64> {
        let last = frames.last()?;
        let (address, module) = match (&last.module, &last.offset) {
            (Some(path), Some(offset)) => {
                let offset = hex(offset)?;
                let module = self.module(path, last.build_id.as_deref())?;
                let address = (module as u64 + 1) << OFFSET_BITS | offset;
                (address, Some(self.place(Within { module, offset })))
            }
            _ => (hex(last.address.as_deref()?)?, None),
        };
        let frames = frames
            .iter()
            .map(named)
            .filter(|frame| *frame != Named::default());
        let frames = frames.collect();
        self.code.insert(address, Code { frames, module });
        address.checked_add(1)
    }

    /// Notes what the record says of the memory at `address`.
    pub(super) fn memory(&mut self, address: u64, place: &Place) {
        let start = hex(&place.address).unwrap_or(address);
        let variable = place.name.as_ref().map(|name| Variable {
            name: name.clone(),
            start,
            size: place.size.unwrap_or(0),
            declared: place.declared.as_ref().map(declared),
            part: part(place, name),
        });
        if matches!(place.kind.as_str(), "thread-local" | "stack") {
            self.calls
                .extend(place.call.clone().map(|call| (address, call)));
            self.locals
                .extend(variable.map(|variable| (address, variable)));
            return;
        }
        let within = place.module.as_ref().and_then(|module| self.within(module));
        let known = match (place.kind.as_str(), variable, within) {
            ("global", Some(variable), Some(within)) => Data::Global(variable, self.place(within)),
            ("mapping", named, _) => {
                let end = start.saturating_add(place.size.unwrap_or(0));
                Data::Mapping(start, end, named.map_or(String::new(), |named| named.name))
            }
            (_, _, Some(within)) => Data::Module(self.place(within)),
            _ => Data::Unknown,
        };
        // The record has the place of a variable's first byte.
        let within = within.map(|within| Within {
            offset: within.offset.wrapping_add(address.wrapping_sub(start)),
            ..within
        });
        self.data.insert(address, (known, within));
    }

    fn within(&mut self, module: &model::InModule) -> Option<Within> {
        Some(Within {
            module: self.module(&module.module, module.build_id.as_deref())?,
            offset: hex(&module.offset)?,
        })
    }

    fn module(&mut self, path: &str, build_id: Option<&str>) -> Option<usize> {
        let same = |module: &Module| module.path == path && module.build_id.as_deref() == build_id;
        if let Some(known) = self.modules.iter().position(same) {
            return Some(known);
        }
        self.modules.push(Module {
            path: path.to_owned(),
            build_id: build_id.map(str::to_owned),
        });
        (self.modules.len() < MOST_MODULES).then(|| self.modules.len() - 1)
    }

    fn place(&self, within: Within) -> InModule {
        let module = &self.modules[within.module];
        InModule {
            path: module.path.clone(),
            offset: within.offset,
            build_id: module.build_id.clone(),
        }
    }
}

impl Resolve for Addresses<'_> {
    fn code(&mut self, address: u64) -> Code {
        let Some(known) = self.code.get(&address) else {
            return Code::default();
        };
        let has_source = |frames: &[Named]| frames.iter().any(|frame| frame.source.is_some());
        let place = match &known.module {
            Some(place) if !has_source(&known.frames) => place,
            _ => return known.clone(),
        };
        let image = self.files.image(&place.path, place.build_id.as_deref());
        let found = image.map_or_else(Vec::new, |image| image.frames(place.offset));
        let better = has_source(&found) || known.frames.is_empty();
        Code {
            frames: if better { found } else { known.frames.clone() },
            module: known.module.clone(),
        }
    }

    fn data(&mut self, bytes: Bytes, code: &[u64]) -> Data {
        let Some((known, within)) = self.data.get(&bytes.address) else {
            return Data::Unknown;
        };
        let (known, Some(within)) = (known.clone(), *within) else {
            return known.clone();
        };
        let users = code
            .iter()
            .filter_map(|code| self.code.get(code)?.module.as_ref());
        let module = &self.modules[within.module];
        let users = users.filter(|user| user.path == module.path);
        let code: Vec<u64> = users.map(|user| user.offset).collect();
        let image = self.files.image(&module.path, module.build_id.as_deref());
        let in_file = Bytes {
            address: within.offset,
            ..bytes
        };
        match image.and_then(|image| image.variable(in_file, &code)) {
            Some(mut variable) => {
                let offset = variable.start;
                let bias = bytes.address.wrapping_sub(within.offset);
                variable.start = offset.wrapping_add(bias);
                if let Some(part) = &mut variable.part {
                    part.start = part.start.wrapping_add(bias);
                }
                Data::Global(variable, self.place(Within { offset, ..within }))
            }
            None => known,
        }
    }

    // What a stack held is not in the records.
    /// Which call owns memory on a stack is known while it runs alone: from the
    /// record.
    fn local(&mut self, bytes: Bytes, _: u64, _: u64, _: Option<u64>) -> Option<Variable> {
        if let Some(known) = self.locals.get(&bytes.address) {
            return Some(known.clone());
        }
        let call = self.calls.get(&bytes.address)?;
        let frame = hex(&call.frame)?;
        let entry = call.entry.as_ref().and_then(|entry| hex(&entry.offset));
        call.code.iter().find_map(|code| {
            let image = self.files.image(&code.module, code.build_id.as_deref())?;
            image.local(bytes, frame, hex(&code.offset)?, entry)
        })
    }

    fn allocated(&mut self, code: u64, hint: &Hint, block: Block, bytes: Bytes) -> Option<Part> {
        let place = self.code.get(&code)?.module.as_ref()?;
        let image = self.files.image(&place.path, place.build_id.as_deref())?;
        image.allocated(place.offset, hint, block, bytes)
    }

    fn thread_local(
        &mut self,
        bytes: Bytes,
        thread_pointer: u64,
        code: &[u64],
    ) -> Option<Variable> {
        if let Some(known) = self.locals.get(&bytes.address) {
            return Some(known.clone());
        }
        let places = code.iter().filter_map(|code| self.code.get(code));
        let users = places.filter_map(|code| code.module.as_ref());
        let program = self.program.as_deref()?;
        let module = self.modules.iter().find(|module| module.path == program);
        let build_id = module.and_then(|module| module.build_id.as_deref());
        let image = self.files.image(program, build_id)?;
        let code: Vec<u64> = users
            .filter(|user| user.path == program)
            .map(|user| user.offset)
            .collect();
        image.thread_local(bytes, thread_pointer, &code)
    }
}

/// `0x1f` as a number.
pub(super) fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

fn named(frame: &Frame) -> Named {
    Named {
        function: frame.function.clone(),
        source: frame.file.as_ref().map(|file| SourceLine {
            file: file.clone(),
            line: frame.line.unwrap_or(0),
            column: frame.column.unwrap_or(0),
        }),
    }
}

fn declared(declared: &Declared) -> SourceLine {
    SourceLine {
        file: declared.file.clone(),
        line: declared.line.unwrap_or(0),
        column: declared.column.unwrap_or(0),
    }
}

/// What the record says of the part of variable `name` that was accessed.
fn part(place: &Place, name: &str) -> Option<Part> {
    let part = place.part.as_ref()?;
    Some(Part {
        path: part.name.strip_prefix(name)?.to_owned(),
        start: hex(&part.address)?,
        size: part.size,
        type_name: part.type_name.clone(),
        member: part.member.clone(),
    })
}
