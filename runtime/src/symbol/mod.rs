//! Names for addresses: functions, source lines and variables.
//!
//! Everything happens inside the process, from the files it was loaded from.
//! [`Symbolizer`] keeps the list of [`modules`] and asks each one's [`image`]:
//! DWARF first ([`dwarf`], with inlined frames, split and compressed debug
//! information, and separate debug files found by [`debug_file`]), then the
//! symbol tables ([`elf`]), and if both say nothing, the module and the offset
//! in it remain. Files are mapped, units are parsed when an address falls into
//! them, and what parsing keeps is dropped when it grows past a limit.
//!
//! Debug information may be damaged or belong to another build; whatever is in
//! it, lookups answer less, they never stop the program.

mod blocks;
mod debug_file;
mod decompress;
mod demangle;
mod dwarf;
mod elf;
pub mod fetched;
mod image;
mod locals;
mod maps;
mod modules;
mod paths;
pub mod spelling;
mod symbolizer;
#[cfg(test)]
mod tests;
mod type_names;
mod types;
mod units;
pub(crate) mod unwind;
mod variable_index;
mod variables;

pub use image::Image;
pub use symbolizer::Symbolizer;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One function at a code address; several when calls were inlined there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Demangled name.
    pub function: Option<String>,
    /// Where in the source, if known.
    pub source: Option<SourceLine>,
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLine {
    /// File name as the compiler recorded it, made absolute if it could be.
    pub file: String,
    /// Line from 1; 0 is unknown.
    pub line: u32,
    /// Column from 1; 0 is unknown.
    pub column: u32,
}

/// A place in a loaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InModule {
    /// The file.
    pub path: String,
    /// Address as the file itself counts, as `addr2line -e` wants it.
    pub offset: u64,
    /// Build id in hexadecimal digits.
    pub build_id: Option<String>,
}

/// What is known about a code address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// Innermost inlined function first, the function itself last. Empty if
    /// there is no name.
    pub frames: Vec<Frame>,
    /// Where the code was loaded from; `None` for generated code.
    pub module: Option<InModule>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Demangled name.
    pub name: String,
    /// First byte.
    pub start: u64,
    /// Size in bytes.
    pub size: u64,
    /// Where it is declared.
    pub declared: Option<SourceLine>,
    /// The part of it in question, if its type is known.
    pub part: Option<Part>,
}

impl Variable {
    /// The name of the part in question: `table[17].next`; that of the whole
    /// variable if nothing more is known.
    pub fn full_name(&self) -> String {
        let path = self.part.as_ref().map_or("", |part| &part.path);
        format!("{}{path}", self.name)
    }
}

/// A part of a variable or heap block; all of it if the path is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What stands behind the name of the whole: `[17].next`.
    pub path: String,
    /// First byte.
    pub start: u64,
    /// Size in bytes; 0 if unknown.
    pub size: u64,
    /// The name of its type.
    pub type_name: String,
    /// The member that it is or is in, with its class: `Session::state`.
    pub member: Option<String>,
}

/// What is known about a data address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// A global or static variable.
    Global(Variable, InModule),
    /// Static data of a module, without a name.
    Module(InModule),
    /// Mapped memory: first byte, end, and what the kernel calls it.
    Mapping(u64, u64, String),
    /// Nothing.
    Unknown,
}

/// Bytes that something is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// First byte.
    pub address: u64,
    /// How many.
    pub size: u64,
}

/// A heap block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// First byte.
    pub start: u64,
    /// Size asked for.
    pub size: u64,
}

/// What a heap block seems to consist of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// One object of the type of this name.
    One(String),
    /// One or several of them.
    Elements(String),
    /// One or several of what the variable of this name points to.
    PointedTo(String),
}

/// What a report asks. [`Symbolizer`] answers from the process, tests from a
/// table.
pub trait Resolve {
    /// A report begins: what is loaded may have changed.
    fn begin(&mut self) {}
    /// What is at the code address `address` (of an instruction, not the
    /// return address behind it).
    fn code(&mut self, address: u64) -> Code;
    /// What is at the data address of `bytes`. `code` are addresses of code
    /// that touches it: its declaration is most likely in their units.
    fn data(&mut self, bytes: Bytes, code: &[u64]) -> Data;
    /// The local variable at `bytes` in the frame that ends at `frame`, of the
    /// function at the code address `code`, which begins at `entry`, if that is
    /// known.
    fn local(
        &mut self,
        bytes: Bytes,
        frame: u64,
        code: u64,
        entry: Option<u64>,
    ) -> Option<Variable>;
    /// What of the heap block `block`, which the code at `code` allocated,
    /// `bytes` are, if `hint` is right.
    fn allocated(&mut self, code: u64, hint: &Hint, block: Block, bytes: Bytes) -> Option<Part>;
    /// The thread-local variable of the program itself at `bytes` in the
    /// thread whose thread pointer is `thread_pointer`.
    fn thread_local(&mut self, bytes: Bytes, thread_pointer: u64, code: &[u64])
    -> Option<Variable>;
}
