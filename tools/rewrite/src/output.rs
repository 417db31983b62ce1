//! The rewritten file.
//!
//! Two segments are added behind everything else: a writable one with the
//! header for the runtime and the program headers, which no longer fit in
//! their old place, and an executable one. Nothing else moves, so sections,
//! symbols, notes and debug information stay valid.

use std::ops::Range;

use racert_abi::ABI_VERSION;
use racert_abi::rewritten::{Header, MAGIC, Row, VERSION};

use super::error::{Error, Result};
use super::image::{ADDRESSES, Image, PAGE};
use super::thunk::Slots;

const PROGRAM_HEADER: usize = 56;
/// Room for the header, so that the program headers behind it are aligned.
const HEADER: u64 = size_of::<Header>().next_multiple_of(64) as u64;
/// The largest hole in the file; a larger one would surprise.
const HOLE: u64 = 64 << 20;

/// Where the new segments go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Address of the writable segment.
    data: u64,
    /// Its size.
    data_size: u64,
    /// Its place in the file.
    offset: u64,
}

impl Layout {
    /// The layout for additions to `image`.
    pub(super) fn new(image: &Image) -> Layout {
        let len = (image.bytes.len() as u64).next_multiple_of(PAGE);
        let data = image.end().max(len);
        // Equal address and offset: older kernels tell a program where its
        // headers are by the offset.
        let offset = if data - len > HOLE { len } else { data };
        let count = u16::from_le_bytes([image.bytes[56], image.bytes[57]]) as u64 + 2;
        Layout {
            data,
            data_size: HEADER + count * PROGRAM_HEADER as u64,
            offset,
        }
    }

    /// Address of the executable segment.
    pub(super) fn code(&self) -> u64 {
        (self.data + self.data_size).next_multiple_of(PAGE)
    }

    /// The slots that the runtime fills.
    pub(super) fn slots(&self) -> Slots {
        use racert_abi::rewritten::{SLOW, TLS_OFFSET, UNNUMBERED};
        Slots {
            tls_offset: self.data + TLS_OFFSET as u64,
            slow: self.data + SLOW as u64,
            unnumbered: self.data + UNNUMBERED as u64,
        }
    }
}

/// What the runtime is told about the code.
pub(super) struct Facts<'a> {
    /// How callers are found.
    pub(super) rows: &'a [Row],
    /// One of [`racert_abi::rewritten::vectors`].
    pub(super) vectors: u64,
    /// Functions that race with no harm.
    pub(super) harmless: Vec<Range<u64>>,
}

/// The bytes of the new file: `bytes` with the segments behind; an error if they
/// would reach beyond what addresses may be.
pub(super) fn build(
    mut bytes: Vec<u8>,
    layout: Layout,
    mut code: Vec<u8>,
    facts: Facts<'_>,
) -> Result<Vec<u8>> {
    let rows = facts.rows;
    code.resize(code.len().next_multiple_of(8), 0xcc);
    let rows_at = layout.code() + code.len() as u64;
    for row in rows {
        code.extend(row.start.to_le_bytes());
        code.extend(row.frame.to_le_bytes());
        code.extend(row.saved_rbp.to_le_bytes());
    }
    let harmless_at = layout.code() + code.len() as u64;
    for function in &facts.harmless {
        code.extend((function.start as u32).to_le_bytes());
        code.extend((function.end as u32).to_le_bytes());
    }
    if layout.code() + code.len() as u64 > ADDRESSES {
        return Err(Error::new("there is no room behind the file's addresses"));
    }
    let word = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
    };
    let old = word(&bytes, 32) as usize;
    let count = u16::from_le_bytes([bytes[56], bytes[57]]) as usize;
    let mut headers = bytes[old..old + count * PROGRAM_HEADER].to_vec();
    let headers_at = layout.data + HEADER;
    let headers_offset = layout.offset + HEADER;
    let size = ((count + 2) * PROGRAM_HEADER) as u64;
    for header in headers.chunks_mut(PROGRAM_HEADER) {
        if header[..4] == 6u32.to_le_bytes() {
            for (at, value) in [
                (8, headers_offset),
                (16, headers_at),
                (24, headers_at),
                (32, size),
                (40, size),
            ] {
                header[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
        }
    }
    let code_offset = layout.offset + (layout.code() - layout.data);
    let mut load = |flags: u32, offset: u64, address: u64, size: u64| {
        headers.extend(1u32.to_le_bytes());
        headers.extend(flags.to_le_bytes());
        for value in [offset, address, address, size, size, PAGE] {
            headers.extend(value.to_le_bytes());
        }
    };
    load(6, layout.offset, layout.data, layout.data_size);
    load(5, code_offset, layout.code(), code.len() as u64);
    bytes.resize(layout.offset as usize, 0);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(ABI_VERSION.to_le_bytes());
    bytes.extend([0; 24]);
    bytes.extend(rows_at.to_le_bytes());
    bytes.extend((rows.len() as u64).to_le_bytes());
    bytes.extend(facts.vectors.to_le_bytes());
    bytes.extend(harmless_at.to_le_bytes());
    bytes.extend((facts.harmless.len() as u64).to_le_bytes());
    bytes.resize(headers_offset as usize, 0);
    bytes.extend(headers);
    bytes.resize(code_offset as usize, 0);
    bytes.extend(code);
    bytes[32..40].copy_from_slice(&headers_offset.to_le_bytes());
    bytes[56..58].copy_from_slice(&(count as u16 + 2).to_le_bytes());
    Ok(bytes)
}
