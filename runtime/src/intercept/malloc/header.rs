//! The header in front of every heap block.
//!
//! ```text
//! raw (libc's block)      header              block (the program's)
//! |<--- offset - 16 --->|<--- 16 bytes --->|<--- size --->|
//! ```
//!
//! The offset is 16 for ordinary blocks, and the alignment for blocks of a
//! larger one, so a power of two in both cases.

/// What the header knows; 16 bytes, which keeps malloc's alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub(super) struct Header {
    /// Size in the low 48 bits, then 8 bits log2 of the offset, then
    /// [`MAGIC`] as a sign that nothing wrote over the header.
    word: u64,
    /// Where it was allocated: the heap's stack id.
    pub(super) stack: u32,
    /// Who allocated it: the heap's thread id.
    pub(super) thread: u32,
}

const _: () = assert!(size_of::<Header>() == SIZE);

/// Size of a header.
pub(super) const SIZE: usize = 16;
/// Largest block: addresses have 47 bits, so no libc grants more.
pub(super) const MAX_BLOCK: usize = (1 << 47) - 1;

const SIZE_BITS: u32 = 48;
const OFFSET_SHIFT: u32 = 48;
const MAGIC_SHIFT: u32 = 56;
const MAGIC: u64 = 0xb7;

impl Header {
    /// A header for a block of `size` bytes, `offset` bytes into libc's.
    pub(super) fn new(size: usize, offset: usize, stack: u32, thread: u32) -> Self {
        debug_assert!(offset.is_power_of_two() && offset >= SIZE && size <= MAX_BLOCK);
        let offset_bits = u64::from(offset.trailing_zeros());
        Header {
            word: size as u64 | offset_bits << OFFSET_SHIFT | MAGIC << MAGIC_SHIFT,
            stack,
            thread,
        }
    }

    /// Size the program asked for.
    pub(super) fn size(self) -> usize {
        (self.word & ((1 << SIZE_BITS) - 1)) as usize
    }

    /// Distance from libc's block to the program's.
    pub(super) fn offset(self) -> usize {
        1 << ((self.word >> OFFSET_SHIFT) & 0x3f)
    }

    /// False if the program wrote over it.
    pub(super) fn is_intact(self) -> bool {
        self.word >> MAGIC_SHIFT == MAGIC
    }

    /// Where the header of the block at `block` lies.
    pub(super) fn of(block: usize) -> *mut Header {
        (block - SIZE) as *mut Header
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_size_and_offset_apart() {
        for size in [0, 1, 17, MAX_BLOCK] {
            for offset in [SIZE, 4096, 1 << 40] {
                let header = Header::new(size, offset, u32::MAX, 7);
                assert_eq!(header.size(), size);
                assert_eq!(header.offset(), offset);
                assert_eq!((header.stack, header.thread), (u32::MAX, 7));
                assert!(header.is_intact());
            }
        }
    }

    #[test]
    fn notices_an_overwritten_header() {
        let mut header = Header::new(8, SIZE, 1, 2);
        header.word = 0x4141_4141_4141_4141;
        assert!(!header.is_intact());
    }
}
