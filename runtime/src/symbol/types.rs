//! From bytes of an object to the name and type of the part they are.
//!
//! DWARF describes types as a graph: structures of members, arrays of elements,
//! names and qualifiers around them. [`part`] walks down from an object's type
//! towards the bytes in question and stops at the innermost part that holds all
//! of them, or earlier where the description ends. Whole objects are not taken
//! apart: an access to all of a `std::atomic<int>` is not one to the member
//! inside it. Unless the access is too wide for anything but a copy, unions are,
//! and structures whose only member the programmer has named: it is to one
//! member. Where several fit, as bit-fields do that share a word, they are listed
//! behind the type's name.

use super::dwarf::Slice;
use super::type_names::{is_c, is_cxx, is_transparent, type_name};
use addr2line::gimli::{
    self, AttributeValue, DebugInfoOffset, DebuggingInformationEntry, UnitOffset, UnitRef,
};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

pub(super) type Entry = DebuggingInformationEntry<Slice>;

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

/// Bytes of the widest member that code accesses at once.
const WORD: u64 = 8;

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
        let mut steps = steps(unit, entry, at, limit);
        let is_union = entry.tag() == gimli::DW_TAG_union_type;
        let is_member = size <= WORD && (is_union || is_named_by_programmer(unit, &steps));
        if is_whole(unit, entry, at) && !is_member {
            steps.clear();
        }
        if steps.len() != 1 {
            part.size = byte_size(unit, entry, limit.depth);
            part.type_name = type_name(unit, entry, limit.depth);
            part.type_name.push_str(&one_of(&steps));
            return Some(());
        }
        let step = steps.pop()?;
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
        // Of a class that is only declared here, its neighbours tell.
        part.size = part.size.or(step.room);
        Some(())
    })
}

/// Do `steps` lead to one member, which is not one of a library's own? In Rust
/// everything is wrapped.
fn is_named_by_programmer(unit: UnitRef<'_, Slice>, steps: &[Step]) -> bool {
    let [step] = steps else { return false };
    let is_own = |name: &String| !name.starts_with('_');
    step.member.as_ref().is_some_and(is_own) && (is_c(unit) || is_cxx(unit))
}

/// Is `at` all of an object of this type?
fn is_whole(unit: UnitRef<'_, Slice>, entry: &Entry, at: (u64, u64)) -> bool {
    at.0 == 0 && byte_size(unit, entry, DEEPEST).is_some_and(|size| at.1 >= size)
}

/// One step down.
struct Step {
    path: String,
    offset: u64,
    /// It leads to a bit-field.
    is_bits: bool,
    member: Option<String>,
    inner: AttributeValue<Slice>,
    /// Bytes that it has at most, if its type does not say how many it has.
    room: Option<u64>,
}

/// The ways down to the bytes `at`.
fn steps(unit: UnitRef<'_, Slice>, entry: &Entry, at: (u64, u64), limit: Limit<'_>) -> Vec<Step> {
    match entry.tag() {
        gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
            to_members(unit, entry, at, limit)
        }
        gimli::DW_TAG_array_type => to_element(unit, entry, at).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// `: low or high`, of the members that `steps` lead to.
fn one_of(steps: &[Step]) -> String {
    let names: Vec<&str> = steps
        .iter()
        .filter_map(|step| step.member.as_deref())
        .collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!(": {} or {last}", others.join(", ")),
        _ => String::new(),
    }
}

/// The members that hold the bytes; where there are several, those of them that
/// are the bytes, and bit-fields.
fn to_members(
    unit: UnitRef<'_, Slice>,
    entry: &Entry,
    at: (u64, u64),
    limit: Limit<'_>,
) -> Vec<Step> {
    let mut holding: Vec<Step> = Vec::new();
    each_child(unit, entry, &mut |child| {
        let is_base = child.tag() == gimli::DW_TAG_inheritance;
        if child.tag() != gimli::DW_TAG_member && !is_base {
            return;
        }
        let Some(inner) = type_of(child) else { return };
        let length = follow(unit, inner, &mut |unit, entry| {
            byte_size(unit, entry, DEEPEST)
        });
        let room = match (length, member_offset(child)) {
            (None, Some(start)) => room_at(unit, entry, start),
            _ => None,
        };
        let Some(length) = length.or(room) else {
            return;
        };
        let bits = bit_field(child, length);
        let start = match bits {
            Some(bits) => begin_of_bits(bits, length, at),
            None => member_offset(child).filter(|start| holds((*start, length), at)),
        };
        let Some(start) = start else { return };
        let member = name(unit, child).filter(|_| !is_base);
        let path = member.as_deref().map_or_else(String::new, |member| {
            // Rust numbers the members of tuples so.
            let number = member.strip_prefix("__").filter(|rest| is_number(rest));
            format!(".{}", number.unwrap_or(member))
        });
        holding.push(Step {
            path,
            offset: start,
            is_bits: bits.is_some(),
            member,
            inner,
            room,
        });
    });
    if holding.len() > 1 {
        holding.retain(|step| step.is_bits || ends_exactly(unit, step, at, limit));
    }
    holding
}

/// Bytes from `start` to the next member of the structure `entry`, or its end.
fn room_at(unit: UnitRef<'_, Slice>, entry: &Entry, start: u64) -> Option<u64> {
    let mut end = byte_size(unit, entry, DEEPEST)?;
    each_child(unit, entry, &mut |child| {
        if child.tag() == gimli::DW_TAG_member
            && let Some(next) = member_offset(child)
            && (start + 1..end).contains(&next)
        {
            end = next;
        }
    });
    end.checked_sub(start)
}

/// Are the bytes `at` all within `outer`? Both are offset and size.
fn holds(outer: (u64, u64), at: (u64, u64)) -> bool {
    at.0 >= outer.0 && at.0.saturating_add(at.1) <= outer.0.saturating_add(outer.1)
}

/// First bit and number of bits of a member that is a bit-field, whose type has
/// `length` bytes.
fn bit_field(member: &Entry, length: u64) -> Option<(u64, u64)> {
    let number = |name| {
        let value = member.attr_value(name);
        value.and_then(|value| value.udata_value())
    };
    let bits = number(gimli::DW_AT_bit_size)?;
    if let Some(first) = number(gimli::DW_AT_data_bit_offset) {
        return Some((first, bits));
    }
    // Before DWARF 5: counted from the other end of a unit of storage.
    let behind = number(gimli::DW_AT_bit_offset)?.checked_add(bits)?;
    let unit = number(gimli::DW_AT_byte_size).unwrap_or(length);
    let end = member_offset(member)?.checked_add(unit)?.checked_mul(8)?;
    Some((end.checked_sub(behind)?, bits))
}

/// Where a bit-field begins for an access to the bytes `at` that has to do with
/// it: one of at most the size of its type, `length`, that touches its bits.
fn begin_of_bits((first, bits): (u64, u64), length: u64, at: (u64, u64)) -> Option<u64> {
    let (begin, end) = (first / 8, first.saturating_add(bits).div_ceil(8));
    let touches = at.0 < end && begin < at.0.saturating_add(at.1);
    (touches && at.1 <= length).then(|| begin.min(at.0))
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
        is_bits: false,
        member: None,
        inner,
        room: None,
    })
}

/// How many elements each dimension of an array has.
pub(super) fn dimensions(unit: UnitRef<'_, Slice>, entry: &Entry) -> Vec<Option<u64>> {
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

pub(super) fn name(unit: UnitRef<'_, Slice>, entry: &Entry) -> Option<String> {
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
