//! Compressed debug sections: zlib and Zstandard.

use alloc::vec::Vec;
use object::elf::{CompressionType, ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD};
use ruzstd::decoding::FrameDecoder;

/// Larger sections stay unread: unpacked, they live in memory, not in the
/// page cache, and the program needs that memory itself.
const LIMIT: u64 = 1 << 30;

/// A section's bytes.
pub(super) enum Section<'a> {
    /// As in the file.
    Stored(&'a [u8]),
    /// Unpacked.
    Unpacked(Vec<u8>),
}

/// Unpacks a section of `size` bytes.
pub(super) fn decompress(
    kind: CompressionType,
    size: u64,
    packed: &[u8],
) -> Option<Section<'static>> {
    if size > LIMIT {
        return None;
    }
    let size = usize::try_from(size).ok()?;
    let unpacked = match kind {
        ELFCOMPRESS_ZLIB => zlib(size, packed),
        ELFCOMPRESS_ZSTD => zstd(size, packed),
        _ => None,
    }?;
    Some(Section::Unpacked(unpacked))
}

/// A buffer of `size` bytes, if there is that much memory.
fn buffer(size: usize) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    out.try_reserve_exact(size).ok()?;
    out.resize(size, 0);
    Some(out)
}

fn zlib(size: usize, packed: &[u8]) -> Option<Vec<u8>> {
    // A byte of deflate yields at most 1032: a larger claim is a lie.
    if size / 1032 > packed.len() {
        return None;
    }
    let mut out = buffer(size)?;
    let input = core::iter::once(packed);
    let n =
        miniz_oxide::inflate::decompress_slice_iter_to_slice(&mut out, input, true, true).ok()?;
    (n == size).then_some(out)
}

fn zstd(size: usize, packed: &[u8]) -> Option<Vec<u8>> {
    let mut out = buffer(size)?;
    let n = FrameDecoder::new().decode_all(packed, &mut out).ok()?;
    (n == size).then_some(out)
}
