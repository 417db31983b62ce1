//! The symboliser of this process.

use super::maps::{self, Mapping};
use super::modules::Modules;
use super::unwind::Position;
use super::{Block, Bytes, Code, Data, Hint, InModule, Part, Resolve, Variable};
use crate::os;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Parsed debug information kept from one report to the next, in bytes as
/// [`super::dwarf`] estimates them. A burst of reports is mostly about the
/// same few units; a long-running program should not hold on to more.
const KEPT: usize = 16 << 20;

/// Code addresses whose names are kept; a stack in a hundred reports is the same
/// few functions.
const CODES: usize = 4096;

/// For how long the list of modules counts as true, in nanoseconds. What is
/// loaded at an address that was never in use is noticed at once, and so is
/// `dlclose`; this is for libraries that libc itself unloads.
const FRESH: u64 = 1_000_000_000;

/// Answers [`Resolve`] from the files of this process.
#[derive(Default)]
pub struct Symbolizer {
    modules: Modules,
    maps: Vec<Mapping>,
    codes: BTreeMap<u64, Code>,
    /// When the modules were last looked at.
    refreshed: Option<u64>,
    /// They were, in this report.
    looked: bool,
}

impl Symbolizer {
    /// A symboliser that knows no module yet.
    pub const fn new() -> Symbolizer {
        Symbolizer {
            modules: Modules::new(),
            maps: Vec::new(),
            codes: BTreeMap::new(),
            refreshed: None,
            looked: false,
        }
    }

    /// Looks at what is loaded now. Modules that are gone stay known, so that
    /// the addresses in older stacks still have names; calling this before a
    /// library is unloaded makes sure that it was seen.
    pub fn refresh(&mut self) {
        self.maps = maps::of_process();
        if self.modules.refresh(&self.maps) {
            self.codes.clear();
        }
        self.refreshed = Some(os::realtime_ns());
        self.looked = true;
    }

    /// What is loaded is about to change.
    pub fn expect_change(&mut self) {
        self.refreshed = None;
    }

    /// Looks again, unless that was done in this report.
    fn look_again(&mut self) {
        if !self.looked {
            self.refresh();
        }
    }

    /// Looks again if no module holds `address`.
    fn look_for(&mut self, address: u64) {
        if self.modules.find(address).is_none() {
            self.look_again();
        }
    }

    /// The module that holds `address`.
    pub fn module(&mut self, address: u64) -> Option<InModule> {
        Some(self.modules.find(address)?.place(address))
    }

    /// The addresses that the functions from `position` outwards return to, as
    /// far as they can be found, `most` at most.
    pub(crate) fn callers(&mut self, position: Position, most: usize) -> Vec<u64> {
        let mut callers = Vec::new();
        let mut position = position;
        while callers.len() < most
            && let Some(module) = self.modules.find(position.pc)
            && let Some(next) = module.caller(&position, !callers.is_empty())
            && next.pc != 0
        {
            callers.push(next.pc);
            position = next;
        }
        callers
    }

    /// What the kernel says of memory outside of modules.
    pub fn mapping(&self, address: u64) -> Data {
        let mut maps = self.maps.iter();
        match maps.find(|map| (map.start..map.end).contains(&address)) {
            Some(map) => Data::Mapping(map.start, map.end, map.name.clone()),
            None => Data::Unknown,
        }
    }

    /// Gives back memory after a report.
    pub fn settle(&mut self) {
        self.maps = Vec::new();
        self.looked = false;
        if self.codes.len() > CODES {
            self.codes.clear();
        }
        if self.modules.weight() > KEPT {
            self.modules.close_images();
        }
    }
}

impl Resolve for Symbolizer {
    fn begin(&mut self) {
        let now = os::realtime_ns();
        let is_fresh = |at: u64| now.checked_sub(at).is_some_and(|age| age < FRESH);
        if !self.refreshed.is_some_and(is_fresh) {
            self.refresh();
        }
    }

    fn code(&mut self, address: u64) -> Code {
        if let Some(code) = self.codes.get(&address) {
            return code.clone();
        }
        self.look_for(address);
        let Some(module) = self.modules.find(address) else {
            return Code::default();
        };
        let in_file = module.file_address(address);
        let image = module.image();
        let frames = image.map_or_else(Vec::new, |image| image.frames(in_file));
        let code = Code {
            frames,
            module: Some(module.place(address)),
        };
        self.codes.insert(address, code.clone());
        code
    }

    fn data(&mut self, bytes: Bytes, code: &[u64]) -> Data {
        let address = bytes.address;
        self.look_for(address);
        let Some(module) = self.modules.find(address) else {
            return self.mapping(address);
        };
        let in_file = Bytes {
            address: module.file_address(address),
            ..bytes
        };
        let code: Vec<u64> = code.iter().map(|code| module.file_address(*code)).collect();
        let image = module.image();
        match image.and_then(|image| image.variable(in_file, &code)) {
            Some(mut variable) => {
                variable.start = module.memory_address(variable.start);
                if let Some(part) = &mut variable.part {
                    part.start = module.memory_address(part.start);
                }
                let place = module.place(variable.start);
                Data::Global(variable, place)
            }
            None => Data::Module(module.place(address)),
        }
    }

    fn local(
        &mut self,
        bytes: Bytes,
        frame: u64,
        code: u64,
        entry: Option<u64>,
    ) -> Option<Variable> {
        let module = self.modules.find(code)?;
        let entry = entry.map(|entry| module.file_address(entry));
        let code = module.file_address(code);
        module.image()?.local(bytes, frame, code, entry)
    }

    fn allocated(&mut self, code: u64, hint: &Hint, block: Block, bytes: Bytes) -> Option<Part> {
        let module = self.modules.find(code)?;
        let in_file = module.file_address(code);
        module.image()?.allocated(in_file, hint, block, bytes)
    }

    fn thread_local(
        &mut self,
        bytes: Bytes,
        thread_pointer: u64,
        code: &[u64],
    ) -> Option<Variable> {
        let module = self.modules.program()?;
        let code: Vec<u64> = code.iter().map(|code| module.file_address(*code)).collect();
        module.image()?.thread_local(bytes, thread_pointer, &code)
    }
}
