//! The contract between rewritten libraries and the runtime.
//!
//! A library that the rewriter has instrumented carries a [`Header`] at the
//! start of a writable segment of its own. Its two slots are zero in the file,
//! so the library works in a process without the runtime; the runtime finds
//! the header through the program headers and fills them.

/// First bytes of the header.
pub const MAGIC: [u8; 16] = *b"racert-rewritten";

/// Version of this contract and of the checks compiled into the library.
pub const VERSION: u32 = 3;

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
    /// the access, the length of a range, the return address into the
    /// rewritten code. It keeps every register and flag and returns with the
    /// stack as it was before the call.
    pub slow: u64,
    /// Address of the table of [`Row`]s, relative to the load address.
    pub rows: u64,
    /// How many there are.
    pub row_count: u64,
    /// What the code keeps in vector registers: one of [`vectors`].
    pub vectors: u64,
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

/// Behind the call of a check is a seven-byte no-operation: these two bytes,
/// one with `0x80` plus a [`depth`], and four that are the distance from the
/// return address to the end of the original instruction.
pub const SITE: [u8; 2] = [0x0f, 0x1f];

/// How much deeper the stack is at a check than in the original code.
pub mod depth {
    /// The codes in use, by red zone and number of pushed registers. 4 would
    /// be another encoding.
    const CODES: [[u8; 3]; 2] = [[0, 1, 2], [3, 5, 6]];

    /// The code for a check.
    pub const fn code(red_zone: bool, pushed: usize) -> u8 {
        CODES[red_zone as usize][pushed]
    }

    /// The bytes that a code stands for.
    pub const fn bytes(code: u8) -> usize {
        match code & 7 {
            0 => 0,
            1 => 8,
            2 => 16,
            3 => 128,
            5 => 136,
            _ => 144,
        }
    }
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
