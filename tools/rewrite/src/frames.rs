//! Functions and landing pads from the unwind tables.
//!
//! `.eh_frame` is there even in stripped libraries, and its ranges are exact:
//! no guessing where a function begins.

use std::collections::BTreeMap;

use gimli::{
    BaseAddresses, CfaRule, CieOrFde, EhFrame, EndianSlice, LittleEndian, Pointer, RegisterRule,
    UnwindContext, UnwindSection, UnwindTableRow,
};
use racert_abi::rewritten::Row;

use super::image::Image;
use crate::error::{Error, Result};

/// What the unwind tables say about one function, or part of one.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Where exceptions continue.
    pub(super) landing_pads: Vec<u64>,
    /// The exception table could not be read.
    pub(super) unreadable: bool,
}

/// What the unwind tables hold.
pub(super) struct Frames {
    /// All functions in order of address, without ranges that overlap.
    pub(super) functions: Vec<Frame>,
    /// How callers are found, in order of address.
    pub(super) rows: Vec<Row>,
}

/// Reads the unwind tables.
pub(super) fn read(image: &Image) -> Result<Frames> {
    let missing = || {
        Error::new("the file has no unwind tables (.eh_frame), so its functions cannot be found")
    };
    let section = image.section(".eh_frame").ok_or_else(missing)?;
    let bytes = image.slice(section.range.clone()).ok_or_else(missing)?;
    let start_of = |name: &str| image.section(name).map_or(0, |s| s.range.start);
    let bases = BaseAddresses::default()
        .set_eh_frame(section.range.start)
        .set_text(start_of(".text"))
        .set_got(start_of(".got"));
    let table = EhFrame::new(bytes, LittleEndian);
    let mut entries = table.entries(&bases);
    let mut known: BTreeMap<usize, gimli::CommonInformationEntry<EndianSlice<'_, LittleEndian>>> =
        BTreeMap::new();
    let mut frames = Vec::new();
    let mut rows = Vec::new();
    let mut context = UnwindContext::new();
    let unreadable = |e: gimli::Error| Error::new(format!("the unwind tables are damaged: {e}"));
    while let Some(entry) = entries.next().map_err(unreadable)? {
        let CieOrFde::Fde(partial) = entry else {
            continue;
        };
        let entry = partial.parse(|_, bases, offset| {
            if let Some(cie) = known.get(&offset.0) {
                return Ok(cie.clone());
            }
            let cie = table.cie_from_offset(bases, offset)?;
            known.insert(offset.0, cie.clone());
            Ok(cie)
        });
        let entry = entry.map_err(unreadable)?;
        let (start, len) = (entry.initial_address(), entry.len());
        let Some(end) = start.checked_add(len).filter(|_| len > 0) else {
            continue;
        };
        if let Ok(mut table) = entry.rows(&table, &bases, &mut context) {
            while let Ok(Some(row)) = table.next_row() {
                rows.push(caller(row));
            }
            rows.push(unknown(end));
        }
        let pads = match entry.lsda() {
            Some(Pointer::Direct(address)) if address != 0 => landing_pads(image, address, start),
            Some(Pointer::Indirect(_)) => None,
            _ => Some(Vec::new()),
        };
        frames.push(Frame {
            start,
            end,
            unreadable: pads.is_none(),
            landing_pads: pads.unwrap_or_default(),
        });
    }
    if frames.is_empty() {
        return Err(missing());
    }
    frames.sort_by_key(|frame| (frame.start, frame.end));
    frames.dedup_by_key(|frame| frame.start);
    let overlapping: Vec<bool> = (0..frames.len())
        .map(|i| {
            let before = i > 0 && frames[i - 1].end > frames[i].start;
            let after = frames
                .get(i + 1)
                .is_some_and(|next| frames[i].end > next.start);
            before || after
        })
        .collect();
    let mut overlapping = overlapping.into_iter();
    frames.retain(|_| !overlapping.next().unwrap_or(false));
    // Where one function ends and another begins, the beginning counts.
    rows.sort_by_key(|row: &Row| (row.start, row.frame == 0));
    rows.dedup_by_key(|row| row.start);
    Ok(Frames {
        functions: frames,
        rows,
    })
}

fn unknown(address: u64) -> Row {
    Row {
        start: address as u32,
        frame: 0,
        saved_rbp: 0,
    }
}

const RBP: gimli::Register = gimli::Register(6);
const RSP: gimli::Register = gimli::Register(7);

/// A row of the unwind table as far as the runtime needs it.
fn caller(row: &UnwindTableRow<usize>) -> Row {
    let nothing = unknown(row.start_address());
    let CfaRule::RegisterAndOffset { register, offset } = *row.cfa() else {
        return nothing;
    };
    let words = |bytes: i64| u16::try_from(bytes / 8).ok().filter(|w| *w < Row::FROM_RBP);
    let (Some(words_to_end), RBP | RSP) = (words(offset), register) else {
        return nothing;
    };
    let saved_rbp = match row.register(RBP) {
        None | Some(RegisterRule::Undefined | RegisterRule::SameValue) => Some(0),
        Some(RegisterRule::Offset(offset)) => words(-offset),
        Some(_) => None,
    };
    let Some(saved_rbp) = saved_rbp else {
        return nothing;
    };
    let base = if register == RBP { Row::FROM_RBP } else { 0 };
    Row {
        frame: words_to_end | base,
        saved_rbp,
        ..nothing
    }
}

/// Reads a language-specific data area: the landing pads of a function.
fn landing_pads(image: &Image, address: u64, function: u64) -> Option<Vec<u64>> {
    let mut at = Cursor { image, at: address };
    let base = match at.byte()? {
        OMITTED => function,
        encoding => at.encoded(encoding)?,
    };
    if at.byte()? != OMITTED {
        at.uleb()?;
    }
    let encoding = at.byte()?;
    let length = at.uleb()?;
    let end = at.at.checked_add(length)?;
    let mut pads = Vec::new();
    while at.at < end {
        at.encoded(encoding)?;
        at.encoded(encoding)?;
        let pad = at.encoded(encoding)?;
        at.uleb()?;
        if pad != 0 {
            pads.push(base.wrapping_add(pad));
        }
    }
    Some(pads)
}

const OMITTED: u8 = 0xff;

struct Cursor<'a> {
    image: &'a Image,
    at: u64,
}

impl Cursor<'_> {
    fn take(&mut self, len: u64) -> Option<u64> {
        let bytes = self.image.slice(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        let mut value = [0; 8];
        value[..bytes.len()].copy_from_slice(bytes);
        Some(u64::from_le_bytes(value))
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte as u8)
    }

    fn uleb(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
    }

    /// A value in one of the encodings of the exception tables.
    fn encoded(&mut self, encoding: u8) -> Option<u64> {
        let here = self.at;
        let value = match encoding & 0x0f {
            0x00 | 0x04 | 0x0c => self.take(8)?,
            0x01 => self.uleb()?,
            0x02 => self.take(2)?,
            0x03 => self.take(4)?,
            0x0a => self.take(2)? as i16 as u64,
            0x0b => self.take(4)? as i32 as u64,
            _ => return None,
        };
        match encoding & 0xf0 {
            0x00 => Some(value),
            0x10 if value == 0 => Some(0),
            0x10 => Some(here.wrapping_add(value)),
            _ => None,
        }
    }
}
