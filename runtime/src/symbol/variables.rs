//! Where a variable is declared.
//!
//! DWARF has no index from data addresses to variables, and reading all of a
//! large program's units for one line would take seconds. The code that
//! touches a variable is mostly compiled in the unit that defines it, so only
//! the units of the two accesses are searched.

use super::SourceLine;
use super::paths::{join, tidy};
use addr2line::gimli::{self, DebuggingInformationEntry, Operation, Reader, UnitRef};
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
}

/// How deep functions nest in each other; deeper is damage.
const DEEPEST: usize = 64;

/// Finds the variable that begins at `address` in `unit`, whose file numbers
/// count in the table of `files`.
pub(super) fn find<R: Reader>(
    unit: UnitRef<'_, R>,
    files: UnitRef<'_, R>,
    address: u64,
) -> Option<Declaration> {
    let mut entries = unit.entries();
    let mut functions: Vec<(isize, Option<String>)> = Vec::new();
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
                functions.push((depth, name(unit, entry)));
            }
            gimli::DW_TAG_variable if is_at(unit, entry, address) => {
                let function = functions.pop().and_then(|(_, name)| name);
                return Some(declaration(unit, files, entry, function));
            }
            _ => {}
        }
    }
    None
}

/// Is the variable `entry`, or a part of it, at the fixed address `address`?
fn is_at<R: Reader>(
    unit: UnitRef<'_, R>,
    entry: &DebuggingInformationEntry<R>,
    address: u64,
) -> bool {
    let location = entry.attr_value(gimli::DW_AT_location);
    let Some(expression) = location.and_then(|value| value.exprloc_value()) else {
        return false;
    };
    let mut operations = expression.operations(unit.encoding());
    let mut at = None;
    while let Ok(Some(operation)) = operations.next() {
        match operation {
            Operation::Address { address } => at = Some(address),
            Operation::AddressIndex { index } => at = unit.address(index).ok(),
            // The end of one of several parts.
            Operation::Piece { .. } if at == Some(address) => return true,
            // Something is done with the address: a thread-local variable's
            // is an operand, for example.
            _ => at = None,
        }
    }
    at == Some(address)
}

/// Puts together what is known about the variable `entry`.
fn declaration<R: Reader>(
    unit: UnitRef<'_, R>,
    files: UnitRef<'_, R>,
    entry: &DebuggingInformationEntry<R>,
    function: Option<String>,
) -> Declaration {
    Declaration {
        name: name(unit, entry),
        function,
        source: from_origins(unit, entry, &|entry| source(files, entry)),
    }
}

fn name<R: Reader>(unit: UnitRef<'_, R>, entry: &DebuggingInformationEntry<R>) -> Option<String> {
    from_origins(unit, entry, &|entry| text(unit, entry, gimli::DW_AT_name))
}

/// Asks `entry`, then what it completes: the copy of a function for its inlined
/// calls, the declaration of a member in its class.
fn from_origins<R: Reader, T>(
    unit: UnitRef<'_, R>,
    entry: &DebuggingInformationEntry<R>,
    ask: &dyn Fn(&DebuggingInformationEntry<R>) -> Option<T>,
) -> Option<T> {
    let origin = |entry: &DebuggingInformationEntry<R>| {
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

fn text<R: Reader>(
    unit: UnitRef<'_, R>,
    entry: &DebuggingInformationEntry<R>,
    name: gimli::DwAt,
) -> Option<String> {
    string(unit, entry.attr_value(name)?)
}

fn string<R: Reader>(unit: UnitRef<'_, R>, value: gimli::AttributeValue<R>) -> Option<String> {
    let string = unit.attr_string(value).ok()?;
    Some(string.to_string_lossy().ok()?.into_owned())
}

fn source<R: Reader>(
    files: UnitRef<'_, R>,
    entry: &DebuggingInformationEntry<R>,
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
        Some(folder) => folder.to_string_lossy().ok()?.into_owned(),
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
