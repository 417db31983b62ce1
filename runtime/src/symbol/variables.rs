//! The variables of a unit: where they are declared and what they consist of.
//!
//! DWARF has no index from data addresses to variables; a unit's is made when
//! the unit is first asked, and [`super::dwarf`] decides which are worth it.

use super::SourceLine;
use super::dwarf::Slice;
use super::paths::{join, tidy};
use super::types::{self, Part};
use addr2line::gimli::{self, DebuggingInformationEntry, Operation, UnitOffset, UnitRef};
use alloc::string::String;
use alloc::vec::Vec;

/// What DWARF says about a variable.
pub(super) struct Declaration {
    /// Name in the source, without its scope.
    pub(super) name: Option<String>,
    /// Function around it, for a static local.
    pub(super) function: Option<String>,
    /// Where it is declared.
    pub(super) source: Option<SourceLine>,
    /// The part of it that was asked for.
    pub(super) part: Option<Part>,
    /// Where in the variable the memory begins, if the optimiser took it apart
    /// and this is one of the pieces.
    pub(super) piece: Option<u64>,
}

/// How deep functions nest in each other; deeper is damage.
const DEEPEST: usize = 64;

/// Where a variable begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Start {
    /// At this address of the file.
    Fixed(u64),
    /// At this offset of the thread-local template.
    ThreadLocal(u64),
}

/// A variable, or a part of one, that stays where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indexed {
    start: Start,
    /// As in [`Declaration`].
    piece: Option<u64>,
    entry: UnitOffset,
    /// The function around it.
    function: Option<UnitOffset>,
}

/// The variables of `unit`, in the order of their addresses.
pub(super) fn index(unit: UnitRef<'_, Slice>) -> Vec<Indexed> {
    let mut found = Vec::new();
    let mut entries = unit.entries();
    let mut functions: Vec<(isize, UnitOffset)> = Vec::new();
    while let Ok(true) = entries.next_entry() {
        let depth = entries.depth();
        let Some(entry) = entries.current() else {
            continue;
        };
        while functions.last().is_some_and(|(outer, _)| *outer >= depth) {
            functions.pop();
        }
        match entry.tag() {
            gimli::DW_TAG_subprogram if functions.len() < DEEPEST => {
                functions.push((depth, entry.offset()));
            }
            gimli::DW_TAG_variable => each_start(unit, entry, |start, piece| {
                found.push(Indexed {
                    start,
                    piece,
                    entry: entry.offset(),
                    function: functions.last().map(|(_, offset)| *offset),
                });
            }),
            _ => {}
        }
    }
    found.sort_by_key(|one| one.start);
    found.shrink_to_fit();
    found
}

/// The variable of `index` that begins at `start`.
pub(super) fn at(index: &[Indexed], start: Start) -> Option<Indexed> {
    let found = index.binary_search_by_key(&start, |one| one.start).ok()?;
    Some(index[found])
}

/// The fixed places of the variable `entry`, or of the pieces it was taken
/// apart into with where those begin in it.
fn each_start(
    unit: UnitRef<'_, Slice>,
    entry: &DebuggingInformationEntry<Slice>,
    mut f: impl FnMut(Start, Option<u64>),
) {
    let location = entry.attr_value(gimli::DW_AT_location);
    let Some(expression) = location.and_then(|value| value.exprloc_value()) else {
        return;
    };
    let mut operations = expression.operations(unit.encoding());
    let mut at = None;
    let mut inside: u64 = 0;
    while let Ok(Some(operation)) = operations.next() {
        at = match (operation, at) {
            (Operation::Address { address }, _) => Some(Start::Fixed(address)),
            (Operation::AddressIndex { index }, _) => unit.address(index).ok().map(Start::Fixed),
            (Operation::UnsignedConstant { value }, _) => Some(Start::ThreadLocal(value)),
            (Operation::ConstantIndex { index }, _) => {
                unit.address(index).ok().map(Start::ThreadLocal)
            }
            // An address that ends as such, and an offset that does not, are
            // something else.
            (Operation::TLS, Some(Start::ThreadLocal(offset))) => {
                f(Start::ThreadLocal(offset), None);
                return;
            }
            // The end of a piece; without a place, it is nowhere.
            (Operation::Piece { size_in_bits, .. }, at) => {
                if let Some(start @ Start::Fixed(_)) = at {
                    f(start, Some(inside));
                }
                inside = inside.saturating_add(size_in_bits / 8);
                None
            }
            _ => None,
        };
    }
    if let Some(start @ Start::Fixed(_)) = at {
        f(start, None);
    }
}

/// What is known about `variable` of `unit`, whose file numbers count in the
/// table of `files`, and of its `size` bytes at `offset`.
pub(super) fn describe(
    unit: UnitRef<'_, Slice>,
    files: UnitRef<'_, Slice>,
    variable: Indexed,
    (offset, size): (u64, u64),
) -> Option<Declaration> {
    let entry = unit.entry(variable.entry).ok()?;
    let function = variable
        .function
        .and_then(|function| unit.entry(function).ok());
    let function = function.and_then(|function| name(unit, &function));
    let mut declaration = declaration(unit, files, &entry, function);
    let inside = variable.piece.unwrap_or(0);
    declaration.part = part(unit, &entry, inside.checked_add(offset)?, size);
    declaration.piece = variable.piece;
    Some(declaration)
}

/// The `size` bytes at `offset` of the variable `entry`.
pub(super) fn part(
    unit: UnitRef<'_, Slice>,
    entry: &DebuggingInformationEntry<Slice>,
    offset: u64,
    size: u64,
) -> Option<Part> {
    from_origins(unit, entry, &|entry| types::part(unit, entry, offset, size))
}

/// What is known about the local variable `entry` of `function`, and of its
/// bytes `at` (offset and size).
pub(super) fn local(
    unit: UnitRef<'_, Slice>,
    files: UnitRef<'_, Slice>,
    entry: &DebuggingInformationEntry<Slice>,
    function: UnitOffset,
    at: (u64, u64),
) -> Option<Declaration> {
    let function = unit.entry(function).ok();
    let function = function.and_then(|function| name(unit, &function));
    let mut declaration = declaration(unit, files, entry, function);
    declaration.name.as_ref()?;
    declaration.part = part(unit, entry, at.0, at.1);
    Some(declaration)
}

/// Puts together what is known about the variable `entry`.
fn declaration(
    unit: UnitRef<'_, Slice>,
    files: UnitRef<'_, Slice>,
    entry: &DebuggingInformationEntry<Slice>,
    function: Option<String>,
) -> Declaration {
    Declaration {
        name: name(unit, entry),
        function,
        source: from_origins(unit, entry, &|entry| source(files, entry)),
        part: None,
        piece: None,
    }
}

fn name(unit: UnitRef<'_, Slice>, entry: &DebuggingInformationEntry<Slice>) -> Option<String> {
    from_origins(unit, entry, &|entry| text(unit, entry, gimli::DW_AT_name))
}

/// Asks `entry`, then what it completes: the copy of a function for its inlined
/// calls, the declaration of a member in its class.
fn from_origins<T>(
    unit: UnitRef<'_, Slice>,
    entry: &DebuggingInformationEntry<Slice>,
    ask: &dyn Fn(&DebuggingInformationEntry<Slice>) -> Option<T>,
) -> Option<T> {
    let origin = |entry: &DebuggingInformationEntry<Slice>| {
        let names = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification];
        let mut values = names.iter().filter_map(|name| entry.attr_value(*name));
        match values.next()? {
            gimli::AttributeValue::UnitRef(offset) => unit.entry(offset).ok(),
            _ => None,
        }
    };
    ask(entry).or_else(|| {
        let first = origin(entry)?;
        ask(&first).or_else(|| ask(&origin(&first)?))
    })
}

fn text(
    unit: UnitRef<'_, Slice>,
    entry: &DebuggingInformationEntry<Slice>,
    name: gimli::DwAt,
) -> Option<String> {
    string(unit, entry.attr_value(name)?)
}

fn string(unit: UnitRef<'_, Slice>, value: gimli::AttributeValue<Slice>) -> Option<String> {
    let string = unit.attr_string(value).ok()?;
    Some(string.to_string_lossy().into_owned())
}

fn source(
    files: UnitRef<'_, Slice>,
    entry: &DebuggingInformationEntry<Slice>,
) -> Option<SourceLine> {
    let gimli::AttributeValue::FileIndex(index) = entry.attr_value(gimli::DW_AT_decl_file)? else {
        return None;
    };
    let number = |name| {
        let value = entry.attr_value(name).and_then(|value| value.udata_value());
        value
            .and_then(|value| u32::try_from(value).ok())
            .unwrap_or(0)
    };
    let header = files.line_program.as_ref()?.header();
    let file = header.file(index)?;
    let mut path = match &files.comp_dir {
        Some(folder) => folder.to_string_lossy().into_owned(),
        None => String::new(),
    };
    // Folder 0 is the one of the unit.
    if file.directory_index() != 0
        && let Some(folder) = file.directory(header)
    {
        path = join(&path, &string(files, folder)?);
    }
    Some(SourceLine {
        file: tidy(&join(&path, &string(files, file.path_name())?)),
        line: number(gimli::DW_AT_decl_line),
        column: number(gimli::DW_AT_decl_column),
    })
}
