//! What is in a heap block whose type somebody has guessed.

use super::dwarf::Slice;
use super::types::{self, Part, follow, type_of};
use super::{Block, Bytes, Hint};
use addr2line::gimli::{self, DebuggingInformationEntry, UnitOffset, UnitRef};
use alloc::format;
use alloc::string::String;

type Entry = DebuggingInformationEntry<Slice>;

/// The part of `block` that `bytes` are, if `hint` is right about its type, and
/// the name of that type. `code` is an address in the allocating function, of
/// `unit`.
pub(super) fn part(
    unit: UnitRef<'_, Slice>,
    code: u64,
    hint: &Hint,
    block: Block,
    bytes: Bytes,
) -> Option<(String, Part)> {
    match hint {
        Hint::One(name) => in_type(unit, type_named(unit, name)?, block, bytes)
            .filter(|(_, part)| !part.path.starts_with('[')),
        Hint::Elements(name) => in_type(unit, type_named(unit, name)?, block, bytes),
        Hint::PointedTo(name) => {
            let variable = unit.entry(variable_named(unit, code, name)?).ok()?;
            follow(unit, type_of(&variable)?, &mut |unit, pointer| {
                if pointer.tag() != gimli::DW_TAG_pointer_type {
                    return None;
                }
                follow(unit, type_of(pointer)?, &mut |unit, pointee| {
                    in_type(unit, pointee.offset(), block, bytes)
                })
            })
        }
    }
}

/// The part of a block of one or several elements, and the name of their type.
fn in_type(
    unit: UnitRef<'_, Slice>,
    element: UnitOffset,
    block: Block,
    bytes: Bytes,
) -> Option<(String, Part)> {
    let whole = types::part_of_type(unit, element, 0, u64::MAX)?;
    let size = whole
        .size
        .filter(|size| *size != 0 && block.size.is_multiple_of(*size))?;
    let offset = bytes.address.checked_sub(block.start)?;
    let (index, inside) = (offset / size, offset % size);
    if inside.saturating_add(bytes.size) > size {
        return None;
    }
    let mut part = types::part_of_type(unit, element, inside, bytes.size)?;
    part.offset += index * size;
    if block.size > size {
        part.path.insert_str(0, &format!("[{index}]"));
    }
    Some((whole.type_name, part))
}

/// The type called `name` in `unit`, whatever its scope; none if two of
/// different size are.
fn type_named(unit: UnitRef<'_, Slice>, name: &str) -> Option<UnitOffset> {
    let name = unqualified(name);
    let mut found: Option<(UnitOffset, Option<u64>)> = None;
    let mut entries = unit.entries();
    while let Ok(true) = entries.next_entry() {
        let Some(entry) = entries.current() else {
            continue;
        };
        let is_type = matches!(
            entry.tag(),
            gimli::DW_TAG_structure_type
                | gimli::DW_TAG_class_type
                | gimli::DW_TAG_union_type
                | gimli::DW_TAG_typedef
                | gimli::DW_TAG_base_type
                | gimli::DW_TAG_enumeration_type
        );
        if !is_type || is_declaration(entry) || !is_called(unit, entry, name) {
            continue;
        }
        let whole = types::part_of_type(unit, entry.offset(), 0, u64::MAX);
        let size = whole.and_then(|whole| whole.size);
        match found {
            Some((_, other)) if other != size => return None,
            _ => found = Some((entry.offset(), size)),
        }
    }
    found.map(|(offset, _)| offset)
}

fn is_declaration(entry: &Entry) -> bool {
    matches!(
        entry.attr_value(gimli::DW_AT_declaration),
        Some(gimli::AttributeValue::Flag(true))
    )
}

fn is_called(unit: UnitRef<'_, Slice>, entry: &Entry, name: &str) -> bool {
    let value = entry.attr_value(gimli::DW_AT_name);
    let text = value.and_then(|value| unit.attr_string(value).ok());
    text.is_some_and(|text| is_same(text.slice(), name.as_bytes()))
}

/// Are these two spellings of one name? Compilers and demanglers differ in where
/// `const`, spaces and capital letters of numbers stand: `pair<const int, 4UL>`,
/// `pair<int const, 4ul>`.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one == other
        || (one.contains(&b'<') && one.first() == other.first() && letters(one).eq(letters(other)))
}

/// What counts of a name.
fn letters(name: &[u8]) -> impl Iterator<Item = u8> {
    const CONST: &[u8] = b"const";
    let mut at = 0;
    core::iter::from_fn(move || {
        loop {
            let rest = name.get(at..)?;
            let is_word = |byte: Option<&u8>| {
                byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            };
            if rest.starts_with(CONST)
                && !is_word(rest.get(CONST.len()))
                && !is_word(at.checked_sub(1).and_then(|before| name.get(before)))
            {
                at += CONST.len();
                continue;
            }
            let byte = *rest.first()?;
            at += 1;
            if byte != b' ' {
                return Some(byte.to_ascii_lowercase());
            }
        }
    })
}

/// A name without the scopes before it.
fn unqualified(name: &str) -> &str {
    let end = name.find('<').unwrap_or(name.len());
    let start = name[..end].rfind("::").map_or(0, |at| at + 2);
    name[start..].trim()
}

/// The variable called `name` in the function at `code`, else at file scope.
fn variable_named(unit: UnitRef<'_, Slice>, code: u64, name: &str) -> Option<UnitOffset> {
    let mut entries = unit.entries();
    let mut function: Option<(isize, bool)> = None;
    let mut outside = None;
    while let Ok(true) = entries.next_entry() {
        let depth = entries.depth();
        let Some(entry) = entries.current() else {
            continue;
        };
        if function.is_some_and(|(outer, _)| outer >= depth) {
            function = None;
        }
        match entry.tag() {
            gimli::DW_TAG_subprogram if function.is_none() => {
                function = Some((depth, holds(unit, entry, code)));
            }
            gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter
                if is_called(unit, entry, name) && type_of(entry).is_some() =>
            {
                match function {
                    Some((_, true)) => return Some(entry.offset()),
                    None => outside = Some(entry.offset()),
                    Some((_, false)) => {}
                }
            }
            _ => {}
        }
    }
    outside
}

/// Is `code` in the function `entry`?
fn holds(unit: UnitRef<'_, Slice>, entry: &Entry, code: u64) -> bool {
    let Ok(mut ranges) = unit.die_ranges(entry) else {
        return false;
    };
    while let Ok(Some(range)) = ranges.next() {
        if (range.begin..range.end).contains(&code) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn spellings() {
        let same = |one: &str, other: &str| is_same(one.as_bytes(), other.as_bytes());
        assert!(same(
            "node<pair<const int, A> >",
            "node<pair<int const, A>>"
        ));
        assert!(same("array<int, 4UL>", "array<int, 4ul>"));
        assert!(!same("node<constant>", "node<ant>"));
        assert!(!same("node<int>", "node<long>"));
        assert!(same("Node", "Node") && !same("Node", "node"));
    }
}
