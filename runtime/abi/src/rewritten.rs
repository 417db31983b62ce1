//! The contract between rewritten libraries and the runtime.
//!
//! A library that the rewriter has instrumented carries a [`Header`] at the
//! start of a writable segment of its own. Its three slots are zero in the file,
//! so the library works in a process without the runtime; the runtime finds
//! the header through the program headers and fills them.

/// First bytes of the header.
pub const MAGIC: [u8; 16] = *b"racert-rewritten";

/// Version of this contract and of the checks compiled into the library.
pub const VERSION: u32 = 6;

/// Set by `racert run`: which libraries are rewritten, also later ones.
pub const LIBRARIES_VARIABLE: &str = "RACERT_LIBS";
/// Set by `racert run`: the tool that the runtime asks for rewritten libraries.
pub const TOOL_VARIABLE: &str = "RACERT_TOOL";
/// Set by `racert run`: names of libraries that are checked at their borders
/// only, with commas between them.
pub const BORDERS_VARIABLE: &str = "RACERT_LIBS_BORDERS";

/// What the runtime finds in a rewritten library.
#[derive(Debug)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 16],
    /// [`VERSION`] of the rewriter.
    pub version: u32,
    /// [`crate::ABI_VERSION`] of the rewriter.
    pub abi: u32,
    /// Slot: offset of the thread-local block from the thread pointer. Checks
    /// return at once while it is 0, so it is filled last.
    pub tls_offset: u64,
    /// Slot: address of the out-of-line check. It is entered by a jump with
    /// this on the stack, from the top: a code (see [`kind`]), the address of
    /// the access, the length of a range or [`Header::unnumbered`], the return
    /// address into the rewritten code. It keeps every register and flag and returns with the
    /// stack as it was before the call.
    pub slow: u64,
    /// Slot: what an address of the code has to be reduced by to become the
    /// number that the runtime knows it by.
    pub unnumbered: u64,
    /// Address of the table of [`Row`]s, relative to the load address.
    pub rows: u64,
    /// How many there are.
    pub row_count: u64,
    /// What the code keeps in vector registers: one of [`vectors`].
    pub vectors: u64,
    /// Address, relative to the load address, of pairs of 32-bit addresses:
    /// starts and ends of functions that race with no harm.
    pub harmless: u64,
    /// How many there are.
    pub harmless_count: u64,
}

/// How much of the vector registers a library's code uses. All of them are
/// the caller's to save, so nothing else can be alive at one of its checks.
pub mod vectors {
    /// The lower 16 bytes of the first sixteen.
    pub const SSE: u64 = 0;
    /// All of the first sixteen up to 32 bytes.
    pub const AVX: u64 = 1;
    /// More, or flags other than the arithmetic ones.
    pub const ALL: u64 = 2;
}

/// How the caller of a function is found, from `start` to the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Row {
    /// Address relative to the load address.
    pub start: u32,
    /// Distance in words from the stack pointer, or with [`Row::FROM_RBP`]
    /// from `rbp`, to the end of the frame, where the return address is the
    /// last word; 0 if it is not known.
    pub frame: u16,
    /// Words from the end of the frame down to the caller's `rbp`; 0 if it is
    /// still in the register.
    pub saved_rbp: u16,
}

impl Row {
    /// The frame is found from `rbp`.
    pub const FROM_RBP: u16 = 0x8000;
}

/// Offset of [`Header::tls_offset`].
pub const TLS_OFFSET: usize = core::mem::offset_of!(Header, tls_offset);
/// Offset of [`Header::slow`].
pub const SLOW: usize = core::mem::offset_of!(Header, slow);
/// Offset of [`Header::unnumbered`].
pub const UNNUMBERED: usize = core::mem::offset_of!(Header, unnumbered);

/// Behind the call of a check is a no-operation of [`SITE_LEN`] bytes: a prefix
/// that stands for a [`depth`], these three, one that is a [`frame`], and four
/// that are the distance from the return address to the end of the original
/// instruction.
pub const SITE: [u8; 3] = [0x0f, 0x1f, 0x84];
/// Bytes of the no-operation.
pub const SITE_LEN: usize = 9;

/// How much deeper the stack is at a check than in the original code.
pub mod depth {
    /// Prefixes that a no-operation ignores, by red zone and number of pushed
    /// registers.
    const PREFIXES: [[u8; 3]; 2] = [[0x26, 0x2e, 0x36], [0x3e, 0x64, 0x65]];

    /// The prefix for a check.
    pub const fn prefix(red_zone: bool, pushed: usize) -> u8 {
        PREFIXES[red_zone as usize][pushed]
    }

    /// The bytes that a prefix stands for.
    pub const fn bytes(prefix: u8) -> usize {
        match prefix {
            0x26 => 0,
            0x2e => 8,
            0x36 => 16,
            0x3e => 128,
            0x64 => 136,
            _ => 144,
        }
    }
}

/// Where the function that a check is in has its return address.
pub mod frame {
    /// The function does not make itself known as an [`super::activation`].
    pub const UNKNOWN: u8 = 0;
    /// As the table of [`super::Row`]s says.
    pub const BY_ROW: u8 = 254;
    /// At `rbp + 8`.
    pub const BY_RBP: u8 = 255;

    /// So many words above the stack pointer at the check.
    pub const fn words(words: usize) -> u8 {
        if words < BY_ROW as usize {
            words as u8
        } else {
            BY_ROW
        }
    }
}

/// Functions of rewritten libraries that a thread is in, the outermost first,
/// at [`crate::tls::ACTIVATIONS`].
///
/// Rewritten functions add themselves when they are entered, and remove those
/// that are over: what has its return address below theirs. None removes
/// itself, because an exception may leave it.
///
/// A function that is called again from the same place, by an activation that
/// is still there, may find itself there with its context. Therefore an
/// entry that changes clears the [`PLACE`] of the next.
pub mod activation {
    /// Bytes of an entry.
    pub const SIZE: usize = 32;
    /// `usize`: where the return address is. The first entry is none and has
    /// the highest address here.
    pub const PLACE: usize = 0;
    /// `usize`: the return address.
    pub const RETURN: usize = 8;
    /// Two `u32` for the runtime; both 0 at first.
    pub const CONTEXT: usize = 16;
    /// `u64`: not 0 if the context follows from the entry before.
    pub const FIRM: usize = 24;
    /// Bytes, and alignment, of a table; one more entry may be written behind.
    pub const TABLE: usize = 1 << 20;
}

/// Codes of the checks: operation and size in bytes.
pub mod kind {
    /// A read of `size` bytes.
    pub const READ: u32 = 0;
    /// A write of `size` bytes.
    pub const WRITE: u32 = 1;
    /// A read of as many bytes as the second argument says.
    pub const READ_RANGE: u32 = 2;
    /// A write of as many bytes as the second argument says.
    pub const WRITE_RANGE: u32 = 3;
    /// Before a locked instruction on `size` bytes.
    pub const ATOMIC_BEGIN: u32 = 4;
    /// After it.
    pub const ATOMIC_END: u32 = 5;
    /// A full fence; the address says nothing.
    pub const FENCE: u32 = 6;
    /// A write of `size` bytes that publishes what came before.
    pub const RELEASE: u32 = 7;

    /// Operation and size in one number.
    pub const fn code(operation: u32, size: u32) -> u32 {
        operation << 16 | size
    }

    /// The two parts of a code.
    pub const fn parts(code: u32) -> (u32, u32) {
        (code >> 16, code & 0xffff)
    }
}
