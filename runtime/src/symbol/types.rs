//! From bytes of an object to the name and type of the part they are.
//!
//! DWARF describes types as a graph: structures of members, arrays of elements,
//! names and qualifiers around them. [`part`] walks down from an object's type
//! towards the bytes in question and stops at the innermost part that holds all
//! of them, or earlier where the description ends. Whole objects are not taken
//! apart: an access to all of a `std::atomic<int>` is not one to the member
//! inside it.

use super::dwarf::Slice;
use addr2line::gimli::{
    self, AttributeValue, DebugInfoOffset, DebuggingInformationEntry, DwTag, UnitOffset, UnitRef,
};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;

type Entry = DebuggingInformationEntry<Slice>;

/// Types on the way down and qualifiers around a type; more is damage.
const DEEPEST: usize = 64;

/// Types looked at for one answer: where members overlap, as in unions, several
/// ways down are tried, and in damaged information they multiply.
const STEPS: u32 = 1024;

/// What is left of both.
#[derive(Clone, Copy)]
struct Limit<'a> {
    depth: usize,
    steps: &'a Cell<u32>,
}

impl Limit<'_> {
    /// One step further down; `None` if that is too far.
    fn deeper(self) -> Option<Self> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        let depth = self.depth.checked_sub(1)?;
        Some(Limit { depth, ..self })
    }
}

/// Members of a structure and dimensions of an array that are looked at.
const WIDEST: usize = 4096;

/// A part of an object, or all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// What to write behind the object's name: `[17].next`.
    pub(super) path: String,
    /// Where it begins in the object.
    pub(super) offset: u64,
    /// Its size, if its type says.
    pub(super) size: Option<u64>,
    /// The name of its type.
    pub(super) type_name: String,
    /// The member that it is or is in, with its class: `Session::state`.
    pub(super) member: Option<String>,
}

/// The innermost part that holds the `size` bytes at `offset` of an object whose
/// type is what `of` refers to.
pub(super) fn part(unit: UnitRef<'_, Slice>, of: &Entry, offset: u64, size: u64) -> Option<Part> {
    from(unit, type_of(of)?, offset, size)
}

/// As [`part`], of the type described at `of` itself.
pub(super) fn part_of_type(
    unit: UnitRef<'_, Slice>,
    of: UnitOffset,
    offset: u64,
    size: u64,
) -> Option<Part> {
    from(unit, AttributeValue::UnitRef(of), offset, size)
}

fn from(
    unit: UnitRef<'_, Slice>,
    reference: AttributeValue<Slice>,
    offset: u64,
    size: u64,
) -> Option<Part> {
    let steps = Cell::new(STEPS);
    let limit = Limit {
        depth: DEEPEST,
        steps: &steps,
    };
    let mut part = Part::default();
    descend(unit, reference, (offset, size), &mut part, limit)?;
    Some(part)
}

/// The attribute that refers to the type of `entry`.
pub(super) fn type_of(entry: &Entry) -> Option<AttributeValue<Slice>> {
    entry.attr_value(gimli::DW_AT_type)
}

/// Goes down to the bytes `at` (offset and size) of the object whose type
/// `reference` is.
fn descend(
    unit: UnitRef<'_, Slice>,
    reference: AttributeValue<Slice>,
    at: (u64, u64),
    part: &mut Part,
    limit: Limit<'_>,
) -> Option<()> {
    let limit = limit.deeper()?;
    follow(unit, reference, &mut |unit, entry| {
        let (offset, size) = at;
        if is_transparent(entry.tag()) {
            let inner = type_of(entry)?;
            let named = name(unit, entry);
            descend(unit, inner, at, part, limit)?;
            // The outer name is the one the programmer gave.
            if let (Some(named), true) = (named, is_whole(unit, entry, at)) {
                part.type_name = named;
            }
            return Some(());
        }
        let step = if is_whole(unit, entry, at) {
            None
        } else {
            step(unit, entry, at, limit)
        };
        let Some(step) = step else {
            part.size = byte_size(unit, entry, limit.depth);
            part.type_name = type_name(unit, entry, limit.depth);
            return Some(());
        };
        part.path.push_str(&step.path);
        part.offset = part.offset.wrapping_add(step.offset);
        if let Some(member) = &step.member {
            let class = name(unit, entry);
            let between = if is_cxx(unit) { "::" } else { "." };
            part.member = Some(match class {
                Some(class) => format!("{class}{between}{member}"),
                None => member.clone(),
            });
        }
        let (before, reached) = (part.clone(), (offset - step.offset, size));
        if descend(unit, step.inner, reached, part, limit).is_none() {
            *part = before;
        }
        Some(())
    })
}

/// Is `at` all of an object of this type?
fn is_whole(unit: UnitRef<'_, Slice>, entry: &Entry, at: (u64, u64)) -> bool {
    at.0 == 0 && byte_size(unit, entry, DEEPEST).is_some_and(|size| at.1 >= size)
}

/// One step down.
struct Step {
    path: String,
    offset: u64,
    member: Option<String>,
    inner: AttributeValue<Slice>,
}

fn step(unit: UnitRef<'_, Slice>, entry: &Entry, at: (u64, u64), limit: Limit<'_>) -> Option<Step> {
    match entry.tag() {
        gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
            to_member(unit, entry, at, limit)
        }
        gimli::DW_TAG_array_type => to_element(unit, entry, at),
        _ => None,
    }
}

/// The member that holds the bytes; none if several do.
fn to_member(
    unit: UnitRef<'_, Slice>,
    entry: &Entry,
    (offset, size): (u64, u64),
    limit: Limit<'_>,
) -> Option<Step> {
    let mut holding: Vec<Step> = Vec::new();
    each_child(unit, entry, &mut |child| {
        let is_base = child.tag() == gimli::DW_TAG_inheritance;
        if child.tag() != gimli::DW_TAG_member && !is_base {
            return;
        }
        let (Some(start), Some(inner)) = (member_offset(child), type_of(child)) else {
            return;
        };
        let length = follow(unit, inner, &mut |unit, entry| {
            byte_size(unit, entry, DEEPEST)
        });
        let Some(length) = length else {
            return;
        };
        if offset < start || offset.saturating_add(size) > start.saturating_add(length) {
            return;
        }
        let member = name(unit, child).filter(|_| !is_base);
        let path = match &member {
            Some(member) => format!(
                ".{}",
                member
                    .strip_prefix("__")
                    .filter(|rest| is_number(rest))
                    .unwrap_or(member)
            ),
            None => String::new(),
        };
        holding.push(Step {
            path,
            offset: start,
            member,
            inner,
        });
    });
    if holding.len() > 1 {
        holding.retain(|step| ends_exactly(unit, step, (offset, size), limit));
    }
    let one = holding.len() == 1;
    holding.pop().filter(|_| one)
}

/// Does the way down `step` end in a part that is the bytes `at`, no more?
fn ends_exactly(unit: UnitRef<'_, Slice>, step: &Step, at: (u64, u64), limit: Limit<'_>) -> bool {
    let mut part = Part::default();
    let inside = (at.0 - step.offset, at.1);
    descend(unit, step.inner, inside, &mut part, limit).is_some()
        && (part.offset, part.size) == (inside.0, Some(at.1))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Where a member begins in its structure.
fn member_offset(member: &Entry) -> Option<u64> {
    let number = |name| {
        member
            .attr_value(name)
            .and_then(|v: AttributeValue<Slice>| v.udata_value())
    };
    if let Some(bits) = number(gimli::DW_AT_data_bit_offset) {
        return Some(bits / 8);
    }
    match member.attr_value(gimli::DW_AT_data_member_location) {
        Some(value) => value.udata_value(),
        // Members of a union, and virtual bases, of which the place is not
        // fixed: those have an expression.
        None => Some(0),
    }
}

fn to_element(unit: UnitRef<'_, Slice>, entry: &Entry, (offset, size): (u64, u64)) -> Option<Step> {
    let inner = type_of(entry)?;
    let element = follow(unit, inner, &mut |unit, entry| {
        byte_size(unit, entry, DEEPEST)
    });
    let element = element.filter(|size| *size != 0)?;
    let mut index = offset / element;
    if (offset % element).saturating_add(size) > element {
        return None;
    }
    let counts = dimensions(unit, entry);
    let mut path = String::new();
    for count in counts.iter().skip(1).rev() {
        let count = count.filter(|count| *count != 0)?;
        path = format!("[{}]{path}", index % count);
        index /= count;
    }
    Some(Step {
        path: format!("[{index}]{path}"),
        offset: offset - offset % element,
        member: None,
        inner,
    })
}

/// How many elements each dimension of an array has.
fn dimensions(unit: UnitRef<'_, Slice>, entry: &Entry) -> Vec<Option<u64>> {
    let mut counts = Vec::new();
    each_child(unit, entry, &mut |child| {
        if child.tag() == gimli::DW_TAG_subrange_type {
            let number = |name| {
                child
                    .attr_value(name)
                    .and_then(|v: AttributeValue<Slice>| v.udata_value())
            };
            let upper = number(gimli::DW_AT_upper_bound).and_then(|upper| upper.checked_add(1));
            counts.push(number(gimli::DW_AT_count).or(upper));
        }
    });
    counts
}

/// Bytes of an object of this type.
fn byte_size(unit: UnitRef<'_, Slice>, entry: &Entry, depth: usize) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let said = entry.attr_value(gimli::DW_AT_byte_size);
    if let Some(size) = said.and_then(|value| value.udata_value()) {
        return Some(size);
    }
    let inner = |entry: &Entry| {
        follow(unit, type_of(entry)?, &mut |unit, entry| {
            byte_size(unit, entry, depth)
        })
    };
    match entry.tag() {
        gimli::DW_TAG_pointer_type
        | gimli::DW_TAG_reference_type
        | gimli::DW_TAG_rvalue_reference_type => Some(unit.encoding().address_size.into()),
        gimli::DW_TAG_array_type => {
            let counts = dimensions(unit, entry);
            let counts = counts
                .into_iter()
                .try_fold(1u64, |all, one| all.checked_mul(one?));
            inner(entry)?.checked_mul(counts?)
        }
        tag if is_transparent(tag) => inner(entry),
        _ => None,
    }
}

/// Is this a name or qualifier of another type?
fn is_transparent(tag: DwTag) -> bool {
    tag == gimli::DW_TAG_typedef || qualifier(tag).is_some()
}

fn qualifier(tag: DwTag) -> Option<&'static str> {
    Some(match tag {
        gimli::DW_TAG_const_type => "const",
        gimli::DW_TAG_volatile_type => "volatile",
        gimli::DW_TAG_atomic_type => "_Atomic",
        gimli::DW_TAG_restrict_type => "restrict",
        _ => return None,
    })
}

/// What the programmer would write for it.
fn type_name(unit: UnitRef<'_, Slice>, entry: &Entry, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else {
        return "...".to_owned();
    };
    let inner = || {
        let inner = type_of(entry).and_then(|inner| {
            follow(unit, inner, &mut |unit, entry| {
                Some(type_name(unit, entry, depth))
            })
        });
        inner.unwrap_or_else(|| "void".to_string())
    };
    if let Some(name) = name(unit, entry) {
        return match keyword(entry.tag()) {
            Some(keyword) if is_c(unit) => format!("{keyword} {name}"),
            _ => name,
        };
    }
    match entry.tag() {
        gimli::DW_TAG_pointer_type => format!("{} *", inner()),
        gimli::DW_TAG_reference_type => format!("{} &", inner()),
        gimli::DW_TAG_rvalue_reference_type => format!("{} &&", inner()),
        gimli::DW_TAG_subroutine_type => format!("{} (...)", inner()),
        gimli::DW_TAG_array_type => {
            let mut text = inner();
            for count in dimensions(unit, entry) {
                let count = count.map_or_else(String::new, |count| count.to_string());
                text.push_str(&format!("[{count}]"));
            }
            text
        }
        tag => match (qualifier(tag), keyword(tag)) {
            (Some(qualifier), _) => format!("{qualifier} {}", inner()),
            (None, Some(keyword)) => format!("unnamed {keyword}"),
            (None, None) => "unnamed type".to_string(),
        },
    }
}

fn keyword(tag: DwTag) -> Option<&'static str> {
    Some(match tag {
        gimli::DW_TAG_structure_type => "struct",
        gimli::DW_TAG_class_type => "class",
        gimli::DW_TAG_union_type => "union",
        gimli::DW_TAG_enumeration_type => "enum",
        _ => return None,
    })
}

/// In C the names of structures stand behind a keyword.
fn is_c(unit: UnitRef<'_, Slice>) -> bool {
    matches!(
        language(unit),
        Some(gimli::DW_LANG_C89 | gimli::DW_LANG_C | gimli::DW_LANG_C99 | gimli::DW_LANG_C11)
    )
}

fn is_cxx(unit: UnitRef<'_, Slice>) -> bool {
    matches!(
        language(unit),
        Some(
            gimli::DW_LANG_C_plus_plus
                | gimli::DW_LANG_C_plus_plus_03
                | gimli::DW_LANG_C_plus_plus_11
                | gimli::DW_LANG_C_plus_plus_14
                | gimli::DW_LANG_C_plus_plus_17
                | gimli::DW_LANG_C_plus_plus_20
        )
    )
}

fn language(unit: UnitRef<'_, Slice>) -> Option<gimli::DwLang> {
    let root = unit.entry(unit.header.root_offset()).ok()?;
    match root.attr_value(gimli::DW_AT_language) {
        Some(AttributeValue::Language(language)) => Some(language),
        _ => None,
    }
}

fn name(unit: UnitRef<'_, Slice>, entry: &Entry) -> Option<String> {
    let value = entry.attr_value(gimli::DW_AT_name)?;
    let text = unit.attr_string(value).ok()?;
    Some(text.to_string_lossy().into_owned())
}

/// Calls `f` for the entries directly below `entry`.
fn each_child(unit: UnitRef<'_, Slice>, entry: &Entry, f: &mut dyn FnMut(&Entry)) {
    let Ok(mut entries) = unit.entries_at_offset(entry.offset()) else {
        return;
    };
    if !matches!(entries.next_entry(), Ok(true)) {
        return;
    }
    let own = entries.depth();
    if !entries.current().is_some_and(Entry::has_children) {
        return;
    }
    let mut seen = 0;
    while seen < WIDEST
        && let Ok(true) = entries.next_entry()
    {
        let depth = entries.depth();
        if depth <= own {
            break;
        }
        if depth == own + 1
            && let Some(child) = entries.current()
        {
            seen += 1;
            f(child);
        }
    }
}

/// Calls `f` with the entry that `reference` leads to, in this unit or another.
pub(super) fn follow<T>(
    unit: UnitRef<'_, Slice>,
    reference: AttributeValue<Slice>,
    f: &mut dyn FnMut(UnitRef<'_, Slice>, &Entry) -> Option<T>,
) -> Option<T> {
    match reference {
        AttributeValue::UnitRef(offset) => f(unit, &unit.entry(offset).ok()?),
        AttributeValue::DebugInfoRef(offset) => {
            if let Some(offset) = offset.to_unit_offset(&unit.header) {
                return f(unit, &unit.entry(offset).ok()?);
            }
            let (other, offset) = other_unit(unit, offset)?;
            let other = other.unit_ref(unit.dwarf);
            f(other, &other.entry(offset).ok()?)
        }
        _ => None,
    }
}

/// The unit that holds `offset`: link-time optimisation lets units refer to
/// each other.
fn other_unit(
    unit: UnitRef<'_, Slice>,
    offset: DebugInfoOffset,
) -> Option<(gimli::Unit<Slice>, UnitOffset)> {
    let mut headers = unit.dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        if let Some(inside) = offset.to_unit_offset(&header) {
            return Some((unit.dwarf.unit(header).ok()?, inside));
        }
    }
    None
}
