//! Local variables that are in memory.
//!
//! A variable's place is an offset from its function's frame base, which is a
//! register; the unwind tables say where that register points, counted from
//! the end of the frame. The optimiser may keep some members of a variable
//! elsewhere; the pieces that are in memory count. Variables whose place cannot
//! be told that way, because it changes or is in registers, are passed over.

use super::dwarf::Slice;
use super::variables::{self, Declaration};
use addr2line::gimli::{
    self, AttributeValue, BaseAddresses, CfaRule, DebuggingInformationEntry, EhFrame, Operation,
    Register, UnitOffset, UnitRef, UnwindContext, UnwindSection as _, X86_64,
};

type Entry = DebuggingInformationEntry<Slice>;

/// A place in a function's frame: `offset` bytes from the end of the frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFrame {
    /// Negative inside the frame.
    pub(super) offset: i64,
    /// How many bytes.
    pub(super) size: u64,
    /// Address of code in the function.
    pub(super) code: u64,
    /// Where the function begins, if that is known.
    pub(super) entry: Option<u64>,
}

/// A local variable.
pub(super) struct Local {
    /// What is known of it; its part is the one asked for.
    pub(super) declaration: Declaration,
    /// Where it begins, counted as [`InFrame::offset`].
    pub(super) offset: i64,
    /// Its size.
    pub(super) size: u64,
}

/// How the frame's end is found at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameRule {
    register: Register,
    offset: i64,
}

/// The rule at `code`, from the unwind table `table` that is at address
/// `address` of the file.
pub(super) fn rule(table: &[u8], address: u64, code: u64) -> Option<FrameRule> {
    let table = EhFrame::new(table, gimli::LittleEndian);
    let bases = BaseAddresses::default().set_eh_frame(address);
    let mut context = UnwindContext::new();
    let row = table
        .unwind_info_for_address(&bases, &mut context, code, EhFrame::cie_from_offset)
        .ok()?;
    match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => Some(FrameRule {
            register: *register,
            offset: *offset,
        }),
        CfaRule::Expression(_) => None,
    }
}

/// The local variable of `unit` at `place`.
pub(super) fn find(
    unit: UnitRef<'_, Slice>,
    files: UnitRef<'_, Slice>,
    rule: Option<FrameRule>,
    place: InFrame,
) -> Option<Local> {
    let mut entries = unit.entries();
    // The function around, and the scopes in it that do not hold the code.
    let mut function: Option<(isize, Option<i64>, UnitOffset)> = None;
    let mut closed: Option<isize> = None;
    while let Ok(true) = entries.next_entry() {
        let depth = entries.depth();
        let Some(entry) = entries.current() else {
            continue;
        };
        if function.is_some_and(|(outer, _, _)| outer >= depth) {
            return None;
        }
        if closed.is_some_and(|outer| outer >= depth) {
            closed = None;
        }
        let is_scope = matches!(
            entry.tag(),
            gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine
        );
        match (entry.tag(), function) {
            (gimli::DW_TAG_subprogram, None) if holds(unit, entry, place.code) => {
                let entered = |address| holds(unit, entry, address);
                if !place.entry.is_none_or(entered) {
                    return None;
                }
                function = Some((depth, frame_base(unit, entry, rule), entry.offset()));
            }
            (gimli::DW_TAG_subprogram, Some(_)) if closed.is_none() => closed = Some(depth),
            (_, Some(_)) if is_scope && closed.is_none() && !holds(unit, entry, place.code) => {
                closed = Some(depth);
            }
            (gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter, Some((_, base, around)))
                if closed.is_none() =>
            {
                if let Some(local) = local(unit, files, entry, around, (base, rule), place) {
                    return Some(local);
                }
            }
            _ => {}
        }
    }
    None
}

/// `entry`, if it is at `place`.
fn local(
    unit: UnitRef<'_, Slice>,
    files: UnitRef<'_, Slice>,
    entry: &Entry,
    function: UnitOffset,
    frame: (Option<i64>, Option<FrameRule>),
    place: InFrame,
) -> Option<Local> {
    let offset = place_of(unit, entry, frame, place)?;
    let inside = place.offset.checked_sub(offset)?.try_into().ok()?;
    let whole = variables::part(unit, entry, 0, u64::MAX)?;
    let size = whole.size.filter(|size| inside < *size)?;
    let declaration = variables::local(unit, files, entry, function, (inside, place.size))?;
    Some(Local {
        declaration,
        offset,
        size,
    })
}

/// Where a variable begins that may hold `place`, counted from the end of the
/// frame.
fn place_of(
    unit: UnitRef<'_, Slice>,
    entry: &Entry,
    (base, rule): (Option<i64>, Option<FrameRule>),
    place: InFrame,
) -> Option<i64> {
    let location = entry.attr_value(gimli::DW_AT_location)?;
    let expression = match location {
        AttributeValue::Exprloc(expression) => expression,
        other => {
            let mut list = unit.attr_locations(other).ok()??;
            loop {
                let entry = list.next().ok()??;
                if (entry.range.begin..entry.range.end).contains(&place.code) {
                    break entry.data;
                }
            }
        }
    };
    let mut operations = expression.operations(unit.encoding());
    // Where the piece begins that is being described, if that is in memory, and
    // how many bytes of the variable stand before it.
    let (mut piece, mut before) = (None, 0);
    let mut is_known = true;
    while let Some(operation) = operations.next().ok()? {
        match operation {
            Operation::FrameOffset { offset } if piece.is_none() => {
                piece = base.and_then(|base| base.checked_add(offset));
                is_known &= piece.is_some();
            }
            Operation::RegisterOffset {
                register, offset, ..
            } if piece.is_none() => {
                piece = value(register, rule).and_then(|base| base.checked_add(offset));
                is_known &= piece.is_some();
            }
            Operation::PlusConstant { value } => {
                piece = piece.and_then(|at: i64| at.checked_add_unsigned(value));
            }
            Operation::Piece { size_in_bits, .. } => {
                let size = i64::try_from(size_in_bits / 8).ok()?;
                let begin = piece.take().filter(|_| is_known);
                let found =
                    |begin: &i64| (*begin..begin.saturating_add(size)).contains(&place.offset);
                if let Some(begin) = begin.filter(found) {
                    return begin.checked_sub(before);
                }
                before = before.checked_add(size)?;
                is_known = true;
            }
            _ => is_known = false,
        }
    }
    piece.filter(|_| is_known)
}

/// Where the frame base of a function points, counted from the end of the
/// frame.
fn frame_base(unit: UnitRef<'_, Slice>, entry: &Entry, rule: Option<FrameRule>) -> Option<i64> {
    let expression = entry.attr_value(gimli::DW_AT_frame_base)?.exprloc_value()?;
    let mut operations = expression.operations(unit.encoding());
    match operations.next().ok()?? {
        Operation::Register { register } => value(register, rule),
        Operation::CallFrameCFA => Some(0),
        _ => None,
    }
}

/// Where `register` points, counted from the end of the frame.
fn value(register: Register, rule: Option<FrameRule>) -> Option<i64> {
    match rule {
        Some(rule) if rule.register == register => rule.offset.checked_neg(),
        // The usual way to set up a frame pointer: saved below the return
        // address.
        None if register == X86_64::RBP => Some(-16),
        _ => None,
    }
}

/// Is `code` in the function or scope `entry`?
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
